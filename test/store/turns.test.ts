// @vitest-environment node
import { type AnyTool, pending, type ToolResult } from 'assent/core'
import { createToolRunner, gated, type Runner, type RunRecord, type ToolRunnerOptions } from 'assent/runner'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createPublisher } from '../../src/store/publisher.js'
import { createRuns, type LiveRun } from '../../src/store/runs.js'
import { createTurns } from '../../src/store/turns.js'
import { approveHead, asking, countListeners, flush, recorded } from '../support/asking.js'
import { runnerOf } from '../support/consent.js'

const CANCELLED = { output: 'cancelled', isError: true }

/** A tool whose calls run until they are ended by their `n`; `began` is the order they began in. */
function held(rest: Partial<AnyTool> = {}) {
  const began: unknown[] = []
  const ends = new Map<unknown, () => void>()
  let running = 0
  let most = 0
  const tool: AnyTool = {
    name: 'held',
    ...rest,
    async execute({ n }) {
      began.push(n)
      most = Math.max(most, ++running)
      await new Promise<void>((resolve) => ends.set(n, resolve))
      running--
      return String(n)
    },
  }
  const end = async (n: unknown): Promise<void> => {
    ends.get(n)?.()
    await flush()
  }
  return { tool, began, end, most: () => most }
}

const statuses = (runner: Runner): string[] => runner.getState().runs.map(({ status }) => status)
const start = (runner: Runner, ...numbers: number[]): Promise<ToolResult>[] =>
  numbers.map((n) => runner.run('held', { n }, { toolCallId: `c${n}` }))

function limited(concurrency: number | undefined, rest: Partial<AnyTool> = {}) {
  const calls = held(rest)
  const tools = [calls.tool, asking('asks', { id: 'q' }), recorded('quick', () => 'quick')]
  return { ...calls, runner: runnerOf(tools, { concurrency }) }
}

describe('without a limit', () => {
  it('every call begins at once', async () => {
    const { runner, began } = limited(undefined)
    start(runner, 1, 2, 3, 4, 5)
    await flush()
    expect([began, statuses(runner)]).toEqual([[1, 2, 3, 4, 5], Array(5).fill('running')])
  })
})

