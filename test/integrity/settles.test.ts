// @vitest-environment node
import { type AnyTool, pending, runTool } from 'assent/core'
import { createToolRunner, type Runner } from 'assent/runner'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { asking, flush, no, recorded, yes } from '../support/asking.js'
import { gated, request, runnerOf, shown } from '../support/consent.js'

const forever = <T>(): Promise<T> => new Promise(() => {})

/** A Standard Schema that takes its time, or never decides. */
const slow = (validate: (value: unknown) => unknown): AnyTool['inputSchema'] => ({
  '~standard': { version: 1, vendor: 'test', validate: validate as () => { value: unknown } },
})

const slowly = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe('FAULT-23: the timeout is a ceiling for all that is no person', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const HANGS: [string, Partial<AnyTool>, object?][] = [
    ['the tool’s predicate', { needsApproval: () => forever<boolean>() }],
    ['the runner’s predicate', {}, { needsApproval: () => forever<boolean>() }],
    ['the validation', { inputSchema: slow(forever), jsonSchema: {} }],
    ['an attempt', { execute: () => forever() }],
    ['the validation of what comes back', { outputSchema: slow(forever) }],
  ]

  it.each(HANGS)(
    '%s that never ends: timed out, and the sequential call behind it starts',
    async (_what, rest, options) => {
      let left = 1
      const tool = recorded('t', () => 'ran', { sequential: true })
      const hangs = (): boolean => left-- > 0
      const runner = runnerOf(
        [
          {
            ...tool,
            ...(rest.needsApproval && { needsApproval: () => (hangs() ? forever<boolean>() : false) }),
            ...(rest.inputSchema && {
              inputSchema: slow((value) => (hangs() ? forever() : { value })),
              jsonSchema: {},
            }),
            ...(rest.outputSchema && { outputSchema: slow((value) => (hangs() ? forever() : { value })) }),
            ...(rest.execute && { execute: () => (hangs() ? forever() : 'ran') }),
          },
        ],
        options ? { needsApproval: () => (hangs() ? forever<boolean>() : false) } : {},
      )
      const results = [runner.run('t', {}, { timeout: 100 }), runner.run('t')]
      await vi.advanceTimersByTimeAsync(99)
      expect(runner.getState().runs.map(({ status }) => status)).toEqual(['running', 'queued'])
      await vi.advanceTimersByTimeAsync(1)
      expect(await Promise.all(results)).toEqual([
        { output: 'timed out after 100 ms', isError: true },
        { output: 'ran', isError: false },
      ])
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  it('each has the whole of it for itself, and a person’s time is nobody’s', async () => {
    const inputSchema = slow(async (value) => slowly(80).then(() => ({ value })))
    const tool = gated(
      't',
      { inputSchema, jsonSchema: {}, needsApproval: () => slowly(80).then(() => true) },
      async (_args, ctx) => {
        await slowly(80)
        return ctx.answer ? 'done' : pending(request('own'))
      },
    )
    const runner = runnerOf([tool])
    const result = runner.run('t', {}, { timeout: 100 })
    for (let question = 0; question < 2; question++) {
      await vi.advanceTimersByTimeAsync(200)
      const item = runner.head()
      await vi.advanceTimersByTimeAsync(3_600_000)
      runner.answer(item?.key ?? '', yes(item?.request.id ?? ''))
    }
    await vi.advanceTimersByTimeAsync(200)
    expect(await result).toEqual({ output: 'done', isError: false })
  })

  it('ends a check of edits that never comes to an end', async () => {
    let checks = 0
    const inputSchema = slow((value) => (checks++ === 0 ? { value } : forever()))
    const runner = runnerOf([gated('t', { inputSchema, jsonSchema: {}, decisions: ['approve', 'edit'] })])
    const result = runner.run('t', {}, { timeout: 100 })
    const item = await shown(runner)
    runner.answer(item.key, yes(item.request.id, { args: { a: 1 } }))
    await vi.advanceTimersByTimeAsync(100)
    expect((await result).output).toBe('timed out after 100 ms')
  })
})

describe('FAULT-24: what never rejects never rejects', () => {
  const tool = recorded('t', () => 'ran')
  const ODD: [string, unknown][] = [
    ['an object', {}],
    ['a text', 'x'],
    ['a number', 1],
    ['a symbol', Symbol('s')],
    ['a list', []],
    ['a function', () => {}],
    ['null', null],
    [
      'an object that throws',
      new Proxy(
        {},
        {
          get() {
            throw new Error('no')
          },
        },
      ),
    ],
  ]

  it.each(ODD)(
    'runTool with %s for its signal, options, arguments, tool, timeout, host or listener',
    async (_what, odd) => {
      vi.spyOn(console, 'error').mockImplementation(() => {})
      const given: [unknown, unknown, unknown][] = [
        [tool, {}, { signal: odd }],
        [tool, {}, odd],
        [tool, odd, {}],
        [odd, {}, {}],
        [tool, {}, { timeout: odd }],
        [asking('a'), {}, { waitFor: odd }],
        [tool, {}, { onEvent: odd }],
        [tool, {}, { toolCallId: odd }],
        [tool, {}, { name: odd }],
        [tool, {}, { files: odd }],
        [tool, {}, { controller: odd ?? undefined }],
      ]
      for (const [a, b, c] of given) {
        const { output, isError } = await runTool(a as never, b, c as never)
        expect([typeof output, typeof isError]).toEqual(['string', 'boolean'])
      }
    },
  )

  it.each(ODD)('run, runAll, waitFor and resume with %s', async (_what, odd) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const runner = createToolRunner({ tools: [tool], host: false })
    const results = await Promise.all([
      runner.run(odd as never),
      runner.run('t', odd),
      runner.run('t', {}, odd as never),
      runner.run('t', {}, { signal: odd as never }),
      runner.run('t', {}, { within: odd as never }),
      runner.run('t', {}, { files: odd as never }),
      runner.run('t', {}, { timeout: odd as never }),
      runner.run('t', {}, { toolCallId: odd as never }),
      runner.run('t', {}, { onStart: odd as never }),
      runner.resume(odd as never, odd as never),
      runner.resume({ id: 'r', kind: 'k', prompt: 'p' }, odd as never),
      ...(await runner.runAll([odd, { name: 't', args: odd }] as never)),
    ])
    for (const { output, isError } of results) expect([typeof output, typeof isError]).toEqual(['string', 'boolean'])
    const watched = runnerOf([])
    const answers = [
      watched.waitFor(odd as never),
      watched.waitFor(request('a'), { signal: odd as never }),
      watched.waitFor(request('b'), { within: odd as never }),
      watched.waitFor(request('c'), { asker: odd as never }),
      watched.waitFor(request('d'), odd as never),
    ]
    await flush()
    watched.abort()
    for (const answer of await Promise.all(answers)) expect(answer.ok).toBe(false)
    expect(watched.answer(odd as never, odd as never)).toBe(false)
    expect(await watched.checkEdit(odd as never, odd)).toBeTypeOf('object')
  })
})

