// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, type AnyTool, pending, pendingOf, runTool, type ToolEvent } from 'assent/core'
import {
  createMemoryStorage,
  createToolRunner,
  type Remember,
  type Runner,
  type RunnerStorage,
  type ToolRunnerOptions,
} from 'assent/runner'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import file from './cases/bug-reports.json'
import { approveHead, asking, countListeners, flush, no, recorded, refusedAs, row, yes } from './support/asking.js'
import { createBrowser, quiet } from './support/tabs.js'
import { BROWSER_BUGS, WAITING_BUGS } from './support/waiting.js'

interface BugReport {
  id: string
  source: string
  then: string
  input?: unknown
}

const reports = new Map((file as BugReport[]).map((report) => [report.id, report]))
const ran = new Set<string>()

/** One reported bug as a test, named by its id and what comes of it. */
const bug = (id: string, run: (report: BugReport) => Promise<void> | void) => {
  const report = reports.get(id)
  if (!report) throw new Error(`no bug report ${id}`)
  ran.add(id)
  it(`${id} (${report.source}): ${report.then}`, () => run(report))
}

const request = (id: string, rest: object = {}) => ({ id, kind: 'approval', prompt: `${id}?`, ...rest })
const CANCELLED = { output: 'cancelled', isError: true }

const runnerOf = (tools: AnyTool[] = [], options: ToolRunnerOptions = {}): Runner => {
  const runner = createToolRunner({ tools, ...options })
  runner.attach({}, 'dialog')
  return runner
}
const openKeys = (runner: Runner) => runner.getState().pending.map(({ key }) => key)

describe('double-exec', () => {
  bug('BUG-001', async () => {
    let executions = 0
    const make = (): AnyTool => ({ name: 't', execute: () => flush().then(() => ++executions) })
    let newest = make()
    const runner = runnerOf()
    runner.register(() => newest)
    const result = runner.run('t')
    for (let render = 0; render < 50; render++) {
      newest = make()
      await null
    }
    expect([await result, executions]).toEqual([{ output: '1', isError: false }, 1])
  })

  bug('BUG-004', async () => {
    const tool = asking('t')
    const runner = createToolRunner({ tools: [tool] })
    const unmount = runner.attach({}, 'dialog')
    const result = runner.run('t')
    await flush()
    approveHead(runner)
    await result
    unmount()
    runner.attach({}, 'dialog')
    await flush()
    expect([runner.count(), tool.attempts.length]).toEqual([0, 2])
  })

  bug('BUG-006', async () => {
    let sideEffects = 0
    const tool = recorded('t', (_args, ctx) => {
      if (!ctx.answer) return pending(request('r1'))
      sideEffects++
      throw new Error('after the fact')
    })
    const runner = runnerOf([tool])
    const result = runner.run('t')
    await flush()
    runner.answer('r1', yes('r1'))
    expect(await result).toEqual({ output: 'after the fact', isError: true })
    expect([runner.answer('r1', yes('r1')), runner.count(), sideEffects]).toEqual([false, 0, 1])
  })
})

describe('dup-answer', () => {
  bug('BUG-007', async () => {
    const tool = asking('t', { id: 'r1' })
    const runner = runnerOf([tool])
    const result = runner.run('t')
    await flush()
    expect([runner.answer('r1', yes('r1')), runner.answer('r1', yes('r1'))]).toEqual([true, false])
    expect([await result, tool.attempts.length]).toEqual([{ output: 'done', isError: false }, 2])
  })
})

describe('falsy-answer', () => {
  bug('BUG-015', async ({ input }) => {
    for (const data of input as Record<string, unknown>[]) {
      const tool = asking('t', { id: 'r1', kind: 'input' })
      const runner = runnerOf([tool])
      const result = runner.run('t')
      await flush()
      runner.answer('r1', { id: 'r1', ok: true, data })
      await result
      expect(tool.attempts[1]?.answer).toEqual({ id: 'r1', ok: true, data })
      expect(runner.count()).toBe(0)
    }
  })
})