describe('a limit', () => {
  it('lets so many run at once, and the others in the order they came', async () => {
    const { runner, began, end, most } = limited(2)
    const results = start(runner, 1, 2, 3, 4, 5)
    await flush()
    expect([began, statuses(runner)]).toEqual([
      [1, 2],
      ['running', 'running', 'queued', 'queued', 'queued'],
    ])
    await end(2)
    expect([began, statuses(runner)]).toEqual([
      [1, 2, 3],
      ['running', 'done', 'running', 'queued', 'queued'],
    ])
    for (const n of [3, 1, 4, 5]) await end(n)
    expect(began).toEqual([1, 2, 3, 4, 5])
    expect((await Promise.all(results)).map(({ output }) => output)).toEqual(['1', '2', '3', '4', '5'])
    expect(most()).toBe(2)
  })

  it('tells the views that a call is queued and that it begins', async () => {
    const { runner, end } = limited(1)
    const seen: string[] = []
    runner.subscribe(() => seen.push(statuses(runner).join(' ')))
    start(runner, 1, 2)
    await flush()
    expect(seen.at(-1)).toBe('running queued')
    await end(1)
    expect(seen.at(-1)).toBe('done running')
  })

  it.each<[string, AnyTool | undefined]>([
    ['fails', { name: 'bad', execute: () => ({ output: 'no', isError: true }) }],
    [
      'throws',
      {
        name: 'bad',
        execute: () => {
          throw new Error('no')
        },
      },
    ],
    ['rejects', { name: 'bad', execute: () => Promise.reject(new Error('no')) }],
    ['is refused its arguments', { name: 'bad', inputSchema: { required: ['x'] }, execute: () => 'ran' }],
    ['is unknown', undefined],
  ])('is given back by a call that %s', async (_what, bad) => {
    const runner = runnerOf([recorded('quick', () => 'quick'), ...(bad ? [bad] : [])], { concurrency: 1 })
    const results = ['bad', 'bad', 'quick', 'bad', 'quick'].map((name) => runner.run(name))
    expect((await Promise.all(results)).map(({ isError }) => isError)).toEqual([true, true, false, true, false])
  })

  it.each([0, -1, Number.NaN, -Infinity, 0.5, null, 'x', {}])('of %j hangs nobody', async (concurrency) => {
    const { runner } = limited(concurrency as number)
    const results = ['quick', 'quick', 'nope', 'quick'].map((name) => runner.run(name))
    expect((await Promise.all(results)).map(({ output }) => output)).toEqual([
      'quick',
      'quick',
      'Unknown tool: nope',
      'quick',
    ])
  })

  it('of 0 lets one run, and one that is no number is none', async () => {
    for (const [concurrency, count] of [
      [0, 1],
      [-3, 1],
      [Number.NaN, 3],
      [Infinity, 3],
    ] as const) {
      const { runner, began } = limited(concurrency)
      start(runner, 1, 2, 3)
      await flush()
      expect(began).toHaveLength(count)
    }
  })

  it('that is raised lets nobody go before those who wait', async () => {
    const calls = held()
    // Read whenever it is needed, so the object itself is handed in.
    const live: ToolRunnerOptions = { tools: [calls.tool], concurrency: 1 }
    const runner = createToolRunner(live)
    start(runner, 1, 2)
    await flush()
    live.concurrency = 2
    start(runner, 3)
    await flush()
    expect(calls.began).toEqual([1, 2])
    await calls.end(1)
    expect(calls.began).toEqual([1, 2, 3])
  })

  it('charges no timeout while a call is queued', async () => {
    vi.useFakeTimers()
    const { runner, end } = limited(1)
    start(runner, 1)
    const queued = runner.run('held', { n: 2 }, { timeout: 50 })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(statuses(runner)).toEqual(['running', 'queued'])
    await end(1)
    await vi.advanceTimersByTimeAsync(49)
    await end(2)
    expect(await queued).toEqual({ output: '2', isError: false })
  })

  it('is not thrown by calls that were aborted before their turn, nor by a queue that was empty meanwhile', async () => {
    const { runner, began, end } = limited(1)
    start(runner, 1, 2, 3, 4, 5)
    await flush()
    for (const id of ['c2', 'c4']) runner.abort(id)
    for (const n of [1, 3, 5]) await end(n)
    expect(began).toEqual([1, 3, 5])
    start(runner, 6, 7, 8)
    await flush()
    runner.abort('c8')
    for (const n of [6, 7]) await end(n)
    expect([began, statuses(runner)[7]]).toEqual([[1, 3, 5, 6, 7], 'cancelled'])
  })

  it('lets the same call be joined while it is queued', async () => {
    const { runner, began, end } = limited(1)
    start(runner, 1)
    const twice = [...start(runner, 2), ...start(runner, 2)]
    await flush()
    expect(runner.getState().runs).toHaveLength(2)
    await end(1)
    await end(2)
    expect([began, (await Promise.all(twice)).map(({ output }) => output)]).toEqual([
      [1, 2],
      ['2', '2'],
    ])
  })
})

