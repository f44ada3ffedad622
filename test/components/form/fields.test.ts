// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { type Field, isCredentialSchema, isSecretName, readFields } from '../../../src/components/form/fields.js'
import { freezeAll, isCollected, schemaCases } from './schema-cases.js'

const fieldOf = (schema: unknown): Field => {
  const [field] = readFields({ type: 'object', properties: { v: schema } }).fields
  if (!field) throw new Error('no field')
  return field
}

describe('the schema cases', () => {
  it.each(schemaCases.map((one) => [one.name, one] as const))('%s', (_name, { schema, expect: expected = {} }) => {
    const form = readFields(freezeAll(schema))
    const by = new Map(form.fields.map((field) => [field.name, field]))
    if (expected.root) expect(form.root).toBe(expected.root)
    if (expected.order) expect([...by.keys()]).toEqual(expected.order)
    for (const [name, kind] of Object.entries(expected.kinds ?? {}))
      expect([name, by.get(name)?.kind]).toEqual([name, kind])
    for (const [name, label] of Object.entries(expected.labels ?? {})) expect(by.get(name)?.label).toBe(label)
    for (const [name, options] of Object.entries(expected.options ?? {})) {
      expect(by.get(name)?.options.map(({ value, label }) => [value, label])).toEqual(options)
    }
  })

  it.each(schemaCases.map((one) => [one.name, one] as const))('%s: collected or not', (_name, one) => {
    expect(isCredentialSchema(one.schema)).toBe(!isCollected(one))
  })
})

describe('readFields', () => {
  it.each([undefined, null, true, 7, 'x', [], {}, { type: 'array' }, { $ref: '#' }, { allOf: [{ $ref: '#' }] }])(
    'reads %j as one JSON box',
    (schema) => {
      const { root, fields } = readFields(schema)
      expect([root, fields.map(({ name, kind }) => [name, kind])]).toEqual(['json', [['', 'json']]])
    },
  )

  it.each(['not', 'if', 'dependentRequired', 'minProperties', 'patternProperties'])(
    'reads a root with %s as one JSON box, which is checked as a whole',
    (keyword) => {
      expect(readFields({ type: 'object', properties: { a: {} }, [keyword]: {} }).root).toBe('json')
    },
  )

  it('follows a $ref at the root', () => {
    const schema = { $ref: '#/$defs/Form', $defs: { Form: { type: 'object', properties: { a: { type: 'string' } } } } }
    expect(readFields(schema).fields.map(({ name, kind }) => [name, kind])).toEqual([['a', 'string']])
  })

  it('follows pointers with escapes, and only own properties', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/x~1y' }, b: { $ref: '#/constructor' } },
      $defs: { 'x/y': { type: 'number' } },
    }
    expect(readFields(schema).fields.map(({ kind }) => kind)).toEqual(['number', 'json'])
  })

  it('reads a required name of Object.prototype as a field of its own', () => {
    const { fields } = readFields({ type: 'object', properties: {}, required: ['toString', '__proto__', 'toString'] })
    expect(fields.map(({ name, kind, required }) => [name, kind, required])).toEqual([
      ['toString', 'json', true],
      ['__proto__', 'json', true],
    ])
  })

  it.each<[string, object, string]>([
    ['a list of free texts', { type: 'array', items: { type: 'string' } }, 'json'],
    ['two types', { type: ['string', 'number'] }, 'json'],
    ['a type or null', { oneOf: [{ type: 'null' }, { type: 'boolean' }] }, 'boolean'],
    ['an enum of objects', { enum: [{ a: 1 }] }, 'json'],
    ['titled constants or null', { anyOf: [{ const: 'a', title: 'A' }, { const: 'b' }, { type: 'null' }] }, 'json'],
    ['a constant', { const: 1 }, 'enum'],
    [
      'a list of referenced options',
      { type: 'array', items: { $ref: '#/properties/v/items/x', x: 1, enum: ['a'] } },
      'multi',
    ],
  ])('reads %s', (_what, schema, kind) => {
    expect(fieldOf(schema).kind).toBe(kind)
  })

  it('BUG-111, BUG-113 names options by their value where titles are missing, blank or too few', () => {
    expect(fieldOf({ enum: ['r', 'g'], enumNames: ['Red'] }).options.map(({ label }) => label)).toEqual(['r', 'g'])
    expect(fieldOf({ enum: ['r', 'g'], enumNames: ['Red', 'Red'] }).options.map(({ label }) => label)).toEqual([
      'Red (r)',
      'Red (g)',
    ])
    expect(fieldOf({ oneOf: [{ const: 'a', title: '' }, { const: 'b' }] }).options.map(({ label }) => label)).toEqual([
      'a',
      'b',
    ])
  })

  it('reads 100,000 options in a moment', () => {
    const start = performance.now()
    expect(fieldOf({ enum: Array.from({ length: 1e5 }, (_, i) => `o${i}`) }).options).toHaveLength(1e5)
    expect(performance.now() - start).toBeLessThan(1000)
  })

  it('BUG-110 ignores keywords it does not know', () => {
    expect(fieldOf({ type: 'string', enum: ['a'], 'x-foo': 1, examples: ['a'], enumNames: ['A'] }).kind).toBe('enum')
  })

  it.each([
    ['userName', 'user name'],
    ['deploy_env', 'deploy env'],
    ['apiURL', 'api URL'],
    ['amount', 'amount'],
    ['a.b', 'a.b'],
    ['___', '___'],
    ['', ''],
  ])('names the field %j in words: %j', (name, label) => {
    const [field] = readFields({ type: 'object', properties: { [name]: { type: 'string' } } }).fields
    expect(field?.label).toBe(label)
  })

  it.each<[object]>([
    [{ type: 'integer', default: 1.5 }],
    [{ type: 'boolean', default: 'false' }],
    [{ type: 'string', default: 5 }],
    [{ type: 'string', enum: ['a'], default: 'b' }],
    [{ type: 'array', items: { enum: ['a'] }, default: 'a' }],
    [{ type: ['string', 'null'], default: null }],
  ])('drops the default of %j', (schema) => {
    expect(fieldOf(schema).default).toBeUndefined()
  })
})