describe('parallel', () => {
  const three = async () => {
    const tools = ['a', 'b', 'c'].map((name) => asking(name, { id: name }))
    const runner = runnerOf(tools)
    const results = Promise.all(tools.map(({ name }) => runner.run(name)))
    await flush()
    return { runner, results, attempts: () => tools.map((tool) => tool.attempts.length) }
  }

  bug('BUG-017', async () => {
    const { runner, attempts } = await three()
    runner.answer('b', yes('b'))
    await flush()
    expect([attempts(), openKeys(runner)]).toEqual([
      [1, 2, 1],
      ['a', 'c'],
    ])
  })

  bug('BUG-018', async () => {
    const { runner, results, attempts } = await three()
    for (const id of ['a', 'b', 'c']) runner.answer(id, yes(id))
    expect((await results).map(({ output }) => output)).toEqual(['done', 'done', 'done'])
    expect([attempts(), runner.count()]).toEqual([[2, 2, 2], 0])
  })

  bug('BUG-022', async () => {
    const slow = recorded('slow', () => flush().then(() => pending(request('first'))))
    const runner = runnerOf([slow, asking('fast', { id: 'second' })], { host: false })
    const turn = async () => (await Promise.all(['slow', 'fast'].map((name) => runner.run(name)))).map(pendingOf)
    expect((await turn()).map((asked) => asked?.id)).toEqual(['first', 'second'])
    // Resumed, both ask again: nothing is lost.
    expect((await turn()).map((asked) => asked?.id)).toEqual(['first', 'second'])
  })
})

describe('gate-bypass', () => {
  bug('BUG-024', async () => {
    let sideEffects = 0
    const order: string[] = []
    const tool: AnyTool = {
      name: 't',
      execute: (_args, ctx) => (ctx.answer ? ++sideEffects : pending(request('r1'))),
    }
    const onEvent = ({ type }: ToolEvent) => order.push(type)
    const waitFor = async (asked: { id: string }): Promise<Answer> => {
      order.push('waitFor')
      return no(asked.id)
    }
    await runTool(tool, {}, { waitFor, onEvent })
    expect(order.slice(0, 3)).toEqual(['tool_call', 'pending', 'waitFor'])
    expect(pendingOf(await runTool(tool, {}))).toBeDefined()

    const runner = runnerOf([tool], { onEvent })
    const result = runner.run('t')
    await flush()
    expect([sideEffects, runner.count()]).toEqual([0, 1])
    runner.answer('r1', yes('r1'))
    await result
    expect(sideEffects).toBe(1)

    // The runner's own question keeps the same order.
    order.length = 0
    const gated: AnyTool = { name: 'gated', needsApproval: true, execute: () => ++sideEffects }
    const gatekeeper = runnerOf([gated], { onEvent })
    gatekeeper.subscribe(() => gatekeeper.count() > 0 && order.push('shown'))
    const passed = gatekeeper.run('gated')
    await flush()
    expect([order.slice(0, 3), sideEffects]).toEqual([['tool_call', 'pending', 'shown'], 1])
    approveHead(gatekeeper)
    await passed
    expect(sideEffects).toBe(2)
    expect([await runTool(gated, {}), sideEffects]).toEqual([
      { output: 'declined/expired: Allow gated?', isError: true },
      2,
    ])
  })
})

describe('deny and reason', () => {
  const declined = async (answer = no('r1')) => {
    const tool = asking('t', { id: 'r1', prompt: 'Delete?' })
    const runner = runnerOf([tool, recorded('plain', () => 'fine')])
    const result = runner.run('t')
    await flush()
    runner.answer('r1', answer)
    return { runner, tool, result: await result }
  }

  bug('BUG-028', async () => {
    expect((await declined()).result).toEqual(refusedAs('Delete?'))
  })

  bug('BUG-029', async () => {
    const { runner } = await declined()
    expect([runner.count(), runner.getState().runs[0]?.status]).toEqual([0, 'failed'])
    expect((await runner.run('plain')).output).toBe('fine')
    expect(runner.count()).toBe(0)
  })

  bug('BUG-033', async () => {
    const runner = runnerOf()
    const answer = runner.waitFor(request('r1'))
    runner.answer('r1', no('r1', 'declined'))
    expect(await answer).toEqual({ id: 'r1', ok: false, reason: 'declined' })
    // The loop goes by ok alone.
    for (const reason of ['declined', 'cancelled', 'expired', undefined] as const) {
      expect((await declined(no('r1', reason))).result.output).toBe('declined/expired: Delete?')
    }
  })
})

