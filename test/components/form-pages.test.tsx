import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadLateBodies } from '../../src/components/bodies/late-body.js'
import { type Answer, createToolRunner, type PendingRequest, ToolRunner } from '../../src/index.js'
import { flush } from '../support/asking.js'

beforeAll(loadLateBodies)

/** Asks for input, as `waitFor` does. */
async function ask(data: PendingRequest['data'], prompt = 'Fill this in') {
  const runner = createToolRunner()
  render(<ToolRunner runner={runner} armingDelay={0} />)
  let answer: Promise<Answer> | undefined
  await act(async () => {
    answer = runner.waitFor({ id: 'q', kind: 'input', prompt, ...(data && { data }) })
    await flush()
  })
  return { runner, answer: answer as Promise<Answer>, user: userEvent.setup() }
}

const press = (name: string) => screen.getByRole('button', { name })
const of = (properties: object, required: string[] = []) => ({ type: 'object', properties, required })

/** Chooses by place, as a person does. */
async function choose(user: ReturnType<typeof userEvent.setup>, at: number): Promise<HTMLSelectElement> {
  const select = screen.getByRole('combobox') as HTMLSelectElement
  await user.selectOptions(select, select.options[at] as HTMLOptionElement)
  return select
}

describe('FAULT-32: an optional choice can be taken back', () => {
  const list = { enum: ['red', 'green'] }
  test.each<[string, object, unknown]>([
    ['without a default', list, {}],
    ['with a default', { ...list, default: 'red' }, {}],
    ['of numbers', { type: 'integer', enum: [1, 2], default: 1 }, {}],
    ['with an empty text among the options', { enum: ['', 'x'] }, {}],
    [
      'that is titled',
      {
        oneOf: [
          { const: 'r', title: 'Red' },
          { const: 'g', title: 'Green' },
        ],
      },
      {},
    ],
    ['that may be null', { enum: ['red', 'green', null] }, {}],
    ['of a type or null', { anyOf: [list, { type: 'null' }], default: 'red' }, {}],
    ['by reference', { $ref: '#/$defs/Color' }, {}],
  ])('%s', async (_what, color, data) => {
    const { answer, user } = await ask({ schema: { ...of({ color }), $defs: { Color: list } } })
    await choose(user, 2)
    const select = await choose(user, 0)
    expect(select.selectedIndex).toBe(0)
    await user.click(press('Submit'))
    expect((await answer).data).toStrictEqual(data)
  })

  test.each<[string, object]>([
    ['required', list],
    ['required, with a default', { ...list, default: 'red' }],
  ])('not one that is %s', async (_what, color) => {
    const { answer, user } = await ask({ schema: of({ color }, ['color']) })
    const select = await choose(user, 2)
    expect(select.options[0]?.disabled).toBe(true)
    await user.selectOptions(select, select.options[0] as HTMLOptionElement)
    await user.click(press('Submit'))
    expect((await answer).data).toEqual({ color: 'green' })
  })

  test('a required one that may be null sends null', async () => {
    const { answer, user } = await ask({ schema: of({ color: { enum: ['red', 'green', null] } }, ['color']) })
    await choose(user, 2)
    await choose(user, 0)
    await user.click(press('Submit'))
    expect((await answer).data).toEqual({ color: null })
  })

  test('the value of each option stays what is sent', async () => {
    await ask({ schema: of({ color: list }) })
    const select = screen.getByRole('combobox') as HTMLSelectElement
    expect([...select.options].map(({ value }) => value)).toEqual(['', 'red', 'green'])
    expect(select.closest('[data-field]')).toHaveAttribute('data-field', 'color')
  })
})

