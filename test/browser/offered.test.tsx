import '../../src/components/styles.css'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { loadLateBodies } from '../../src/components/bodies/late-body.js'
import { offered } from '../../src/core/index.js'
import {
  type Answer,
  type AnyTool,
  createToolRunner,
  type JsonSchema,
  type PendingItem,
  type PendingRequest,
  pending,
  type Runner,
} from '../../src/index.js'
import { fill } from '../support/fill-form.js'
import { ask, button, dialog, eventually, Page, press, settle, typingIsOver } from '../support/page.js'

beforeAll(loadLateBodies)
beforeEach(typingIsOver)

type Play = () => Promise<unknown>

const click = (name: string): Promise<void> => userEvent.click(button(name))
const check = (name: string): Promise<void> => userEvent.click(page.getByLabelText(name, { exact: true }))

async function show(runner: Runner): Promise<PendingItem> {
  await render(<Page runner={runner} armingDelay={0} />)
  await eventually(dialog()).toBeVisible()
  const item = runner.head()
  if (!item) throw new Error('nothing is asked')
  return item
}

/** Plays a question in the real dialog, and holds what came of it against what was offered. */
async function played(request: Partial<PendingRequest>, play: Play): Promise<Answer> {
  const runner = createToolRunner()
  const { answer } = ask(runner, request)
  const item = await show(runner)
  await play()
  const given = await answer
  expect([given, offered(item, given)]).toEqual([given, true])
  return given
}

const approval = (data?: Record<string, unknown>): Partial<PendingRequest> => ({ ...(data && { data }) })
const input = (schema?: unknown): Partial<PendingRequest> => ({
  kind: 'input',
  ...(schema !== undefined && { data: { schema } }),
})
const question = (...questions: unknown[]): Partial<PendingRequest> => ({ kind: 'question', data: { questions } })
const flat = (properties: object, required: string[] = []): JsonSchema => ({ type: 'object', properties, required })

const six = ['a', 'b', { value: 3, label: 'c' }, { value: { deep: [null] }, label: 'd' }, 'e', 'f']
const questions = [
  { question: 'Which?', options: ['x', { value: 'y', label: 'The y' }] },
  { question: 'What else?', options: ['p', 'q'], multiple: true },
  { question: 'Why?' },
]
const signIn: Partial<PendingRequest> = { kind: 'authorization', url: 'https://host.example/' }

/** Every kind of question. */
const kinds: [string, Partial<PendingRequest>][] = [
  ['an approval', approval()],
  ['an approval with choices', approval({ choices: ['a', 'b'] })],
  ['an approval that cannot be given', approval({ decisions: [] })],
  ['a form', input(flat({ name: { type: 'string' } }, ['name']))],
  ['a form for a text', input()],
  ['a form that is an approval', input(flat({ approved: { type: 'boolean' } }))],
  ['questions', question(...questions)],
  ['a sign-in', signIn],
  ['a sign-in that cannot be opened', { kind: 'authorization', url: 'ftp://host.example/' }],
  ['another kind', { kind: 'x-vendor/go' }],
  ['a form for a secret', input(flat({ password: { type: 'string' } }))],
]

describe.each(kinds)('a no to %s is offered', (_what, request) => {
  test.each<[string, Play, Answer['reason']]>([
    ['Decline', () => click('Decline'), 'declined'],
    ['Close', () => click('Close'), 'cancelled'],
    ['Escape', () => press('Escape'), 'cancelled'],
  ])('by %s', async (_how, play, reason) => {
    expect(await played(request, play)).toMatchObject({ ok: false, reason })
  })
})

test('a no that nobody gives is offered too', async () => {
  const expiresAt = new Date(Date.now() + 1500).toISOString()
  expect(await played({ expiresAt }, settle)).toMatchObject({ ok: false, reason: 'expired' })
})

