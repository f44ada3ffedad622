// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { type ArgsForm, createArgsForm, readEdits, resetChange } from '../../../src/components/bodies/edit-args.js'
import { runsAs } from '../../../src/components/bodies/runs-as.js'

const formOf = (schema: unknown, args: Record<string, unknown> | undefined): ArgsForm => {
  const form = createArgsForm(schema, args, 'JSON')
  if (!form) throw new Error('no form')
  return form
}
const edit = (schema: unknown, args: Record<string, unknown>, typed: Record<string, unknown>) =>
  readEdits(formOf(schema, args), new Map(Object.entries(typed)))
const of = (properties: object, required: string[] = []) => ({ type: 'object', properties, required })
const entries = (value: object) => JSON.stringify(Object.entries(value))

describe('arguments that nobody touched', () => {
  // What a control would send for these is something else, or nothing.
  it.each<[string, object, unknown]>([
    ['a date and time as an instant', { type: 'string', format: 'date-time' }, '2026-11-30T10:00:00.000Z'],
    ['a local time, which the control gives an offset', { type: 'string', format: 'date-time' }, '2026-11-30T10:00'],
    ['a padded address', { type: 'string', format: 'email' }, ' a@b.co '],
    ['a text with line breaks', { type: 'string' }, 'a\r\nb'],
    ['a number written with an exponent', { type: 'number' }, 1e21],
    ['a number beyond the safe ones', { type: 'integer' }, 2 ** 60],
    ['a number that is a text', { type: 'number' }, '5'],
    ['a text that is a number', { type: 'string' }, 5],
    ['an option that is not offered', { enum: ['a', 'b'] }, 'z'],
    ['options in their own order', { type: 'array', items: { enum: ['a', 'b'] } }, ['b', 'a', 'b']],
    ['null for a text', { type: 'string' }, null],
    ['null for a nullable one', { type: ['string', 'null'] }, null],
    ['false for an optional box', { type: 'boolean' }, false],
    ['an empty text', { type: 'string', minLength: 2 }, ''],
    ['nested values', { type: 'object' }, { b: [{ d: 1, c: null }], a: {} }],
    ['a misfit in a list', { type: 'array', items: { type: 'string' } }, ['a', 5]],
  ])('are sent as they were while another is edited: %s', (_what, schema, value) => {
    const args = { other: 'x', v: value }
    const { args: sent, changes, errors } = edit(of({ v: schema, other: { type: 'string' } }), args, { other: 'y' })
    expect(errors.size).toBe(0)
    expect(entries(sent)).toBe(entries({ other: 'y', v: value }))
    expect(changes).toEqual([{ name: 'other', was: 'x', now: 'y' }])
  })

  it('are not even there when the schema has a default', () => {
    const schema = of({
      a: { type: 'string' },
      b: { type: 'string', default: 'd' },
      c: { type: 'boolean', default: true },
    })
    expect(edit(schema, { a: 'x' }, { a: 'y' }).args).toStrictEqual({ a: 'y' })
  })

  it('are no change, and no error, however little they fit', () => {
    const { changes, errors, places } = edit(of({ n: { type: 'number' } }, ['n', 'missing']), { n: 'x' }, {})
    expect([changes, [...errors], places]).toEqual([[], [], []])
  })

  it('hold no edit of another back, and say nothing wrong themselves', () => {
    const schema = { ...of({ n: { type: 'integer' }, s: { type: 'string' } }), additionalProperties: false }
    const { args, errors } = edit(schema, { n: 'five', s: 'a', more: 1 }, { s: 'b' })
    expect([...errors]).toEqual([])
    expect(args).toStrictEqual({ n: 'five', s: 'b', more: 1 })
  })

  it('keep keys like those of Object.prototype', () => {
    const args = JSON.parse('{"__proto__": {"a": 1}, "constructor": "c", "toString": null, "": 0}')
    const { args: sent } = edit(of({ s: { type: 'string' } }), args, { s: 'x' })
    expect(entries(sent)).toBe(entries(Object.fromEntries([...Object.entries(args), ['s', 'x']])))
    expect(Object.getPrototypeOf(sent)).toBe(Object.prototype)
  })
})

describe('arguments that were edited', () => {
  it('may have such a key themselves', () => {
    const args = JSON.parse('{"__proto__": 1}')
    const { args: sent, changes } = edit({ type: 'object' }, args, JSON.parse('{"__proto__": "2"}'))
    expect(entries(sent)).toBe('[["__proto__",2]]')
    expect(changes).toEqual([{ name: '__proto__', was: '1', now: '2' }])
  })

  it('FAULT-32: an optional option taken back is no key, one of a required list stays an error', () => {
    const color = { enum: ['red', 'green'] }
    expect(edit(of({ color }), { color: 'red' }, { color: null }).args).toStrictEqual({})
    expect(edit(of({ color: { ...color, default: 'red' } }), { color: 'green' }, { color: null }).args).toStrictEqual(
      {},
    )
    expect([...edit(of({ color }, ['color']), { color: 'red' }, { color: null }).errors]).toEqual([
      ['color', 'required'],
    ])
    const nullable = { enum: ['red', null] }
    expect(edit(of({ color: nullable }, ['color']), { color: 'red' }, { color: null }).args).toStrictEqual({
      color: null,
    })
  })

  it('FAULT-07: a box that cannot be kept as it is written is an error, beside another edit too', () => {
    const { errors } = edit(
      of({ v: { type: 'object' }, s: { type: 'string' } }),
      { v: {} },
      { v: '{"a":1,"a":2}', s: 'x' },
    )
    expect([...errors]).toEqual([['v', 'duplicate']])
    expect([...edit({ anyOf: [{}] }, { a: 1 }, { '': '{"a":1e400}' }).errors]).toEqual([['', 'range']])
  })

  it('nested values are compared and taken back as a whole', () => {
    const form = formOf(of({ v: { type: 'object' } }), { v: { a: [1] }, w: 1 })
    const values = new Map<string, unknown>([['v', '{"a":[2]}']])
    expect(readEdits(form, values).args).toStrictEqual({ v: { a: [2] }, w: 1 })
    resetChange(form, values, readEdits(form, values), 'v')
    expect(readEdits(form, values)).toMatchObject({ args: { v: { a: [1] }, w: 1 }, changes: [] })
  })

  it('start from nothing where nobody knows what they were', () => {
    const form = formOf(of({ to: { type: 'string' } }), undefined)
    expect([form.isKnown, form.args]).toEqual([false, {}])
    expect(readEdits(form, new Map([['to', 'eve']])).args).toStrictEqual({ to: 'eve' })
  })
})

describe('what runs as something else', () => {
  it('is every member that reads differently, is stripped or is added', () => {
    const runs = runsAs(
      { cents: 5, same: { a: 1, b: 2 }, extra: 1, text: '5' },
      { cents: 500, same: { b: 2, a: 1 }, added: 1000, text: 5 },
    )
    expect([...runs]).toEqual([
      ['cents', '500'],
      ['extra', null],
      ['text', '5'],
      ['added', '1000'],
    ])
  })

  it('is nothing where it is not known', () => {
    expect(runsAs({ a: 1 }, undefined).size).toBe(0)
  })

  it('has keys like those of Object.prototype', () => {
    expect([...runsAs(JSON.parse('{"__proto__":1}'), JSON.parse('{"toString":1}'))]).toEqual([
      ['__proto__', null],
      ['toString', '1'],
    ])
  })
})
