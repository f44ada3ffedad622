// @vitest-environment node
import { createToolRunner } from 'assent/runner'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { speaksOfSecret } from '../../src/adapters/yjs/asks-secret.js'
import { type ShareEvent, shareQuestions } from '../../src/adapters/yjs.js'
import { isCredentialSchema, isSecretName, isSecretQuestion } from '../../src/components/form/credential.js'
import { asking, flush } from '../support/asking.js'

const form = (properties: object): object => ({ type: 'object', properties })
const text = { type: 'string' }

/** Whether a question leaves. */
async function leaves(kind: string, request: { prompt?: string; data?: Record<string, unknown> }): Promise<boolean> {
  const doc = new Y.Doc()
  const runner = createToolRunner({ tools: [asking('t', { kind, ...request })] })
  runner.attach({}, 'dialog')
  const events: ShareEvent[] = []
  const shared = shareQuestions(runner, { doc, onEvent: (event) => events.push(event) })
  void runner.run('t')
  await flush()
  const left = doc.getMap('assent').size > 0
  expect(events.map(({ type }) => type)).toEqual([left ? 'shared' : 'kept'])
  shared.dispose()
  runner.dispose()
  doc.destroy()
  return left
}

const names = [
  ...['password', 'db_password', 'userPassword', 'passwd', 'passwords', 'pwd', 'passphrase', 'API key', 'apiKey'],
  ...['OPENAI_API_KEY', 'apikey', 'clientSecret', 'secret', 'access_token', 'authToken', 'githubToken', 'token', 'pin'],
  ...['otp', 'cvv', 'privateKey', 'recovery code', 'seedPhrase', 'credentials', 'two-factor code', 'pass\u200Bword'],
  ...[
    'Card number',
    'creditCard',
    'cvc',
    'IBAN',
    'SSN',
    'Passwort',
    'contraseña',
    'mot de passe',
    'password1',
    'pаssword',
  ],
  ...['ｐａｓｓｗｏｒｄ', 'jwt', 'pin code', 'mfa code', 'accessTokens', 'signingKey', 'mnemonic', 'bot_token', 'CVC2'],
]

const sentences = [
  ...['Password?', 'API key:', 'What’s the admin password?', 'Please paste your GitHub token.', 'PIN?'],
  ...['I need your AWS secret access key to go on.', 'Type the verification code that was sent to you', 'Enter PIN'],
  ...['your recovery phrase', 'What are your login credentials?', 'Enter your pass\u00ADword', 'Enter your card pin'],
]

describe('a question that asks for a secret does not leave', () => {
  it.each(names)('a form with %s', async (name) => {
    expect(isSecretName(name)).toBe(true)
    expect(speaksOfSecret(name)).toBe(true)
    expect(await leaves('input', { data: { schema: form({ [name]: text }) } })).toBe(false)
  })

  it.each(sentences)('%j', async (question) => {
    expect(isSecretQuestion(question)).toBe(true)
    expect(await leaves('question', { data: { questions: [{ question }] } })).toBe(false)
    expect(await leaves('question', { prompt: question })).toBe(false)
    expect(await leaves('input', { prompt: question })).toBe(false)
  })

  it.each<[string, unknown]>([
    ['a format', form({ x: { type: 'string', format: 'password' } })],
    ['writeOnly', form({ x: { type: 'string', writeOnly: true } })],
    ['a title', form({ x: { type: 'string', title: 'API key' } })],
    ['a nested field', form({ db: form({ password: text }) })],
    ['one of a list', form({ list: { type: 'array', items: form({ token: text }) } })],
    ['a part that may be null', form({ x: { anyOf: [{ type: 'string', title: 'Password' }, { type: 'null' }] } })],
    ['a definition', { ...form({ db: { $ref: '#/$defs/Db' } }), $defs: { Db: form({ password: text }) } }],
    ['a condition', { ...form({}), if: {}, else: form({ password: text }) }],
    ['further properties', { type: 'object', additionalProperties: form({ password: text }) }],
  ])('a form that has it by %s', async (_by, schema) => {
    expect(isCredentialSchema(schema)).toBe(true)
    expect(await leaves('input', { data: { schema } })).toBe(false)
  })
})

describe('FAULT-29: a form under a prompt that asks for a secret', () => {
  const value = { data: { schema: form({ value: text }) } }

  it('does not leave', async () => {
    expect(await leaves('input', { prompt: 'Enter your password', ...value })).toBe(false)
    expect(await leaves('input', { prompt: 'Inserisci la tua password', ...value })).toBe(false)
    expect(await leaves('input', { data: { schema: form({ value: { ...text, description: 'Your API key' } }) } })).toBe(
      false,
    )
  })

  it('leaves when the prompt only speaks of one', async () => {
    expect(await leaves('input', { prompt: 'We will never ask for your password', ...value })).toBe(true)
    const choices = { data: { schema: form({ which: { enum: ['old', 'new'] } }) } }
    expect(await leaves('input', { prompt: 'Which password?', ...choices })).toBe(true)
  })
})

describe('a question that asks for none', () => {
  it.each(['name', 'key', 'keyboard', 'secretary', 'passenger', 'publicKey', 'spinner', 'code', 'postcode', 'compass'])(
    'leaves with a field %s',
    async (name) => {
      expect(await leaves('input', { data: { schema: form({ [name]: text }) } })).toBe(true)
    },
  )

  it('leaves', async () => {
    expect(await leaves('input', { prompt: 'Your name?' })).toBe(true)
    expect(await leaves('question', { data: { questions: [{ question: 'Where to?', options: ['Sea'] }] } })).toBe(true)
    expect(await leaves('approval', { prompt: 'Change the password policy?' })).toBe(true)
    expect(await leaves('authorization', {})).toBe(true)
  })
})