describe('abort', () => {
  bug('BUG-036', async () => {
    const tool = asking('t')
    const runner = runnerOf([tool])
    const controller = new AbortController()
    const result = runner.run('t', {}, { signal: controller.signal })
    await flush()
    controller.abort()
    expect(runner.count()).toBe(0)
    expect([await result, tool.attempts.length]).toEqual([CANCELLED, 1])
  })

  bug('BUG-040', async () => {
    vi.useFakeTimers()
    const runner = runnerOf()
    const expiresAt = new Date(Date.now() + 1000).toISOString()
    const controller = new AbortController()
    const answers = Promise.all([
      runner.waitFor(request('a')),
      runner.waitFor(request('b')),
      runner.waitFor(request('c', { expiresAt })),
      runner.waitFor(request('d'), { signal: controller.signal }),
    ])
    runner.answer('a', no('a', 'declined'))
    runner.answer('b', no('b', 'cancelled'))
    vi.advanceTimersByTime(1000)
    controller.abort()
    expect(await answers).toEqual([no('a'), no('b', 'cancelled'), no('c', 'expired'), no('d', 'cancelled')])
    vi.useRealTimers()
  })

  bug('BUG-042', async () => {
    const runner = runnerOf()
    const answers = Promise.all(['a', 'b'].map((id) => runner.waitFor(request(id))))
    runner.abort()
    expect(await answers).toEqual([no('a', 'cancelled'), no('b', 'cancelled')])
    expect(runner.count()).toBe(0)
  })

  bug('BUG-060', async () => {
    const runner = runnerOf([asking('t')])
    const { signal } = new AbortController()
    const listeners = countListeners(signal)
    for (let call = 0; call < 20; call++) {
      const result = runner.run('t', {}, { signal })
      await flush()
      approveHead(runner)
      await result
      expect(listeners.live()).toBe(0)
    }
    expect(listeners.added()).toBe(20)
  })
})

describe('wrong-request', () => {
  bug('BUG-044', async () => {
    vi.useFakeTimers()
    const runner = runnerOf()
    const expiresAt = new Date(Date.now() + 1000).toISOString()
    void runner.waitFor(request('a', { expiresAt }))
    void runner.waitFor(request('b'))
    const painted = runner.head()
    vi.advanceTimersByTime(1000)
    expect(runner.answer(painted?.key ?? '', yes(painted?.request.id ?? ''))).toBe(false)
    expect(openKeys(runner)).toEqual(['b'])
    vi.useRealTimers()
  })

  bug('BUG-045', async () => {
    const tool = recorded('t', (_args, ctx, attempt) => (ctx.answer ? 'done' : pending(request(`r${attempt}`))))
    const runner = runnerOf([tool])
    const first = runner.run('t')
    await flush()
    runner.answer('r1', no('r1'))
    await first
    void runner.run('t')
    await flush()
    expect(runner.answer('r1', yes('r1'))).toBe(false)
    expect(openKeys(runner)).toEqual(['r2'])
  })
})

describe('stale-closure', () => {
  bug('BUG-052', async () => {
    let counter = 0
    const make = (seen: number): AnyTool => ({ name: 't', execute: () => `sees ${seen}` })
    const runner = runnerOf()
    runner.register(() => make(counter))
    counter = 5
    expect((await runner.run('t')).output).toBe('sees 5')
  })

  bug('BUG-056', async () => {
    const runner = runnerOf()
    const unregister = runner.register(asking('t', { id: 'r1' }))
    const result = runner.run('t')
    await flush()
    unregister()
    runner.answer('r1', yes('r1'))
    expect(await result).toEqual({ output: 'Unknown tool: t', isError: true })
  })
})

