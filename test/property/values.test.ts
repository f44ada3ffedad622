// @vitest-environment node
import { runInNewContext } from 'node:vm'
import { pending } from 'assent/core'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { canonicalJson } from '../../src/core/canonical-json.js'
import { flush, recorded, yes } from '../support/asking.js'
import { gated, runnerOf } from '../support/consent.js'

// Arbitrary values of JavaScript as arguments, request data, answers and what a schema makes: either a clear error and
// nothing shown, or what was shown is the rendering of what ran, and raw values are as JSON says them (DESIGN 8.1).

const RUNS = 5000
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31)

class Point {
  x = 1
}

/** Makes a value anew each time: a generator of values may not even look at some of these. */
type Make = () => unknown

/** Values that pretend, hide or change. */
const tricky = fc.constantFrom<Make>(
  () => new Point(),
  () => new File(['x'], 'x'),
  () => new URL('https://a.example/?q=1'),
  () => new URL(`https://a.example/${Math.random()}`),
  () => new Map<unknown, unknown>([[new Date(1), new Set([1n])]]),
  () => new (class extends Map {})(),
  () => Object.create({ inherited: 1 }),
  () => Object.create(Object.create(null, { inherited: { value: 1, enumerable: true } })),
  () => ({ toJSON: () => 'other' }),
  () => ({ [Symbol('s')]: 1 }),
  () => Object.defineProperty({ seen: 1 }, 'hidden', { value: 2 }),
  () => new Array(3),
  () => Object.assign([1], { extra: 1 }),
  () => Object(1n),
  () => -0,
  () => Symbol.iterator,
  () => runInNewContext('({ a: [1, { b: null }] })'),
  () => runInNewContext('new Date(5)'),
  () => runInNewContext('[1, [2]]'),
  () => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":1}}'),
  () => new Proxy({ a: 1 }, {}),
  () => new Proxy([1, 2], {}),
  () => Proxy.revocable({}, {}).proxy,
  () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  },
  () => {
    let reads = 0
    return {
      get n() {
        return ++reads
      },
    }
  },
  () => {
    let reads = 0
    return new Proxy(
      {},
      {
        ownKeys: () => (++reads % 2 ? ['a'] : []),
        getOwnPropertyDescriptor: () => ({ value: reads, enumerable: true, configurable: true }),
        get: () => ++reads,
      },
    )
  },
  () => {
    let value: unknown = 1
    for (let level = 0; level < 500; level++) value = [value]
    return value
  },
  () => {
    const circle: unknown[] = []
    circle.push(circle)
    return circle
  },
)

const anything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
  withUnicodeString: true,
})

const made = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<Make> => arbitrary.map((one) => () => one)

const value: fc.Arbitrary<Make> = fc.oneof(
  { weight: 4, arbitrary: made(anything) },
  { weight: 2, arbitrary: made(fc.jsonValue()) },
  { weight: 2, arbitrary: tricky },
  { weight: 1, arbitrary: fc.array(tricky, { maxLength: 3 }).map((list) => () => list.map((make) => make())) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.tuple(fc.string(), fc.oneof(tricky, made(anything))), { maxLength: 3 })
      .map((entries) => () => Object.fromEntries(entries.map(([key, make]) => [key, make()]))),
  },
)

/** How what runs is shown, said again without the kit's own code. */
function rendered(ran: unknown): unknown {
  if (typeof ran === 'bigint') return `${ran}n`
  if (ran instanceof Date) return ran.toISOString()
  if (ran instanceof URL) return ran.href
  if (ran instanceof Map) return [...ran].map(([key, member]) => [rendered(key), rendered(member)])
  if (ran instanceof Set || Array.isArray(ran)) return [...ran].map(rendered)
  if (typeof ran !== 'object' || ran === null) return ran
  return Object.fromEntries(Object.entries(ran).map(([key, member]) => [key, rendered(member)]))
}

const check = async (name: string, holds: (given: unknown) => Promise<void>): Promise<void> => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await fc.assert(
    fc.asyncProperty(value, (make) => holds(make())),
    { numRuns: RUNS, seed: SEED },
  )
  console.info(`${name}: ${RUNS} values, seed ${SEED}`)
}

const isJson = (shown: unknown): void => {
  const text = JSON.stringify(shown)
  expect(canonicalJson(JSON.parse(text))).toBe(canonicalJson(shown))
}

test('arguments', { timeout: 240_000 }, () =>
  check('arguments', async (given) => {
    const tool = gated('t')
    const runner = runnerOf([tool])
    const result = runner.run('t', { given })
    await flush()
    const item = runner.head()
    if (item) {
      isJson(item.args)
      runner.answer(item.key, yes(item.request.id))
    }
    const { isError, output } = await result
    expect(isError).toBe(item === undefined)
    if (isError) expect(output).toMatch(/^Invalid arguments for t: \/given.*: expected JSON, got ./s)
    else expect(canonicalJson(tool.seen[0]?.args)).toBe(canonicalJson(item?.args))
  }),
)

test('what a schema makes', { timeout: 240_000 }, () =>
  check('schema outputs', async (given) => {
    const ran: unknown[] = []
    const runner = runnerOf([
      {
        name: 't',
        needsApproval: true,
        jsonSchema: {},
        inputSchema: { '~standard': { version: 1, vendor: 'test', validate: () => ({ value: { given } }) } },
        execute: (args) => void ran.push(args),
      },
    ])
    const result = runner.run('t')
    await flush()
    const item = runner.head()
    if (item) {
      isJson(item.args)
      runner.answer(item.key, yes(item.request.id))
    }
    const { isError, output } = await result
    expect([isError, ran.length]).toEqual([item === undefined, item ? 1 : 0])
    if (isError) expect(output).toMatch(/^Invalid arguments for t: \/given.*: expected JSON, got ./s)
    else expect(canonicalJson(rendered(ran[0]))).toBe(canonicalJson(item?.args))
  }),
)

test('request data', { timeout: 240_000 }, () =>
  check('requests', async (given) => {
    const tool = recorded('t', (_args, ctx) =>
      ctx.answer ? 'done' : pending({ kind: 'k', prompt: 'p', data: { given } }),
    )
    const runner = runnerOf([tool])
    const result = runner.run('t')
    await flush()
    const item = runner.head()
    if (item) {
      isJson(item.request)
      expect(Object.isFrozen(item.request.data)).toBe(true)
      runner.answer(item.key, yes(item.request.id))
    }
    expect((await result).isError).toBe(item === undefined)
  }),
)

test('answers', { timeout: 240_000 }, () =>
  check('answers', async (given) => {
    const runner = runnerOf([])
    const asked = runner.waitFor({ id: 'r', kind: 'input', prompt: 'p' })
    const isTaken = runner.answer('r', yes('r', { given }))
    if (!isTaken) {
      expect(runner.count()).toBe(1)
      runner.abort()
    }
    const answer = await asked
    expect(answer.ok).toBe(isTaken)
    if (isTaken) isJson(answer)
    expect(JSON.parse(JSON.stringify(runner.history()))).toEqual(runner.history())
  }),
)
