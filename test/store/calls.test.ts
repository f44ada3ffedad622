// @vitest-environment node
import { type AnyTool, pending, pendingOf, type ToolResult } from 'assent/core'
import { createToolRunner, type Runner, type RunRecord, type ToolRunnerOptions } from 'assent/runner'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  approveHead,
  asking,
  countListeners,
  flush,
  no,
  recorded,
  refusedAs,
  thenable,
  yes,
} from '../support/asking.js'

const CANCELLED = { output: 'cancelled', isError: true }
const never = (): Promise<never> => new Promise(() => {})
const throwing = (): never => {
  throw new Error('no')
}

/** A runner that is looked at, so that nothing warns. */
const runnerOf = (tools: AnyTool[], options: ToolRunnerOptions = {}): Runner => {
  const runner = createToolRunner({ tools, ...options })
  runner.attach({}, 'dialog')
  return runner
}

describe('run', () => {
  it('returns the result after whatever the person answered', async () => {
    const tool = asking('deploy', { id: 'r1' })
    const runner = runnerOf([tool])
    const result = runner.run('deploy', { site: 'docs' })
    await flush()
    expect(runner.getState().pending).toMatchObject([
      { key: 'r1', request: { id: 'r1', prompt: 'deploy?' }, toolName: 'deploy', args: { site: 'docs' } },
    ])
    expect(runner.answer('r1', yes('r1', { ok: 1 }))).toBe(true)
    expect(await result).toEqual({ output: 'done', isError: false })
    expect(tool.attempts[1]).toEqual({ args: { site: 'docs' }, answer: yes('r1', { ok: 1 }) })
  })

  it.each(['declined', 'cancelled', 'expired', undefined] as const)(
    'runs nothing after a no: %s (K4)',
    async (reason) => {
      const tool = asking('t', { id: 'r1', prompt: 'Sure?' })
      const runner = runnerOf([tool])
      const result = runner.run('t')
      await flush()
      runner.answer('r1', no('r1', reason))
      expect(await result).toEqual(refusedAs('Sure?', reason))
      expect(tool.attempts).toHaveLength(1)
    },
  )

  it('says Unknown tool when there is none', async () => {
    expect(await runnerOf([]).run('nope')).toEqual({ output: 'Unknown tool: nope', isError: true })
  })

  it('finds a tool that is registered in the same turn', async () => {
    const runner = runnerOf([])
    const result = runner.run('late')
    runner.register(recorded('late', () => 'here'))
    expect((await result).output).toBe('here')
  })

  it('shows its record from the start to the end', async () => {
    const runner = runnerOf([asking('t', { id: 'r1' }), recorded('fails', throwing)])
    const seen: string[] = []
    let id = ''
    const result = runner.run(
      't',
      { a: 1 },
      {
        toolCallId: 'c1',
        onStart: (run) => {
          id = run.id
        },
      },
    )
    runner.subscribe(() => seen.push(runner.getRun(id)?.status ?? ''))
    expect(runner.getRun(id)).toMatchObject({ id, toolCallId: 'c1', toolName: 't', status: 'running' })
    await flush()
    expect(runner.getRun(id)).toMatchObject({ status: 'waiting', args: { a: 1 } })
    approveHead(runner)
    await result
    expect(runner.getRun(id)).toMatchObject({ status: 'done', result: { output: 'done', isError: false } })
    expect(seen.filter((status, index) => status !== seen[index - 1])).toEqual([
      'running',
      'waiting',
      'running',
      'done',
    ])
    await runner.run('fails')
    expect(runner.getState().runs.map(({ status }) => status)).toEqual(['done', 'failed'])
  })

  it('uses the switches and the context of the runner as they are when the call starts', async () => {
    const options: ToolRunnerOptions = { context: 'old', onRefusal: 'settle' }
    const tool = recorded('t', (_args, ctx) =>
      ctx.answer ? `${ctx.answer.reason} ${ctx.context}` : pending({ id: 'r1', kind: 'approval', prompt: 'P' }),
    )
    const runner = createToolRunner(options)
    runner.attach({}, 'dialog')
    runner.register(tool)
    options.context = 'new'
    options.onRefusal = 'retry'
    const result = runner.run('t')
    await flush()
    runner.answer('r1', no('r1'))
    expect((await result).output).toBe('declined new')
  })

  it('asks in several steps where maxQuestions lets it', async () => {
    const tool = recorded('t', (_args, ctx, attempt) =>
      attempt <= 2 ? pending({ kind: 'input', prompt: `Step ${attempt}?` }) : String(ctx.answers?.length),
    )
    const runner = runnerOf([tool], { maxQuestions: 2 })
    const result = runner.run('t')
    await flush()
    approveHead(runner)
    await flush()
    expect(runner.head()?.request.prompt).toBe('Step 2?')
    approveHead(runner)
    expect((await result).output).toBe('2')
  })

  it('with host: false asks nobody and returns the suspension itself', async () => {
    const runner = createToolRunner({ tools: [asking('t', { id: 'r1' })], host: false })
    const result = await runner.run('t')
    expect(pendingOf(result)).toMatchObject({ id: 'r1' })
    expect(runner.count()).toBe(0)
    expect(structuredClone(runner.getState()).runs[0]).toMatchObject({ status: 'done' })
  })

  it('never rejects, whatever a tool or a listener does', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const runner = runnerOf(
      [
        recorded('throws', throwing),
        recorded('bigint', () => 1n),
        recorded('thenable', () => thenable(throwing)),
        recorded('proxy', () => new Proxy({}, { get: throwing, getPrototypeOf: throwing })),
        asking('asks'),
      ],
      { onEvent: throwing },
    )
    runner.subscribe(() => {
      for (const item of runner.getState().pending) runner.answer(item.key, yes(item.request.id))
      throwing()
    })
    const names = ['throws', 'bigint', 'thenable', 'proxy', 'asks', 'unknown']
    const results = await Promise.all(names.map((name) => runner.run(name, {}, { onStart: throwing })))
    expect(results.map(({ isError }) => isError)).toEqual([true, true, true, true, false, true])
    expect(runner.count()).toBe(0)
  })

  it('lets a tool run, register, remove and abort other tools from inside', async () => {
    const runner: Runner = runnerOf([
      recorded('outer', async () => {
        const remove = runner.register(recorded('inner', () => 'inside'))
        const inside = await runner.run('inner')
        remove()
        return `${inside.output}, then ${(await runner.run('inner')).output}`
      }),
      recorded('suicide', (_args, ctx) => {
        runner.abort(ctx.toolCallId)
        return 'too late'
      }),
    ])
    expect((await runner.run('outer')).output).toBe('inside, then Unknown tool: inner')
    expect(await runner.run('suicide')).toEqual(CANCELLED)
  })

  it('lets a tool answer the question of another call', async () => {
    const runner: Runner = runnerOf([
      asking('asks', { id: 'r1' }),
      recorded('answers', () => String(runner.answer('r1', yes('r1')))),
    ])
    const asked = runner.run('asks')
    await flush()
    expect((await runner.run('answers')).output).toBe('true')
    expect((await asked).output).toBe('done')
  })
})

