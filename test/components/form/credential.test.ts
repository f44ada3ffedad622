// @vitest-environment node
import { describe, expect, it, vi } from 'vitest'
import {
  type CredentialTest,
  isCredentialQuestion,
  isCredentialSchema,
} from '../../../src/components/form/credential.js'
import { asksForSecret } from '../../../src/core/secrets/asks-for-secret.js'
import { ordinaryNames, secretNames } from '../../cases/secret-names.js'

const form = (properties: object): object => ({ type: 'object', properties })
const text = { type: 'string' }

// The names and sentences themselves are in test/core/secret-names.test.ts.
describe('FAULT-28: a form asks for a secret', () => {
  it.each(Object.values(secretNames).flat())('named or titled %s', (name) => {
    expect(isCredentialSchema(form({ [name]: text }))).toBe(true)
    expect(isCredentialSchema(form({ value: { ...text, title: name } }))).toBe(true)
    expect(isCredentialQuestion('Value?', name)).toBe(true)
  })

  it.each(ordinaryNames)('not with %s', (name) => {
    expect(isCredentialSchema(form({ [name]: text, x: { ...text, title: name } }))).toBe(false)
  })

  it.each(['Your API key', 'Enter the password of the database.', 'Ihre Kreditkartennummer'])(
    'by the description %j',
    (description) => {
      expect(isCredentialSchema(form({ value: { ...text, description } }))).toBe(true)
    },
  )

  it.each(['We will never ask for your password.', 'Was the password changed?', 'Name of the API key'])(
    'not by the description %j',
    (description) => {
      expect(isCredentialSchema(form({ value: { ...text, description } }))).toBe(false)
    },
  )
})

describe('FAULT-29: the prompt over a form', () => {
  const asked = (prompt: string, schema?: object) => ({ request: { id: 'q', kind: 'input', prompt }, schema })
  const value = form({ value: text })

  it.each(['Enter your password', 'Your API key', 'Bitte geben Sie Ihr Passwort ein', '请输入您的密码', 'Card number'])(
    '%j asks for a secret, with a schema and without',
    (prompt) => {
      expect(asksForSecret(asked(prompt, value))).toBe(true)
      expect(asksForSecret(asked(prompt))).toBe(true)
    },
  )

  it.each(['Fill this in', 'We will never ask for your password', 'Was the password changed?', 'Pin a note'])(
    '%j asks for none',
    (prompt) => {
      expect(asksForSecret(asked(prompt, value))).toBe(false)
      expect(asksForSecret(asked(prompt))).toBe(false)
    },
  )

  it('asks for none where there are only choices', () => {
    const choices = form({ which: { enum: ['old', 'new'] }, sure: { type: 'boolean' } })
    expect(asksForSecret(asked('Which password?', choices))).toBe(false)
    expect(asksForSecret(asked('Which password?', form({ ...choices, why: text })))).toBe(true)
  })

  it('is put to the app as a field without a name', () => {
    const test = vi.fn<CredentialTest>(() => false)
    expect(asksForSecret(asked('Enter your password', value), test)).toBe(false)
    expect(test).toHaveBeenCalledWith({ name: '', schema: { type: 'string', title: 'Enter your password' } }, true)
  })

  it('is no form of another kind', () => {
    expect(asksForSecret({ request: { id: 'q', kind: 'approval', prompt: 'Enter your password' } })).toBe(false)
  })
})

describe('a schema', () => {
  it.each<[string, unknown]>([
    ['a format', form({ x: { type: 'string', format: 'password' } })],
    ['writeOnly', form({ x: { type: 'string', writeOnly: true } })],
    ['a name', form({ api_key: text })],
    ['a title', form({ x: { type: 'string', title: 'API key' } })],
    ['a nested field', form({ db: form({ password: text }) })],
    ['one of a list', form({ list: { type: 'array', items: form({ token: text }) } })],
    ['a part that may be null', form({ x: { anyOf: [{ type: 'string', title: 'Password' }, { type: 'null' }] } })],
    ['a definition', { ...form({ db: { $ref: '#/$defs/Db' } }), $defs: { Db: form({ password: text }) } }],
    ['a condition', { ...form({}), if: {}, else: form({ password: text }) }],
    ['further properties', { type: 'object', additionalProperties: form({ password: text }) }],
    ['no type', form({ password: {} })],
    ['a list of choices that is none', form({ password: { type: 'string', enum: 'x' } })],
    ['a choice of free texts', form({ password: { oneOf: [text, { type: 'number' }] } })],
    ['a list of free texts', form({ passwords: { type: 'array', items: text } })],
    ['a number', form({ pin: { type: 'integer' } })],
    ['a format of its own', form({ x: { type: 'string', format: 'credit-card-number' } })],
    ['a reference to any place', { ...form({ x: { $ref: '#/x-types/P' } }), 'x-types': { P: { title: 'Password' } } }],
    ['nothing but its name among the required', { ...form({}), required: ['password'] }],
  ])('asks for a secret by %s', (_by, schema) => {
    expect(isCredentialSchema(schema)).toBe(true)
  })

  it.each<[string, unknown]>([
    ['yes or no', form({ password: { type: 'boolean' } })],
    ['choices', form({ secret: { enum: ['a', 'b'] }, token: { oneOf: [{ const: 'a', title: 'A' }] } })],
    ['several choices', form({ secrets: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } } })],
    [
      'a default that looks like a field',
      form({ x: { type: 'object', default: { password: { format: 'password' } } } }),
    ],
    ['yes, no or null', form({ password: { anyOf: [{ type: 'boolean' }, { type: 'null' }] } })],
    ['a reference to choices', { ...form({ token: { $ref: '#/$defs/T' } }), $defs: { T: { enum: ['a', 'b'] } } }],
    ['a required choice', { ...form({ password: { type: 'boolean' } }), required: ['password'] }],
    ['nothing', undefined],
    ['no schema', 'password'],
  ])('asks for none with %s', (_with, schema) => {
    expect(isCredentialSchema(schema)).toBe(false)
  })

  it('may be circular, and very deep', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.items = cyclic
    let deep: object = form({ password: text })
    for (let depth = 0; depth < 20_000; depth++) deep = { items: deep }
    expect([isCredentialSchema(cyclic), isCredentialSchema(deep)]).toEqual([false, true])
  })
})

describe('a test of the app’s own', () => {
  it('is asked in place of ours, for every field, and told what ours would say', () => {
    const test = vi.fn<CredentialTest>(() => false)
    const schema = form({ password: text, n: { type: 'number' } })
    expect(isCredentialSchema(schema, test)).toBe(false)
    expect(test.mock.calls).toEqual(
      expect.arrayContaining([
        [{ name: 'password', schema: text }, true],
        [{ name: 'n', schema: { type: 'number' } }, false],
      ]),
    )
    expect(isCredentialSchema(schema, ({ name }) => name === 'n')).toBe(true)
  })

  it('is asked about questions as about fields', () => {
    const test = vi.fn<CredentialTest>((_field, usual) => !usual)
    expect(isCredentialQuestion('What is your password?', 'Sign in', test)).toBe(false)
    expect(test).toHaveBeenCalledWith(
      { name: 'Sign in', schema: { type: 'string', title: 'What is your password?' } },
      true,
    )
  })
})