describe('expiry', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2025, 11, 31, 23, 59, 55) }))
  afterEach(() => void vi.useRealTimers())

  bug('BUG-061', async () => {
    const expiresAt = new Date(Date.now() + 3000).toISOString()
    const tool = asking('t', { prompt: 'P', expiresAt })
    const runner = runnerOf([tool])
    const result = runner.run('t')
    await vi.advanceTimersByTimeAsync(3000)
    expect(runner.count()).toBe(0)
    expect([await result, tool.attempts.length]).toEqual([refusedAs('P', 'expired'), 1])
  })

  bug('BUG-062', async () => {
    const tool = asking('t', { prompt: 'P', expiresAt: new Date(Date.now() - 1).toISOString() })
    const runner = runnerOf([tool])
    const shown = vi.fn()
    runner.subscribe(() => shown(runner.count()))
    expect(await runner.run('t')).toEqual(refusedAs('P', 'expired'))
    expect(shown).not.toHaveBeenCalledWith(1)
    expect(tool.attempts).toHaveLength(1)
  })

  bug('BUG-065', async ({ input }) => {
    const { no_expiry, same_instant } = input as { no_expiry: (string | null)[]; same_instant: string[] }
    const runner = runnerOf()
    for (const [index, expiresAt] of [undefined, ...no_expiry].entries()) {
      void runner.waitFor(request(`none-${index}`, { expiresAt }))
    }
    const answers = Promise.all(
      same_instant.map((expiresAt, index) => runner.waitFor(request(`${index}`, { expiresAt }))),
    )
    vi.advanceTimersByTime(4999)
    expect(runner.count()).toBe(no_expiry.length + 1 + same_instant.length)
    vi.advanceTimersByTime(1)
    expect((await answers).map(({ reason }) => reason)).toEqual(same_instant.map(() => 'expired'))
    vi.advanceTimersByTime(5000)
    expect(runner.count()).toBe(no_expiry.length + 1)
  })
})

describe('human-wait-timeout', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const work = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  bug('BUG-068', async () => {
    const tool = recorded('t', async (_args, ctx) => {
      await work(90)
      return ctx.answer ? 'done' : pending(request('r1'))
    })
    const runner = runnerOf([tool])
    const result = runner.run('t', {}, { timeout: 100 })
    await vi.advanceTimersByTimeAsync(60_090)
    runner.answer('r1', yes('r1'))
    await vi.advanceTimersByTimeAsync(90)
    expect(await result).toEqual({ output: 'done', isError: false })
  })

  bug('BUG-069', async () => {
    const runner: Runner = runnerOf([
      recorded('t', async (_args, { signal }) => {
        await Promise.all(['a', 'b'].map((id) => runner.waitFor(request(id), { signal })))
        await work(99)
        return 'done'
      }),
    ])
    const result = runner.run('t', {}, { timeout: 100 })
    await flush()
    runner.answer('a', yes('a'))
    await vi.advanceTimersByTimeAsync(60_000)
    runner.answer('b', yes('b'))
    await vi.advanceTimersByTimeAsync(99)
    expect(await result).toEqual({ output: 'done', isError: false })
  })
})

describe('progress', () => {
  bug('BUG-161', async () => {
    vi.useFakeTimers()
    const tool = recorded('t', async (_args, { emitCustomEvent }) => {
      for (let step = 1; step <= 10; step++) {
        await new Promise((resolve) => setTimeout(resolve, 500))
        emitCustomEvent('progress', { step, total: 10 })
      }
      return 'done'
    })
    const played = async (resetTimeoutOnProgress: boolean, onEvent?: (event: ToolEvent) => void) => {
      const options = { timeout: 1000, resetTimeoutOnProgress, onEvent }
      const results = [runnerOf([tool], options).run('t'), runTool(tool, {}, options)]
      await vi.advanceTimersByTimeAsync(5000)
      return (await Promise.all(results)).map(({ output }) => output)
    }
    expect(await played(true)).toEqual(['done', 'done'])
    expect(await played(true, () => {})).toEqual(['done', 'done'])
    // Not offered by itself: the budget is a ceiling.
    expect(await played(false)).toEqual(Array(2).fill('timed out after 1000 ms'))
    vi.useRealTimers()
  })
})