describe('a call that waits for a person', () => {
  it('lets the next one begin, and goes on at once when it is answered, whoever is queued', async () => {
    const { runner, began, end } = limited(1)
    const asked = runner.run('asks')
    start(runner, 1, 2, 3)
    await flush()
    expect([statuses(runner), began]).toEqual([['waiting', 'running', 'queued', 'queued'], [1]])
    approveHead(runner)
    expect(await asked).toEqual({ output: 'done', isError: false })
    expect(began).toEqual([1])
    await end(1)
    expect(began).toEqual([1, 2])
  })

  it('is shown as one by the time the views hear of the next', async () => {
    const { runner } = limited(1)
    const seen: unknown[] = []
    runner.subscribe(() => {
      for (const { runId } of runner.getState().pending) seen.push(runner.getRun(runId ?? '')?.status)
    })
    void runner.run('asks')
    start(runner, 1)
    await flush()
    expect(new Set(seen)).toEqual(new Set(['waiting']))
  })

  it('does not let more begin than the limit says once it goes on', async () => {
    const calls = held()
    const runner = runnerOf(
      [
        calls.tool,
        recorded('long', (_args, ctx) =>
          ctx.answer ? new Promise(() => {}) : pending({ kind: 'approval', prompt: '?' }),
        ),
      ],
      { concurrency: 2 },
    )
    void runner.run('long')
    await flush()
    start(runner, 1, 2, 3)
    await flush()
    expect(calls.began).toEqual([1, 2])
    approveHead(runner)
    await flush()
    await calls.end(1)
    // Two run: the answered one and the second.
    expect([calls.began, statuses(runner)]).toEqual([
      [1, 2],
      ['running', 'done', 'running', 'queued'],
    ])
    await calls.end(2)
    expect(calls.began).toEqual([1, 2, 3])
  })

  it('counts once, however many questions it asks side by side', async () => {
    const calls = held()
    const runner: Runner = runnerOf(
      [
        calls.tool,
        {
          name: 'inside',
          async execute(_args, { signal }) {
            const ask = (id: string) => runner.waitFor({ id, kind: 'approval', prompt: `${id}?` }, { signal })
            await Promise.all([ask('a'), ask('b'), ask('c')])
            return new Promise(() => {})
          },
        },
      ],
      { concurrency: 1 },
    )
    void runner.run('inside')
    await flush()
    start(runner, 1, 2)
    await flush()
    expect(calls.began).toEqual([1])
    for (let question = 0; question < 3; question++) approveHead(runner)
    await flush()
    await calls.end(1)
    expect([calls.began, statuses(runner)]).toEqual([[1], ['running', 'done', 'queued']])
  })

  it('takes no turn with it when it is aborted, refused or expires', async () => {
    const { runner, began, end } = limited(1)
    for (const close of [
      () => runner.abort(),
      () => runner.answer(runner.head()?.key ?? '', { id: 'q', ok: false }),
      () => runner.answer(runner.head()?.key ?? '', { id: 'q', ok: true }),
    ]) {
      const asked = runner.run('asks')
      await flush()
      close()
      await asked
    }
    start(runner, 1, 2)
    await flush()
    expect(began).toEqual([1])
    await end(1)
    expect(began).toEqual([1, 2])
  })
})

describe('a call in the background', () => {
  it('does not count', async () => {
    const runner = runnerOf(
      [
        { name: 'job', execute: (_args, { detach }) => detach?.(new Promise(() => {})) },
        recorded('quick', () => 'quick'),
      ],
      { concurrency: 1, detachable: true },
    )
    void runner.run('job', {}, { toolCallId: 'j' })
    const queued = runner.run('quick')
    await flush()
    expect(statuses(runner)).toEqual(['running', 'queued'])
    expect(runner.detach('j')).toBe(true)
    expect((await queued).output).toBe('quick')
    expect(statuses(runner)).toEqual(['background', 'done'])
  })
})

describe('a call that is aborted while it is queued', () => {
  const ways: [string, (runner: Runner, controller: AbortController, run: RunRecord) => void][] = [
    ['its caller’s signal', (_runner, controller) => controller.abort()],
    ['its run id', (runner, _controller, { id }) => runner.abort(id)],
    ['its toolCallId', (runner) => runner.abort('queued')],
  ]

  it.each(ways)('by %s ends at once and runs nothing (K5)', async (_what, abort) => {
    const { runner, began, end } = limited(1)
    const controller = new AbortController()
    const listeners = countListeners(controller.signal)
    start(runner, 1)
    let run: RunRecord | undefined
    const onStart = (started: RunRecord) => {
      run = started
    }
    const queued = runner.run('held', { n: 2 }, { toolCallId: 'queued', signal: controller.signal, onStart })
    await flush()
    if (run) abort(runner, controller, run)
    expect(await queued).toEqual(CANCELLED)
    expect(statuses(runner)).toEqual(['running', 'cancelled'])
    start(runner, 3)
    await end(1)
    expect([began, listeners.live()]).toEqual([[1, 3], 0])
  })

  it.each(ways)('by %s in the very tick it is called, ends at once too', async (_what, abort) => {
    const { runner, began } = limited(1)
    start(runner, 1)
    await flush()
    const controller = new AbortController()
    let run: RunRecord | undefined
    const onStart = (started: RunRecord) => {
      run = started
    }
    const settled = vi.fn()
    void runner.run('held', { n: 2 }, { toolCallId: 'queued', signal: controller.signal, onStart }).then(settled)
    if (run) abort(runner, controller, run)
    await flush()
    expect(settled).toHaveBeenCalledWith(CANCELLED)
    expect([statuses(runner), began]).toEqual([['running', 'cancelled'], [1]])
  })

  it('before it is called, ends at once too', async () => {
    const { runner } = limited(1)
    start(runner, 1)
    await flush()
    const settled = vi.fn()
    void runner.run('held', { n: 2 }, { signal: AbortSignal.abort() }).then(settled)
    await flush()
    expect(settled).toHaveBeenCalledWith(CANCELLED)
  })

  it('ends with all others when the runner is disposed of', async () => {
    const { runner, began } = limited(1)
    const results = start(runner, 1, 2, 3)
    await flush()
    const late = start(runner, 4)
    runner.dispose()
    expect(await Promise.all([...results, ...late])).toEqual(Array(4).fill(CANCELLED))
    expect([began, statuses(runner)]).toEqual([[1], Array(4).fill('cancelled')])
  })
})