describe('the arguments (K20)', () => {
  it('are those at the moment of the call', async () => {
    const tool = recorded('t', () => '')
    const args = { path: '/a', list: ['x'] }
    const runner = runnerOf([tool])
    const result = runner.run('t', args)
    args.path = '/etc/passwd'
    args.list.push('y')
    await result
    expect(tool.attempts[0]?.args).toEqual({ path: '/a', list: ['x'] })
  })

  it('are the same, and fresh, for each attempt, whoever writes to them while the question waits (BUG-124, BUG-125)', async () => {
    const tool = recorded('t', (args, ctx) => {
      ;(args.list as string[]).push('mine')
      delete args.path
      return ctx.answer ? 'done' : pending({ id: 'r1', kind: 'approval', prompt: 'P' })
    })
    const args = { path: '/a', list: ['x'] }
    const runner = runnerOf([tool])
    const result = runner.run('t', args)
    await flush()
    args.path = '/etc/passwd'
    const shown = runner.head()?.args
    expect(() => Object.assign(shown ?? {}, { path: '/etc/passwd' })).toThrow(TypeError)
    approveHead(runner)
    await result
    expect(tool.attempts.map((attempt) => attempt.args)).toEqual([shown, shown])
    expect(shown).toEqual({ path: '/a', list: ['x'] })
  })

  it.each<[unknown, boolean]>([
    [undefined, false],
    [null, false],
    ['foo', true],
    ['', true],
    [[1], true],
    [3, true],
    [true, true],
    [Symbol('s'), true],
  ])('%# that are no object never crash (K33)', async (args, isError) => {
    const runner = runnerOf([recorded('t', () => '')])
    const result = await runner.run('t', args)
    expect(result.isError).toBe(isError)
    expect(structuredClone(runner.getState()).runs[0]).toMatchObject({ args: {} })
  })
})