describe('args-binding', () => {
  bug('BUG-124', async () => {
    const tool = asking('t')
    const args = { path: '/data/a' }
    const runner = runnerOf([tool])
    const result = runner.run('t', args)
    await flush()
    args.path = '/data/b'
    expect(runner.head()?.args).toEqual({ path: '/data/a' })
    approveHead(runner)
    await result
    expect(tool.attempts[1]?.args).toEqual({ path: '/data/a' })
  })

  bug('BUG-125', async () => {
    const tool = recorded('t', (args, ctx) => {
      ;(args.items as string[]).push('x')
      delete args.path
      return ctx.answer ? 'done' : pending(request('r1'))
    })
    const runner = runnerOf([tool])
    const result = runner.run('t', { items: [], path: '/a' })
    await flush()
    approveHead(runner)
    await result
    expect(tool.attempts[1]?.args).toEqual({ items: [], path: '/a' })
  })

  bug('BUG-126', async () => {
    const tool = asking('t', { id: 'r1', kind: 'input' })
    const runner = runnerOf([tool])
    const result = runner.run('t', { amount: 100 })
    await flush()
    runner.answer('r1', yes('r1', { amount: 50 }))
    await result
    expect(tool.attempts[1]).toEqual({ args: { amount: 100 }, answer: yes('r1', { amount: 50 }) })
  })
})

describe('always-allow', () => {
  const OPTIONS: ToolRunnerOptions = { policy: { remember: true }, needsApproval: true }
  const remembering = (remember: Remember) => ({ remember })
  /** Whether the call is asked about; what is asked is answered with a yes. */
  const isAsked = async (runner: Runner, name: string, args?: object, remember?: Remember): Promise<boolean> => {
    const result = runner.run(name, args)
    await flush()
    const item = runner.head()
    if (item) runner.answer(item.key, yes(item.request.id), remember && remembering(remember))
    expect((await result).isError).toBe(false)
    return item !== undefined
  }
  const plain = (name: string) => recorded(name, () => 'ran')

  bug('BUG-130', async () => {
    const runner = runnerOf([plain('shell')], OPTIONS)
    expect(await isAsked(runner, 'shell', { cmd: 'ls' }, { for: 'args', until: 'session' })).toBe(true)
    expect(await isAsked(runner, 'shell', { cmd: 'ls' })).toBe(false)
    expect(await isAsked(runner, 'shell', { cmd: 'rm -rf /' })).toBe(true)
  })

  bug('BUG-131', async () => {
    const runner = runnerOf([plain('t')], OPTIONS)
    expect(await isAsked(runner, 't', {}, { for: 'args', until: 'session' })).toBe(true)
    expect(await isAsked(runner, 't', {})).toBe(false)
    expect(await isAsked(runner, 't', { x: 1 })).toBe(true)
    expect(await isAsked(runner, 't')).toBe(false)
  })

  // The labels are held against these scopes where they are shown.
  bug('BUG-133', async () => {
    for (const scope of ['args', 'tool'] as const) {
      for (const until of ['session', 'always'] as const) {
        const rows = new Map<string, string>()
        const storage = {
          getItem: (key: string) => rows.get(key) ?? null,
          setItem: (key: string, value: string) => void rows.set(key, value),
        }
        const open = () => runnerOf([plain('t'), plain('u')], { ...OPTIONS, policy: { remember: true, storage } })
        const runner = open()
        await isAsked(runner, 't', { a: 1 }, { for: scope, until })
        expect(await isAsked(runner, 't', { a: 1 })).toBe(false)
        expect(await isAsked(runner, 't', { a: 2 })).toBe(scope === 'args')
        expect(await isAsked(runner, 'u', { a: 1 })).toBe(true)
        const reloaded = open()
        expect(await isAsked(reloaded, 't', { a: 1 })).toBe(until === 'session')
        reloaded.revoke(reloaded.permissions()[0]?.id ?? '')
        expect(await isAsked(open(), 't', { a: 1 })).toBe(true)
      }
    }
  })

  bug('BUG-134', async () => {
    const tool = plain('t')
    const runner = runnerOf([tool], OPTIONS)
    const results = [{ a: 1 }, { a: 1 }, { a: 2 }].map((args) => runner.run('t', args))
    await flush()
    const [first] = runner.getState().pending
    runner.answer(first?.key ?? '', yes(first?.request.id ?? ''), remembering({ for: 'args', until: 'always' }))
    expect(runner.getState().pending.map(({ args }) => args)).toEqual([{ a: 2 }])
    expect((await Promise.all(results.slice(0, 2))).map(({ output }) => output)).toEqual(['ran', 'ran'])
    expect([tool.attempts.length, runner.count()]).toEqual([2, 1])
  })
})

