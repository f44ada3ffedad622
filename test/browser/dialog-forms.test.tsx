import '../../src/components/styles.css'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { loadLateBodies } from '../../src/components/bodies/late-body.js'
import { type Answer, createToolRunner, pending } from '../../src/index.js'
import bugs from '../cases/bug-reports.json' with { type: 'json' }
import { freezeAll, inputsVia, isCollected, schemaCases } from '../components/form/schema-cases.js'
import { controlOf, fill, notInAControl, shownErrors, wrapperOf } from '../support/fill-form.js'
import { button, dialog, elementOf, eventually, Page, typingIsOver } from '../support/page.js'

// The same cases run on the form alone in schema-form.test.tsx; here the whole way: a tool asks, the dialog comes up, the
// person submits, the tool gets it.

beforeAll(loadLateBodies)
beforeEach(typingIsOver)

/** A tool that asks for what the schema says. `answers` has what it was given. */
async function open(schema: unknown, args = {}) {
  const answers: Answer[] = []
  const runner = createToolRunner({
    tools: [
      {
        name: 'asks',
        execute: (_args, ctx) => {
          if (!ctx.answer)
            return pending({ kind: 'input', prompt: 'Fill this in', data: { schema: freezeAll(schema) } })
          answers.push(ctx.answer)
          return 'done'
        },
      },
    ],
  })
  const view = await render(<Page runner={runner} armingDelay={0} />)
  const result = runner.run('asks', args)
  await eventually(dialog()).toBeVisible()
  return { answers, result, runner, view }
}

const submit = () => userEvent.click(button('Submit'))

/** Submits and gives what the tool was given. */
async function sent({ answers, result, view }: Awaited<ReturnType<typeof open>>): Promise<unknown> {
  await submit()
  await result
  await view.unmount()
  return answers[0]?.data
}

const flat = (properties: object, required: string[] = []): object => ({ type: 'object', properties, required })

const caseOf = (id: string): { input?: unknown } => {
  const found = Object.values(bugs).find((bug) => bug.id === id)
  if (!found) throw new Error(`no ${id}`)
  return found
}

const isForm = ({ expect: expected }: { expect?: { approval?: boolean } }): boolean => !expected?.approval
const held = inputsVia('form').filter(([name, , one, input]) => isForm(one) && !notInAControl(name, input))
const firstOf = (wanted: boolean) =>
  held.filter(
    ([name, i, , { valid }]) =>
      valid === wanted && !held.some((other) => other[0] === name && other[1] < i && other[3].valid === wanted),
  )

describe('the schema cases, in the dialog', () => {
  test.each(firstOf(true))('%s, input %i, reaches the tool', async (_name, _i, { schema }, { value, data }) => {
    const opened = await open(schema)
    for (const [field, typed] of Object.entries(value)) await fill(field, typed)
    await submit()
    expect(await opened.result).toEqual({ output: 'done', isError: false })
    expect(opened.answers.map((answer) => [answer.ok, answer.data])).toStrictEqual([[true, data]])
  })

  test.each(firstOf(false))(
    '%s, input %i, stays and says why',
    async (_name, _i, { schema }, { value, errors = {} }) => {
      const { answers, result } = await open(schema)
      for (const [field, typed] of Object.entries(value)) await fill(field, typed)
      await submit()
      const wrong = shownErrors()
      expect([...wrong].sort()).toEqual(Object.keys(errors).sort())
      expect(wrapperOf(wrong[0] ?? '').contains(document.activeElement)).toBe(true)
      for (const name of wrong) expect(controlOf(name)).toHaveAccessibleDescription(/\S/)
      await eventually(dialog()).toBeVisible()
      await userEvent.click(button('Decline'))
      expect([(await result).isError, answers]).toEqual([true, []])
    },
  )

  // The one needs a time zone of its own, the other is an approval: below.
  test('are all of them but two', () => {
    const names = new Set(held.map(([name]) => name))
    expect(
      schemaCases
        .filter(({ name, inputs = [] }) => inputs.some(({ via }) => via === 'form') && !names.has(name))
        .map(({ name }) => name),
    ).toEqual(['format-date-time-local-control', 'wild-agui-approve-with-edits'])
    expect(schemaCases.filter((one) => !isCollected(one)).map(({ name }) => name)).toEqual([
      'format-password-not-collected',
    ])
  })
})

