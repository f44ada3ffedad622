import axe from 'axe-core'
import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/components/styles.css'
import { createToolRunner, type DialogBodyProps, pending, type Runner, type ToolRunnerProps } from '../../src/index.js'
import {
  ask,
  button,
  dialog,
  elementOf,
  emulate,
  eventually,
  Page,
  pause,
  press,
  settle,
  tabTo,
} from '../support/page.js'

const approveAll = () => page.getByRole('button', { name: /^Approve all/ })
const declineAll = () => page.getByRole('button', { name: /^Decline all/ })
const prompt = (text: string) => dialog().getByText(text, { exact: true })

afterEach(async () => {
  Reflect.deleteProperty(document, 'visibilityState')
  await emulate('light')
  await page.viewport(1024, 768)
})

async function open(prompts: readonly string[], props: Partial<ToolRunnerProps> & { runner?: Runner } = {}) {
  const { runner = createToolRunner(), ...rest } = props
  await render(<Page runner={runner} armingDelay={0} {...rest} />)
  const questions = prompts.map((text) => ask(runner, { prompt: text }))
  await eventually(prompt(prompts[0] ?? '')).toBeVisible()
  return { runner, questions, answers: () => questions.map(({ answers }) => answers.map(({ ok }) => ok)) }
}

/** Looks at every question with Next, until its yes counts. Without `batch` nothing says when it does. */
async function lookAt(prompts: readonly string[], { batch = true } = {}): Promise<void> {
  for (const [at, text] of prompts.entries()) {
    if (at > 0) elementOf(button('Next')).click()
    await eventually(prompt(text)).toBeVisible()
    await eventually(dialog()).toHaveAttribute('data-state', 'armed')
    // The part that counts looks is loaded on demand, and comes with this button.
    if (batch) await eventually(declineAll()).toBeVisible()
    else await settle()
  }
}