describe('a yes is offered', () => {
  test.each<[string, Partial<PendingRequest>, Play, Record<string, unknown> | undefined]>([
    ['to an approval', approval(), () => click('Approve'), undefined],
    ['to an approval with choices that are none', approval({ choices: [1] }), () => click('Approve'), undefined],
    ['to another kind', { kind: 'x-vendor/go' }, () => click('Approve'), undefined],
    ['to a sign-in', signIn, () => click("I've finished"), undefined],
    [
      'as a choice',
      approval({ choices: ['a', { value: { b: 1 }, label: 'B' }] }),
      () => click('B'),
      { choice: { b: 1 } },
    ],
    [
      'as a choice in a question',
      { kind: 'question', data: { choices: ['a', 'b'] } },
      () => click('b'),
      { choice: 'b' },
    ],
    [
      'as a choice from a list',
      approval({ choices: six }),
      async () => {
        await check('c')
        await check('d')
        await click('Submit')
      },
      { choice: { deep: [null] } },
    ],
    [
      'as several choices',
      approval({ choices: six, multiple: true }),
      async () => {
        await check('f')
        await check('c')
        await click('Submit')
      },
      { choices: [3, 'f'] },
    ],
    ['as no choice of several', approval({ choices: six, multiple: true }), () => click('Submit'), { choices: [] }],
    [
      'as a reply',
      approval({ decisions: ['approve', 'respond'] }),
      async () => {
        await userEvent.click(page.getByText('Reply instead', { exact: true }))
        await userEvent.fill(page.getByRole('textbox'), ' in June ')
        await click('Send this reply')
      },
      { feedback: ' in June ' },
    ],
    [
      'as a text',
      input(),
      async () => {
        await userEvent.fill(page.getByRole('textbox'), 'Ada')
        await click('Submit')
      },
      { value: 'Ada' },
    ],
    [
      'as a form with nothing in it',
      input(flat({ a: { type: 'string' }, b: { enum: ['x'] }, c: { type: 'boolean' } })),
      () => click('Submit'),
      {},
    ],
    [
      'as a form of every kind of field',
      input(
        flat(
          {
            text: { type: 'string' },
            mail: { type: 'string', format: 'email' },
            day: { type: 'string', format: 'date' },
            count: { type: 'integer', minimum: 1 },
            share: { type: 'number' },
            agree: { type: 'boolean' },
            size: { enum: ['S', 'M'] },
            tags: { type: 'array', items: { enum: ['a', 'b'] } },
            more: { type: 'object', properties: { n: { type: 'number' } } },
            left: { type: 'string' },
            nothing: { type: ['string', 'null'] },
          },
          ['text', 'agree', 'nothing'],
        ),
      ),
      async () => {
        const values = {
          text: 'x',
          mail: 'a@b.co',
          day: '2026-12-01',
          count: '2',
          share: '0.5',
          size: 'M',
          tags: ['b'],
          more: '{"n": 1}',
        }
        for (const [name, value] of Object.entries(values)) await fill(name, value)
        await click('Submit')
      },
      {
        text: 'x',
        mail: 'a@b.co',
        day: '2026-12-01',
        count: 2,
        share: 0.5,
        agree: false,
        size: 'M',
        tags: ['b'],
        more: { n: 1 },
        nothing: null,
      },
    ],
    [
      'as JSON',
      input({ type: 'object', minProperties: 1, properties: { a: { type: 'number' } } }),
      async () => {
        await fill('', '{"a": 1, "else": [true]}')
        await click('Submit')
      },
      { a: 1, else: [true] },
    ],
    [
      'to a form that is an approval',
      input(flat({ approved: { type: 'boolean' } })),
      () => click('Approve'),
      { approved: true },
    ],
    [
      'as answers',
      question(...questions),
      async () => {
        await check('The y')
        await check('q')
        await check('p')
        await userEvent.fill(page.getByRole('textbox'), ' because ')
        await click('Submit')
      },
      { answers: ['y', ['p', 'q'], ' because '] },
    ],
    [
      'as no option of several',
      question({ question: 'Any?', options: ['p', 'q'], multiple: true }),
      () => click('Submit'),
      { answers: [[]] },
    ],
    [
      'to a question that cannot be read',
      question(),
      async () => {
        await userEvent.fill(page.getByRole('textbox'), 'what?')
        await click('Submit')
      },
      { answers: ['what?'] },
    ],
  ])('%s', async (_what, request, play, data) => {
    const { id, ...given } = await played(request, play)
    expect(given).toEqual({ ok: true, ...(data && { data }) })
  })
})