describe('a form that only asks whether to approve (wild-agui-approve-with-edits)', () => {
  const schema = schemaCases.find(({ name }) => name === 'wild-agui-approve-with-edits')?.schema
  const args = { to: 'a@b.co', subject: 'Hi', body: 'x' }

  test('is an approval, and its yes is the form’s', async () => {
    const { answers, result } = await open(schema, args)
    expect(button('Submit').elements()).toEqual([])
    expect(page.getByRole('checkbox').elements()).toEqual([])
    await userEvent.click(button('Approve'))
    await result
    expect(answers).toMatchObject([{ ok: true, data: { approved: true } }])
    expect(answers[0]?.data).toEqual({ approved: true })
  })

  test('can be edited, and sends what was edited', async () => {
    const { answers, result } = await open(schema, args)
    await userEvent.click(button('Edit'))
    await fill('subject', 'Hello')
    await userEvent.click(button('Approve with changes'))
    await result
    expect(answers[0]?.data).toEqual({ approved: true, editedArgs: { ...args, subject: 'Hello' } })
  })

  test('is declined like any other', async () => {
    const { answers, result } = await open(schema, args)
    await userEvent.click(button('Decline'))
    expect([(await result).output, answers]).toEqual(['declined/expired: Fill this in', []])
  })

  test('without arguments to edit it can only be approved or declined', async () => {
    const { answers, result } = await open(flat({ approved: { type: 'boolean' } }, ['approved']))
    expect(button('Edit').elements()).toEqual([])
    await userEvent.click(button('Approve'))
    await result
    expect(answers[0]?.data).toEqual({ approved: true })
  })

  test.each([
    ['asks for more', flat({ approved: { type: 'boolean' }, note: { type: 'string' } })],
    ['has an approved that is a text', flat({ approved: { type: 'string' } })],
    ['has edited arguments that are a text', flat({ approved: { type: 'boolean' }, editedArgs: { type: 'string' } })],
  ])('stays a form where it %s', async (_where, other) => {
    const { runner } = await open(other)
    await eventually(button('Submit')).toBeVisible()
    runner.abort()
  })
})

