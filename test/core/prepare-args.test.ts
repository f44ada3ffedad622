// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AnyTool, StandardSchema } from '../../src/core/index.js'
import { prepareArgs } from '../../src/core/prepare-args.js'

const tool = (inputSchema?: AnyTool['inputSchema']): AnyTool => ({ name: 't', inputSchema, execute: () => '' })
/** The arguments as they are shown. */
const argsOf = async (schema: AnyTool['inputSchema'], raw: unknown): Promise<unknown> =>
  (await prepareArgs(tool(schema), raw)).prepared?.args
const errorOf = async (schema: AnyTool['inputSchema'], raw: unknown): Promise<string> =>
  (await prepareArgs(tool(schema), raw)).result?.output ?? ''

describe('arguments that are no object (K33, BUG-158)', () => {
  it.each([undefined, null])('takes %s for no arguments', async (raw) => {
    expect(await argsOf(undefined, raw)).toEqual({})
  })

  it.each<[unknown, string]>([
    ['foo', 'string'],
    ['', 'string'],
    [[1], 'array'],
    [[], 'array'],
    [3, 'number'],
    [Number.NaN, 'number'],
    [true, 'boolean'],
  ])('refuses %s and says what it was', async (raw, was) => {
    expect(await errorOf({ type: 'object' }, raw)).toBe(`Invalid arguments for t: /: expected object, got ${was}`)
  })

  it.each<[string, unknown]>([
    ['a bigint', 1n],
    ['a symbol', Symbol('s')],
    ['a function', () => {}],
    ['a map', new Map([['a', 1]])],
    ['a date', new Date(0)],
    ['a promise', Promise.resolve({})],
    ['an expression', /x/],
  ])('refuses %s', async (_what, raw) => {
    expect(await errorOf(undefined, raw)).toMatch(/^Invalid arguments for t: ./)
  })
})

describe('arguments that cannot be copied', () => {
  it.each<[string, () => unknown]>([
    ['a function inside', () => ({ a() {} })],
    ['a symbol inside', () => ({ a: Symbol('s') })],
    [
      'a getter that throws',
      () => ({
        get a() {
          throw new Error('no')
        },
      }),
    ],
    [
      'a proxy that throws',
      () =>
        new Proxy(
          {},
          {
            getPrototypeOf() {
              throw new Error('no')
            },
          },
        ),
    ],
  ])('are an error for %s', async (_what, make) => {
    expect(await errorOf(undefined, make())).toMatch(/^Invalid arguments for t: ./)
  })
})

describe('the arguments of a JSON Schema', () => {
  const schema = {
    type: 'object',
    properties: { path: { type: 'string' }, deep: { type: 'object', properties: { n: { type: 'integer' } } } },
    required: ['path'],
  } as const

  it('are a frozen copy', async () => {
    const raw = { path: '/a', deep: { n: 1 } }
    const args = (await argsOf(schema, raw)) as typeof raw
    raw.deep.n = 2
    expect(args).toEqual({ path: '/a', deep: { n: 1 } })
    expect(Object.isFrozen(args) && Object.isFrozen(args.deep)).toBe(true)
  })

  it('are an error that names each path and what was expected (2.5)', async () => {
    const text = await errorOf(schema, { deep: { n: 'x' } })
    expect(text).toMatch(/^Invalid arguments for t: /)
    expect(text).toMatch(/\/path: expected/)
    expect(text).toMatch(/\/deep\/n: expected .*integer/)
  })

  it('keep what the schema does not name', async () => {
    expect(await argsOf(schema, { path: '', more: null })).toEqual({ path: '', more: null })
  })

  it('may have any property name (K19)', async () => {
    const raw = JSON.parse('{"__proto__":1,"constructor":2,"":3,"a.b":4}') as Record<string, unknown>
    const args = (await argsOf({ type: 'object' }, raw)) as Record<string, unknown>
    expect(Object.keys(args)).toEqual(['__proto__', 'constructor', '', 'a.b'])
  })

  it('do not run when the schema cannot be used: it fails closed (7.1)', async () => {
    expect(await errorOf({ type: 'nonsense' }, {})).toMatch(/^Invalid arguments for t: ./)
  })

  it('do not hang on a pattern that explodes', async () => {
    const bomb = { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } }
    expect(await errorOf(bomb, { s: `${'a'.repeat(40)}!` })).toBe(
      'Invalid arguments for t: /s: expected pattern "^(a+)+$"',
    )
    expect(await argsOf(bomb, { s: 'a'.repeat(40) })).toEqual({ s: 'a'.repeat(40) })
  })

  it('are an error and no hang when they go round in circles', async () => {
    const raw: Record<string, unknown> = { path: '/' }
    raw.deep = raw
    expect(await errorOf(schema, raw)).toMatch(/^Invalid arguments for t: /)
  })

  it('name at most twenty faults', async () => {
    const required = Array.from({ length: 50 }, (_, index) => `p${index}`)
    const text = await errorOf({ type: 'object', required }, {})
    expect(text.match(/expected/g)).toHaveLength(20)
  })
})

describe('the arguments of a Standard Schema', () => {
  it('are its output', async () => {
    const schema = z.object({ n: z.coerce.number(), to: z.string().default('me') })
    expect((await prepareArgs(tool(schema), { n: '3' })).prepared).toEqual({
      raw: { n: '3' },
      args: { n: 3, to: 'me' },
      value: { n: 3, to: 'me' },
    })
  })

  it('are awaited', async () => {
    const schema = z.object({ n: z.number().refine(async (n) => n > 0, 'must be positive') })
    expect(await argsOf(schema, { n: 1 })).toEqual({ n: 1 })
    expect(await errorOf(schema, { n: 0 })).toBe('Invalid arguments for t: /n: must be positive')
  })

  it('are an error that names each path', async () => {
    const text = await errorOf(z.object({ a: z.string(), list: z.array(z.number()) }), { list: ['x'] })
    expect(text).toMatch(/^Invalid arguments for t: \/a: .+; \/list\/0: .+$/)
  })

  const standard = (validate: StandardSchema['~standard']['validate']): StandardSchema => ({
    '~standard': { version: 1, vendor: 'test', validate },
  })

  it.each<[string, StandardSchema, string]>([
    [
      'path parts that are objects',
      standard(() => ({ issues: [{ message: 'no', path: [{ key: 'a' }, 0] }] })),
      '/a/0: no',
    ],
    ['a symbol in the path', standard(() => ({ issues: [{ message: 'no', path: [Symbol('s')] }] })), '/Symbol(s): no'],
    ['no path', standard(() => ({ issues: [{ message: 'no' }] })), '/: no'],
    ['an output that is no object', standard(() => ({ value: 5 })), '/: expected object, got number'],
    [
      'a validator that throws',
      standard(() => {
        throw new Error('broken')
      }),
      'broken',
    ],
    ['a validator that rejects', standard(() => Promise.reject(new Error('broken'))), 'broken'],
  ])('are an error for %s', async (_what, schema, text) => {
    expect(await errorOf(schema, {})).toBe(`Invalid arguments for t: ${text}`)
  })

  it('are a copy: what the validator keeps is not what runs', async () => {
    const kept = { n: 1 }
    const args = await argsOf(
      standard(() => ({ value: kept })),
      {},
    )
    kept.n = 2
    expect(args).toEqual({ n: 1 })
  })
})