describe('the same toolCallId', () => {
  it('joins the running call of the same name and arguments', async () => {
    const tool = asking('t')
    const runner = runnerOf([tool])
    const ids: string[] = []
    const onStart = (run: RunRecord) => ids.push(run.id)
    const first = runner.run('t', { a: 1, b: 2 }, { toolCallId: 'c1', onStart })
    const second = runner.run('t', { b: 2, a: 1 }, { toolCallId: 'c1', onStart })
    await flush()
    const third = runner.run('t', { a: 1, b: 2 }, { toolCallId: 'c1', onStart })
    expect(runner.count()).toBe(1)
    approveHead(runner)
    expect((await Promise.all([first, second, third])).map(({ output }) => output)).toEqual(['done', 'done', 'done'])
    expect(tool.attempts).toHaveLength(2)
    expect([ids.length, new Set(ids).size]).toEqual([3, 1])
  })

  it.each<[string, string, unknown]>([
    ['another tool', 'u', { a: 1 }],
    ['other arguments', 't', { a: 2 }],
    ['arguments of another type', 't', { a: '1' }],
  ])('does not join %s', async (_what, name, args) => {
    const [t, u] = [recorded('t', () => ''), recorded('u', () => '')]
    const runner = runnerOf([t, u])
    await Promise.all([runner.run('t', { a: 1 }, { toolCallId: 'c1' }), runner.run(name, args, { toolCallId: 'c1' })])
    expect(t.attempts.length + u.attempts.length).toBe(2)
  })

  it('does not join arguments that were written to after the call', async () => {
    const tool = recorded('t', () => '')
    const runner = runnerOf([tool])
    const args = { n: 1 }
    const first = runner.run('t', args, { toolCallId: 'c1' })
    args.n = 2
    const second = runner.run('t', args, { toolCallId: 'c1' })
    await Promise.all([first, second])
    expect(tool.attempts.map((attempt) => attempt.args)).toEqual([{ n: 1 }, { n: 2 }])
  })

  it('never joins a finished call', async () => {
    const tool = recorded('t', () => '')
    const runner = runnerOf([tool])
    await runner.run('t', {}, { toolCallId: 'c1' })
    await runner.run('t', {}, { toolCallId: 'c1' })
    expect(tool.attempts).toHaveLength(2)
  })

  it('starts anew after an abort in the same turn, and runs once (K8: StrictMode)', async () => {
    const tool = recorded('t', () => 'ran')
    const runner = runnerOf([tool])
    const first = new AbortController()
    const thrownAway = runner.run('t', {}, { toolCallId: 'c1', signal: first.signal })
    first.abort()
    const kept = runner.run('t', {}, { toolCallId: 'c1', signal: new AbortController().signal })
    expect(await thrownAway).toEqual(CANCELLED)
    expect((await kept).output).toBe('ran')
    expect(tool.attempts).toHaveLength(1)
  })

  it('lets one caller give up while the others go on, and ends the call with the last', async () => {
    const tool = asking('t')
    const runner = runnerOf([tool])
    const [a, b] = [new AbortController(), new AbortController()]
    const first = runner.run('t', {}, { toolCallId: 'c1', signal: a.signal })
    const second = runner.run('t', {}, { toolCallId: 'c1', signal: b.signal })
    await flush()
    a.abort()
    expect(await first).toEqual(CANCELLED)
    expect(runner.count()).toBe(1)
    b.abort()
    expect(await second).toEqual(CANCELLED)
    expect(runner.count()).toBe(0)
  })

  it('is not ended by one caller while another waits without a signal', async () => {
    const runner = runnerOf([asking('t')])
    const controller = new AbortController()
    const first = runner.run('t', {}, { toolCallId: 'c1', signal: controller.signal })
    const second = runner.run('t', {}, { toolCallId: 'c1' })
    await flush()
    controller.abort()
    await first
    approveHead(runner)
    expect((await second).output).toBe('done')
  })

  it('does not hang for arguments whose parts are shared', async () => {
    let reads = 0
    let shared: Record<string, unknown> = {
      get leaf() {
        if (++reads > 2e6) throw new Error('walked as a tree')
        return true
      },
    }
    for (let level = 0; level < 60; level++) shared = { left: shared, right: shared }
    const runner = runnerOf([recorded('t', () => '')])
    expect(await runner.run('t', shared, { toolCallId: 'c1' })).toHaveProperty('output')
    expect(reads).toBeLessThan(2e6)
  })
})