describe('a no with words is offered', () => {
  test.each<[string, Partial<PendingRequest>]>([
    ['an approval', approval({ decisions: ['approve'] })],
    ['choices', approval({ choices: ['a', 'b'] })],
    ['what can only be declined', approval({ decisions: ['launch'] })],
    ['a form that is an approval', input(flat({ approved: { type: 'boolean' } }))],
  ])('to %s', async (_what, request) => {
    const given = await played(request, async () => {
      await userEvent.click(page.getByText('Decline with a reason', { exact: true }))
      await userEvent.fill(page.getByRole('textbox'), 'not today')
      await click('Decline with this reason')
    })
    expect(given).toMatchObject({ ok: false, reason: 'declined', data: { feedback: 'not today' } })
  })
})

describe('edited arguments are offered', () => {
  const inputSchema = flat({ to: { type: 'string' }, n: { type: 'integer' }, note: { type: 'string' } }, ['to'])
  const decisions = ['approve', 'edit'] as const
  const args = { to: 'ada', n: 1, note: 'x' }

  /** Runs a tool, plays its question, and gives what was offered and what the tool got. */
  async function ran(tool: Omit<AnyTool, 'name' | 'execute'>, ask: Partial<PendingRequest> | undefined, play: Play) {
    const answers: (Answer | undefined)[] = []
    const runner = createToolRunner({
      tools: [
        {
          ...tool,
          name: 'send',
          execute(_args, ctx) {
            if (ask && !ctx.answer) return pending({ kind: 'approval', prompt: 'Send?', ...ask })
            answers.push(ask ? ctx.answer : ctx.approval)
            return 'sent'
          },
        },
      ],
    })
    const result = runner.run('send', args)
    const item = await show(runner)
    await play()
    return { item, answer: answers[0], result: await result, answers }
  }

  const edit: Play = async () => {
    await click('Edit')
    await fill('n', '7')
    await fill('note', '')
    await click('Approve with changes')
  }

  test.each<[string, Omit<AnyTool, 'name' | 'execute'>, Partial<PendingRequest> | undefined]>([
    ['at the gate', { inputSchema, needsApproval: true, decisions }, undefined],
    ['in a tool’s own question', { inputSchema }, { data: { decisions: [...decisions] } }],
    ['where the tool says nothing of them', { needsApproval: true, decisions }, undefined],
  ])('%s', async (_where, tool, ask) => {
    const isOpen = tool.inputSchema === undefined
    const play: Play = async () => {
      await click('Edit')
      await fill('note', 'y')
      await click('Approve with changes')
    }
    const { item, answer } = await ran(tool, ask, isOpen ? play : edit)
    expect(answer).toMatchObject({ ok: true, data: { args: isOpen ? { note: 'y' } : { to: 'ada', n: 7 } } })
    expect(offered(item, answer)).toBe(true)
    const { argsSchema: _, ...unoffered } = { ...item, request: { ...item.request, data: {} } }
    expect(offered(unoffered, answer)).toBe(false)
  })

  test('in a form that is an approval', async () => {
    const schema = flat({ approved: { type: 'boolean' }, editedArgs: inputSchema })
    const { item, answer } = await ran({}, { kind: 'input', data: { schema } }, edit)
    expect(answer).toMatchObject({ ok: true, data: { approved: true, editedArgs: { to: 'ada', n: 7 } } })
    expect(offered(item, answer)).toBe(true)
  })

  test('and so is a reply at the gate, which is a no', async () => {
    const { item, answers, result } = await ran(
      { needsApproval: true, decisions: ['approve', 'respond'] },
      undefined,
      async () => {
        await userEvent.click(page.getByText('Reply instead', { exact: true }))
        await userEvent.fill(page.getByRole('textbox'), 'in June')
        await click('Send this reply')
      },
    )
    expect([answers, result.metadata]).toMatchObject([[], { feedback: 'in June' }])
    const { id } = item.request
    expect(offered(item, { id, ok: false, reason: 'declined', data: { feedback: 'in June' } })).toBe(true)
    expect(offered(item, { id, ok: true, data: { feedback: 'in June' } })).toBe(false)
  })
})
