// @vitest-environment node
import { runInNewContext } from 'node:vm'
import { type AnyTool, pending, pendingOf, runTool } from 'assent/core'
import { createToolRunner, type Runner } from 'assent/runner'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { recorded, yes } from '../support/asking.js'
import { gated, runnerOf } from '../support/consent.js'

afterEach(() => void vi.restoreAllMocks())

/** The question that is open, however long its tool's schema takes. */
const opened = async (runner: Runner) => {
  await vi.waitFor(() => expect(runner.count()).toBe(1))
  const item = runner.head()
  if (!item) throw new Error('nothing is asked')
  return item
}

/** A gated tool whose schema makes `v` of whatever it is given. */
const making = (v: unknown, execute?: AnyTool['execute']) =>
  gated('t', { inputSchema: z.object({}).transform(() => ({ v })), jsonSchema: { type: 'object' } }, execute)

class Point {
  x = 1
}
class Temporal extends Date {}

const elsewhere = (code: string): unknown => runInNewContext(code)

/** What no JSON says, each with what its error calls it. */
const NOT_JSON: [string, () => unknown, RegExp][] = [
  ['a File', () => new File(['x'], 'x.sql'), /got File/],
  ['a Blob', () => new Blob(['x']), /got Blob/],
  ['a Map', () => new Map([['to', 'ann']]), /got Map/],
  ['a Set', () => new Set([1]), /got Set/],
  ['a WeakMap', () => new WeakMap(), /got WeakMap/],
  ['a Date', () => new Date(0), /got Date/],
  ['a RegExp', () => /x/, /got RegExp/],
  ['an Error', () => new Error('x'), /got Error/],
  ['a URL', () => new URL('https://a.example/'), /got URL/],
  ['an ArrayBuffer', () => new ArrayBuffer(1), /got ArrayBuffer/],
  ['bytes', () => new Uint8Array([1]), /got Uint8Array/],
  ['a promise', () => Promise.resolve(1), /got Promise/],
  ['a boxed text', () => Object('x'), /got String/],
  ['a boxed number', () => Object(1), /got Number/],
  ['a boxed truth', () => Object(false), /got Boolean/],
  ['a boxed bigint', () => Object(1n), /got BigInt/],
  ['an instance of a class', () => new Point(), /class instance/],
  ['an object made of another', () => Object.create({ to: 'eve' }), /class instance/],
  ['toJSON of its own', () => ({ toJSON: () => ({}) }), /class instance/],
  [
    'toJSON by its prototype',
    () => Object.create(Object.assign(Object.create(null), { toJSON: () => ({}) })),
    /class instance/,
  ],
  ['a symbol for a key', () => ({ [Symbol('s')]: 1 }), /class instance/],
  ['a symbol', () => Symbol('s'), /got symbol/],
  ['a function', () => () => {}, /got function/],
  ['a bigint', () => 1n, /got bigint/],
  ['NaN', () => Number.NaN, /got NaN/],
  ['Infinity', () => Number.POSITIVE_INFINITY, /got Infinity/],
  ['-Infinity', () => Number.NEGATIVE_INFINITY, /got -Infinity/],
  // biome-ignore lint/suspicious/noSparseArray: that is what is tested.
  ['a list with a hole', () => [1, , 2], /sparse or extended array/],
  ['an empty list of a length', () => new Array(3), /sparse or extended array/],
  ['a list with a member', () => Object.assign([1], { to: 'eve' }), /sparse or extended array/],
  [
    'a list with a hole and a member in its place',
    () => Object.assign(new Array(1), { to: 'eve' }),
    /sparse or extended array/,
  ],
  ['a list of a class', () => new (class List extends Array {})(), /sparse or extended array/],
  ['undefined in a list', () => [undefined], /got undefined/],
  [
    'arguments',
    () =>
      (function (..._: unknown[]) {
        // biome-ignore lint/complexity/noArguments: that is what is tested.
        return arguments
      })(1),
    /got Arguments/,
  ],
  ['Math', () => Math, /got Math/],
  ['a generator', () => (function* () {})(), /got Generator/],
  ['a Map of another realm', () => elsewhere('new Map([[1, 2]])'), /got Map/],
  ['an instance of another realm', () => elsewhere('new (class A { x = 1 })()'), /class instance/],
  ['a list of a class of another realm', () => elsewhere('new (class L extends Array {})()'), /extended array/],
  [
    'a getter that throws',
    () => ({
      get x() {
        throw new Error('not now')
      },
    }),
    /not now/,
  ],
  [
    'a proxy that throws',
    () => new Proxy({}, { ownKeys: () => Reflect.ownKeys(Object(null).x) }),
    /expected JSON, got/,
  ],
  [
    'a circle',
    () => {
      const a: Record<string, unknown> = {}
      a.a = a
      return a
    },
    /circular or huge/,
  ],
  [
    'data shared 2^40 times',
    () => {
      let value: unknown = {}
      for (let level = 0; level < 40; level++) value = [value, value]
      return value
    },
    /circular or huge/,
  ],
]

