// @vitest-environment node
import { format } from '@cfworker/json-schema'
import { describe, expect, it } from 'vitest'
import { compileSchema, type Issue, validateAnswer } from '../../src/core/schema/index.js'
import { inputsVia } from '../components/form/schema-cases.js'

const byField = (issues: readonly Issue[]): Record<string, string> => {
  const found = new Map<string, string>()
  for (const { path, keyword } of issues) {
    const field = path.split('/')[1] ?? ''
    if (!found.has(field)) found.set(field, keyword)
  }
  return Object.fromEntries(found)
}
const brief = (schema: unknown, value: unknown): string[] =>
  compileSchema(schema)(value).map(({ path, keyword, expected }) => `${path} ${keyword}: ${expected}`)

describe('validateAnswer', () => {
  it.each(inputsVia('answer'))('%s, input %i', (_name, _i, { schema }, { value, errors = {} }) => {
    expect(byField(validateAnswer(schema, value))).toStrictEqual(errors)
  })

  it('ignores malformed keywords one by one', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', minLength: '3', maxLength: 2 }, z: null },
      required: 'a',
    }
    expect(byField(validateAnswer(schema, { a: 'xyz', z: 1 }))).toEqual({ a: 'maxLength' })
    expect(validateAnswer(schema, {})).toEqual([])
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a list', []],
    ['a cycle of references', { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } }],
    ['a remote reference', { $ref: 'https://evil.example/schema.json' }],
    ['an address that is none', { $id: 'http://[', $ref: 'http://[' }],
    ['a half character as a name', { properties: { '\ud83d': {} } }],
  ])('accepts anything for the schema %s', (_what, schema) => {
    expect(validateAnswer(schema, 'x')).toEqual([])
  })
})

describe('the issues', () => {
  it('name the place and what was expected', () => {
    const schema = {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 3 },
        mail: { type: 'string', format: 'email' },
        pick: { enum: ['a', 1] },
        titled: { oneOf: [{ const: 'a' }, { const: 'b' }] },
        maybe: { type: ['string', 'null'] },
        either: { anyOf: [{ type: 'string' }, { type: 'integer', minimum: 1 }] },
        count: { type: 'number', minimum: 3, multipleOf: 2 },
        list: { type: 'array', maxItems: 1, items: { type: 'string' } },
        word: { type: 'string', pattern: '^[a-z]+$' },
      },
      required: ['text', 'toString', '~/%41'],
      additionalProperties: false,
    }
    const value = {
      text: 'ab',
      mail: 'x',
      pick: 2,
      titled: 'c',
      maybe: 1,
      either: true,
      count: 1,
      list: ['a', 2],
      word: 'A',
      extra: 1,
    }
    expect(brief(schema, value).sort()).toEqual([
      '/count minimum: at least 3',
      '/count multipleOf: multipleOf 2',
      '/either anyOf: one of string, integer',
      '/extra additionalProperties: additionalProperties false',
      '/list maxItems: at most 1 items',
      '/list/1 type: string',
      '/mail format: format "email"',
      '/maybe type: string or null',
      '/pick enum: one of "a", 1',
      '/text minLength: at least 3 characters',
      '/titled oneOf: one of "a", "b"',
      '/toString required: a value (required)',
      '/word pattern: pattern "^[a-z]+$"',
      '/~0~1%41 required: a value (required)',
    ])
  })

  it('follow references', () => {
    const schema = { type: 'object', properties: { v: { type: 'number' }, next: { $ref: '#' } }, required: ['v'] }
    expect(brief(schema, { v: 1, next: { v: 'x', next: {} } })).toEqual([
      '/next/v type: number',
      '/next/next/v required: a value (required)',
    ])
  })

  it('are the ones of `then`, and name what only `contains` or `not` can say', () => {
    const schema = JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]}}')
    expect(byField(compileSchema(schema)({ a: 1 }))).toEqual({
      b: 'required',
    })
    expect(byField(compileSchema({ contains: { type: 'string' } })([1, 2]))).toEqual({ '': 'contains' })
    expect(byField(compileSchema({ not: { type: 'string' } })('x'))).toEqual({ '': 'not' })
    expect(byField(compileSchema(false)(1))).toEqual({ '': 'false' })
  })

  it('know own properties only', () => {
    const schema = {
      type: 'object',
      properties: JSON.parse('{"__proto__":{"type":"string"}}'),
      required: ['__proto__'],
    }
    expect(byField(compileSchema(schema)(JSON.parse('{"__proto__":5}')))).toEqual(JSON.parse('{"__proto__":"type"}'))
    expect(byField(compileSchema(schema)({}))).toEqual(JSON.parse('{"__proto__":"required"}'))
    expect(compileSchema(schema)(JSON.parse('{"__proto__":"x"}'))).toEqual([])
  })
})

