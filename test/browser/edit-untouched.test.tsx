import '../../src/components/styles.css'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { z } from 'zod'
import { type AnyTool, createToolRunner } from '../../src/index.js'
import { button, eventually, Page, typingIsOver } from '../support/page.js'

beforeEach(typingIsOver)

const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const changed = (): (string | null)[] =>
  [...document.querySelectorAll('[data-slot="change"] [data-slot="label"]')].map(({ textContent }) => textContent)

/** A gated tool with a `Label` that the person edits; what it ran with. */
async function editLabel(tool: Partial<AnyTool>, args: Record<string, unknown>, isAskedAgain = false) {
  const ran: Record<string, unknown>[] = []
  const runner = createToolRunner({
    tools: [
      {
        name: 'plan',
        needsApproval: true,
        decisions: ['approve', 'edit', 'decline'],
        execute(given) {
          ran.push(given)
          return 'planned'
        },
        ...tool,
      },
    ],
  })
  await render(<Page runner={runner} armingDelay={0} />)
  const result = runner.run('plan', { label: 'before', ...args })
  await userEvent.click(button('Edit'))
  await userEvent.fill(field('Label'), 'after')
  await eventually(field('Label')).toHaveValue('after')
  expect(changed()).toEqual(['label'])
  await userEvent.click(button('Approve with changes'))
  // What runs as something else than it was called with is shown once more before it counts (DESIGN 8.2).
  if (isAskedAgain) await userEvent.click(button('Approve'))
  expect(await result).toMatchObject({ output: 'planned', isError: false, metadata: { edited: true } })
  expect(ran).toHaveLength(1)
  return ran[0]
}

const label = { type: 'string', title: 'Label' }

describe('an argument that nobody touched', () => {
  test.each([
    ['a date and time without an offset', { type: 'string' }, '2024-05-01T10:00'],
    ['a date and time with an offset', { type: 'string', format: 'date-time' }, '2024-05-01T10:00:00.500+02:00'],
    ['a date in words', { type: 'string' }, ' 1 May 2024 '],
    ['a date of a day', { type: 'string', format: 'date' }, '2024-02-29'],
    ['a text of several lines', { type: 'string' }, 'a\r\nb\n'],
    ['a large number', { type: 'number' }, 1e21],
    ['a list in an order of its own', { type: 'array', items: { enum: ['a', 'b', 'c'] } }, ['c', 'a']],
    ['null', { type: ['string', 'null'] }, null],
    ['a default it was not given', { type: 'string', default: 'x' }, undefined],
  ])('stays what it was beside one that is edited: %s', async (_what, schema, value) => {
    const inputSchema = { type: 'object', properties: { label, value: schema } }
    const args = value === undefined ? {} : { value }
    expect(await editLabel({ inputSchema }, args)).toEqual({ label: 'after', ...args })
  })

  test('stays a Date where the schema makes one of it, and is no change', async () => {
    const inputSchema = z.object({ label: z.string(), when: z.coerce.date() })
    const jsonSchema = { type: 'object', properties: { label, when: { type: 'string', format: 'date-time' } } }
    const when = '2024-05-01T10:00:00.123Z'
    expect(await editLabel({ inputSchema, jsonSchema }, { when })).toEqual({ label: 'after', when: new Date(when) })
  })

  // Where the form that is shown says another type than the argument has, as it came in or as it came out.
  test.each([
    ['as it comes in', z.coerce.number(), { type: 'integer' }],
    ['as it comes out', z.union([z.string().transform(Number), z.number()]), { type: 'string' }],
  ])('blocks no other edit where it does not fit its field %s', async (_when, count, schema) => {
    const inputSchema = z.object({ label: z.string(), count })
    const jsonSchema = { type: 'object', properties: { label, count: schema }, required: ['count'] }
    expect(await editLabel({ inputSchema, jsonSchema }, { count: '5' }, true)).toEqual({ label: 'after', count: 5 })
  })
})