describe('FAULT-02, FAULT-03: raw arguments are JSON', () => {
  it.each(NOT_JSON)('%s is an error that says where, and nobody is asked', async (_what, make, says) => {
    const tool = gated('t')
    const runner = runnerOf([tool])
    for (const args of [{ v: make() }, { deep: [{ v: make() }] }]) {
      const { output, isError } = await runner.run('t', args)
      expect([isError, output]).toEqual([true, expect.stringMatching(/^Invalid arguments for t: \/(v|deep\/0\/v)/)])
      expect(output).toMatch(says)
    }
    expect([runner.count(), tool.seen.length, runner.history().length]).toEqual([0, 0, 0])
  })

  it.each<[string, () => unknown, unknown]>([
    ['an undefined member, which is absent', () => ({ v: undefined, w: 1 }), { w: 1 }],
    ['minus zero, which is 0', () => ({ v: -0 }), { v: 0 }],
    ['an object without a prototype', () => Object.assign(Object.create(null), { v: [null] }), { v: [null] }],
    ['an object of another realm', () => elsewhere('({ v: [{ w: 1 }], u: "x" })'), { v: [{ w: 1 }], u: 'x' }],
    [
      'names of every object',
      () => JSON.parse('{"__proto__":{"a":1},"constructor":2}'),
      JSON.parse('{"__proto__":{"a":1},"constructor":2}'),
    ],
    [
      'a getter, read once',
      () => {
        let reads = 0
        return {
          get v() {
            return ++reads
          },
        }
      },
      { v: 1 },
    ],
    ['a proxy of an object', () => new Proxy({ v: 1 }, {}), { v: 1 }],
    ['a proxy of a list', () => ({ v: new Proxy([1, 2], {}) }), { v: [1, 2] }],
    ['half a character', () => ({ v: '\ud800' }), { v: '\ud800' }],
  ])('%s is shown and runs', async (_what, make, shown) => {
    const tool = gated('t')
    const runner = runnerOf([tool])
    const result = runner.run('t', make())
    const item = await opened(runner)
    expect(item.args).toStrictEqual(shown)
    expect(JSON.parse(JSON.stringify(item.args))).toStrictEqual(shown)
    runner.answer(item.key, yes(item.request.id))
    await result
    expect(tool.seen[0]?.args).toStrictEqual(shown)
  })

  it('FAULT-03: what a body writes to item.args changes nothing that runs', async () => {
    for (const inputSchema of [
      { type: 'object' as const },
      z.object({ list: z.array(z.string()), at: z.iso.datetime().transform((at) => new Date(at)) }),
    ]) {
      const tool = gated('t', { inputSchema, jsonSchema: { type: 'object' } })
      const runner = runnerOf([tool])
      const result = runner.run('t', { list: ['ann'], at: '2026-01-01T00:00:00Z' })
      const item = await opened(runner)
      const args = item.args as { list: string[]; at?: unknown }
      expect(() => args.list.push('eve')).toThrow(TypeError)
      expect(() => Object.assign(args, { at: 'never' })).toThrow(TypeError)
      runner.answer(item.key, yes(item.request.id))
      await result
      expect(tool.seen[0]?.args.list).toEqual(['ann'])
    }
  })
})