describe('FAULT-37: who asks is text', () => {
  it.each([5, {}, [], null, true, Symbol('s'), () => {}])(
    'a tool whose source is %s is refused as it is registered',
    (source) => {
      expect(() => createToolRunner({ tools: [{ ...gated('t'), source: source as never }] })).toThrow(/source/)
    },
  )

  it.each([5, { a: 1 }, [], null, true, Symbol('s'), () => {}])(
    'an asker whose name, kind or origin is %s',
    async (odd) => {
      const runner = runnerOf([])
      for (const asker of [
        { kind: 'server', name: odd },
        { kind: odd, name: 's' },
        { kind: 'server', name: 's', origin: odd },
        odd,
      ]) {
        void runner.waitFor(request('r'), { asker: asker as never })
        const item = await shown(runner)
        for (const part of [item.asker?.kind, item.asker?.name, item.asker?.origin ?? ''])
          expect(part).toBeTypeOf('string')
        runner.abort()
      }
    },
  )
})

describe('FAULT-39: whose an inner call or question is', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  const inner = (execute: AnyTool['execute'] = () => 'inner') => ({ name: 'in', execute })

  it('an inner call that says within starts, whatever the limit', async () => {
    const runner: Runner = runnerOf(
      [
        inner(),
        {
          name: 'out',
          execute: (_args, ctx) =>
            runner.run(
              'in',
              {},
              { within: ctx.signal, signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(5000)]) },
            ),
        },
      ],
      { concurrency: 1 },
    )
    expect(await runner.run('out')).toEqual({ output: 'inner', isError: false })
  })

  it('one that does not waits for ever, and the developer is told of within', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const runner: Runner = runnerOf(
      [
        inner(),
        { name: 'out', execute: (_args, ctx) => runner.run('in', {}, { signal: AbortSignal.any([ctx.signal]) }) },
      ],
      { concurrency: 1 },
    )
    const result = runner.run('out')
    await vi.advanceTimersByTimeAsync(1999)
    expect(warn).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(warn.mock.calls.flat().join()).toContain('within: ctx.signal')
    runner.abort()
    expect((await result).isError).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('a call that is queued for a moment warns of nothing and leaves no timer', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const runner = runnerOf([{ name: 't', execute: () => slowly(1500).then(() => '') }], { concurrency: 1 })
    const results = Promise.all([runner.run('t'), runner.run('t')])
    await vi.advanceTimersByTimeAsync(3000)
    await results
    expect([warn.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0])
  })

  it.each(['within', 'signal'] as const)(
    'the clock of the outer call stands while an inner one asks (%s)',
    async (how) => {
      const runner: Runner = runnerOf([
        gated('in'),
        { name: 'out', execute: async (_args, ctx) => (await runner.run('in', {}, { [how]: ctx.signal })).output },
      ])
      const result = runner.run('out', {}, { timeout: 100 })
      await vi.advanceTimersByTimeAsync(50)
      const item = await shown(runner)
      await vi.advanceTimersByTimeAsync(3_600_000)
      runner.answer(item.key, yes(item.request.id))
      expect(await result).toEqual({ output: 'ran', isError: false })
    },
  )

  it('over three floors, too, and it goes on counting afterwards', async () => {
    const runner: Runner = runnerOf([
      gated('in', {}, () => forever()),
      { name: 'mid', execute: async (_args, ctx) => (await runner.run('in', {}, { within: ctx.signal })).output },
      { name: 'out', execute: async (_args, ctx) => (await runner.run('mid', {}, { within: ctx.signal })).output },
    ])
    const result = runner.run('out', {}, { timeout: 100 })
    const item = await shown(runner)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(runner.count()).toBe(1)
    runner.answer(item.key, yes(item.request.id))
    await vi.advanceTimersByTimeAsync(100)
    expect(await result).toEqual({ output: 'timed out after 100 ms', isError: true })
  })

  it('an inner call ends with the outer one, and one that was started after it does not start', async () => {
    let outer: AbortSignal | undefined
    const seen = recorded('in', () => forever())
    const runner: Runner = runnerOf([
      seen,
      {
        name: 'out',
        execute(_args, ctx) {
          outer = ctx.signal
          return runner.run('in', {}, { within: ctx.signal })
        },
      },
    ])
    const result = runner.run('out')
    await flush()
    runner.abort(runner.getState().runs.find(({ toolName }) => toolName === 'out')?.id)
    expect(await result).toEqual({ output: 'cancelled', isError: true })
    await flush()
    expect(runner.getState().runs.map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
    expect(await runner.run('in', {}, { within: outer })).toEqual({ output: 'cancelled', isError: true })
    expect(seen.attempts).toHaveLength(1)
  })

  it('a question that says within is that call’s: its clock stands, and it goes with it', async () => {
    const given = new AbortController()
    const runner: Runner = runnerOf([
      {
        name: 'out',
        async execute(_args, ctx) {
          const answer = await runner.waitFor(request('r'), { within: ctx.signal, signal: given.signal })
          void runner.waitFor(request('late'), { within: ctx.signal })
          return String(answer.ok)
        },
      },
    ])
    const result = runner.run('out', {}, { timeout: 100 })
    const item = await shown(runner)
    expect(item.toolName).toBe('out')
    await vi.advanceTimersByTimeAsync(10_000)
    runner.answer(item.key, yes('r'))
    expect((await result).output).toBe('true')
    await flush()
    expect(runner.count()).toBe(0)
  })

  it('a signal beside it says who gave up', async () => {
    const given = new AbortController()
    const runner: Runner = runnerOf([
      {
        name: 'out',
        execute: async (_args, ctx) =>
          JSON.stringify(await runner.waitFor(request('r'), { within: ctx.signal, signal: given.signal })),
      },
    ])
    const result = runner.run('out')
    await flush()
    given.abort()
    expect(JSON.parse((await result).output)).toEqual(no('r', 'cancelled'))
  })

  it('a question of a call that has ended is not asked', async () => {
    let signal: AbortSignal | undefined
    const execute: AnyTool['execute'] = (_args, ctx) => {
      signal = ctx.signal
    }
    const runner = runnerOf([{ name: 't', execute }])
    await runner.run('t')
    expect(await runner.waitFor(request('r'), { within: signal })).toEqual(no('r', 'cancelled'))
    expect(runner.count()).toBe(0)
  })
})