describe('args-malformed', () => {
  bug('BUG-158', async () => {
    for (const args of ['foo', [1], 3, true, null, undefined, '']) {
      const tool = asking('t')
      const runner = runnerOf([tool])
      const result = runner.run('t', args)
      await flush()
      if (args === null || args === undefined) {
        expect(runner.head()?.args).toEqual({})
        approveHead(runner)
        expect((await result).isError).toBe(false)
      } else {
        expect((await result).output).toMatch(/^Invalid arguments for t: \/: expected object, got \w+$/)
        expect(tool.attempts).toHaveLength(0)
      }
    }
  })
})

describe('id-collision', () => {
  bug('BUG-167', async () => {
    vi.useFakeTimers({ now: 0 })
    const instance = async () => {
      vi.resetModules()
      const { pending: ask, pendingOf: read } = await import('assent/core')
      return read(ask({ kind: 'approval', prompt: 'P' }))
    }
    const [one, other] = [await instance(), await instance()]
    expect(one?.id).not.toBe(other?.id)
    const runner = runnerOf()
    const answers = Promise.all([one, other, one].map((asked) => asked && runner.waitFor(asked)))
    expect(runner.count()).toBe(3)
    for (const { key, request: asked } of runner.getState().pending) runner.answer(key, yes(asked.id))
    expect((await answers).map((answer) => answer?.ok)).toEqual([true, true, true])
    vi.useRealTimers()
  })

  bug('BUG-178', async () => {
    const tool = asking('t', { id: 'Bash_0' })
    const runner = runnerOf([tool])
    const first = runner.run('t')
    await flush()
    runner.answer('Bash_0', yes('Bash_0'))
    await first
    void runner.run('t')
    await flush()
    // A key of its own, so that a late answer to the first question does not meet the second (DESIGN 8.14).
    expect([runner.answer('Bash_0', yes('Bash_0')), openKeys(runner).length, tool.attempts.length]).toEqual([
      false,
      1,
      3,
    ])
  })
})

describe('secrets', () => {
  bug('BUG-186', async () => {
    const said: unknown[] = []
    for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, level).mockImplementation((...words) => said.push(words))
    }
    const events: ToolEvent[] = []
    const setItem = vi.fn()
    const runner = runnerOf([asking('t', { id: 'r1', kind: 'input' })], {
      onEvent: (event) => events.push(event),
      policy: { remember: true, storage: { getItem: () => null, setItem } },
      onDecision: (entry) => said.push(entry),
    })
    const result = runner.run('t')
    await flush()
    runner.answer('r1', { id: 'x', ok: true, data: { token: 'hunter2' } })
    runner.answer('r1', yes('r1', { token: 'hunter2' }), { remember: { for: 'tool', until: 'always' } })
    await result
    const left = [said, events, runner.getState(), runner.history(), runner.permissions(), setItem.mock.calls]
    expect(JSON.stringify(left)).not.toContain('hunter2')
  })
})

