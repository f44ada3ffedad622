// @vitest-environment node
import { type AnyTool, pending, type ToolEvent } from 'assent/core'
import { createToolRunner, type Runner, type ToolRunnerOptions } from 'assent/runner'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { approveHead, asking, flush, no, recorded, row, yes } from '../support/asking.js'

const request = (id: string, rest: object = {}) => ({ id, kind: 'approval', prompt: `${id}?`, ...rest })
const throwing = (): never => {
  throw new Error('no')
}

const runnerOf = (tools: AnyTool[] = [], options: ToolRunnerOptions = {}): Runner => {
  const runner = createToolRunner({ tools, ...options })
  runner.attach({}, 'dialog')
  return runner
}

describe('createToolRunner', () => {
  it('throws for a tool that cannot be used and for two of a name', () => {
    expect(() => createToolRunner({ tools: [{ name: '', execute: () => '' }] })).toThrow(/^assent: /)
    expect(() => createToolRunner({ tools: [asking('t'), asking('t')] })).toThrow(/"t".*already registered/)
  })

  it('lists its tools for a model', () => {
    const runner = runnerOf([asking('a', {}, { inputSchema: { type: 'object', required: ['x'] } })])
    const remove = runner.register(asking('b'))
    expect(runner.tools()).toEqual([
      { name: 'a', description: 'a', inputSchema: { type: 'object', required: ['x'] } },
      { name: 'b', description: 'b', inputSchema: { type: 'object' } },
    ])
    remove()
    expect(runner.tools().map(({ name }) => name)).toEqual(['a'])
  })

  it('shares nothing with another runner (K27)', async () => {
    const [one, other] = [runnerOf(), runnerOf()]
    void one.waitFor(request('a'))
    expect([one.count(), other.count()]).toEqual([1, 0])
    expect(other.answer('a', yes('a'))).toBe(false)
  })
})

describe('waitFor', () => {
  it('asks a question no call asked', async () => {
    const runner = runnerOf()
    const answer = runner.waitFor(request('a', { data: { x: 1 } }))
    const [item] = runner.getState().pending
    expect(item).toMatchObject({ key: 'a', request: request('a', { data: { x: 1 } }) })
    expect(item?.runId ?? item?.toolName ?? item?.args).toBeUndefined()
    runner.answer('a', yes('a', { v: 0 }))
    expect(await answer).toEqual(yes('a', { v: 0 }))
  })

  it('shows a frozen copy of the request (K15)', async () => {
    const runner = runnerOf()
    const mine = request('a', { data: { list: [1] } }) as ReturnType<typeof request> & { data: { list: number[] } }
    void runner.waitFor(mine)
    mine.prompt = 'changed'
    mine.data.list.push(2)
    const shown = runner.head()?.request
    expect(shown).toEqual(request('a', { data: { list: [1] } }))
    expect(() => Object.assign(shown ?? {}, { prompt: 'changed' })).toThrow(TypeError)
  })

  it('is cancelled by its signal', async () => {
    const runner = runnerOf()
    const controller = new AbortController()
    const answer = runner.waitFor(request('a'), { signal: controller.signal })
    controller.abort()
    expect(await answer).toEqual(no('a', 'cancelled'))
    expect(await runner.waitFor(request('b'), { signal: controller.signal })).toEqual(no('b', 'cancelled'))
    expect(runner.count()).toBe(0)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'Sure?'],
    ['no id', { kind: 'approval', prompt: 'P' }],
    ['an id that is no text', request(1 as never)],
    ['no kind', { id: 'a', prompt: 'P' }],
    ['no prompt', { id: 'a', kind: 'approval' }],
    ['a function inside', request('a', { data: { go() {} } })],
    ['a bigint inside', request('a', { data: { n: 1n } })],
    [
      'a getter that throws',
      {
        kind: 'approval',
        prompt: 'P',
        get id() {
          return throwing()
        },
      },
    ],
    ['a proxy that throws', new Proxy({}, { get: throwing, ownKeys: throwing, getPrototypeOf: throwing })],
    ['an id without a text', { id: Object.create(null), kind: 'approval', prompt: 'P' }],
  ])('settles as cancelled, and says so to the developer, for a request with %s', async (_what, bad) => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const runner = runnerOf()
    expect(await runner.waitFor(bad as never)).toMatchObject({ ok: false, reason: 'cancelled' })
    expect(error).toHaveBeenCalled()
    expect(runner.count()).toBe(0)
  })

  it('takes null for no options', async () => {
    const runner = runnerOf()
    const answer = runner.waitFor(request('a'), null as never)
    runner.answer('a', yes('a'))
    expect(await answer).toEqual(yes('a'))
  })

  it('inside execute belongs to its call and goes with it', async () => {
    const answers: unknown[] = []
    const runner: Runner = runnerOf([
      recorded('t', async (_args, ctx) => {
        answers.push(await runner.waitFor(request('a'), { signal: ctx.signal }))
        return ''
      }),
    ])
    const result = runner.run('t', { x: 1 }, { toolCallId: 'c1' })
    await flush()
    const [run] = runner.getState().runs
    expect(runner.head()).toMatchObject({ runId: run?.id, toolCallId: 'c1', toolName: 't', args: { x: 1 } })
    expect(run?.status).toBe('waiting')
    runner.abort('c1')
    expect((await result).output).toBe('cancelled')
    await flush()
    expect(answers).toEqual([no('a', 'cancelled')])
  })
})