describe('a sequential tool', () => {
  it('runs one call after another, in the order they came, and holds up no other tool', async () => {
    const { runner, began, end, most } = limited(undefined, { sequential: true })
    const results = start(runner, 1, 2, 3)
    expect((await runner.run('quick')).output).toBe('quick')
    expect([began, statuses(runner)]).toEqual([[1], ['running', 'queued', 'queued', 'done']])
    for (const n of [1, 2, 3]) await end(n)
    expect((await Promise.all(results)).map(({ output }) => output)).toEqual(['1', '2', '3'])
    expect([began, most()]).toEqual([[1, 2, 3], 1])
  })

  it('does not overlap while one of its calls waits for a person', async () => {
    const tool = asking('form', {}, { sequential: true })
    const runner = runnerOf([tool])
    const results = [runner.run('form', { n: 1 }), runner.run('form', { n: 2 })]
    await flush()
    expect([runner.count(), statuses(runner)]).toEqual([1, ['waiting', 'queued']])
    approveHead(runner)
    await results[0]
    await flush()
    expect([runner.count(), statuses(runner)]).toEqual([1, ['done', 'waiting']])
    approveHead(runner)
    await results[1]
    expect(tool.attempts.map(({ args }) => args.n)).toEqual([1, 1, 2, 2])
  })

  it('does not overlap while one of its calls is in the background', async () => {
    let end = (): void => {}
    const work = new Promise<string>((resolve) => {
      end = () => resolve('worked')
    })
    const tool = recorded('job', (_args, { detach }) => (detach ? Promise.race([work, detach(work)]) : work), {
      sequential: true,
    })
    const runner = runnerOf([tool], { detachable: true })
    void runner.run('job', {}, { toolCallId: 'j1' })
    const second = runner.run('job', {}, { toolCallId: 'j2' })
    await flush()
    runner.detach('j1')
    await flush()
    expect([tool.attempts.length, statuses(runner)]).toEqual([1, ['background', 'queued']])
    end()
    expect((await second).output).toBe('worked')
  })

  it('lets the next call begin when one is aborted, though its tool ignores that', async () => {
    const { runner, began } = limited(undefined, { sequential: true })
    start(runner, 1, 2, 3)
    await flush()
    runner.abort('c2')
    runner.abort('c1')
    await flush()
    expect([began, statuses(runner)]).toEqual([
      [1, 3],
      ['cancelled', 'cancelled', 'running'],
    ])
  })

  it('is not let go by a queued call that is aborted: nobody overlaps the one that runs', async () => {
    const { runner, began, end, most } = limited(undefined, { sequential: true })
    start(runner, 1, 2, 3)
    await flush()
    runner.abort('c2')
    await flush()
    start(runner, 4)
    await flush()
    expect([began, statuses(runner)]).toEqual([[1], ['running', 'cancelled', 'queued', 'queued']])
    await end(1)
    expect(began).toEqual([1, 3])
    await end(3)
    await end(4)
    expect([began, most()]).toEqual([[1, 3, 4], 1])
    expect(statuses(runner)).toEqual(['done', 'cancelled', 'done', 'done'])
  })

  it('keeps its lane when its queued calls are aborted by their callers, one by one or all at once', async () => {
    for (const aborts of [[2], [3], [2, 3], [3, 2]]) {
      const { runner, began, end, most } = limited(undefined, { sequential: true })
      const controllers = new Map([2, 3].map((n) => [n, new AbortController()]))
      start(runner, 1)
      for (const [n, { signal }] of controllers) void runner.run('held', { n }, { signal })
      await flush()
      for (const n of aborts) controllers.get(n)?.abort()
      await flush()
      start(runner, 5)
      await flush()
      expect(began).toEqual([1])
      for (const n of [1, 2, 3, 5]) await end(n)
      expect([began, most()]).toEqual([[1, ...[2, 3].filter((n) => !aborts.includes(n)), 5], 1])
    }
  })

  it('lets others of the queue pass it within the limit', async () => {
    const { runner, began, end } = limited(2, { sequential: true })
    start(runner, 1, 2)
    expect((await runner.run('quick')).output).toBe('quick')
    expect(began).toEqual([1])
    await end(1)
    expect(began).toEqual([1, 2])
  })

  it('takes its turn with the other tools, whoever came first', async () => {
    const one = held({ name: 'one', sequential: true })
    const two = held({ name: 'two', sequential: true })
    const rest = held({ name: 'rest' })
    const runner = runnerOf([one.tool, two.tool, rest.tool], { concurrency: 1 })
    const names = ['one', 'rest', 'two', 'one', 'rest', 'two', 'rest', 'one']
    for (const [n, name] of names.entries()) void runner.run(name, { n })
    await flush()
    for (const n of names.keys()) {
      expect([...one.began, ...two.began, ...rest.began]).toHaveLength(n + 1)
      for (const { end } of [one, two, rest]) await end(n)
    }
    expect(statuses(runner)).toEqual(names.map(() => 'done'))
  })

  it('is one under the name a model was told, too', async () => {
    const calls = held({ name: 'my tool', sequential: true })
    const runner = runnerOf([calls.tool])
    void runner.run('my tool', { n: 1 })
    void runner.run('my_tool', { n: 2 })
    await flush()
    expect(calls.began).toEqual([1])
  })

  it('is one when a function gives it, and when its gate is somebody else’s', async () => {
    const calls = held({ sequential: true })
    const byFunction = runnerOf([])
    byFunction.register(() => calls.tool)
    start(byFunction, 1, 2)
    await flush()
    expect(calls.began).toEqual([1])
    const other = held({ sequential: true })
    const runner = runnerOf([gated(other.tool, { danger: 'low' })])
    start(runner, 1, 2)
    await flush()
    expect(other.began).toEqual([1])
  })

  it('that throws where it is looked at is an error result, not a rejection', async () => {
    const tool: AnyTool = {
      name: 't',
      get sequential(): boolean {
        throw new Error('looked at')
      },
      execute: () => 'ran',
    }
    const runner = runnerOf([tool])
    const result = await runner.run('t').catch((error) => `rejected: ${error.message}`)
    expect(result).toMatchObject({ isError: expect.any(Boolean) })
    expect(statuses(runner)).not.toContain('running')
  })
})