describe('abort', () => {
  const started = async (options: ToolRunnerOptions = {}) => {
    const [asks, hangs] = [asking('asks', { id: 'r1' }), recorded('hangs', never)]
    const runner = runnerOf([asks, hangs], options)
    const results = [
      runner.run('asks', {}, { toolCallId: 'c1' }),
      runner.run('hangs', {}, { toolCallId: 'c2' }),
    ] as const
    const alone = runner.waitFor({ id: 'alone', kind: 'approval', prompt: 'P' })
    await flush()
    return { runner, asks, results, alone }
  }

  it('takes a toolCallId', async () => {
    const { runner, results, asks } = await started()
    runner.abort('c1')
    expect(runner.getState().pending.map(({ key }) => key)).toEqual(['alone'])
    expect(await results[0]).toEqual(CANCELLED)
    expect(runner.answer('r1', yes('r1'))).toBe(false)
    await flush()
    expect(asks.attempts).toHaveLength(1)
    expect(runner.getState().runs.map(({ status }) => status)).toEqual(['cancelled', 'running'])
  })

  it('takes a run id', async () => {
    const { runner, results } = await started()
    runner.abort(runner.getState().runs[1]?.id)
    expect(await results[1]).toEqual(CANCELLED)
    expect(runner.count()).toBe(2)
  })

  it('takes an id nobody has for none at all', async () => {
    const { runner } = await started()
    runner.abort('nope')
    runner.abort('')
    expect([runner.count(), runner.getState().runs.map(({ status }) => status)]).toEqual([2, ['waiting', 'running']])
  })

  it('without an id ends every call and every question, and the runner lives on (BUG-042)', async () => {
    const { runner, results, alone } = await started()
    runner.abort()
    expect(await Promise.all(results)).toEqual([CANCELLED, CANCELLED])
    expect(await alone).toEqual(no('alone', 'cancelled'))
    expect(runner.count()).toBe(0)
    const again = runner.run('asks')
    await flush()
    approveHead(runner)
    expect(await again).toMatchObject({ isError: false })
  })

  it('before the start runs nothing', async () => {
    const tool = recorded('t', () => '')
    const runner = runnerOf([tool])
    expect(await runner.run('t', {}, { signal: AbortSignal.abort() })).toEqual(CANCELLED)
    expect(await runner.run('t', {}, { onStart: ({ id }) => runner.abort(id) })).toEqual(CANCELLED)
    expect(tool.attempts).toHaveLength(0)
  })

  it('after the yes, before the tool runs, wins', async () => {
    const { runner, results, asks } = await started()
    runner.answer('r1', yes('r1'))
    runner.abort('c1')
    expect(await results[0]).toEqual(CANCELLED)
    expect(asks.attempts).toHaveLength(1)
  })

  it('leaves no listener on the signal of the caller, however a call ends (K37, BUG-060)', async () => {
    const runner = runnerOf([asking('asks'), recorded('plain', () => ''), recorded('hangs', never)])
    const controller = new AbortController()
    const listeners = countListeners(controller.signal)
    for (let call = 0; call < 20; call++) {
      const result = runner.run('asks', {}, { signal: controller.signal })
      await flush()
      const item = runner.head()
      if (item) runner.answer(item.key, call % 2 ? yes(item.request.id) : no(item.request.id))
      await result
    }
    await runner.run('plain', {}, { signal: controller.signal })
    await runner.run('unknown', {}, { signal: controller.signal })
    const [hangs, asks] = [
      runner.run('hangs', {}, { signal: controller.signal }),
      runner.run('asks', {}, { signal: controller.signal }),
    ]
    await flush()
    controller.abort()
    expect(await Promise.all([hangs, asks])).toEqual([CANCELLED, CANCELLED])
    expect(listeners.added()).toBeGreaterThan(0)
    expect(listeners.live()).toBe(0)
  })
})