describe('FAULT-34: a root that is one value is one field', () => {
  test('of text, named by its title and described', async () => {
    const { answer, user } = await ask({ schema: { type: 'string', title: 'City', description: 'Where you live' } })
    const box = screen.getByRole('textbox', { name: 'City' })
    expect(box).toHaveAccessibleDescription('Where you live')
    await user.type(box, 'Bern')
    await user.click(press('Submit'))
    expect((await answer).data).toEqual({ value: 'Bern' })
  })

  test('of text, in words of its own where it has no title', async () => {
    const { answer, user } = await ask({ schema: { type: 'string' } })
    await user.click(press('Submit'))
    const box = screen.getByRole('textbox', { name: 'Your answer' })
    expect(box).toHaveAccessibleDescription('Fill this in.')
    await user.type(box, 'x')
    await user.click(press('Submit'))
    expect((await answer).data).toEqual({ value: 'x' })
  })

  test('to tick', async () => {
    const { answer, user } = await ask({ schema: { type: 'boolean', title: 'Agree' } })
    await user.click(screen.getByRole('checkbox', { name: 'Agree' }))
    await user.click(press('Submit'))
    expect((await answer).data).toEqual({ value: true })
  })

  test('to choose from', async () => {
    const { answer, user } = await ask({
      schema: {
        oneOf: [
          { const: 1, title: 'One' },
          { const: 2, title: 'Two' },
        ],
      },
    })
    await choose(user, 2)
    await user.click(press('Submit'))
    expect((await answer).data).toEqual({ value: 2 })
  })

  test('of a number, held to its limits', async () => {
    const { answer, user } = await ask({ schema: { type: 'integer', maximum: 3 } })
    const box = screen.getByRole('textbox', { name: 'Your answer' })
    await user.type(box, '9')
    await user.click(press('Submit'))
    expect(box).toHaveAccessibleDescription('Enter 3 or less.')
    await user.type(box, '{Backspace}2')
    await user.click(press('Submit'))
    expect((await answer).data).toEqual({ value: 2 })
  })

  test('that asks for a secret is still none', async () => {
    await ask({ schema: { type: 'string', title: 'Password' } })
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.getByText('Secrets are not entered here')).toBeVisible()
  })

  test('and a list that has no controls is JSON, sent as value', async () => {
    const { answer, user } = await ask({ schema: { type: 'array', items: { type: 'object' } } })
    const box = screen.getByRole('textbox', { name: 'Answer as JSON' })
    await user.click(box)
    await user.paste('{}')
    await user.click(press('Submit'))
    expect(box).toHaveAccessibleDescription(/Enter JSON of the type array\./)
    await user.clear(box)
    await user.paste('[{"a":1}]')
    await user.click(press('Submit'))
    expect((await answer).data).toEqual({ value: [{ a: 1 }] })
  })
})

describe('FAULT-33: a type nobody knows', () => {
  test.each(['String', 'date'])('%s takes what is entered', async (type) => {
    const { answer, user } = await ask({ schema: of({ v: { type } }) })
    await user.type(screen.getByRole('textbox'), '"x"')
    await user.click(press('Submit'))
    expect((await answer).data).toEqual({ v: 'x' })
  })
})

describe('FAULT-07: a box for JSON says what is wrong', () => {
  test.each([
    ['9007199254740993', 'This number has more digits than can be kept exactly.'],
    ['1e400', 'A number is out of range.'],
    ['1e-400', 'A number is out of range.'],
    ['{"a":1,"a":2}', 'A key stands twice.'],
    ['{"a":1,"\\u0061":2}', 'A key stands twice.'],
    ['['.repeat(500) + ']'.repeat(500), 'This is nested too deeply or too large.'],
    ['{', 'This is not valid JSON.'],
  ])('%#: %2$s', async (text, words) => {
    const { runner, user } = await ask({ schema: of({ v: {} }) })
    const box = screen.getByRole('textbox')
    await user.click(box)
    await user.paste(text)
    await user.click(press('Submit'))
    expect(box).toHaveAccessibleDescription(new RegExp(`${words}$`))
    expect([box, runner.count()]).toEqual([document.activeElement, 1])
  })
})

