import '../../src/components/styles.css'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type AnyTool, createToolRunner, type JsonSchema, pending, type Runner } from '../../src/index.js'
import {
  button,
  dialog,
  elementOf,
  emulate,
  eventually,
  Page,
  press,
  settle,
  tabTo,
  typingIsOver,
} from '../support/page.js'

beforeEach(typingIsOver)
afterEach(async () => {
  await emulate('light')
  await page.viewport(1024, 768)
})

const mailSchema = {
  type: 'object',
  required: ['to', 'subject'],
  properties: {
    to: { type: 'string', format: 'email', title: 'To' },
    subject: { type: 'string', title: 'Subject' },
    note: { type: 'string', title: 'Note', maxLength: 10 },
    copies: { type: 'integer', title: 'Copies', minimum: 1 },
    urgent: { type: 'boolean', title: 'Urgent' },
    when: { type: ['string', 'null'], title: 'When' },
    lang: { type: 'string', title: 'Language', default: 'en' },
    cc: { type: 'array', items: { type: 'string' }, title: 'Copy to' },
  },
}
const mail = { to: 'ada@example.com', subject: 'Hi', note: 'x', copies: 2, urgent: true, when: null, cc: ['bob'] }

interface Opened {
  runner: Runner
  result: Promise<{ output: string }>
  /** The arguments of the attempts that ran. */
  ran: unknown[]
  answers: unknown[]
}

/** A gated tool whose arguments may be edited. */
async function open(args: unknown, schema: JsonSchema, rest: Partial<AnyTool> = {}): Promise<Opened> {
  const ran: unknown[] = []
  const answers: unknown[] = []
  const runner = createToolRunner({
    tools: [
      {
        name: 'send',
        inputSchema: schema,
        needsApproval: true,
        decisions: ['approve', 'edit', 'decline'],
        execute(given, ctx) {
          ran.push(structuredClone(given))
          answers.push(ctx.approval)
          return 'sent'
        },
        ...rest,
      },
    ],
  })
  await render(<Page runner={runner} armingDelay={0} />)
  const result = runner.run('send', args)
  await eventually(button('Edit')).toBeVisible()
  return { runner, result, ran, answers }
}

const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const changes = () => page.getByRole('region', { name: 'Your changes' })
const rows = (): string[] =>
  [...document.querySelectorAll('[data-slot="change"]')].map((row) =>
    [...row.querySelectorAll('p, dt, dd')].map((part) => part.textContent).join(' '),
  )

