import '../../src/components/styles.css'
import axe from 'axe-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { loadLateBodies } from '../../src/components/bodies/late-body.js'
import { createToolRunner, PendingList, type PendingRequest, pending, type ToolRunnerProps } from '../../src/index.js'
import { schemaCases } from '../components/form/schema-cases.js'
import { ask, button, dialog, elementOf, emulate, eventually, Page, press, typingIsOver } from '../support/page.js'

beforeAll(loadLateBodies)
beforeEach(typingIsOver)
afterEach(async () => {
  document.documentElement.removeAttribute('style')
  await emulate('light')
})

type Asked = Partial<PendingRequest>

async function open(asked: Asked, props: ToolRunnerProps = {}) {
  const runner = createToolRunner()
  await render(<Page runner={runner} armingDelay={0} {...props} />)
  const question = ask(runner, asked)
  await eventually(dialog()).toBeVisible()
  return { ...question, runner, element: elementOf(dialog()) }
}

const text = { type: 'string' }
const form = (properties: object, kind = 'input'): Asked => ({
  kind,
  prompt: 'Fill this in',
  data: { schema: { type: 'object', properties } },
})
const questions = (...list: unknown[]): Asked => ({ kind: 'question', prompt: 'A question', data: { questions: list } })

const secrets: [string, Asked, string[]][] = [
  [
    'format-password-not-collected',
    { ...form({}), data: { schema: schemaCases.find(({ name }) => name === 'format-password-not-collected')?.schema } },
    ['API key'],
  ],
  ['a field named like one', form({ user: text, api_key: text }), ['user', 'api key']],
  ['a field that is writeOnly', form({ x: { ...text, writeOnly: true } }), ['x']],
  ['a field deep inside', form({ db: { type: 'object', properties: { password: text } } }), ['db']],
  ['free text with such a prompt', { kind: 'input', prompt: 'Enter the password of the database' }, []],
  ['a question', questions({ question: 'What is your API key?' }), ['What is your API key?']],
  [
    'one of two questions',
    questions({ question: 'Where?', options: ['a', 'b'] }, { question: 'Password?' }),
    ['Where?', 'Password?'],
  ],
  ['a header', questions({ question: 'Value?', header: 'Access token' }), ['Value?']],
  [
    'a prompt over a question',
    { ...questions({ question: 'Value?' }), prompt: 'I need your GitHub token' },
    ['Value?'],
  ],
  ['a question that is only a prompt', { kind: 'question', prompt: 'Your password?' }, []],
  ['hidden characters in a name', form({ x: { ...text, title: 'pass\u200Bword' } }), ['pass\\u{200B}word']],
]

const handed = [
  ...['Card number', 'cardNumber', 'creditCard', 'cvc', 'IBAN', 'SSN', 'social security number', 'Passwort'],
  ...['contraseña', 'mot de passe', 'password1', 'userPassword2', 'pаssword', 'p a s s w o r d', '密码', 'パスワード'],
]

const secretText = /Enter secrets only on the provider’s own page/