describe('FAULT-01, FAULT-06: what a schema makes of arguments', () => {
  it.each<[string, () => unknown, unknown]>([
    ['a Set, as the list of its members', () => new Set(['prod', 'dev']), ['prod', 'dev']],
    [
      'a Map, as a list of pairs',
      () =>
        new Map<unknown, unknown>([
          ['to', 'ann'],
          [{ k: 1 }, new Set([1])],
        ]),
      [
        ['to', 'ann'],
        [{ k: 1 }, [1]],
      ],
    ],
    ['a Date, as its instant', () => new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a bigint, as digits with n', () => 9007199254740993n, '9007199254740993n'],
    ['zero as a bigint', () => 0n, '0n'],
    ['a URL, as its href', () => new URL('https://a.example'), 'https://a.example/'],
    ['a Date of another realm', () => elsewhere('new Date(0)'), '1970-01-01T00:00:00.000Z'],
    ['a Set of another realm', () => elsewhere('new Set([1])'), [1]],
    ['these, deep inside', () => [{ a: new Map([[1n, new Date(0)]]) }], [{ a: [['1n', '1970-01-01T00:00:00.000Z']] }]],
  ])('%s: it is shown and runs as what it is', async (_what, make, shown) => {
    const kept: unknown[] = []
    const tool = making(make(), (args) => void kept.push(args.v))
    const runner = runnerOf([tool])
    const result = runner.run('t', {})
    const item = await opened(runner)
    expect(item.args).toEqual({ v: shown })
    expect(runner.getState().runs[0]?.args).toEqual({ v: shown })
    runner.answer(item.key, yes(item.request.id))
    expect((await result).isError).toBe(false)
    expect(String(Object.prototype.toString.call(kept[0]))).toBe(Object.prototype.toString.call(make()))
    expect(runner.history()[0]?.args).toEqual({ v: shown })
    expect(JSON.parse(JSON.stringify(runner.history()))).toEqual(runner.history())
  })

  it.each<[string, () => unknown, RegExp]>([
    ...NOT_JSON.filter(([what]) => !/^a (Map|Set|Date|URL|bigint)$|^a Map of another/.test(what)),
    ['a date that is none', () => new Date(Number.NaN), /got Date/],
    ['a subclass of Date', () => new Temporal(0), /got Date/],
    ['a subclass of Map', () => new (class M extends Map {})(), /got Map/],
    ['a Date with a member', () => Object.assign(new Date(0), { to: 'eve' }), /got Date/],
    [
      'an object that calls itself a Date',
      () => Object.create(Object.create(Object.prototype), { [Symbol.toStringTag]: { value: 'Date' } }),
      /expected JSON, got/,
    ],
    [
      'an object that calls itself a Set',
      () => Object.create(Object.create(Object.prototype), { [Symbol.toStringTag]: { value: 'Set' } }),
      /expected JSON, got/,
    ],
    ['a Set that holds a File', () => new Set([new File([], 'x')]), /\/v\/0: expected JSON, got File/],
    ['a Map that holds NaN', () => new Map([[Number.NaN, 1]]), /\/v\/0: expected JSON, got NaN/],
  ])('%s is an error that names /v, and nobody is asked', async (_what, make, says) => {
    const tool = making(make())
    const runner = runnerOf([tool])
    const { output, isError } = await runner.run('t', {})
    expect([isError, runner.count(), tool.seen.length]).toEqual([true, 0, 0])
    expect(output).toMatch(/^Invalid arguments for t: \/v/)
    expect(output).toMatch(says)
  })

  it('gives each attempt, and each predicate, a copy of its own', async () => {
    const seen: unknown[] = []
    const ids = new Set(['prod'])
    const tool = recorded(
      't',
      (args, ctx) => {
        seen.push([...(args.ids as Set<string>)])
        ;(args.ids as Set<string>).add('eve')
        return ctx.answer ? 'done' : pending({ kind: 'approval', prompt: 'Sure?' })
      },
      {
        inputSchema: z.object({}).transform(() => ({ ids })),
        jsonSchema: { type: 'object' },
        needsApproval: (args) => (args.ids as Set<string>).add('mallory') !== undefined,
      },
    )
    const runner = runnerOf([tool])
    const result = runner.run('t', {})
    for (let question = 0; question < 2; question++) {
      await vi.waitFor(() => expect(runner.count()).toBe(1))
      const item = runner.head()
      expect(item?.args).toEqual({ ids: ['prod'] })
      ids.add('trudy')
      runner.answer(item?.key ?? '', yes(item?.request.id ?? ''))
    }
    await result
    expect(seen).toEqual([['prod'], ['prod']])
  })
})

describe('FAULT-04: requests are JSON', () => {
  const requestOf = (limit: unknown) => ({ kind: 'approval', prompt: 'p', data: { limit } })

  it.each(NOT_JSON)('%s in a request is the same error with and without a policy', async (_what, make) => {
    const results: unknown[] = []
    for (const options of [{}, { policy: { remember: true } }, { policy: { rules: [] } }]) {
      for (const execute of [
        () => pending(requestOf(make())),
        () => ({ output: 'p', isError: true, metadata: { pending: { id: 'r', ...requestOf(make()) } } }),
      ]) {
        const runner = runnerOf([{ name: 't', execute }], options)
        const { output, isError } = await runner.run('t')
        expect([isError, runner.count()]).toEqual([true, 0])
        // Where the data is too large is a matter of how much stood before it.
        results.push(output.replace(/^.*expected|\)$/g, ''))
      }
    }
    expect(new Set(results).size).toBe(1)
  })

  it('of waitFor is told to the developer and settles as cancelled', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const runner = runnerOf([])
    for (const [, make] of NOT_JSON) {
      expect((await runner.waitFor({ id: 'r', ...requestOf(make()) })).reason).toBe('cancelled')
    }
    expect(error).toHaveBeenCalledTimes(NOT_JSON.length)
    expect(runner.count()).toBe(0)
  })
})