describe('editing', () => {
  test('starts on the first field, has what was asked for in it, and unchanged it approves without arguments', async () => {
    const { result, ran, answers } = await open(mail, mailSchema)
    await userEvent.click(button('Edit'))
    await eventually(field('To')).toHaveFocus()
    await eventually(field('To')).toHaveValue('ada@example.com')
    await eventually(field('Copies')).toHaveValue('2')
    await eventually(page.getByRole('checkbox', { name: 'Urgent' })).toBeChecked()
    await eventually(field('Copy to')).toHaveValue('[\n  "bob"\n]')
    // A default of the schema was not asked for, so it is not there.
    await eventually(field('Language')).toHaveValue('')
    await eventually(changes()).toHaveTextContent('Nothing is changed.')
    await userEvent.click(button('Approve'))
    expect((await result).output).toBe('sent')
    expect(ran).toEqual([mail])
    expect(answers).toEqual([expect.not.objectContaining({ data: expect.anything() })])
  })

  test('shows what was beside what is, and runs all arguments with their types kept', async () => {
    const { result, ran, answers } = await open(mail, mailSchema)
    await userEvent.click(button('Edit'))
    await userEvent.fill(field('Copies'), '3')
    await userEvent.click(page.getByRole('checkbox', { name: 'Urgent' }))
    await userEvent.fill(field('Copy to'), '["bob", "eve\\u202e"]')
    expect(rows()).toEqual([
      'copies Was 2 Now 3',
      'urgent Was true Now false',
      'cc Was [\n  "bob"\n] Now [\n  "bob",\n  "eve\\u{202E}"\n]',
    ])
    await userEvent.click(button('Approve with changes'))
    await result
    const edited = { ...mail, copies: 3, urgent: false, cc: ['bob', 'eve\u202e'] }
    expect(ran).toEqual([edited])
    expect(answers).toMatchObject([{ ok: true, data: { args: edited } }])
  })

  test('keeps an emptied text as an empty one, a cleared number as none and a null as null', async () => {
    const { result, ran } = await open(mail, mailSchema)
    await userEvent.click(button('Edit'))
    await userEvent.fill(field('Note'), '')
    await userEvent.fill(field('Subject'), '')
    await userEvent.fill(field('Copies'), '')
    expect(rows()).toEqual(
      ['subject Was Hi Now ""', 'note Was x Now ""', 'copies Was "2" Now Not set'].map((row) =>
        row.replace('"2"', '2'),
      ),
    )
    await userEvent.click(button('Approve with changes'))
    await result
    const { copies: _, ...rest } = mail
    expect(ran).toEqual([{ ...rest, note: '', subject: '' }])
  })

  test('takes one change back, or all of them, and the focus goes to what was reset', async () => {
    const { result, ran } = await open(mail, mailSchema)
    await userEvent.click(button('Edit'))
    await userEvent.fill(field('Subject'), 'Other')
    await userEvent.fill(field('Note'), 'y')
    await userEvent.click(button('Reset subject'))
    await eventually(field('Subject')).toHaveFocus()
    await eventually(field('Subject')).toHaveValue('Hi')
    expect(rows()).toEqual(['note Was x Now y'])
    await userEvent.click(button('Reset all'))
    await eventually(field('Note')).toHaveValue('x')
    await eventually(field('To')).toHaveFocus()
    expect(rows()).toEqual([])
    await userEvent.click(button('Approve'))
    await result
    expect(ran).toEqual([mail])
  })

  test('is thrown away with Discard changes', async () => {
    const { result, ran } = await open(mail, mailSchema)
    await userEvent.click(button('Edit'))
    await userEvent.fill(field('Subject'), 'Other')
    await userEvent.click(button('Discard changes'))
    expect(field('Subject').elements()).toEqual([])
    await userEvent.click(button('Approve'))
    await result
    expect(ran).toEqual([mail])
  })

  test('that is invalid cannot be approved: each field says what is wrong, the first has the focus', async () => {
    const { result, ran, answers } = await open(mail, mailSchema)
    await userEvent.click(button('Edit'))
    await userEvent.fill(field('Copies'), '0')
    await userEvent.fill(field('To'), 'nobody')
    await userEvent.fill(field('Copy to'), '["bob", 5]')
    await userEvent.click(button('Approve with changes'))
    await eventually(field('To')).toHaveFocus()
    await eventually(field('To')).toHaveAttribute('aria-invalid', 'true')
    expect(elementOf(field('Copies'))).toHaveAccessibleDescription('Enter 1 or more.')
    await userEvent.fill(field('To'), 'eve@example.com')
    await userEvent.fill(field('Copies'), '1')
    await userEvent.click(button('Approve with changes'))
    // What is wrong inside a list is told by its place.
    await eventually(page.getByRole('alert')).toHaveTextContent('Not as expected: /cc/1')
    await eventually(field('Copy to')).toHaveFocus()
    await settle()
    expect(answers).toEqual([])
    await userEvent.fill(field('Copy to'), '["bob", "5"]')
    await userEvent.click(button('Approve with changes'))
    await result
    expect(ran).toEqual([{ ...mail, to: 'eve@example.com', copies: 1, cc: ['bob', '5'] }])
  })

  test('Enter in a field approves nothing (K13), and the keyboard is enough', async () => {
    const { result, ran, answers } = await open(mail, mailSchema)
    await tabTo(button('Edit'))
    await press('Enter')
    await eventually(field('To')).toHaveFocus()
    await press('Enter')
    await settle()
    expect(answers).toEqual([])
    await tabTo(field('Subject'))
    await userEvent.keyboard('!')
    await tabTo(button('Approve with changes'))
    await press('Enter')
    await result
    expect(ran).toMatchObject([{ subject: '!' }])
  })

  test('keeps its draft through Previous and Next', async () => {
    const { runner } = await open(mail, mailSchema)
    void runner.waitFor({ id: 'b', kind: 'approval', prompt: 'Another?' })
    await userEvent.click(button('Edit'))
    await userEvent.fill(field('Subject'), 'Other')
    await userEvent.click(button('Next'))
    await eventually(dialog()).toHaveAccessibleDescription('Another?')
    await userEvent.click(button('Previous'))
    await eventually(field('Subject')).toHaveValue('Other')
  })

  test.each([
    ['other than the schema says', { a: 'x\r\ny', b: 1e21, c: ' s ', d: [3, 1] }],
    ['with strange names', JSON.parse('{"__proto__": 1, "constructor": "c", "a.b": null, "": true}')],
    ['of the wrong type', { to: 5, copies: '2', urgent: 'yes', cc: 'bob' }],
  ])('leaves what nobody touched as it was: arguments %s', async (_name, odd) => {
    const properties = {
      a: { type: 'string' },
      b: { type: 'number' },
      c: { type: 'string', format: 'date' },
      d: { type: 'array', items: { enum: [1, 2, 3] } },
      touched: { type: 'string' },
    }
    const answers: unknown[] = []
    const asking = createToolRunner({
      tools: [
        {
          name: 'odd',
          execute(_args, ctx) {
            if (ctx.answer) answers.push(ctx.answer.data)
            return ctx.answer ? 'done' : pending({ kind: 'approval', prompt: 'Odd?', data: { decisions: ['edit'] } })
          },
          inputSchema: {
            '~standard': { version: 1, vendor: 'x', validate: (value: unknown) => ({ value }) },
          } as NonNullable<AnyTool['inputSchema']>,
          jsonSchema: { type: 'object', properties },
        },
      ],
    })
    await render(<Page runner={asking} armingDelay={0} />)
    const result = asking.run('odd', odd)
    await eventually(button('Edit')).toBeVisible()
    // Only edit is allowed, so there is no plain yes.
    expect(button('Approve').elements()).toEqual([])
    await userEvent.click(button('Edit'))
    await eventually(button('Approve')).toHaveAttribute('data-state', 'locked')
    await userEvent.fill(field('touched'), 'me')
    await userEvent.click(button('Approve with changes'))
    await result
    expect(answers).toHaveLength(1)
    const [{ args }] = answers as [{ args: object }]
    expect(Object.entries(args)).toEqual([...Object.entries(odd), ['touched', 'me']])
  })

  test('of a tool’s own question rides in the answer; the arguments stay what was shown (K20)', async () => {
    const seen: unknown[] = []
    const runner = createToolRunner({
      tools: [
        {
          name: 'own',
          inputSchema: mailSchema,
          execute(args, ctx) {
            if (!ctx.answer) {
              return pending({ kind: 'approval', prompt: 'Send?', data: { decisions: ['approve', 'edit', 'decline'] } })
            }
            seen.push([args, ctx.answer.data])
            return 'sent'
          },
        },
      ],
    })
    await render(<Page runner={runner} armingDelay={0} />)
    const result = runner.run('own', mail)
    await eventually(button('Edit')).toBeVisible()
    await userEvent.click(button('Edit'))
    await userEvent.fill(field('Subject'), 'Other')
    await userEvent.click(button('Approve with changes'))
    await result
    expect(seen).toEqual([[mail, { args: { ...mail, subject: 'Other' } }]])
  })

  test('a schema that is more than fields is edited as JSON, held against it as a whole', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' }, c: { type: 'object' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    }
    const { result, ran, answers } = await open({ a: 1, c: { deep: [true] } }, schema)
    await userEvent.click(button('Edit'))
    const whole = field('Arguments as JSON')
    await eventually(whole).toHaveFocus()
    expect(JSON.parse((elementOf(whole) as HTMLTextAreaElement).value)).toEqual({ a: 1, c: { deep: [true] } })
    for (const [typed, problem] of [
      ['{"a": 1', 'This is not valid JSON.'],
      ['[1]', 'Enter JSON of the type object.'],
      ['{"c": {}}', 'This does not fit what was asked for.'],
    ] as const) {
      await userEvent.fill(whole, typed)
      await userEvent.click(button('Approve with changes'))
      await eventually(page.getByText(problem)).toBeVisible()
    }
    await settle()
    expect(answers).toEqual([])
    await userEvent.fill(whole, '{"b": 2, "c": {"deep": []}}')
    expect(rows()).toEqual([
      'a Was 1 Now Not set',
      'c Was {\n  "deep": [\n    true\n  ]\n} Now {\n  "deep": []\n}',
      'b Was Not set Now 2',
    ])
    await userEvent.click(button('Reset c'))
    expect(rows()).toEqual(['a Was 1 Now Not set', 'b Was Not set Now 2'])
    await userEvent.click(button('Approve with changes'))
    await result
    expect(ran).toEqual([{ b: 2, c: { deep: [true] } }])
  })

  test('never asks for a secret: its argument stays as it is (K32)', async () => {
    const schema = {
      type: 'object',
      properties: { user: { type: 'string' }, password: { type: 'string' } },
    }
    const { result, ran } = await open({ user: 'ada', password: 'x' }, schema)
    await userEvent.click(button('Edit'))
    expect(dialog().getByRole('textbox').elements()).toHaveLength(1)
    await userEvent.fill(field('user'), 'eve')
    await userEvent.click(button('Approve with changes'))
    await result
    expect(ran).toEqual([{ user: 'eve', password: 'x' }])
  })

  test('takes the second step too where the danger is high', async () => {
    const { result, ran, answers } = await open(mail, mailSchema, { danger: 'high' })
    await userEvent.click(button('Edit'))
    await userEvent.fill(field('Subject'), 'Other')
    elementOf(button('Approve with changes')).click()
    const box = page.getByRole('textbox', { name: 'Type approve to allow this' })
    await eventually(box).toHaveFocus()
    expect(answers).toEqual([])
    await userEvent.keyboard('approve')
    await userEvent.click(button('Approve with changes'))
    await result
    expect(ran).toMatchObject([{ subject: 'Other' }])
  })

  test('is not offered where it is not allowed', async () => {
    const runner = createToolRunner({
      tools: [{ name: 'plain', inputSchema: mailSchema, needsApproval: true, execute: () => 'ran' }],
    })
    await render(<Page runner={runner} armingDelay={0} />)
    void runner.run('plain', mail)
    await eventually(button('Approve')).toBeVisible()
    expect(button('Edit').elements()).toEqual([])
  })

  test.each([
    ['light', 1024],
    ['dark', 320],
  ] as const)('breaks no rule in %s, %d wide', async (scheme, width) => {
    await emulate(scheme)
    await page.viewport(width, 640)
    await open(mail, mailSchema)
    await userEvent.click(button('Edit'))
    await userEvent.fill(field('Copies'), '0')
    await userEvent.fill(field('Note'), 'new')
    elementOf(button('Approve with changes')).click()
    const { violations } = await axe.run(document)
    expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  })
})