describe('a call that another one makes with its signal', () => {
  const outer = (inner: string, then: () => unknown = () => 'outer'): AnyTool => ({
    name: 'outer',
    async execute(args, { signal }): Promise<unknown> {
      const { output } = await runner.run(inner, args, { signal })
      return `${await then()} of ${output}`
    },
  })
  let runner: Runner

  it('does not wait for the one that waits for it', async () => {
    runner = runnerOf([outer('quick'), recorded('quick', () => 'quick')], { concurrency: 1 })
    const results = [runner.run('outer'), runner.run('outer')]
    expect((await Promise.all(results)).map(({ output }) => output)).toEqual(['outer of quick', 'outer of quick'])
  })

  it('may be nested and may ask', async () => {
    const deeper: AnyTool = {
      name: 'deeper',
      execute: async (_args, { signal }) => (await runner.run('asks', {}, { signal })).output,
    }
    runner = runnerOf([outer('deeper'), deeper, asking('asks')], { concurrency: 1 })
    const result = runner.run('outer')
    await flush()
    approveHead(runner)
    expect((await result).output).toBe('outer of done')
  })

  it('does not count against the limit, neither before nor after it was answered', async () => {
    const long = recorded('long', (_args, ctx) =>
      ctx.answer ? new Promise(() => {}) : pending({ kind: 'approval', prompt: '?' }),
    )
    runner = runnerOf([outer('long'), long, recorded('quick', () => 'quick')], { concurrency: 2 })
    void runner.run('outer')
    await flush()
    expect((await runner.run('quick')).output).toBe('quick')
    approveHead(runner)
    await flush()
    const settled = vi.fn()
    void runner.run('quick').then(settled)
    await flush()
    expect(settled).toHaveBeenCalled()
  })

  it('does not overlap with a call of the same sequential tool', async () => {
    const calls = held({ sequential: true })
    runner = runnerOf([calls.tool, outer('held')])
    start(runner, 1)
    await flush()
    const result = runner.run('outer', { n: 2 })
    await flush()
    expect(calls.began).toEqual([1])
    await calls.end(1)
    await calls.end(2)
    expect([(await result).output, calls.most()]).toEqual(['outer of 2', 1])
  })

  it('holds up a later call of the same sequential tool', async () => {
    const calls = held({ sequential: true })
    runner = runnerOf([calls.tool, outer('held')])
    void runner.run('outer', { n: 1 })
    await flush()
    start(runner, 2)
    await flush()
    expect([calls.began, calls.most()]).toEqual([[1], 1])
    await calls.end(1)
    expect(calls.began).toEqual([1, 2])
  })

  it('passes those that wait for the limit', async () => {
    const calls = held({ sequential: true })
    const long = recorded('long', () => new Promise(() => {}))
    let call = (): void => {}
    const called = new Promise<void>((resolve) => {
      call = resolve
    })
    const late: AnyTool = {
      name: 'late',
      execute: (_args, { signal }) => called.then(() => runner.run('held', { n: 2 }, { signal })),
    }
    runner = runnerOf([calls.tool, long, late], { concurrency: 2 })
    start(runner, 1)
    void runner.run('late')
    void runner.run('long')
    start(runner, 3)
    await flush()
    call()
    await flush()
    expect(calls.began).toEqual([1])
    // What comes free goes to the oldest; the one that needs none of it goes before the next.
    await calls.end(1)
    expect([calls.began, long.attempts.length]).toEqual([[1, 2], 1])
    await calls.end(2)
    expect(calls.began).toEqual([1, 2, 3])
  })

  it('hangs nobody when a sequential tool calls itself', async () => {
    const tool: AnyTool = {
      name: 'self',
      sequential: true,
      async execute({ n }, { signal }) {
        return n === 0 ? 'bottom' : (await runner.run('self', { n: Number(n) - 1 }, { signal })).output
      },
    }
    runner = runnerOf([tool], { concurrency: 1 })
    expect((await runner.run('self', { n: 3 })).output).toBe('bottom')
  })

  it('hangs nobody when two sequential tools call each other crosswise', async () => {
    const met = new Set<string>()
    const crossing = (name: string, other: string): AnyTool => ({
      name,
      sequential: true,
      async execute({ deep }, { signal }) {
        if (deep) return `deep ${name}`
        met.add(name)
        // Both run before either calls the other.
        while (met.size < 2) await null
        return (await runner.run(other, { deep: true }, { signal })).output
      },
    })
    runner = runnerOf([crossing('left', 'right'), crossing('right', 'left')])
    const settled = vi.fn()
    void runner
      .runAll([{ name: 'left' }, { name: 'right' }])
      .then((results) => settled(results.map(({ output }) => output)))
    await flush()
    await flush()
    expect(settled).toHaveBeenCalledWith(['deep right', 'deep left'])
  })

  it('hangs nobody when many sequential tools call each other in a circle, whoever waits for them besides', async () => {
    const names = ['a', 'b', 'c', 'd']
    const met = new Set<string>()
    const inCircle = (name: string, index: number): AnyTool => ({
      name,
      sequential: true,
      async execute({ deep }, { signal }) {
        if (deep) return `deep ${name}`
        met.add(name)
        while (met.size < names.length) await null
        const other = names[(index + 1) % names.length] ?? ''
        return (await runner.run(other, { deep: true }, { signal })).output
      },
    })
    runner = runnerOf(names.map(inCircle))
    const settled = vi.fn()
    const turn = [...names.map((name) => ({ name })), ...names.map((name) => ({ name, args: { deep: true } }))]
    void runner.runAll(turn).then((results) => settled(results.map(({ output }) => output)))
    for (let wait = 0; wait < 5; wait++) await flush()
    expect(settled).toHaveBeenCalledWith(['b', 'c', 'd', 'a', 'a', 'b', 'c', 'd'].map((name) => `deep ${name}`))
  })

  it('waits for a sequential tool again once there is no circle any more', async () => {
    const steps = new Map<string, () => void>()
    const step = (name: string) => new Promise<void>((resolve) => steps.set(name, resolve))
    const go = async (name: string): Promise<void> => {
      steps.get(name)?.()
      await flush()
    }
    const began: string[] = []
    const crossing = (name: string, other: string): AnyTool => ({
      name,
      sequential: true,
      async execute({ deep }, { signal }) {
        began.push(`${deep ? 'deep ' : ''}${name}`)
        if (deep) return 'deep'
        await step(`${name} calls`)
        await runner.run(other, { deep: true }, { signal, toolCallId: `of ${name}` })
        await step(`${name} ends`)
        return name
      },
    })
    runner = runnerOf([crossing('left', 'right'), crossing('right', 'left')])
    void runner.runAll([{ name: 'left' }, { name: 'right' }])
    await flush()
    await go('left calls')
    runner.abort('of left')
    await flush()
    await go('right calls')
    expect(began).toEqual(['left', 'right'])
    await go('left ends')
    expect(began).toEqual(['left', 'right', 'deep left'])
  })

  it('is aborted with it', async () => {
    const calls = held()
    runner = runnerOf([calls.tool, outer('held')], { concurrency: 1 })
    const result = runner.run('outer', { n: 1 }, { toolCallId: 'o' })
    await flush()
    runner.abort('o')
    expect(await result).toEqual(CANCELLED)
    await flush()
    expect(statuses(runner)).toEqual(['cancelled', 'cancelled'])
  })
})