describe('answer', () => {
  it('goes to the question whose key it names, never to another (K3, BUG-017, BUG-045)', async () => {
    const tools = ['a', 'b', 'c'].map((name) => asking(name, { id: `r-${name}` }))
    const runner = runnerOf(tools)
    for (const { name } of tools) void runner.run(name)
    await flush()
    expect(runner.answer('r-b', yes('r-a'))).toBe(false)
    expect(runner.answer('r-x', yes('r-x'))).toBe(false)
    expect(runner.answer('r-b', yes('r-b'))).toBe(true)
    await flush()
    expect(tools.map(({ attempts }) => attempts.length)).toEqual([1, 2, 1])
    expect(runner.getState().pending.map(({ key }) => key)).toEqual(['r-a', 'r-c'])
  })

  it('settles three in one block (BUG-018)', async () => {
    const tools = ['a', 'b', 'c'].map((name) => asking(name, { id: name }))
    const runner = runnerOf(tools)
    const results = Promise.all(tools.map(({ name }) => runner.run(name)))
    await flush()
    expect(['c', 'a', 'b'].map((id) => runner.answer(id, yes(id)))).toEqual([true, true, true])
    expect((await results).map(({ output }) => output)).toEqual(['done', 'done', 'done'])
    expect([runner.count(), ...tools.map(({ attempts }) => attempts.length)]).toEqual([0, 2, 2, 2])
  })

  it('twice in one turn runs the tool once more, not twice (K1, BUG-007)', async () => {
    const tool = asking('t', { id: 'r1' })
    const runner = runnerOf([tool])
    const result = runner.run('t')
    await flush()
    expect([runner.answer('r1', yes('r1')), runner.answer('r1', yes('r1'))]).toEqual([true, false])
    await result
    expect(tool.attempts).toHaveLength(2)
  })

  it('tells two calls with one request id apart (K30)', async () => {
    const tool = recorded('t', (args, ctx) => (ctx.answer ? String(args.n) : pending(request('same'))))
    const runner = runnerOf([tool])
    const results = Promise.all([runner.run('t', { n: 1 }), runner.run('t', { n: 2 })])
    await flush()
    const [first, second] = runner.getState().pending
    expect(first?.key).not.toBe(second?.key)
    expect([first?.args, second?.args]).toEqual([{ n: 1 }, { n: 2 }])
    runner.answer(second?.key ?? '', yes('same'))
    runner.answer(first?.key ?? '', no('same'))
    expect((await results).map(({ output }) => output)).toEqual(['declined/expired: same?', '2'])
  })

  it('runs the tool before the subscribers hear of the yes, and with microtasks only (7.1)', async () => {
    vi.useFakeTimers()
    try {
      const order: string[] = []
      const runner = runnerOf([
        recorded('t', (_args, ctx) => {
          order.push(ctx.answer ? 'execute' : 'ask')
          return ctx.answer ? 'done' : pending(request('r1'))
        }),
      ])
      const result = runner.run('t')
      await flush()
      runner.subscribe(() => order.push(`told: ${runner.count()} open`))
      runner.answer('r1', yes('r1'))
      await flush()
      expect(order.slice(0, 3)).toEqual(['ask', 'execute', 'told: 0 open'])
      await result
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('tells the subscribers of a no at once', async () => {
    const runner = runnerOf([asking('t', { id: 'r1' })])
    void runner.run('t')
    await flush()
    const seen: number[] = []
    runner.subscribe(() => seen.push(runner.count()))
    runner.answer('r1', no('r1'))
    expect(seen).toEqual([0])
  })

  it('from a subscriber, while it is told of the question, settles it', async () => {
    const tool = asking('t')
    const runner = runnerOf([tool])
    runner.subscribe(() => void approveHead(runner))
    expect((await runner.run('t')).output).toBe('done')
    expect([tool.attempts.length, runner.count()]).toEqual([2, 0])
  })

  it('tells the subscribers also when the tool never comes back, or is gone', async () => {
    const runner = runnerOf([])
    const remove = runner.register(asking('t', { id: 'r1' }))
    const result = runner.run('t')
    await flush()
    const listener = vi.fn()
    runner.subscribe(listener)
    remove()
    runner.answer('r1', yes('r1'))
    await result
    expect(listener).toHaveBeenCalled()
    expect(runner.getState().pending).toEqual([])
  })
})

describe('getState', () => {
  it('is the same object until something changes, and frozen (7.2)', async () => {
    const runner = runnerOf()
    const empty = runner.getState()
    expect(runner.getState()).toBe(empty)
    void runner.waitFor(request('a'))
    void runner.waitFor(request('b'))
    const two = runner.getState()
    expect(two).not.toBe(empty)
    expect([empty.pending.length, two.pending.length]).toEqual([0, 2])
    expect([Object.isFrozen(two), Object.isFrozen(two.pending), Object.isFrozen(two.runs)]).toEqual([true, true, true])
    runner.answer('a', no('a'))
    expect(runner.getState().pending[0]).toBe(two.pending[1])
    expect(runner.answer('nope', yes('nope'))).toBe(false)
    expect(runner.getState()).toBe(runner.getState())
  })

  it('is plain data at every moment, whatever the tools return: no resolvers, no functions', async () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const runner = runnerOf([
      asking('asks'),
      recorded('function', () => ({ output: 'x', isError: false, metadata: { go() {} } })),
      recorded('circular', () => ({ output: 'y', isError: false, metadata: circular })),
      recorded('data', () => ({ output: 'z', isError: false, metadata: { status: 200 } })),
    ])
    let clones = 0
    runner.subscribe(() => {
      structuredClone(runner.getState())
      clones++
    })
    const asked = runner.run('asks')
    const results = await Promise.all(['function', 'circular', 'data'].map((name) => runner.run(name)))
    expect(results.map(({ output }) => output)).toEqual(['x', 'y', 'z'])
    expect(results[0]?.metadata).toHaveProperty('go')
    approveHead(runner)
    await asked
    expect(clones).toBeGreaterThan(5)
    expect(structuredClone(runner.getState()).runs.at(-1)?.result?.metadata).toEqual({ status: 200 })
  })

  it('keeps a result as it was returned, whoever writes to it later', async () => {
    const result = { output: 'x', isError: false, metadata: { list: [1] } }
    const runner = runnerOf([recorded('t', () => result)])
    await runner.run('t')
    result.output = 'changed'
    result.metadata.list.push(2)
    expect(runner.getState().runs[0]?.result).toEqual({ output: 'x', isError: false, metadata: { list: [1] } })
    expect(Object.isFrozen(runner.getState().runs[0]?.result)).toBe(true)
  })

  it('never holds an answer (K32)', async () => {
    const runner = runnerOf([asking('t', { id: 'r1' })])
    const result = runner.run('t')
    await flush()
    runner.answer('r1', yes('r1', { password: 'hunter2' }))
    await result
    expect(JSON.stringify(runner.getState())).not.toContain('hunter2')
  })
})

describe('subscribe', () => {
  it('tells of a question when it is there, and nobody who has left', async () => {
    const runner = runnerOf()
    const seen: number[] = []
    const unsubscribe = runner.subscribe(() => seen.push(runner.getState().pending.length))
    void runner.waitFor(request('a'))
    runner.answer('a', no('a'))
    unsubscribe()
    void runner.waitFor(request('b'))
    expect(seen).toEqual([1, 0])
  })

  it('may throw: questions, answers and calls go on', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const runner = runnerOf([asking('t', { id: 'r1' })])
    runner.subscribe(throwing)
    const result = runner.run('t')
    await flush()
    expect(runner.count()).toBe(1)
    expect(runner.answer('r1', yes('r1'))).toBe(true)
    expect(await result).toEqual({ output: 'done', isError: false })
    expect(error).toHaveBeenCalled()
  })
})

describe('answerSchemas', () => {
  const schema = { type: 'object', properties: { env: { type: 'string' } } }
  const shown = async (tool: AnyTool, answerSchemas: ToolRunnerOptions['answerSchemas']) => {
    const runner = runnerOf([tool], { answerSchemas })
    void runner.run(tool.name)
    await flush()
    return runner.head()?.schema
  }

  it.each<[string, AnyTool, unknown]>([
    ['a tool that asks for input without one', asking('deploy', { kind: 'input' }), schema],
    ['another kind', asking('deploy', { kind: 'approval' }), undefined],
    ['another tool', asking('other', { kind: 'input' }), undefined],
    ['a tool named like a method', asking('toString', { kind: 'input' }), undefined],
    [
      'a tool that brings its own',
      asking('deploy', { kind: 'input', data: { schema: { type: 'string' } } }),
      { type: 'string' },
    ],
  ])('gives the form for %s', async (_what, tool, expected) => {
    expect(await shown(tool, { deploy: schema })).toEqual(expected)
  })

  it('gives none for a question no call asked', () => {
    const runner = runnerOf([], { answerSchemas: { undefined: schema } })
    void runner.waitFor(request('a', { kind: 'input' }))
    expect(runner.head()?.schema).toBeUndefined()
  })
})

describe('onEvent', () => {
  it('tells of a call in order, with its ids, before the question is visible (7.1)', async () => {
    const events: ToolEvent[] = []
    const open: number[] = []
    const runner: Runner = runnerOf([asking('t', { id: 'r1' })], {
      onEvent(event) {
        events.push(event)
        if (event.type === 'pending') open.push(runner.count())
      },
    })
    let id = ''
    const result = runner.run(
      't',
      {},
      {
        toolCallId: 'c1',
        onStart: (run) => {
          id = run.id
        },
      },
    )
    await flush()
    runner.answer('r1', yes('r1', { secret: 'hunter2' }))
    await result
    expect(events.map(row)).toEqual(['tool_call', 'pending pending', 'answer', 'tool_result'])
    for (const event of events)
      expect(event).toMatchObject({ runId: id, toolCallId: 'c1', toolName: 't', isError: false })
    expect(open).toEqual([0])
    expect(JSON.stringify(events)).not.toContain('hunter2')
  })

  it('calls a no an error only in the result (K36)', async () => {
    const rows: string[] = []
    const runner = runnerOf([asking('t', { id: 'r1' })], { onEvent: (event) => rows.push(row(event)) })
    const result = runner.run('t')
    await flush()
    runner.answer('r1', no('r1'))
    await result
    expect(rows).toEqual(['tool_call', 'pending pending', 'answer', 'tool_result error'])
  })

  it('tells of no answer when the call was aborted: nobody gave one', async () => {
    const rows: string[] = []
    const runner = runnerOf([asking('t')], { onEvent: (event) => rows.push(row(event)) })
    const result = runner.run('t')
    await flush()
    runner.abort()
    await result
    await flush()
    expect(rows).toEqual(['tool_call', 'pending pending', 'tool_result error'])
  })

  it('gives the run its own id where the caller has none', async () => {
    const ids = new Set<string>()
    const runner = runnerOf([recorded('t', () => '')], { onEvent: ({ toolCallId }) => ids.add(toolCallId) })
    await Promise.all([runner.run('t'), runner.run('t')])
    expect(ids.size).toBe(2)
  })
})

describe('without a view', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('warns in development, once, and waits (K35, BUG-194)', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const runner = createToolRunner()
    for (const id of ['a', 'b', 'c']) void runner.waitFor(request(id))
    vi.advanceTimersByTime(0)
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^assent: a question waits.* no view/)]])
    expect(runner.count()).toBe(3)
  })

  it.each<[string, (runner: Runner) => void]>([
    ['a view came in the same turn', (runner) => void runner.attach({}, 'list')],
    ['the question is answered already', (runner) => void runner.answer('a', no('a'))],
  ])('does not warn when %s', (_what, act) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const runner = createToolRunner()
    void runner.waitFor(request('a'))
    act(runner)
    vi.advanceTimersByTime(0)
    expect(warn).not.toHaveBeenCalled()
  })

  it('does not warn in production', () => {
    vi.stubEnv('NODE_ENV', 'production')
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    void createToolRunner().waitFor(request('a'))
    vi.advanceTimersByTime(0)
    vi.unstubAllEnvs()
    expect(warn).not.toHaveBeenCalled()
  })
})