describe('FAULT-05: one call that is no JSON', () => {
  it.each(NOT_JSON)('%s under one toolCallId runs in neither of two calls', async (_what, make) => {
    const tool = recorded('j', () => 'ran')
    const runner = runnerOf([tool])
    const results = await Promise.all([0, 1].map(() => runner.run('j', { x: make() }, { toolCallId: 'c' })))
    expect(results.map(({ isError }) => isError)).toEqual([true, true])
    expect(tool.attempts).toHaveLength(0)
  })
})

describe('FAULT-08: answers are JSON', () => {
  it.each(NOT_JSON)('%s in an answer settles nothing', async (_what, make) => {
    const runner = runnerOf([])
    const answer = runner.waitFor({ id: 'r', kind: 'input', prompt: 'p' })
    expect(runner.answer('r', yes('r', { value: make() }))).toBe(false)
    expect(runner.answer('r', { id: 'r', ok: true, data: make() } as never)).toBe(false)
    expect(runner.answer('r', yes('r', { value: 'x' }))).toBe(true)
    expect(await answer).toEqual(yes('r', { value: 'x' }))
  })

  it.each(NOT_JSON)('%s makes resume an error result, never a rejection', async (_what, make) => {
    const tool = recorded('t', (_args, ctx) => (ctx.answer ? 'done' : pending({ kind: 'input', prompt: 'p' })))
    const runner = createToolRunner({ host: false, tools: [tool] })
    const { metadata } = await runner.run('t')
    const request = metadata?.pending as { id: string; kind: string; prompt: string }
    expect((await runner.resume(request, yes(request.id, { v: make() }))).isError).toBe(true)
    expect((await runner.resume({ ...request, data: { v: make() } }, yes(request.id))).isError).toBe(true)
    expect(tool.attempts).toHaveLength(1)
    expect(await runner.resume(request, yes(request.id, { v: 1 }))).toEqual({ output: 'done', isError: false })
  })

  it.each(NOT_JSON)('%s from a host of runTool counts as no answer', async (_what, make) => {
    const tool = recorded('t', (_args, ctx) => (ctx.answer ? 'done' : pending({ kind: 'input', prompt: 'p' })))
    const result = await runTool(tool, {}, { waitFor: async ({ id }) => yes(id, { v: make() }) })
    expect([result, tool.attempts.length]).toEqual([{ output: 'declined/expired: p', isError: true }, 1])
  })
})

describe('FAULT-11: a request is as it was when pending() was called', () => {
  it.each<[string, (data: { path: string; deep: { list: string[] } }) => void]>([
    ['a member', (data) => void Object.assign(data, { path: '/etc' })],
    ['a member of a member', (data) => void data.deep.list.push('/etc')],
    ['a member that is taken away', (data) => void Reflect.deleteProperty(data, 'path')],
    ['all of it', (data) => void Object.assign(data, { path: '/etc', more: '/etc', deep: {} })],
  ])('whatever is done later to %s', async (_what, change) => {
    const runner = runnerOf([
      {
        name: 't',
        execute() {
          const data = { path: '/tmp/a', deep: { list: ['/tmp/a'] } }
          const suspension = pending({ kind: 'approval', prompt: 'Delete /tmp/a?', data })
          change(data)
          return suspension
        },
      },
    ])
    void runner.run('t')
    const item = await opened(runner)
    expect(item.request.data).toEqual({ path: '/tmp/a', deep: { list: ['/tmp/a'] } })
    runner.abort()
  })

  it('and nobody can write to the request itself', () => {
    const request = pendingOf(pending({ kind: 'approval', prompt: 'p', data: { path: '/tmp' } }))
    const data = request?.data ?? {}
    expect(() => Object.assign(data, { path: '/etc' })).toThrow(TypeError)
  })
})