describe('a request that asks for a secret (K32)', () => {
  test.each(secrets)('by %s has no form, and says what it asks for', async (_by, asked, shown) => {
    const { answer, element, id } = await open(asked)
    await eventually(page.getByRole('note')).toHaveTextContent(secretText)
    expect(element.querySelectorAll('form, input, textarea, select')).toHaveLength(0)
    for (const name of ['Submit', 'Approve', "I've finished"]) expect(button(name).elements()).toEqual([])
    for (const one of shown) expect(element.textContent).toContain(one)
    await userEvent.click(button('Decline'))
    expect(await answer).toEqual({ id, ok: false, reason: 'declined' })
  })

  test.each(handed)('FAULT-28: %s has no form, as a name and as a title', async (name) => {
    const { element, runner } = await open(form({ [name]: text }))
    await eventually(page.getByRole('note')).toHaveTextContent(secretText)
    expect(element.querySelectorAll('form, input, textarea, select')).toHaveLength(0)
    runner.abort()
    await eventually(dialog()).not.toBeInTheDocument()
    ask(runner, { ...form({ value: { ...text, title: name } }), prompt: 'Payment' })
    await eventually(page.getByRole('note')).toHaveTextContent(secretText)
    expect(page.getByRole('textbox').elements()).toEqual([])
  })

  test('FAULT-28: a description that asks for one has no form', async () => {
    await open(form({ value: { ...text, description: 'Your API key' } }))
    await eventually(page.getByRole('note')).toHaveTextContent(secretText)
    expect(page.getByRole('textbox').elements()).toEqual([])
  })

  test('FAULT-29: a prompt that asks for one over an innocent field has no form', async () => {
    await open({ ...form({ value: text }), prompt: 'Enter your password' })
    await eventually(page.getByRole('note')).toHaveTextContent(secretText)
    expect(page.getByRole('textbox').elements()).toEqual([])
  })

  test.each(['keyboard', 'zip code', 'discountCode', 'Passenger name', 'Which key?', 'Schlüsselwort', 'mot clé'])(
    'an ordinary field %s has one',
    async (name) => {
      const { runner } = await open({ ...form({ [name]: text }), prompt: 'We will never ask for your password' })
      await eventually(button('Submit')).toBeVisible()
      await eventually(page.getByRole('textbox')).toBeVisible()
      runner.abort()
    },
  )

  test.each(['Close', 'Escape'])('can be closed with %s', async (how) => {
    const { answer, id } = await open(form({ password: text }))
    await eventually(button('Decline')).toHaveFocus()
    await (how === 'Escape' ? press('Escape') : userEvent.click(button('Close')))
    expect(await answer).toEqual({ id, ok: false, reason: 'cancelled' })
  })

  test('says the same on a card', async () => {
    const runner = createToolRunner()
    await render(
      <Page runner={runner} presentation="inline" armingDelay={0}>
        <PendingList />
      </Page>,
    )
    ask(runner, form({ password: text }))
    await eventually(page.getByRole('note')).toHaveTextContent(secretText)
    expect(page.getByRole('textbox').elements()).toEqual([])
  })

  test('by the form the app gives a tool has no form either', async () => {
    const runner = createToolRunner({
      tools: [
        { name: 'login', execute: (_args, ctx) => (ctx.answer ? 'in' : pending({ kind: 'input', prompt: 'Log in' })) },
      ],
      answerSchemas: { login: { type: 'object', properties: { password: text } } },
    })
    await render(<Page runner={runner} armingDelay={0} />)
    const result = runner.run('login')
    await eventually(page.getByRole('note')).toHaveTextContent(secretText)
    await userEvent.click(button('Decline'))
    expect((await result).isError).toBe(true)
  })

  test.each<[string, Asked]>([
    ['a choice between things named like one', questions({ question: 'Which password?', options: ['old', 'new'] })],
    ['a talk about one', questions({ question: 'Why was the password changed last week?' })],
    ['a field beside the matter', form({ keyboard: text, tokenCount: { type: 'integer' } })],
    ['yes or no', form({ password: { type: 'boolean', title: 'Change the password' } })],
  ])('%s is none', async (_what, asked) => {
    const { runner } = await open(asked)
    await eventually(button('Submit')).toBeVisible()
    runner.abort()
  })

  test.each([
    ['light', 1024],
    ['dark', 320],
  ] as const)('breaks no rule in %s, %d wide', async (scheme, width) => {
    await emulate(scheme)
    document.documentElement.style.colorScheme = 'light dark'
    await page.viewport(width, 768)
    await open(form({ user: { ...text, title: 'Account' }, api_key: { ...text, title: 'API key' } }))
    await eventually(page.getByRole('note')).toBeVisible()
    const { violations } = await axe.run(document)
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    if (import.meta.env.VITE_SHOTS) await page.screenshot({ path: `../../shots/secret-${scheme}-${width}.png` })
    await page.viewport(1024, 768)
  })
})