describe('not-an-error', () => {
  bug('BUG-189', async () => {
    const rows: string[] = []
    const runner = runnerOf([asking('t')], { onEvent: (event) => rows.push(row(event)) })
    const result = runner.run('t')
    await flush()
    expect([rows, runner.getState().runs[0]?.status]).toEqual([['tool_call', 'pending pending'], 'waiting'])
    approveHead(runner)
    await result
    expect(rows.slice(2)).toEqual(['answer', 'tool_result'])
  })
})

describe('ui-state', () => {
  bug('BUG-193', async () => {
    vi.useFakeTimers()
    const slow = recorded('slow', async (_args, ctx) => {
      if (!ctx.answer) return pending(request('r1'))
      await new Promise((resolve) => setTimeout(resolve, 5000))
      return 'done'
    })
    const runner = runnerOf([slow, asking('other', { id: 'r2' })])
    const first = runner.run('slow')
    await flush()
    runner.answer('r1', yes('r1'))
    const second = runner.run('other')
    await vi.advanceTimersByTimeAsync(1000)
    expect(runner.answer('r2', yes('r2'))).toBe(true)
    expect((await second).output).toBe('done')
    await vi.advanceTimersByTimeAsync(4000)
    expect((await first).output).toBe('done')
    vi.useRealTimers()
  })

  bug('BUG-194', async () => {
    vi.useFakeTimers()
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const runner = createToolRunner({ tools: [asking('t')] })
    void runner.run('t')
    await vi.advanceTimersByTimeAsync(0)
    expect(warn).toHaveBeenCalledOnce()
    expect([runner.count(), runner.getState().runs[0]?.status]).toEqual([1, 'waiting'])
    vi.useRealTimers()
  })
})

