// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { coerce } from '../../../src/components/form/coerce.js'
import { readFields } from '../../../src/components/form/fields.js'

const submit = (schema: unknown, values: Record<string, unknown> = {}): unknown => {
  const { data, errors } = coerce(readFields(schema), new Map(Object.entries(values)))
  return data ? { data } : { errors: Object.fromEntries(errors) }
}

describe('FAULT-34: a root that is one value is one field, sent as value', () => {
  it.each<[string, unknown, string, unknown, unknown]>([
    ['a text', { type: 'string' }, 'string', 'x', 'x'],
    ['a number', { type: 'number' }, 'number', '1.5', 1.5],
    ['a whole number', { type: 'integer' }, 'integer', '12', 12],
    ['a box', { type: 'boolean' }, 'boolean', true, true],
    ['a box nobody touched', { type: 'boolean' }, 'boolean', undefined, false],
    ['options', { enum: ['a', 'b'] }, 'enum', 'b', 'b'],
    ['numbers to choose from', { type: 'integer', enum: [1, 2] }, 'enum', 2, 2],
    ['titled options', { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }, 'enum', 'a', 'a'],
    ['options that are any of', { type: 'string', anyOf: [{ const: 'a' }, { const: 'b' }] }, 'enum', 'b', 'b'],
    ['one constant', { const: 'only' }, 'enum', 'only', 'only'],
    ['several options', { type: 'array', items: { enum: ['a', 'b'] } }, 'multi', ['b', 'a'], ['a', 'b']],
    ['no option', { type: 'array', items: { enum: ['a'] } }, 'multi', undefined, []],
    ['a text or null', { type: ['string', 'null'] }, 'string', 'x', 'x'],
    ['null for a text or null', { type: ['string', 'null'] }, 'string', '', null],
    ['a number or null', { anyOf: [{ type: 'number' }, { type: 'null' }] }, 'number', '', null],
    ['an option or null', { enum: ['a', null] }, 'enum', null, null],
    ['a reference', { $ref: '#/$defs/Name', $defs: { Name: { type: 'string' } } }, 'string', 'x', 'x'],
    ['a lone allOf', { allOf: [{ type: 'boolean' }] }, 'boolean', true, true],
    ['a default', { type: 'string', default: 'd' }, 'string', undefined, 'd'],
    ['a default number', { type: 'number', default: 0 }, 'number', undefined, 0],
    ['an address', { type: 'string', format: 'email' }, 'string', ' a@b.co ', 'a@b.co'],
    ['an empty text that is allowed', { type: 'string', minLength: 0 }, 'string', '', ''],
  ])('%s', (_what, schema, kind, typed, value) => {
    const { root, fields } = readFields(schema)
    expect([root, fields.map((field) => [field.name, field.kind])]).toEqual(['value', [['value', kind]]])
    expect(submit(schema, typed === undefined ? {} : { value: typed })).toStrictEqual({ data: { value } })
  })

  it.each<[string, unknown, unknown, string]>([
    ['nothing', { type: 'string' }, '', 'required'],
    ['nothing chosen', { enum: ['a'] }, null, 'required'],
    ['what is too short', { type: 'string', minLength: 3 }, 'ab', 'minLength'],
    ['what is too much', { type: 'integer', maximum: 3 }, '4', 'maximum'],
    ['what is no address', { type: 'string', format: 'email' }, 'x', 'format'],
    ['no number', { type: 'number' }, 'x', 'type'],
    ['what cannot be kept', { type: 'integer' }, '9007199254740993', 'precision'],
    ['too few', { type: 'array', items: { enum: ['a', 'b'] }, minItems: 2 }, ['a'], 'minItems'],
    [
      'what the schema around a reference refuses',
      { $ref: '#/$defs/N', minLength: 1, $defs: { N: { type: 'string', minLength: 5 } } },
      'abc',
      'minLength',
    ],
  ])('refuses %s', (_what, schema, typed, keyword) => {
    expect(submit(schema, { value: typed })).toEqual({ errors: { value: keyword } })
  })

  it('has the title and the description of the root', () => {
    const [field] = readFields({ type: 'string', title: 'City', description: 'Where you live' }).fields
    expect(field).toMatchObject({ label: 'City', description: 'Where you live', required: true })
    expect(readFields({ type: 'string' }).fields[0]?.label).toBe('')
  })
})