describe('attach', () => {
  it('lets the first dialog host lead, the next when it leaves', () => {
    const runner = createToolRunner()
    const [list, one, other] = [{}, {}, {}]
    runner.attach(list, 'list')
    expect(runner.leader()).toBeUndefined()
    const leave = runner.attach(one, 'dialog')
    runner.attach(other, 'dialog')
    expect(runner.leader()).toBe(one)
    leave()
    expect(runner.leader()).toBe(other)
  })
})

describe('500 questions at once (K6)', () => {
  it('are all there in order, answered in any order, and gone', async () => {
    const tool = recorded('t', (args, ctx) =>
      ctx.answer ? `${args.n} ${ctx.answer.data?.n}` : pending({ kind: 'approval', prompt: String(args.n) }),
    )
    const runner = runnerOf([tool])
    const numbers = Array.from({ length: 500 }, (_, n) => n)
    const results = Promise.all(numbers.map((n) => runner.run('t', { n })))
    await flush()
    const { pending: open } = runner.getState()
    expect(open.map(({ request: { prompt } }) => Number(prompt))).toEqual(numbers)
    for (const { key, request: asked, args } of [...open].reverse()) {
      expect(runner.answer(key, yes(asked.id, { n: args?.n }))).toBe(true)
    }
    expect((await results).map(({ output }) => output)).toEqual(numbers.map((n) => `${n} ${n}`))
    expect([runner.count(), tool.attempts.length]).toEqual([0, 1000])
  })
})