describe('Approve all', () => {
  test('comes after each was looked at, and answers each by its own id, in order', async () => {
    const order: string[] = []
    const names = ['a', 'b', 'c']
    const runner = createToolRunner({
      tools: names.map((name) => ({
        name,
        execute: (_args, ctx) => {
          if (!ctx.answer) return pending({ kind: 'approval', prompt: `${name}?` })
          order.push(`${name} ${ctx.answer.id}`)
          return name
        },
      })),
    })
    await render(<Page runner={runner} armingDelay={0} />)
    const results = names.map((name) => runner.run(name))
    await eventually(prompt('a?')).toBeVisible()
    const ids = runner.getState().pending.map(({ request }) => request.id)
    await lookAt(['a?', 'b?'])
    expect(approveAll().elements()).toEqual([])
    elementOf(button('Next')).click()
    await eventually(prompt('c?')).toBeVisible()
    await userEvent.click(button('Approve all'))
    expect(await Promise.all(results)).toEqual(names.map((output) => ({ output, isError: false })))
    expect(order).toEqual(names.map((name, at) => `${name} ${ids[at]}`))
    await expect.poll(() => dialog().elements()).toEqual([])
  })

  test('is not there for one question alone', async () => {
    await open(['A?'])
    await settle()
    expect([approveAll().elements(), declineAll().elements()]).toEqual([[], []])
  })

  test('takes data that is no object for none', async () => {
    const { runner } = await open(['A?'])
    // From a server that does not keep to the contract.
    for (const data of [null, 'text', ['choices']]) ask(runner, { prompt: `${data}?`, data: data as never })
    await lookAt(['A?', 'null?', 'text?', 'choices?'])
    await eventually(approveAll()).toBeVisible()
  })

  test('is not there while a question was not read to its end', async () => {
    const { runner } = await open(['A?'])
    ask(runner, { prompt: 'B?', data: { details: 'A line.\n'.repeat(200) } })
    await lookAt(['A?', 'B?'])
    expect(approveAll().elements()).toEqual([])
    const content = elementOf(dialog()).querySelector('[data-slot="content"]')
    content?.scrollTo(0, content.scrollHeight / 2)
    await settle()
    expect(approveAll().elements()).toEqual([])
    content?.scrollTo(0, content.scrollHeight)
    await eventually(button('Approve all')).toBeVisible()
  })

  test('does not count a question that was turned over before its yes counted', async () => {
    await open(['A?', 'B?'], { armingDelay: 300 })
    elementOf(button('Next')).click()
    await eventually(prompt('B?')).toBeVisible()
    await eventually(button('Approve')).toHaveAttribute('data-state', 'armed')
    await settle()
    expect(approveAll().elements()).toEqual([])
    elementOf(button('Previous')).click()
    await eventually(button('Approve all')).toBeVisible()
  })

  test('does not count a question behind a hidden tab', async () => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
    await open(['A?', 'B?'], { armingDelay: 40 })
    await pause(150)
    elementOf(button('Next')).click()
    await pause(150)
    expect(approveAll().elements()).toEqual([])
    Reflect.deleteProperty(document, 'visibilityState')
    document.dispatchEvent(new Event('visibilitychange'))
    await pause(150)
    expect(approveAll().elements()).toEqual([])
    elementOf(button('Previous')).click()
    await eventually(button('Approve all')).toBeVisible()
  })

  test('is armed like Approve', async () => {
    const { answers } = await open(['A?', 'B?'], { armingDelay: 300 })
    await eventually(button('Approve')).toHaveAttribute('data-state', 'armed')
    elementOf(button('Next')).click()
    await eventually(approveAll()).toHaveAttribute('aria-disabled', 'true')
    elementOf(approveAll()).click()
    await settle()
    expect(answers()).toEqual([[], []])
    await eventually(approveAll()).toHaveAttribute('aria-disabled', 'false')
    elementOf(approveAll()).click()
    await settle()
    expect(answers()).toEqual([[true], [true]])
  })

  test('goes when another question comes, and is for that one too once it was shown', async () => {
    const { runner, answers } = await open(['A?', 'B?'])
    await lookAt(['A?', 'B?'])
    await eventually(button('Approve all')).toBeVisible()
    const late = ask(runner, { prompt: 'C?' })
    await settle()
    expect(approveAll().elements()).toEqual([])
    elementOf(button('Next')).click()
    await eventually(prompt('C?')).toBeVisible()
    await userEvent.click(button('Approve all'))
    await settle()
    expect([...answers(), late.answers.map(({ ok }) => ok)]).toEqual([[true], [true], [true]])
  })

  test('keeps the focus in the dialog when it goes', async () => {
    const { runner } = await open(['A?', 'B?'])
    await lookAt(['A?', 'B?'])
    elementOf(approveAll()).focus()
    ask(runner, { prompt: 'C?' })
    await settle()
    await eventually(dialog().getByRole('heading', { level: 2 })).toHaveFocus()
  })

  test('leaves out what is of high danger, and says how many it is for', async () => {
    const { runner, answers } = await open(['A?', 'B?'])
    const grave = ask(runner, { prompt: 'Wipe?', data: { danger: 'high' } })
    await lookAt(['A?', 'B?'])
    await userEvent.click(button('Approve all 2'))
    await settle()
    expect([...answers(), grave.answers]).toEqual([[true], [true], []])
    await eventually(prompt('Wipe?')).toBeVisible()
    expect(approveAll().elements()).toEqual([])
  })

  test.each<[string, Parameters<typeof ask>[1]]>([
    ['a form', { kind: 'input', prompt: 'C?' }],
    ['another kind', { kind: 'signature', prompt: 'C?' }],
    ['choices', { prompt: 'C?', data: { choices: ['x', 'y'] } }],
    ['an editor', { prompt: 'C?', data: { decisions: ['approve', 'edit', 'decline'] } }],
    ['a reply', { prompt: 'C?', data: { decisions: ['approve', 'respond'] } }],
    ['no yes', { prompt: 'C?', data: { decisions: ['decline'] } }],
    ['no decision', { prompt: 'C?', data: { decisions: [] } }],
    ['decisions nobody knows', { prompt: 'C?', data: { decisions: 'approve' } }],
    ['decisions in a list in a list', { prompt: 'C?', data: { decisions: [['approve']] } }],
  ])('leaves out what asks with %s', async (_name, given) => {
    const { runner, answers } = await open(['A?', 'B?'])
    const other = ask(runner, given)
    await lookAt(['A?', 'B?', 'C?'])
    await userEvent.click(button('Approve all 2'))
    await settle()
    expect([...answers(), other.answers]).toEqual([[true], [true], []])
  })

  test('takes decisions that say yes or no and nothing else', async () => {
    const { runner } = await open(['A?'])
    ask(runner, { prompt: 'B?', data: { decisions: ['decline', 'approve'] } })
    await lookAt(['A?', 'B?'])
    await eventually(button('Approve all')).toBeVisible()
  })

  test('is not there where the app brings a body of its own', async () => {
    const Own = ({ item }: DialogBodyProps) => (
      <button type="button" data-slot="approve" onClick={() => item.approve({ colour: 'red' })}>
        Red
      </button>
    )
    await open(['A?', 'B?'], { dialogs: { approval: Own } })
    await lookAt(['A?', 'B?'], { batch: false })
    expect([approveAll().elements(), declineAll().elements()]).toEqual([[], []])
  })

  test('does not take a question for one that was shown under the same id', async () => {
    const { runner } = await open(['A?', 'B?'])
    await lookAt(['A?', 'B?'])
    elementOf(button('Decline')).click()
    await settle()
    ask(runner, { id: 'again', prompt: 'First?' })
    const aborting = new AbortController()
    ask(runner, { id: 'twice', prompt: 'Second?' }, aborting.signal)
    await lookAt(['A?', 'First?', 'Second?'])
    await eventually(button('Approve all')).toBeVisible()
    aborting.abort()
    ask(runner, { id: 'twice', prompt: 'Something else?' })
    await settle()
    expect(approveAll().elements()).toEqual([])
  })

  test('answers none that was settled meanwhile', async () => {
    const { runner, questions, answers } = await open(['A?', 'B?', 'C?'])
    await lookAt(['A?', 'B?', 'C?'])
    const [, b] = questions
    runner.answer(b?.id ?? '', { id: b?.id ?? '', ok: false, reason: 'declined' })
    await userEvent.click(button('Approve all'))
    await settle()
    expect(answers()).toEqual([[true], [false], [true]])
  })

  test('works by keyboard', async () => {
    const { answers } = await open(['A?', 'B?'])
    await lookAt(['A?', 'B?'])
    await eventually(button('Approve all')).toBeVisible()
    await tabTo(approveAll())
    await press('Enter')
    await settle()
    expect(answers()).toEqual([[true], [true]])
  })
})