describe('isSecretName', () => {
  it.each([
    'password',
    'apiKey',
    'API key',
    'client_secret',
    'accessToken',
    'github_token',
    'token',
    'cvv',
    'PIN',
    'one-time code',
  ])('takes %s for a secret', (name) => expect(isSecretName(name)).toBe(true))
  it.each([
    'passport',
    'passenger',
    'max_tokens',
    'pageToken',
    'secretary',
    'pinned',
    'key',
    'monkey',
    'author',
    'code',
    'postcode',
    'secretName',
    'api_key_id',
    'passwordPolicy',
  ])('takes %s for no secret', (name) => expect(isSecretName(name)).toBe(false))
})

describe('isCredentialSchema', () => {
  const form = (properties: object): object => ({ type: 'object', properties })

  it('looks below the root', () => {
    expect(isCredentialSchema(form({ db: form({ password: { type: 'string' } }) }))).toBe(true)
    expect(isCredentialSchema(form({ x: { type: 'string', writeOnly: true } }))).toBe(true)
    expect(isCredentialSchema(form({ x: { anyOf: [{ type: 'string', title: 'API key' }, { type: 'null' }] } }))).toBe(
      true,
    )
  })

  it('lets people choose between things named like secrets', () => {
    expect(isCredentialSchema(form({ password: { type: 'boolean' }, secret: { enum: ['a', 'b'] } }))).toBe(false)
  })

  it('is not confused by anything that is no schema', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.items = cyclic
    for (const schema of [undefined, null, 'password', 7, [], cyclic]) expect(isCredentialSchema(schema)).toBe(false)
  })
})