describe('persistence and several tabs', () => {
  afterEach(() => void vi.unstubAllGlobals())
  const keyOf = (runner: Runner) => runner.head()?.key ?? ''
  const idOf = (runner: Runner) => runner.head()?.request.id ?? ''

  bug('BUG-010', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    const asked = [
      request('b', { data: { schema: { type: 'object' }, own: [null, 0, { deep: '' }] } }),
      request('a', { kind: 'authorization', url: 'https://example.com/?x=1', expiresAt }),
    ]
    const browser = createBrowser()
    const one = await browser.open()
    for (const each of asked) void one.runner.waitFor(each)
    await quiet()
    one.crash()
    const two = await browser.open()
    expect(two.runner.getState().pending.map((item) => item.request)).toEqual(asked)
  })

  bug('BUG-012', async () => {
    const make = () => asking('t', {}, { needsApproval: true })
    const browser = createBrowser()
    const one = await browser.open({ tools: [make()], policy: { remember: true } })
    const result = one.runner.run('t')
    await quiet()
    one.runner.answer(keyOf(one.runner), yes(idOf(one.runner)), { remember: { for: 'tool', until: 'session' } })
    await quiet()
    approveHead(one.runner)
    await result
    await quiet()
    const decisions = one.runner.history().map(({ decision }) => decision)
    one.runner.attach({}, 'dialog')()
    expect([one.runner.count(), decisions]).toEqual([0, ['approved', 'approved']])
    one.crash()
    const tool = make()
    const two = await browser.open({ tools: [tool], policy: { remember: true } })
    expect([two.runner.count(), tool.attempts.length]).toEqual([0, 0])
    expect(two.runner.getState().runs.map(({ status }) => status)).toEqual(['done'])
  })

  bug('BUG-025', async () => {
    for (const guard of ['tool', 'runner'] as const) {
      const browser = createBrowser()
      const gates = guard === 'tool' ? { needsApproval: true } : {}
      const options = guard === 'runner' ? { needsApproval: true } : {}
      const one = await browser.open({ ...options, tools: [recorded('t', () => 'ran', gates)] })
      void one.runner.run('t')
      await quiet()
      one.crash()
      // Neither the tool nor the runner asks any more.
      const tool = recorded('t', () => 'ran')
      const two = await browser.open({ tools: [tool] })
      expect(two.runner.answer(keyOf(two.runner), no(idOf(two.runner)))).toBe(true)
      await quiet()
      expect(tool.attempts).toEqual([])
      expect(two.results).toEqual([{ output: 'declined/expired: Allow t?', status: 'failed' }])
    }
  })

  bug('BUG-164', async () => {
    for (const late of [false, true]) {
      const browser = createBrowser()
      const tool = asking('t')
      const one = await browser.open({ tools: [tool] })
      const two = await browser.open({ tools: [tool] })
      const result = one.runner.run('t')
      await quiet()
      const shown = two.runner.head()
      expect(shown?.request).toEqual(one.runner.head()?.request)
      approveHead(one.runner)
      if (late) await quiet()
      expect(two.runner.answer(shown?.key ?? '', yes(shown?.request.id ?? ''))).toBe(!late)
      expect(await result).toEqual({ output: 'done', isError: false })
      await quiet()
      expect([tool.attempts.length, one.runner.count(), two.runner.count(), two.results]).toEqual([2, 0, 0, []])
    }
  })

  bug('BUG-174', async () => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [asking('t')] })
    const { signal } = new AbortController()
    void one.runner.run('t', { a: 1 }, { signal, timeout: 60_000 })
    for (const id of ['no', 'abort']) void one.runner.waitFor(request(id), { signal })
    await quiet()
    const rows = await browser.rows()
    expect(JSON.parse(JSON.stringify(rows))).toEqual(rows)
    expect(JSON.stringify(rows)).not.toMatch(/resolve|signal|controller|promise/i)
    one.crash()
    const tool = asking('t')
    const two = await browser.open({ tools: [tool] })
    const { pending: open } = two.runner.getState()
    const [run, decline] = ['t?', 'no?'].map((prompt) => open.find((item) => item.request.prompt === prompt))
    expect(two.runner.answer(decline?.key ?? '', no('no'))).toBe(true)
    expect(two.runner.answer(run?.key ?? '', yes(run?.request.id ?? ''))).toBe(true)
    await quiet()
    two.runner.abort()
    await quiet()
    expect([tool.attempts.length, two.runner.count()]).toEqual([1, 0])
    expect(two.answers).toEqual([
      { id: 'no', ok: false },
      { id: 'abort', ok: false },
    ])
  })

  bug('BUG-176', async () => {
    const fails = (name: string) => (): Promise<never> => Promise.reject(new DOMException(name, name))
    const holding = (value: unknown): Partial<RunnerStorage> => ({ all: async () => [value] })
    const storages: Partial<RunnerStorage>[] = [
      ...[{ version: 99, id: 'x' }, '{', 'null', null, '[]', [], 'x'.repeat(6_000_000)].map(holding),
      { put: fails('QuotaExceededError') },
      { all: fails('SecurityError') },
      { all: fails('SecurityError'), put: fails('QuotaExceededError'), claim: fails('SecurityError') },
    ]
    for (const broken of storages) {
      const tool = asking('t')
      const storage = { ...createMemoryStorage(), ...broken }
      const runner = runnerOf([tool], { persist: { storage, onProblem() {} } })
      const result = runner.run('t')
      await quiet()
      expect(runner.count()).toBe(1)
      approveHead(runner)
      expect([await result, tool.attempts.length]).toEqual([{ output: 'done', isError: false }, 2])
      runner.dispose()
    }
  })
})

describe('the file of bug reports', () => {
  const here = import.meta.dirname
  const elsewhere = ['browser', 'components', 'react']
    .flatMap((folder) =>
      readdirSync(join(here, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(here, folder, name)),
    )
    .filter((path) => /\.test\.tsx?$/.test(path))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')

  it('is run here or in a browser, or each report says what it waits for', () => {
    const known = new Set([...ran, ...BROWSER_BUGS, ...Object.keys(WAITING_BUGS)])
    expect([...reports.keys()].filter((id) => !known.has(id))).toEqual([])
    expect([...known].filter((id) => !reports.has(id))).toEqual([])
  })

  it('has a test that names it for every report that needs a browser', () => {
    expect(BROWSER_BUGS.filter((id) => !elsewhere.includes(id))).toEqual([])
  })
})