describe('Decline all', () => {
  test('works at once, for what was not looked at too, and says declined', async () => {
    const { runner, questions } = await open(['A?', 'B?'], { armingDelay: 60_000 })
    const grave = ask(runner, { prompt: 'Wipe?', data: { danger: 'high' } })
    const form = ask(runner, { kind: 'input', prompt: 'Name?' })
    await userEvent.click(button('Decline all 3'))
    await settle()
    expect([...questions, grave].map(({ id, answers }) => [id, answers])).toEqual(
      [...questions, grave].map(({ id }) => [id, [{ id, ok: false, reason: 'declined' }]]),
    )
    expect(form.answers).toEqual([])
    await eventually(prompt('Name?')).toBeVisible()
  })

  test('says no number when it is for all that wait', async () => {
    await open(['A?', 'B?'])
    await eventually(button('Decline all')).toBeVisible()
  })

  test('keeps its place and its focus while the yes becomes alive', async () => {
    await open(['A?', 'B?'], { armingDelay: 400 })
    await eventually(button('Decline all')).toBeVisible()
    const before = elementOf(declineAll()).getBoundingClientRect()
    elementOf(declineAll()).focus()
    await eventually(button('Approve')).toHaveAttribute('data-state', 'armed')
    await settle()
    await eventually(declineAll()).toHaveFocus()
    expect(elementOf(declineAll()).getBoundingClientRect()).toEqual(before)
  })

  test('answers a thousand in one go', async () => {
    const { runner } = await open(['A?'])
    for (let n = 0; n < 999; n++) void ask(runner, { prompt: `Q${n}` })
    await eventually(button('Decline all')).toBeVisible()
    const start = performance.now()
    elementOf(declineAll()).click()
    await expect.poll(() => dialog().elements()).toEqual([])
    expect(performance.now() - start).toBeLessThan(2000)
    expect(runner.count()).toBe(0)
  })
})

test.each([
  ['light', 1024],
  ['dark', 1024],
  ['light', 320],
  ['dark', 320],
] as const)(
  'the row breaks no rule and nothing moves when Approve all comes, in %s, %d wide',
  async (scheme, width) => {
    await emulate(scheme)
    await page.viewport(width, 640)
    await open(['A?', 'B?'], { armingDelay: 200 })
    elementOf(button('Next')).click()
    await eventually(button('Approve')).toHaveAttribute('data-state', 'armed')
    elementOf(button('Previous')).click()
    await eventually(button('Decline all')).toBeVisible()
    const before = elementOf(button('Approve')).getBoundingClientRect().top
    await eventually(button('Approve all')).toBeVisible()
    expect(elementOf(button('Approve')).getBoundingClientRect().top).toBe(before)
    await eventually(approveAll()).toHaveAttribute('aria-disabled', 'false')
    const { violations } = await axe.run(document)
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    await page.screenshot({ path: `../../shots/batch-${width}-${scheme}.png` })
  },
)