describe('FAULT-35: an editor that a form asks for starts from its call', () => {
  const editedArgs = of({ to: { type: 'string' }, body: { type: 'string' } })
  const schema = of({ approved: { type: 'boolean' }, editedArgs }, ['approved'])
  const input = { to: 'ada', body: 'Hi' }

  /** Edits `to`, and gives what is sent. */
  async function edit(data: PendingRequest['data']): Promise<unknown> {
    const { answer, user } = await ask(data)
    await user.click(press('Edit'))
    const to = screen.getByRole('textbox', { name: 'to' })
    await user.clear(to)
    await user.type(to, 'eve')
    await user.click(press('Approve with changes'))
    return (await answer).data
  }
  const whole = { approved: true, editedArgs: { to: 'eve', body: 'Hi' } }

  test.each<[string, unknown, unknown?]>([
    ['its input', { name: 'mail', input }],
    ['its arguments', { name: 'mail', arguments: input }],
    ['its arguments as text', { name: 'mail', arguments: JSON.stringify(input) }],
    ['its input as text', { name: 'mail', input: JSON.stringify(input) }],
    ['both, which say the same', { name: 'mail', input, arguments: '{"body":"Hi","to":"ada"}' }],
    [
      'a schema with references',
      { name: 'mail', input },
      {
        ...of({ approved: { $ref: '#/$defs/Yes' }, editedArgs: { $ref: '#/$defs/Mail' } }),
        $defs: {
          Yes: { type: 'boolean' },
          Mail: of({ to: { $ref: '#/$defs/Text' }, body: { $ref: '#/$defs/Text' } }),
          Text: { type: 'string' },
        },
      },
    ],
    [
      'arguments that may be null',
      { name: 'mail', input },
      of({ approved: { type: 'boolean' }, editedArgs: { anyOf: [editedArgs, { type: 'null' }] } }),
    ],
    [
      'a schema of one argument',
      { name: 'mail', input },
      of({ approved: { type: 'boolean' }, editedArgs: of({ to: { type: 'string' } }) }),
    ],
  ])('%s', async (_what, call, other = schema) => {
    expect(await edit({ calls: [call], schema: other })).toEqual(whole)
  })

  test('says what it was', async () => {
    const { user } = await ask({ calls: [{ name: 'mail', input }], schema })
    await user.click(press('Edit'))
    await user.type(screen.getByRole('textbox', { name: 'to' }), '!')
    const changes = screen.getByRole('region', { name: 'Your changes' })
    expect([...changes.querySelectorAll('dd')].map(({ textContent }) => textContent)).toEqual(['ada', 'ada!'])
  })

  test.each<[string, unknown]>([
    [
      'several calls',
      [
        { name: 'mail', input },
        { name: 'mail', input: { to: 'bob', body: 'Ho' } },
      ],
    ],
    ['a call that says two things', [{ name: 'mail', input, arguments: { to: 'mallory' } }]],
    ['text that is no JSON', [{ name: 'mail', arguments: '{to' }]],
    ['text that cannot be kept exactly', [{ name: 'mail', arguments: '{"to":9007199254740993}' }]],
    ['a call that is none', ['mail']],
  ])('starts empty and says nothing of before: %s', async (_what, calls) => {
    const { user, answer } = await ask({ calls, schema })
    await user.click(press('Edit'))
    expect(screen.getByRole('textbox', { name: 'to' })).toHaveValue('')
    await user.type(screen.getByRole('textbox', { name: 'to' }), 'eve')
    const changes = screen.getByRole('region', { name: 'Your changes' })
    expect(within(changes).queryByText('Was')).toBeNull()
    expect(changes).toHaveTextContent('eve')
    await user.click(press('Approve with changes'))
    expect((await answer).data).toEqual({ approved: true, editedArgs: { to: 'eve' } })
  })

  test('unedited sends no arguments, and is asked of nobody else', async () => {
    const { answer, user } = await ask({ calls: [{ name: 'mail', input }], schema })
    await user.click(press('Approve'))
    expect((await answer).data).toEqual({ approved: true })
  })

  test('keeps choices and decisions of the request for data', async () => {
    await ask({ calls: [{ name: 'mail', input }], schema, choices: ['a'], decisions: ['respond'] })
    expect(screen.queryByRole('button', { name: 'a' })).toBeNull()
    const sent = screen.getByRole('heading', { name: 'Also sent' }).closest('section')
    expect(sent).toHaveTextContent('choices (1)')
    expect(sent).toHaveTextContent('respond')
    expect(sent).not.toHaveTextContent('approved')
  })

  test('shows what the form says of itself', async () => {
    await ask({ schema: of({ approved: { type: 'boolean', title: 'Send all the money?' } }) })
    expect(screen.getByText(/Send all the money\?/)).toBeVisible()
  })
})
