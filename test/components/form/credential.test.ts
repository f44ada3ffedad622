// @vitest-environment node
import { describe, expect, it, vi } from 'vitest'
import {
  type CredentialTest,
  isCredentialQuestion,
  isCredentialSchema,
  isSecretName,
  isSecretQuestion,
} from '../../../src/components/form/credential.js'

const form = (properties: object): object => ({ type: 'object', properties })
const text = { type: 'string' }

describe('a name', () => {
  it.each([
    'password',
    'Password',
    'db_password',
    'userPassword',
    'passwd',
    'passwords',
    'pwd',
    'passphrase',
    'API key',
    'apiKey',
    'OPENAI_API_KEY',
    'apikey',
    'clientSecret',
    'secret',
    'access_token',
    'authToken',
    'githubToken',
    'token',
    'pin',
    'otp',
    'cvv',
    'privateKey',
    'recovery code',
    'seedPhrase',
    'credentials',
    'two-factor code',
    'pass\u200Bword',
    'ｐａｓｓｗｏｒｄ',
  ])('%s asks for a secret', (name) => {
    expect(isSecretName(name)).toBe(true)
  })

  it.each([
    'name',
    'key',
    'keyboard',
    'maxTokens',
    'tokenCount',
    'secretary',
    'passenger',
    'password_policy',
    'secretName',
    'api key id',
    'tokenType',
    'publicKey',
    'spinner',
    'code',
    'postcode',
    'compass',
  ])('%s asks for none', (name) => {
    expect(isSecretName(name)).toBe(false)
  })
})

describe('a question', () => {
  it.each([
    'Password?',
    'API key:',
    'What is your password?',
    'What’s the admin password?',
    'Enter the API key for OpenAI',
    'Please paste your GitHub token.',
    'Which password should I use for the database?',
    'I need your AWS secret access key to go on.',
    'The deploy failed. Give me the root password, then I try again.',
    'Type the verification code that was sent to you',
    'PIN?',
    'Your PIN?',
    'What is the PIN code of the door?',
    'your recovery phrase',
    'Enter your password without spaces.',
    'Enter your password, do not share it with others.',
    'Enter your password (not your PIN) for the account',
    'What are your login credentials?',
    'Enter your pass\u00ADword',
  ])('%j asks for a secret', (question) => {
    expect(isSecretQuestion(question)).toBe(true)
  })

  it.each([
    '',
    'What is your name?',
    'Why was the password changed last week?',
    'Should the page show that the password was changed?',
    'What is the password policy?',
    'Which secrets manager do you use?',
    'Which token limit should I use?',
    'What is your secret ingredient?',
    'How many tokens may it spend?',
    'What should happen when the API key expires in the night?',
    'What is your account name? Do not enter your password.',
    'Your account name please, we will never ask for your password.',
    'Which pin of the board is the lamp wired to?',
  ])('%j asks for none', (question) => {
    expect(isSecretQuestion(question)).toBe(false)
  })

  it('may say it in its header', () => {
    expect(isCredentialQuestion('Value?', 'API key')).toBe(true)
    expect(isCredentialQuestion('Value?', 'Region')).toBe(false)
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