describe('a root that is neither a form nor one value', () => {
  it.each<[string, unknown, string, unknown]>([
    ['a list of objects', { type: 'array', items: { type: 'object' } }, '[{"a":1}]', { value: [{ a: 1 }] }],
    ['a list of texts', { type: 'array', items: { type: 'string' } }, '["a"]', { value: ['a'] }],
    ['a text or a number', { type: ['string', 'number'] }, '5', { value: 5 }],
    ['one of two types', { anyOf: [{ type: 'string' }, { type: 'number' }] }, '"x"', { value: 'x' }],
    ['null', { type: 'null' }, 'null', { value: null }],
    ['anything', {}, 'true', { value: true }],
    ['anything, as an object', {}, '{"a":1}', { a: 1 }],
    ['an object or null', { type: ['object', 'null'], minProperties: 0 }, 'null', { value: null }],
    ['an object with rules', { type: 'object', minProperties: 1 }, '{"a":1}', { a: 1 }],
    ['a type nobody knows', { type: 'Record' }, '{"a":1}', { a: 1 }],
    ['a name that is a key', { minProperties: 1 }, '{"__proto__":1}', JSON.parse('{"__proto__":1}')],
  ])('is a box for JSON that takes what fits: %s', (_what, schema, text, data) => {
    expect(readFields(schema).root).toBe('json')
    expect(submit(schema, { '': text })).toStrictEqual({ data })
  })

  it.each<[string, unknown, string, string]>([
    ['an object for a list', { type: 'array' }, '{}', 'type'],
    ['a list for an object', { type: 'object', minProperties: 0 }, '[]', 'type'],
    ['a text for an object', { type: 'object', minProperties: 0 }, '"x"', 'type'],
    ['what is wrong inside', { type: 'array', items: { type: 'string' } }, '[1]', 'schema'],
    ['none of several', { anyOf: [{ type: 'string' }, { type: 'number' }] }, 'true', 'anyOf'],
    ['no object of two', { anyOf: [{ type: 'object' }, { type: 'null' }], minProperties: 0 }, '5', 'type'],
  ])('refuses %s', (_what, schema, text, keyword) => {
    expect(submit(schema, { '': text })).toEqual({ errors: { '': keyword } })
  })

  it('has its default in it', () => {
    expect(submit({ type: 'array', items: {}, default: [1] })).toStrictEqual({ data: { value: [1] } })
  })
})

describe('FAULT-33: a type nobody knows takes any JSON', () => {
  const types = [
    'String',
    'date',
    'any',
    'int',
    'constructor',
    '',
    ['string', 'Foo'],
    ['Foo', 'null'],
    [],
    5,
    null,
    {},
    true,
    [5],
  ]
  const texts = ['"x"', '5', 'null', '[1]', '{"a":[]}', 'false']
  it.each(types.flatMap((type) => texts.map((text) => [type, text] as const)))('%j takes %s', (type, text) => {
    const schema = { type: 'object', properties: { v: { type } }, required: ['v'] }
    expect(readFields(schema).fields[0]?.kind).toBe('json')
    expect(submit(schema, { v: text })).toStrictEqual({ data: { v: JSON.parse(text) } })
  })

  it.each([
    ['object', '[]'],
    ['array', '{}'],
    [['object', 'array'], '5'],
    ['null', '0'],
  ])('a known one still holds: %j refuses %s', (type, text) => {
    const schema = { type: 'object', properties: { v: { type } } }
    expect(submit(schema, { v: text })).toEqual({ errors: { v: 'type' } })
  })

  it('has its default', () => {
    expect(submit({ type: 'object', properties: { v: { type: 'date', default: '2026-11-30' } } })).toStrictEqual({
      data: { v: '2026-11-30' },
    })
  })
})