describe('dispose', () => {
  it('cancels everything for good and leaves nothing behind (K7)', async () => {
    const tool = asking('t')
    const runner = runnerOf([tool])
    const result = runner.run('t')
    const starting = runner.run('t')
    const alone = runner.waitFor({ id: 'alone', kind: 'approval', prompt: 'P' })
    await flush()
    runner.dispose()
    expect(runner.getState().pending).toEqual([])
    expect(await Promise.all([result, starting])).toEqual([CANCELLED, CANCELLED])
    expect(await alone).toEqual(no('alone', 'cancelled'))
    expect(await runner.run('t')).toEqual(CANCELLED)
    expect(await runner.waitFor({ id: 'late', kind: 'approval', prompt: 'P' })).toEqual(no('late', 'cancelled'))
    runner.dispose()
    expect([runner.count(), tool.attempts.length]).toEqual([0, 2])
  })

  it.each(['tool_call', 'pending', 'answer', 'tool_result'])('may come from a listener of %s', async (at) => {
    const tool = asking('t')
    const runner: Runner = runnerOf([tool], { onEvent: ({ type }) => type === at && runner.dispose() })
    runner.subscribe(() => void approveHead(runner))
    const result = await runner.run('t')
    if (at === 'tool_result') expect(result.output).toBe('done')
    else expect(result).toEqual(CANCELLED)
    await flush()
    expect(tool.attempts).toHaveLength({ tool_call: 0, pending: 1, answer: 1 }[at] ?? 2)
    expect(runner.count()).toBe(0)
  })
})

describe('a question a tool asked inside execute and did not wait for', () => {
  it('goes with its call', async () => {
    const answers: unknown[] = []
    const runner: Runner = runnerOf([
      recorded('t', (_args, ctx) => {
        const answer = runner.waitFor({ id: 'loose', kind: 'approval', prompt: 'P' }, { signal: ctx.signal })
        void answer.then((settled) => answers.push(settled))
        return 'done'
      }),
    ])
    expect(await runner.run('t')).toEqual({ output: 'done', isError: false })
    await flush()
    expect([runner.count(), answers]).toEqual([0, [no('loose', 'cancelled')]])
    expect(runner.getState().runs[0]).toMatchObject({ status: 'done' })
  })
})

