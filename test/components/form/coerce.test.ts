// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { coerce, withOffset } from '../../../src/components/form/coerce.js'
import { readFields } from '../../../src/components/form/fields.js'
import bugs from '../../cases/bug-reports.json?raw'
import { freezeAll, inputsVia } from './schema-cases.js'

const submit = (schema: unknown, values: Record<string, unknown> = {}, zone?: string): unknown => {
  const { data, errors } = coerce(readFields(schema), new Map(Object.entries(values)), zone)
  return data ? { data } : { errors: Object.fromEntries(errors) }
}
const one = (schema: object, required = false): object => ({
  type: 'object',
  properties: { v: schema },
  ...(required && { required: ['v'] }),
})

describe('the schema cases', () => {
  it.each(inputsVia('form'))('%s, input %i', (_name, _i, { schema }, { value, valid, data, errors, tz }) => {
    expect(submit(freezeAll(schema), value, tz)).toStrictEqual(valid ? { data } : { errors })
  })

  it('leaves the prototype of all objects alone', () => {
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

interface Report {
  id: string
  input: never
  expect: unknown
}
const report = (id: string): Report => {
  const found: Report[] | Record<string, Report[]> = JSON.parse(bugs)
  const list = Array.isArray(found) ? found : Object.values(found).flat()
  return list.find((bug) => bug.id === id) as Report
}

describe('the bug reports', () => {
  it('BUG-095 sends every default untouched, with its type', () => {
    const { input } = report('BUG-095')
    const { schema, expect: data } = input as { schema: unknown; expect: unknown }
    expect(submit(schema)).toStrictEqual({ data })
  })

  it('BUG-096 sends "" for a default that was cleared', () => {
    expect(submit(one({ type: 'string', default: 'a' }), { v: '' })).toStrictEqual({ data: { v: '' } })
  })

  it('BUG-101 sends false for a required box that nobody touched', () => {
    expect(submit(one({ type: 'boolean' }, true))).toStrictEqual({ data: { v: false } })
  })

  it('BUG-105 sends nothing for a number whose default was cleared', () => {
    expect(submit(one({ type: 'number', default: 7 }), { v: '' })).toStrictEqual({ data: {} })
  })

  it('BUG-109 sends the value of each of the five enum shapes', () => {
    for (const [name, schema] of Object.entries<object>(report('BUG-109').input)) {
      const isMulti = name.endsWith('Multi')
      expect(submit(one(schema), { v: isMulti ? ['b'] : 'b' })).toStrictEqual({ data: { v: isMulti ? ['b'] : 'b' } })
    }
  })

  it('BUG-116, BUG-117 sends the same for an untouched text and one typed and deleted', () => {
    for (const schema of [one({ type: 'string' }), one({ type: 'string', default: '' }, true)]) {
      expect(submit(schema, { v: '' })).toStrictEqual(submit(schema))
    }
  })

  it('BUG-121 sends own keys named like those of Object.prototype', () => {
    const names: string[] = report('BUG-121').input
    const schema = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) }
    const typed = Object.fromEntries(names.map((name) => [name, 'v']))
    expect(submit(schema)).toStrictEqual({ data: {} })
    expect(submit(schema, typed)).toStrictEqual({ data: typed })
  })
})

describe('an answer', () => {
  it.each<[string, object, boolean, unknown, unknown]>([
    ['a cleared default of a required text', { type: 'string', default: 'a' }, true, '', { errors: { v: 'required' } }],
    ['a blank required text with minLength 0', { type: 'string', minLength: 0 }, true, '', { data: { v: '' } }],
    [
      'a cleared default too short when empty',
      { type: 'string', minLength: 2, default: 'ab' },
      false,
      '',
      { data: {} },
    ],
    ['an unset enum with a default', { enum: ['a'], default: 'a' }, false, null, { data: {} }],
    [
      'a cleared multi with a default',
      { type: 'array', items: { enum: ['a'] }, default: ['a'] },
      false,
      [],
      { data: { v: [] } },
    ],
    [
      'an untouched optional multi',
      { type: 'array', items: { enum: ['a'] }, minItems: 1 },
      false,
      undefined,
      { data: {} },
    ],
    ['an unset nullable required boolean', { type: ['boolean', 'null'] }, true, undefined, { data: { v: null } }],
    ['an empty nullable optional text', { type: ['string', 'null'] }, false, '', { data: {} }],
    ['a number too small to be held', { type: 'number' }, false, '1e-400', { errors: { v: 'precision' } }],
    [
      'a long decimal beyond the safe integers',
      { type: 'number' },
      false,
      '9007199254740993.5',
      { errors: { v: 'precision' } },
    ],
    [
      'an integer that rounding would make',
      { type: 'integer' },
      false,
      '1.00000000000000000001',
      { errors: { v: 'precision' } },
    ],
    ['a huge round number', { type: 'number' }, false, '1e23', { data: { v: 1e23 } }],
    ['a JSON null where an object is due', { type: 'object' }, false, 'null', { errors: { v: 'type' } }],
    ['a default of a JSON box', { type: 'object', default: { a: [1] } }, false, undefined, { data: { v: { a: [1] } } }],
    [
      'a default with a stranger among the options',
      { type: 'array', items: { enum: ['a'] }, default: ['a', 'z'] },
      false,
      undefined,
      { data: {} },
    ],
    [
      'a text with a nested-quantifier pattern',
      { type: 'string', pattern: '^(a+)+$' },
      false,
      `${'a'.repeat(40)}!`,
      { errors: { v: 'pattern' } },
    ],
  ])('from %s', (_what, schema, required, value, result) => {
    expect(submit(one(schema, required), value === undefined ? {} : { v: value })).toStrictEqual(result)
  })

  it('has the options of a multi-select once each, in schema order', () => {
    const schema = one({ type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } })
    expect(submit(schema, { v: ['c', 'a', 'c', 'zzz'] })).toStrictEqual({ data: { v: ['a', 'c'] } })
  })

  it('from a root JSON box is checked as a whole', () => {
    const schema = { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] }
    expect(submit(schema, { '': '{"a":1}' })).toStrictEqual({ data: { a: 1 } })
    expect(submit(schema, { '': '{}' })).toStrictEqual({ errors: { '': 'anyOf' } })
    expect(submit(schema, { '': '[]' })).toStrictEqual({ errors: { '': 'type' } })
    expect(submit(schema, { '': '{' })).toStrictEqual({ errors: { '': 'json' } })
    expect(submit(schema, {})).toStrictEqual({ errors: { '': 'required' } })
  })
})

describe('withOffset', () => {
  it('adds the offset in force at that local time', () => {
    const text = withOffset('2026-07-01T10:00')
    expect(text).toMatch(/^2026-07-01T10:00:00(Z|[+-]\d\d:\d\d)$/)
    expect(new Date(text).getTime()).toBe(new Date('2026-07-01T10:00').getTime())
  })

  it.each(['2026-07-01T10:00:00Z', '2026-07-01', 'soon', '2026-99-99T99:99Z'])('leaves %s as it is', (text) => {
    expect(withOffset(text)).toBe(text)
  })
})