describe('isCredential', () => {
  test('of the app’s own is asked in place of ours', async () => {
    const isCredential = vi.fn(({ name }: { name: string; schema: unknown }) => name === 'iban')
    const { runner } = await open(form({ password: text }), { isCredential })
    await eventually(button('Submit')).toBeVisible()
    expect(isCredential).toHaveBeenCalledWith({ name: 'password', schema: text }, true)
    runner.abort()
    await eventually(dialog()).not.toBeInTheDocument()
    ask(runner, form({ iban: text }))
    await eventually(page.getByRole('note')).toHaveTextContent(secretText)
  })

  test('has the last word over a prompt as well', async () => {
    const isCredential = vi.fn(() => false)
    await open({ ...form({ value: text }), prompt: 'Enter your password' }, { isCredential })
    await eventually(button('Submit')).toBeVisible()
    expect(isCredential).toHaveBeenCalledWith(
      { name: '', schema: { type: 'string', title: 'Enter your password' } },
      true,
    )
  })

  test('decides which arguments can be edited', async () => {
    const runner = createToolRunner({
      tools: [
        {
          name: 'pay',
          needsApproval: true,
          decisions: ['approve', 'edit', 'decline'],
          inputSchema: { type: 'object', properties: { iban: text, amount: text } },
          execute: () => 'paid',
        },
      ],
    })
    const isCredential = ({ name }: { name: string }): boolean => name === 'amount'
    await render(<Page runner={runner} armingDelay={0} isCredential={isCredential} />)
    void runner.run('pay', { iban: 'a', amount: 'b' })
    await userEvent.click(button('Edit'))
    await eventually(page.getByRole('textbox', { name: 'iban' })).toBeVisible()
    expect(page.getByRole('textbox').elements()).toHaveLength(1)
    runner.abort()
  })

  test('is asked about questions too', async () => {
    const isCredential = vi.fn(() => false)
    await open(questions({ question: 'What is your password?', header: 'Login' }), { isCredential })
    await eventually(button('Submit')).toBeVisible()
    expect(isCredential).toHaveBeenCalledWith(
      { name: 'Login', schema: { type: 'string', title: 'What is your password?' } },
      true,
    )
  })

  test('may change while a question is open', async () => {
    const runner = createToolRunner()
    const { rerender } = await render(<Page runner={runner} armingDelay={0} isCredential={() => false} />)
    ask(runner, form({ code: text }))
    await eventually(button('Submit')).toBeVisible()
    await rerender(<Page runner={runner} armingDelay={0} isCredential={({ name }) => name === 'code'} />)
    await eventually(page.getByRole('note')).toHaveTextContent(secretText)
    expect(button('Submit').elements()).toEqual([])
  })
})

describe('an answer', () => {
  const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'] as const
  const WORD = 'hunter2-correct-horse'

  async function databases(): Promise<string> {
    const names = (await indexedDB.databases()).map(({ name }) => name ?? '')
    return names.join()
  }

  /** All that stays when a question is answered, as text. */
  async function leftovers(logged: unknown[], events: unknown[], runner: ReturnType<typeof createToolRunner>) {
    return JSON.stringify([
      logged,
      events,
      runner.getState(),
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      location.href,
      history.state,
      await databases(),
      document.title,
      document.documentElement.outerHTML,
    ])
  }

  test.each<[string, Asked, () => Promise<unknown>]>([
    ['a form', form({ answer: text }), () => userEvent.fill(page.getByRole('textbox'), WORD)],
    ['free text', { kind: 'input', prompt: 'Say something' }, () => userEvent.fill(page.getByRole('textbox'), WORD)],
    ['a question', questions({ question: 'Which?' }), () => userEvent.fill(page.getByRole('textbox'), WORD)],
    [
      'a JSON box',
      { kind: 'input', prompt: 'JSON', data: { schema: { type: 'array' } } },
      () => userEvent.fill(page.getByRole('textbox'), JSON.stringify([WORD])),
    ],
  ])('to %s is in no log, no storage, no event and no attribute afterwards (BUG-186)', async (_to, asked, type) => {
    const logged: unknown[] = []
    for (const method of METHODS)
      vi.spyOn(console, method).mockImplementation((...words: unknown[]) => void logged.push(words))
    const events: unknown[] = []
    const got: unknown[] = []
    const runner = createToolRunner({
      onEvent: (event) => events.push(event),
      tools: [
        {
          name: 'tool',
          execute: (_args, ctx) => {
            if (!ctx.answer) return pending({ kind: 'input', prompt: 'Sure?', ...asked })
            got.push(ctx.answer.data)
            return 'done'
          },
        },
      ],
    })
    await render(<Page runner={runner} armingDelay={0} />)
    const result = runner.run('tool')
    await eventually(page.getByRole('textbox')).toBeVisible()
    await type()
    await userEvent.click(button('Submit'))
    await result
    expect(JSON.stringify(got)).toContain(WORD)
    expect(events.length).toBeGreaterThan(2)
    expect(await leftovers(logged, events, runner)).not.toContain(WORD)
  })

  test('that was typed and then declined leaves nothing either (BUG-186)', async () => {
    const events: unknown[] = []
    const runner = createToolRunner({ onEvent: (event) => events.push(event) })
    await render(<Page runner={runner} armingDelay={0} />)
    const { answer } = ask(runner, form({ answer: text }))
    await userEvent.fill(page.getByRole('textbox'), WORD)
    await userEvent.click(button('Decline'))
    await answer
    await eventually(dialog()).not.toBeInTheDocument()
    expect(await leftovers([], events, runner)).not.toContain(WORD)
    // A question with the same id starts anew.
    ask(runner, form({ answer: text }))
    await eventually(page.getByRole('textbox')).toHaveValue('')
  })
})