describe('a tool that changes while its question waits (K9, 5.2)', () => {
  const asked = async (change: (runner: Runner, remove: () => void) => void, isTaken: boolean): Promise<ToolResult> => {
    const runner = runnerOf([])
    const remove = runner.register(asking('t', { id: 'r1' }, { source: 'custom', inputSchema: { type: 'object' } }))
    const result = runner.run('t')
    await flush()
    change(runner, remove)
    // A yes to what was shown is none to what is there now (DESIGN 8.3).
    expect(runner.answer('r1', yes('r1'))).toBe(isTaken)
    return result
  }
  const newer = (rest: Partial<AnyTool> = {}) =>
    recorded('t', () => 'newer', { source: 'custom', inputSchema: { type: 'object' }, ...rest })

  it('is unknown when it is gone (BUG-056)', async () => {
    expect(await asked((_runner, remove) => remove(), false)).toEqual({ output: 'Unknown tool: t', isError: true })
  })

  it.each<[string, Partial<AnyTool>, string]>([
    ['the same tool with a newer closure', {}, 'newer'],
    ['another description', { description: 'Deletes everything' }, 'Unknown tool: t'],
    ['another source', { source: 'mcp:evil' }, 'Unknown tool: t'],
    ['another inputSchema', { inputSchema: { type: 'object', required: ['x'] } }, 'Unknown tool: t'],
    ['another danger', { danger: 'high' }, 'Unknown tool: t'],
    ['another trust', { trusted: false }, 'Unknown tool: t'],
    ['other annotations', { annotations: { destructiveHint: true } }, 'Unknown tool: t'],
    ['the same danger said by its annotations', { annotations: {} }, 'Unknown tool: t'],
    ['the same trust said out loud', { trusted: true }, 'newer'],
  ])('registered anew as %s', async (_what, rest, output) => {
    const result = await asked((runner, remove) => {
      remove()
      runner.register(newer(rest))
    }, output === 'newer')
    expect(result.output).toBe(output)
  })

  it('runs the newest closure of a function (BUG-052)', async () => {
    const runner = runnerOf([])
    let count = 0
    const make = (seen: number): AnyTool =>
      recorded('t', (_args, ctx) => (ctx.answer ? `saw ${seen}` : pending({ id: 'r1', kind: 'approval', prompt: 'P' })))
    runner.register(() => make(count))
    const result = runner.run('t')
    await flush()
    count = 5
    runner.answer('r1', yes('r1'))
    expect((await result).output).toBe('saw 5')
  })
})

describe('time (K12)', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is each attempt of the tool, never the person, and gone at the end (BUG-068)', async () => {
    const tool = recorded('slow', async (_args, ctx) => {
      await new Promise((resolve) => setTimeout(resolve, 90))
      return ctx.answer ? 'done' : pending({ id: 'r1', kind: 'approval', prompt: 'P' })
    })
    const runner = runnerOf([tool], { timeout: 100 })
    const result = runner.run('slow')
    await vi.advanceTimersByTimeAsync(60_090)
    runner.answer('r1', yes('r1'))
    await vi.advanceTimersByTimeAsync(90)
    expect(await result).toEqual({ output: 'done', isError: false })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('of one call is before the time of the runner', async () => {
    const runner = runnerOf([recorded('hangs', never)], { timeout: 1000 })
    const result = runner.run('hangs', {}, { timeout: 50 })
    await vi.advanceTimersByTimeAsync(50)
    expect(await result).toEqual({ output: 'timed out after 50 ms', isError: true })
    expect(runner.getState().runs[0]).toMatchObject({ status: 'failed' })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('stands still while a tool asks inside execute, until the last of its questions is answered (BUG-069)', async () => {
    const runner: Runner = runnerOf([
      recorded('t', async (_args, ctx) => {
        await new Promise((resolve) => setTimeout(resolve, 60))
        const ask = (id: string) => runner.waitFor({ id, kind: 'input', prompt: id }, { signal: ctx.signal })
        const answers = await Promise.all([ask('a'), ask('b')])
        await new Promise((resolve) => setTimeout(resolve, 39))
        return answers.map(({ ok }) => ok).join()
      }),
    ])
    const result = runner.run('t', {}, { timeout: 100 })
    await vi.advanceTimersByTimeAsync(60)
    runner.answer('a', yes('a'))
    await vi.advanceTimersByTimeAsync(60_000)
    runner.answer('b', no('b'))
    await vi.advanceTimersByTimeAsync(39)
    expect((await result).output).toBe('true,false')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('goes on after the answer: what is left is all there is', async () => {
    const runner: Runner = runnerOf([
      recorded('t', async (_args, ctx) => {
        await new Promise((resolve) => setTimeout(resolve, 60))
        await runner.waitFor({ id: 'a', kind: 'input', prompt: 'a' }, { signal: ctx.signal })
        return never()
      }),
    ])
    const result = runner.run('t', {}, { timeout: 100 })
    await vi.advanceTimersByTimeAsync(5000)
    runner.answer('a', yes('a'))
    await vi.advanceTimersByTimeAsync(39)
    expect(runner.getState().runs[0]?.status).toBe('running')
    await vi.advanceTimersByTimeAsync(1)
    expect((await result).output).toBe('timed out after 100 ms')
  })
})