describe('who comes next', () => {
  interface Case {
    concurrency?: number
    /** How many sequential tools are called in turn; with 0 the tool is not sequential. */
    tools?: number
    /** Called by one call, with its signal. */
    isInner?: boolean
    aborts?: number
  }

  /** How often anybody looks at whose call one is, or at the limit, while so many calls come and end one by one. */
  function looks(count: number, { concurrency, tools = 0, isInner = false, aborts = 0 }: Case): number {
    let looked = 0
    const turns = createTurns(createRuns(), createPublisher(), () => {
      looked++
      return concurrency
    })
    const call = (id: string, toolName: string, parent?: LiveRun): LiveRun => ({
      record: { id, toolCallId: id, toolName, args: {}, status: 'running', startedAt: 0, events: [] },
      controller: new AbortController(),
      tool: undefined,
      onEnd: [],
      open: 0,
      callers: 1,
      joinKey: undefined,
      events: [],
      promise: Promise.resolve({ output: '', isError: false }),
      get parent() {
        looked++
        return parent
      },
    })
    const outer = call('outer', 'outer')
    void turns.take(outer, false)
    const calls = Array.from({ length: count }, (_none, n) =>
      call(`c${n}`, `t${n % Math.max(1, tools)}`, isInner ? outer : undefined),
    )
    for (const run of calls) void turns.take(run, tools > 0)
    for (const { controller } of calls.slice(count - aborts)) controller.abort()
    for (const run of calls) turns.leave(run, true)
    return looked
  }

  it.each<[string, Case]>([
    ['a limit', { concurrency: 4 }],
    ['a sequential tool', { tools: 1 }],
    ['a sequential tool and a limit', { concurrency: 4, tools: 1 }],
    ['a few sequential tools and a limit', { concurrency: 2, tools: 5 }],
    ['a sequential tool that one call calls', { tools: 1, isInner: true }],
    ['a few sequential tools that one call calls', { concurrency: 4, tools: 5, isInner: true }],
    ['a limit, and are aborted', { concurrency: 4, aborts: 50 }],
  ])('costs the same however many wait for %s', (_what, given) => {
    // Four times as many calls: four times the looks, where a walk over those that wait would take sixteen or more.
    expect(looks(400, given)).toBeLessThan(looks(100, given) * 6)
  })
})

afterEach(() => void vi.useRealTimers())