describe('compileSchema', () => {
  it('remembers the check of a schema', () => {
    const schema = { type: 'string' }
    expect(compileSchema(schema)).toBe(compileSchema(schema))
    expect(Object.getOwnPropertyNames(schema)).toEqual(['type'])
  })

  it.each<[string, unknown]>([
    ['#', 'x'],
    ['#', null],
    ['#', undefined],
    ['#/type', { type: 'text' }],
    ['#/type', { type: [['string']] }],
    ['#/minLength', { minLength: '3' }],
    ['#/minLength', { minLength: -1 }],
    ['#/maxItems', { maxItems: 1.5 }],
    ['#/minimum', { minimum: null }],
    ['#/multipleOf', { multipleOf: 0 }],
    ['#/properties/a/pattern', { properties: { a: { pattern: 5 } } }],
    ['#/properties', { properties: [] }],
    ['#/properties/z', { properties: { z: null } }],
    ['#/items', { items: 7 }],
    ['#/anyOf', { anyOf: [] }],
    ['#/allOf/1', { allOf: [true, 3] }],
    ['#/required', { required: 'a' }],
    ['#/required', { required: [1] }],
    ['#/enum', { enum: 'abc' }],
    ['#/not', { not: 1 }],
    ['$ref', { $ref: 'https://evil.example/schema.json' }],
    ['$ref', { $ref: '#/$defs/Missing' }],
    ['$ref', { $ref: '#' }],
    [
      '$ref',
      { allOf: [{ $ref: '#/$defs/A' }], $defs: { A: { $ref: '#/$defs/B' }, B: { anyOf: [{ $ref: '#/$defs/A' }] } } },
    ],
  ])('says that %s of a schema is broken', (where, schema) => {
    expect(() => compileSchema(schema)).toThrow(where)
  })

  it('refuses a schema whose references multiply, and one that holds itself', () => {
    const levels = Array.from({ length: 40 }, (_, i) => [
      `d${i}`,
      { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
    ])
    expect(() => compileSchema({ $ref: '#/$defs/d0', $defs: { ...Object.fromEntries(levels), d40: {} } })).toThrow(
      '$ref',
    )
    const cyclic: Record<string, unknown> = {}
    cyclic.properties = cyclic
    expect(() => compileSchema(cyclic)).toThrow()
  })

  it.each<[string, object]>([
    [
      'unknown keywords',
      { 'x-foo': 1, examples: [1], id: 7, $schema: 'x', $comment: 'y', title: 5, $recursiveRef: '#' },
    ],
    ['keywords that are not set', { type: 'string', minLength: undefined }],
    ['draft 7 tuples', { items: [{ type: 'string' }], additionalItems: false }],
    ['an embedded schema', { $ref: 'T', $defs: { T: { $id: 'T', type: ['string', 'array'] } } }],
    [
      'formats named like properties of objects',
      { allOf: [{ format: '__proto__' }, { format: 'valueOf' }, { format: 'constructor' }] },
    ],
  ])('accepts %s', (_what, schema) => {
    expect(compileSchema(schema)('x').filter(({ keyword }) => keyword !== 'type')).toEqual([])
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a function', () => 1],
    ['a bigint', 1n],
    [
      'a cycle',
      (() => {
        const value: unknown[] = []
        value.push(value)
        return value
      })(),
    ],
    ['20,000 levels', JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)],
  ])('has an issue, and no crash, for %s', (_what, value) => {
    expect(compileSchema({ items: { $ref: '#' } })(value)).toMatchObject([{ path: '', keyword: 'json' }])
  })

  it('takes absent and undefined properties for the same', () => {
    expect(compileSchema({ type: 'object', properties: { a: { type: 'string' } } })({ a: undefined })).toEqual([])
    expect(byField(compileSchema({ required: ['a'] })({ a: undefined }))).toEqual({ a: 'required' })
  })
})

describe('patterns', () => {
  it.each<[string, string, string]>([
    ['^\\p{L}+$', 'été', 'a1'],
    ['^.$', '👍', '👍👍'],
    ['^[\\w-\\.]+$', 'a-b.c', 'a b'],
    ['^[^\\s-\\d]+\\@\\-$', 'ab@-', 'a1@-'],
    ['^(\\d+)?-[a-z]+$', '12-ab', '12-aB'],
    ['^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$', '00:1b:44:11:3a:b7', '00:1b'],
    ['^[^(|)*]+$', 'ab', 'a*'],
  ])('checks %s', (pattern, good, bad) => {
    expect(compileSchema({ pattern })(good)).toEqual([])
    expect(compileSchema({ pattern })(bad)).toMatchObject([
      { keyword: 'pattern', expected: `pattern ${JSON.stringify(pattern)}` },
    ])
  })
})

describe('formats', () => {
  const texts = [
    '',
    'a',
    'a@b.co',
    'A+tag@Example.COM',
    'x@y-z.example',
    '2024-02-29',
    '2023-02-29',
    '2024-13-01',
    '2024-1-1',
    '12024-01-01',
    '2024-01-01T00:00:00Z',
    '2024-01-01t00:00:00+05:30',
    '2024-01-01T25:00:00Z',
    '2024-01-01T10:00',
    '2024-01-01T00:00:00Z\n',
    'https://example.com/a?b=c#d',
    'mailto:a@b.c',
    'urn:isbn:1',
    'example.com',
    '//example.com/a',
    'https://exa mple.com',
    'https://a/%zz',
    '00:00:00Z',
    '127.0.0.1',
    '::1',
    '550e8400-e29b-41d4-a716-446655440000',
    '/a/b',
  ]

  it.each(['date', 'date-time', 'time', 'uri', 'ipv4', 'ipv6', 'uuid', 'json-pointer'])(
    'agree with the validator on %s',
    (name) => {
      for (const text of texts) {
        expect([text, compileSchema({ format: name })(text).length === 0]).toEqual([text, format[name]?.(text)])
      }
    },
  )

  it.each([
    ['a@b', false],
    ['user@localhost', false],
    ['"a b"@example.com', false],
    ['a@[127.0.0.1]', false],
    ['a@b.c', true],
    ['a.b@c.d', true],
    ['a..b@c.d', false],
    ['a@b..c', false],
    ['a@-b.c', false],
    ['a@b-.c', false],
    ['a@b--c.d', true],
    ['ü@b.co', false],
  ])('email follows ajv-formats on %s', (text, valid) => {
    expect(compileSchema({ format: 'email' })(text)).toHaveLength(valid ? 0 : 1)
  })

  it('are told before a pattern', () => {
    expect(validateAnswer({ format: 'email', pattern: '@corp$' }, 'me').map(({ keyword }) => keyword)).toEqual([
      'format',
      'pattern',
    ])
  })
})