describe('the reported bugs of forms, in the dialog', () => {
  test('defaults are sent untouched, with their types (BUG-095)', async () => {
    const { schema, expect: expected } = caseOf('BUG-095').input as { schema: object; expect: object }
    expect(await sent(await open(schema))).toStrictEqual(expected)
  })

  test('a cleared default stays cleared, and is sent as empty (BUG-096)', async () => {
    const opened = await open(flat({ s: { type: 'string', default: 'a' } }))
    await userEvent.clear(controlOf('s'))
    expect(controlOf('s')).toHaveValue('')
    expect(await sent(opened)).toStrictEqual({ s: '' })
  })

  test.each([true, false])('a boolean is sent as the boolean %s (BUG-100)', async (wanted) => {
    const opened = await open(flat({ ok: { type: 'boolean' } }))
    await fill('ok', wanted)
    expect(await sent(opened)).toStrictEqual({ ok: wanted })
  })

  test('a required boolean that nobody touched is false (BUG-101)', async () => {
    expect(await sent(await open(flat({ pulsed: { type: 'boolean' } }, ['pulsed'])))).toStrictEqual({ pulsed: false })
  })

  test('an integer is sent as a number (BUG-104)', async () => {
    const opened = await open(flat({ n: { type: 'integer' } }))
    await fill('n', '42')
    expect(await sent(opened)).toStrictEqual({ n: 42 })
  })

  test('a cleared number has no key (BUG-105)', async () => {
    const opened = await open(flat({ n: { type: 'number', default: 7 } }))
    await userEvent.clear(controlOf('n'))
    expect(await sent(opened)).toStrictEqual({})
  })

  test('in all five shapes of choices the value is sent and the title shown (BUG-109)', async () => {
    const shapes = caseOf('BUG-109').input as Record<string, object>
    const opened = await open(flat(shapes))
    const expected: Record<string, unknown> = {}
    for (const name of Object.keys(shapes)) {
      const isMulti = name.endsWith('Multi')
      await fill(name, isMulti ? ['b'] : 'b')
      expected[name] = isMulti ? ['b'] : 'b'
      expect(wrapperOf(name).textContent).toContain(name.startsWith('untitled') ? 'b' : 'Two')
    }
    expect(await sent(opened)).toStrictEqual(expected)
  })

  test('keywords nobody knows do no harm (BUG-110)', async () => {
    const e = { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'], 'x-foo': { bar: 1 }, examples: ['a'] }
    const opened = await open(flat({ e }))
    await fill('e', 'b')
    expect(await sent(opened)).toStrictEqual({ e: 'b' })
  })

  test.each([
    ['too few', ['Red'], 'g'],
    ['the same twice', ['Red', 'Red'], 'Red (g)'],
  ])('names of choices that are %s fall back to the value (BUG-111)', async (_how, enumNames, label) => {
    const opened = await open(flat({ e: { enum: ['r', 'g'], enumNames } }))
    expect((controlOf('e') as HTMLSelectElement).options[2]?.text).toBe(label)
    await fill('e', 'g')
    expect(await sent(opened)).toStrictEqual({ e: 'g' })
  })

  test('choices without a title can be told apart (BUG-113)', async () => {
    const opened = await open(flat({ e: { oneOf: [{ const: 'a', title: '' }, { const: 'b' }] } }))
    const texts = [...(controlOf('e') as HTMLSelectElement).options].slice(1).map(({ text }) => text)
    expect(texts).toEqual(['a', 'b'])
    await fill('e', 'b')
    expect(await sent(opened)).toStrictEqual({ e: 'b' })
  })

  test.each<[string, string, object, object]>([
    ['an optional text', 'BUG-116', flat({ s: { type: 'string' } }), {}],
    [
      'a required text whose default is empty',
      'BUG-117',
      flat({ s: { type: 'string', default: '' } }, ['s']),
      { s: '' },
    ],
  ])('%s sends the same, touched or not (%s)', async (_what, _id, schema, expected) => {
    expect(await sent(await open(schema))).toStrictEqual(expected)
    await typingIsOver()
    const opened = await open(schema)
    await fill('s', 'x')
    await userEvent.clear(controlOf('s'))
    expect(await sent(opened)).toStrictEqual(expected)
  })

  test('names of Object.prototype are names like others (BUG-121)', async () => {
    const error = vi.spyOn(console, 'error')
    const names = caseOf('BUG-121').input as string[]
    const opened = await open(flat(Object.fromEntries(names.map((name) => [name, { type: 'string' }]))))
    for (const name of names) await fill(name, 'v')
    const data = await sent(opened)
    expect(Object.entries(data as object)).toEqual(names.map((name) => [name, 'v']))
    expect(error).not.toHaveBeenCalled()
  })
})

describe('the form in the dialog', () => {
  test('has its first field in focus, and Enter in it submits once', async () => {
    const { answers, result } = await open(flat({ a: { type: 'string' } }))
    await eventually(page.getByRole('textbox')).toHaveFocus()
    await userEvent.keyboard('typed{Enter}')
    await result
    expect(answers.map(({ data }) => data)).toEqual([{ a: 'typed' }])
    expect(elementOf(button('Opener'))).toBeVisible()
  })
})
