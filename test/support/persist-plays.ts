import type { Page } from 'playwright'
import { press } from './demo-page.js'
import type { Kind } from './persist-page/kinds.js'

type Play = (page: Page) => Promise<void>

const yes: Play = (page) => press(page, 'Approve')
const no: Play = (page) => press(page, 'Decline')
const submit: Play = (page) => press(page, 'Submit')

const type =
  (prompt: string, text: string): Play =>
  async (page) => {
    await page.getByText(prompt).waitFor()
    await page.getByRole('dialog').getByRole('textbox').fill(text)
    await submit(page)
  }

interface Plan {
  /** How each question is answered. */
  readonly answers: readonly Play[]
  /** What the tool does once, when all of them are; nothing where it must not run. */
  readonly effect: readonly unknown[]
}

/** What the person does with each kind of question, and what must come of it. */
export const plans: Record<Kind, Plan> = {
  approval: { answers: [yes], effect: [true] },
  input: {
    answers: [
      async (page) => {
        await page.getByLabel('Count').fill('0')
        await submit(page)
      },
    ],
    effect: [{ count: 0, force: false }],
  },
  question: {
    answers: [
      async (page) => {
        await page.getByRole('radio', { name: 'staging' }).check()
        await submit(page)
      },
    ],
    effect: [{ answers: ['staging'] }],
  },
  authorization: { answers: [(page) => press(page, "I've finished")], effect: [true] },
  gate: { answers: [yes], effect: [{ site: 'docs' }] },
  edited: {
    answers: [
      async (page) => {
        await press(page, 'Edit')
        await page.getByLabel('Site').fill('live')
        await press(page, 'Approve with changes')
      },
    ],
    effect: [{ site: 'live' }],
  },
  refusal: { answers: [no], effect: [] },
  'heard refusal': { answers: [no], effect: [false] },
  'two steps': { answers: [type('First?', 'a'), type('Second?', 'b')], effect: [['a', 'b']] },
  'gate and question': { answers: [yes, type('Second?', 'b')], effect: [[true, 'b']] },
}