describe('files beside the arguments (DESIGN 8.1)', () => {
  const report = () => new File(['12345'], 'q3.pdf', { type: 'application/pdf' })

  it('are shown by name, size and type, and given as ctx.files to each attempt', async () => {
    const given: unknown[] = []
    const file = report()
    const tool = gated('send', {}, async (_args, ctx) => {
      given.push(await ctx.files?.report?.text())
      return ctx.answer ? 'done' : pending({ kind: 'approval', prompt: 'Sure?' })
    })
    const runner = runnerOf([tool])
    const result = runner.run('send', { to: 'ann' }, { files: { report: file } })
    for (let question = 0; question < 2; question++) {
      const item = await opened(runner)
      expect(item.files).toEqual({ report: { name: 'q3.pdf', size: 5, type: 'application/pdf' } })
      expect(JSON.stringify(item)).not.toContain('12345')
      runner.answer(item.key, yes(item.request.id))
      await vi.waitFor(() => expect(runner.find(item.key)).toBeUndefined())
    }
    expect([(await result).output, given]).toEqual(['done', ['12345', '12345']])
  })

  it('are absent where there are none', async () => {
    const seen: string[][] = []
    const runner = runnerOf([{ name: 't', execute: (_args, ctx) => void seen.push(Object.keys(ctx)) }])
    await runner.run('t')
    await runner.run('t', {}, { files: {} })
    expect(seen.flat()).not.toContain('files')
  })

  it.each<[string, unknown]>([
    ['a text', 'x'],
    ['a list', [report()]],
    ['a text for a file', { report: 'x' }],
    ['null for a file', { report: null }],
    ['an object like a file', { report: { name: 'x', size: 1, type: '' } }],
    ['null', null],
  ])('that are %s are an error, and nothing runs', async (_what, files) => {
    const tool = gated('send')
    const runner = runnerOf([tool])
    const result = await runner.run('send', {}, { files: files as never })
    expect([result.isError, runner.count(), tool.seen.length]).toEqual([true, 0, 0])
    expect(result.output).toMatch(/^files: /)
    expect((await runTool({ name: 't', execute: () => '' }, {}, { files: files as never })).output).toMatch(/^files: /)
  })

  it('tell two calls of one toolCallId apart', async () => {
    const seen: unknown[] = []
    const runner = runnerOf([{ name: 't', execute: (_args, ctx) => void seen.push(ctx.files?.a?.size) }])
    const [one, other] = [new Blob(['1']), new Blob(['22'])]
    await Promise.all([one, one, other].map((a) => runner.run('t', {}, { toolCallId: 'c', files: { a } })))
    expect(seen.sort()).toEqual([1, 2])
  })

  it('are covered by no permission for exact arguments', async () => {
    const tool = gated('send')
    const runner = runnerOf([tool], { policy: { remember: true } })
    const ask = async (files?: { a: Blob }) => {
      const result = runner.run('send', { to: 'ann' }, files && { files })
      await new Promise((resolve) => setTimeout(resolve))
      const item = runner.head()
      if (item) runner.answer(item.key, yes(item.request.id), { remember: { for: 'args', until: 'session' } })
      await result
      return item !== undefined
    }
    const a = new Blob(['1'])
    expect([await ask({ a }), await ask({ a }), await ask(), await ask(), await ask({ a })]).toEqual([
      true,
      true,
      true,
      false,
      true,
    ])
  })
})

describe('a suspension whose metadata goes round in circles', () => {
  it('ends its call all the same', async () => {
    const metadata: Record<string, unknown> = { pending: { id: 'r', kind: 'approval', prompt: 'p' } }
    metadata.self = metadata
    const runner = createToolRunner({
      host: false,
      tools: [{ name: 't', execute: () => ({ output: 'p', isError: true, metadata }) }],
    })
    expect((await runner.run('t')).output).toBe('p')
    expect(runner.getState().runs[0]?.endedAt).toBeTypeOf('number')
  })
})
