// @vitest-environment node
import {
  type AnyTool,
  defineTool,
  pending,
  pendingOf,
  type RunContext,
  type ToolEvent,
  type ToolResult,
} from 'assent/core'
import type { Runner, RunRecord, ToolRunnerOptions } from 'assent/runner'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { approveHead, asking, countListeners, flush, no, recorded, thenable, yes } from '../support/asking.js'
import { runnerOf } from '../support/consent.js'

const NOTE = { output: 'Moved to the background: job. Its result will follow.', isError: false }
const CANCELLED = { output: 'cancelled', isError: true }
const never = (): Promise<never> => new Promise(() => {})

let rejections: unknown[] = []
const onRejection = (reason: unknown): void => void rejections.push(reason)
beforeEach(() => {
  rejections = []
  process.on('unhandledRejection', onRejection)
})
afterEach(async () => {
  vi.useRealTimers()
  // A rejection nobody handles is told a macrotask later.
  await new Promise((resolve) => setTimeout(resolve))
  process.off('unhandledRejection', onRejection)
  expect(rejections).toEqual([])
})

/** The work of a call: ended from outside. */
function workOf() {
  let end = (_value: unknown): void => {}
  let fail = (_error: unknown): void => {}
  const promise = new Promise<unknown>((resolve, reject) => {
    end = resolve
    fail = reject
  })
  return { promise, end, fail }
}

/** As its document writes it: the work and the note race. */
const race = (work: Promise<unknown>, { detach }: RunContext): Promise<unknown> =>
  detach ? Promise.race([work, detach(work)]) : work

interface Setup {
  runner: Runner
  work: ReturnType<typeof workOf>
  result: Promise<ToolResult>
  /** What each attempt was given. */
  seen: RunContext[]
  delivered: [ToolResult, RunRecord][]
  events: ToolEvent[]
  record: () => RunRecord | undefined
}

/** A call of `job` that runs and can be moved. */
async function running(
  execute: (ctx: RunContext, work: Promise<unknown>, runner: Runner) => unknown = (ctx, work) => race(work, ctx),
  { options, ...runOptions }: Parameters<Runner['run']>[2] & { options?: ToolRunnerOptions } = {},
): Promise<Setup> {
  const work = workOf()
  const seen: RunContext[] = []
  const delivered: Setup['delivered'] = []
  const events: ToolEvent[] = []
  let id = ''
  const tool: AnyTool = {
    name: 'job',
    execute(_args, ctx) {
      seen.push(ctx)
      return execute(ctx, work.promise, runner)
    },
  }
  const runner: Runner = runnerOf([tool], {
    detachable: true,
    onResult: (given, run) => delivered.push([given, run]),
    onEvent: (event) => events.push(event),
    ...options,
  })
  const onStart = (run: RunRecord) => {
    id = run.id
  }
  const result = runner.run('job', {}, { toolCallId: 'c', onStart, ...runOptions })
  await flush()
  return { runner, work, result, seen, delivered, events, record: () => runner.getRun(id) }
}

describe('ctx.detach', () => {
  const seenBy = async (options: ToolRunnerOptions, attach?: (runner: Runner) => unknown) => {
    const seen: boolean[] = []
    const runner = runnerOf([{ name: 't', execute: (_args, ctx) => seen.push('detach' in ctx) }], options)
    attach?.(runner)
    await runner.run('t')
    return seen
  }

  it('is absent unless the person can move a call', async () => {
    expect(await seenBy({})).toEqual([false])
    expect(await seenBy({ detachable: false })).toEqual([false])
    expect(await seenBy({}, (runner) => runner.attach({}, 'list'))).toEqual([false])
  })

  it('is present where a tray is mounted, and where the runner says so', async () => {
    expect(await seenBy({ detachable: true })).toEqual([true])
    expect(await seenBy({}, (runner) => runner.attach({}, 'tray'))).toEqual([true])
  })

  it('comes and goes with the tray, attempt by attempt', async () => {
    const seen: boolean[] = []
    const tool: AnyTool = {
      name: 't',
      execute(_args, ctx) {
        seen.push('detach' in ctx)
        return ctx.answer ? 'done' : pending({ kind: 'approval', prompt: '?' })
      },
    }
    const runner = runnerOf([tool])
    const first = runner.run('t')
    await flush()
    const unmount = runner.attach({}, 'tray')
    approveHead(runner)
    await first
    unmount()
    const second = runner.run('t')
    await flush()
    approveHead(runner)
    await second
    expect(seen).toEqual([false, true, false, false])
  })

  it('reaches a tool made by defineTool', async () => {
    const work = workOf()
    const tool = defineTool({ name: 'job', description: '', execute: (_args, ctx) => race(work.promise, ctx) })
    const onResult = vi.fn()
    const runner = runnerOf([tool], { detachable: true, onResult })
    const result = runner.run('job', {}, { toolCallId: 'c' })
    await flush()
    expect(runner.detach('c')).toBe(true)
    expect(await result).toEqual(NOTE)
    work.end({ a: 1 })
    await flush()
    expect(onResult).toHaveBeenCalledExactlyOnceWith({ output: '{"a":1}', isError: false }, expect.anything())
  })
})

describe('runner.detach says false', () => {
  it('for an id it does not know', async () => {
    const { runner, record } = await running()
    expect([runner.detach('nobody'), runner.detach('')]).toEqual([false, false])
    expect(record()).toMatchObject({ status: 'running', isDetachable: true })
  })

  it('for a call that does not offer it', async () => {
    const { runner, record, result, work } = await running((_ctx, promise) => promise)
    expect([runner.detach('c'), record()?.isDetachable, record()?.status]).toEqual([false, undefined, 'running'])
    work.end('here')
    expect((await result).output).toBe('here')
  })

  it('before the call begins', async () => {
    const runner = runnerOf([{ name: 'job', execute: (_args, ctx) => race(never(), ctx) }], { detachable: true })
    void runner.run('job', {}, { toolCallId: 'c' })
    expect(runner.detach('c')).toBe(false)
    await flush()
    expect(runner.detach('c')).toBe(true)
  })

  it('the second time', async () => {
    const { runner, record, work } = await running()
    expect([runner.detach('c'), runner.detach('c')]).toEqual([true, false])
    await flush()
    expect([runner.detach('c'), record()?.status]).toEqual([false, 'background'])
    work.end('x')
    await flush()
    expect(runner.detach('c')).toBe(false)
  })

  it('for a call that has settled', async () => {
    const { runner, work, result, record, delivered } = await running()
    work.end('here')
    expect((await result).output).toBe('here')
    expect([runner.detach('c'), runner.detach(record()?.id ?? '')]).toEqual([false, false])
    expect(record()).toMatchObject({ status: 'done' })
    expect([record()?.isDetachable, record()?.isDetached, delivered]).toEqual([undefined, undefined, []])
  })

  it.each<[string, (runner: Runner, controller: AbortController) => void]>([
    ['its caller', (_runner, controller) => controller.abort()],
    ['the runner', (runner) => runner.abort('c')],
    ['all being aborted', (runner) => runner.abort()],
    ['the end of the runner', (runner) => runner.dispose()],
  ])('for a call that was aborted by %s, also in the same tick', async (_what, abort) => {
    const controller = new AbortController()
    const { runner, result, record, delivered } = await running(undefined, { signal: controller.signal })
    abort(runner, controller)
    expect(runner.detach('c')).toBe(false)
    expect(await result).toEqual(CANCELLED)
    expect([runner.detach('c'), record()?.status, record()?.isDetached, delivered]).toEqual([
      false,
      'cancelled',
      undefined,
      [],
    ])
  })

  it('while the person is asked, and once the attempt that offered it is over', async () => {
    const { runner, result, record } = await running((ctx, work) => {
      if (ctx.answer) return 'done'
      void ctx.detach?.(work)
      return pending({ kind: 'approval', prompt: '?' })
    })
    expect([runner.count(), runner.detach('c'), record()?.isDetachable]).toEqual([1, false, undefined])
    approveHead(runner)
    expect((await result).output).toBe('done')
  })

  it('when a tool calls the detach it kept after its end', async () => {
    const { runner, seen, work, result, record } = await running()
    work.end('here')
    await result
    void seen[0]?.detach?.(never())
    await flush()
    expect([runner.detach('c'), record()?.isDetachable]).toEqual([false, undefined])
  })
})

describe('a call that is moved', () => {
  it('says that it can be in its record, and the views are told', async () => {
    vi.useFakeTimers()
    const heard = vi.fn()
    const { runner, record } = await running(async (ctx, work) => {
      await new Promise((resolve) => setTimeout(resolve, 10))
      return race(work, ctx)
    })
    runner.subscribe(() => heard(record()?.isDetachable))
    expect(record()?.isDetachable).toBeUndefined()
    await vi.runAllTimersAsync()
    expect(record()).toMatchObject({ status: 'running', isDetachable: true })
    expect(heard).toHaveBeenLastCalledWith(true)
  })

  it('gives its caller the note, and is in the background', async () => {
    const { runner, result, record, delivered } = await running()
    const heard = vi.fn()
    runner.subscribe(() => heard(record()?.status))
    expect(runner.detach(record()?.id ?? '')).toBe(true)
    expect(heard).toHaveBeenLastCalledWith('background')
    expect(await result).toEqual(NOTE)
    expect(record()).toMatchObject({ status: 'background', isDetached: true })
    expect([record()?.isDetachable, record()?.result, record()?.endedAt, delivered]).toEqual([
      undefined,
      undefined,
      undefined,
      [],
    ])
  })

  it.each<[string, unknown, ToolResult, RunRecord['status']]>([
    ['a text', 'worked', { output: 'worked', isError: false }, 'done'],
    ['nothing', undefined, { output: '', isError: false }, 'done'],
    ['other data', { rows: [1] }, { output: '{"rows":[1]}', isError: false }, 'done'],
    [
      'a result',
      { output: 'x', isError: false, metadata: { a: 1 } },
      { output: 'x', isError: false, metadata: { a: 1 } },
      'done',
    ],
    ['an error result', { output: 'no', isError: true }, { output: 'no', isError: true }, 'failed'],
    ['what cannot be said', 1n, { output: expect.stringContaining('cannot be used'), isError: true }, 'failed'],
  ])('delivers %s once, as any result, and keeps it in its record', async (_what, value, expected, status) => {
    const { runner, result, work, record, delivered } = await running()
    runner.detach('c')
    await result
    work.end(value)
    await flush()
    expect(delivered).toEqual([[expected, record()]])
    expect(record()).toMatchObject({ status, result: expected, isDetached: true, endedAt: expect.any(Number) })
    runner.abort()
    runner.dispose()
    await flush()
    expect(delivered).toHaveLength(1)
  })

  it('delivers what its work throws as an error', async () => {
    const { runner, work, record, delivered, result } = await running()
    runner.detach('c')
    await flush()
    work.fail(new Error('boom'))
    await flush()
    expect(delivered).toEqual([[{ output: 'boom', isError: true }, record()]])
    expect([record()?.status, await result]).toEqual(['failed', NOTE])
  })

  it('has done with the note before its work ends, for a tool that makes something of it', async () => {
    const { runner, result, work, delivered } = await running(async (ctx, promise) => {
      const said = await race(promise, ctx)
      return { said }
    })
    runner.detach('c')
    expect(await result).toEqual(NOTE)
    work.end('worked')
    await flush()
    // The work is what was handed over; what the tool makes of the note is nobody's.
    expect(delivered.map(([{ output }]) => output)).toEqual(['worked'])
  })

  it('tells the views when it ends', async () => {
    const { runner, work, record } = await running()
    runner.detach('c')
    const heard = vi.fn()
    runner.subscribe(() => heard(record()?.status))
    work.end('worked')
    await flush()
    expect(heard).toHaveBeenLastCalledWith('done')
  })

  it('survives an onResult that throws, and one that calls the runner', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const again = vi.fn()
    const { runner, work, record } = await running(undefined, {
      options: {
        onResult() {
          void runner.run('job', {}, { toolCallId: 'c' }).then(again)
          throw new Error('from the app')
        },
      },
    })
    runner.detach('c')
    work.end('worked')
    await flush()
    expect([record()?.status, again.mock.calls]).toEqual(['done', [[{ output: 'worked', isError: false }]]])
    expect(error).toHaveBeenCalledWith('assent: onResult threw.', expect.any(Error))
  })

  it('needs nobody who listens', async () => {
    const { runner, work, result, record } = await running(undefined, {
      options: { onResult: undefined, onEvent: undefined },
    })
    runner.detach('c')
    work.end('worked')
    expect(await result).toEqual(NOTE)
    await flush()
    expect(record()).toMatchObject({ status: 'done', result: { output: 'worked' } })
  })
})

describe('the events of a moved call', () => {
  it('say that it was moved, go on until it ends, and stop then (K25)', async () => {
    vi.useFakeTimers()
    const { runner, work, events, seen, record } = await running()
    seen[0]?.emitCustomEvent('progress', { step: 1, total: 3 })
    runner.detach('c')
    await flush()
    seen[0]?.emitCustomEvent('progress', { step: 2, total: 3 })
    seen[0]?.emitCustomEvent('progress', { step: 3, total: 3 }, { batch: true })
    work.end('worked')
    await flush()
    seen[0]?.emitCustomEvent('progress', { step: 4 })
    seen[0]?.emitCustomEvent('progress', { step: 5 }, { batch: true })
    await vi.runAllTimersAsync()
    expect(events.map((event) => (event.type === 'custom' ? event.value.step : event.type))).toEqual([
      'tool_call',
      1,
      'detached',
      'tool_result',
      2,
      3,
    ])
    expect(new Set(events.map(({ runId, toolCallId }) => `${runId} ${toolCallId}`)).size).toBe(1)
    expect(events[3]).toMatchObject({ result: NOTE, isError: false, pending: false })
    expect(record()?.progress).toEqual({ step: 3, total: 3 })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('are heard by who calls the runner right then', async () => {
    for (const react of [
      (runner: Runner) => runner.detach('c'),
      (runner: Runner) => runner.getState(),
      (runner: Runner) => runner.getRun('c'),
    ]) {
      const setup: Setup = await running(undefined, {
        options: { onEvent: ({ type }) => void (type === 'detached' && react(setup.runner)) },
      })
      expect(setup.runner.detach('c')).toBe(true)
      expect(setup.record()).toMatchObject({ status: 'background', isDetached: true })
      setup.work.end('worked')
      expect(await setup.result).toEqual(NOTE)
      await flush()
      expect(setup.delivered).toHaveLength(1)
    }
  })

  it('are heard by who aborts the call right then', async () => {
    const setup: Setup = await running(undefined, {
      options: { onEvent: ({ type }) => void (type === 'detached' && setup.runner.abort('c')) },
    })
    expect(setup.runner.detach('c')).toBe(true)
    expect(await setup.result).toEqual(NOTE)
    await flush()
    expect(setup.delivered).toEqual([[CANCELLED, setup.record()]])
    expect(setup.record()?.status).toBe('cancelled')
  })
})

describe('after the move', () => {
  it('the timeout no longer applies, neither to the work nor to an attempt after it', async () => {
    vi.useFakeTimers()
    const { runner, result, work, seen, delivered } = await running(
      (ctx, promise) => (ctx.answer ? new Promise((resolve) => setTimeout(resolve, 5000, 'late')) : race(promise, ctx)),
      { timeout: 100 },
    )
    await vi.advanceTimersByTimeAsync(99)
    expect(runner.detach('c')).toBe(true)
    await vi.advanceTimersByTimeAsync(10_000)
    expect([await result, seen[0]?.signal.aborted]).toEqual([NOTE, false])
    work.end(pending({ kind: 'approval', prompt: '?' }))
    await flush()
    approveHead(runner)
    await vi.advanceTimersByTimeAsync(5000)
    expect(delivered.map(([{ output }]) => output)).toEqual(['late'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('a progress event starts no clock', async () => {
    vi.useFakeTimers()
    const { runner, seen, work, delivered } = await running(undefined, { timeout: 100, resetTimeoutOnProgress: true })
    runner.detach('c')
    seen[0]?.emitCustomEvent('progress', { step: 1 })
    await vi.advanceTimersByTimeAsync(1000)
    work.end('worked')
    await flush()
    expect(delivered.map(([{ output }]) => output)).toEqual(['worked'])
  })

  it('the caller’s signal no longer applies, and no listener is left on it (K37)', async () => {
    const controller = new AbortController()
    const listeners = countListeners(controller.signal)
    const { runner, result, seen, work, delivered } = await running(undefined, { signal: controller.signal })
    runner.detach('c')
    expect(await result).toEqual(NOTE)
    expect(listeners.live()).toBe(0)
    controller.abort()
    await flush()
    expect(seen[0]?.signal.aborted).toBe(false)
    work.end('worked')
    await flush()
    expect(delivered.map(([{ output }]) => output)).toEqual(['worked'])
  })

  it('it does not apply in the very same tick either: the caller is given the note', async () => {
    const controller = new AbortController()
    const { runner, result, seen, work, delivered } = await running(undefined, { signal: controller.signal })
    expect(runner.detach('c')).toBe(true)
    controller.abort()
    expect(await result).toEqual(NOTE)
    expect(seen[0]?.signal.aborted).toBe(false)
    work.end('worked')
    await flush()
    expect(delivered.map(([{ output }]) => output)).toEqual(['worked'])
  })

  it.each<[string, (runner: Runner, id: string) => void, string]>([
    ['runner.abort of its run id', (runner, id) => runner.abort(id), 'cancelled'],
    ['runner.abort of its toolCallId', (runner) => runner.abort('c'), 'cancelled'],
    ['runner.abort of all', (runner) => runner.abort(), 'cancelled'],
    ['dispose', (runner) => runner.dispose(), 'disposed'],
  ])('%s ends it as cancelled, delivered once, though its tool ignores the signal', async (_what, abort, reason) => {
    const { runner, result, seen, work, delivered, record } = await running()
    runner.detach('c')
    await result
    abort(runner, record()?.id ?? '')
    expect(seen[0]?.signal.reason).toMatchObject({ name: 'AbortError', message: reason })
    await flush()
    expect(delivered).toEqual([[CANCELLED, record()]])
    expect(record()).toMatchObject({ status: 'cancelled', result: CANCELLED, isDetached: true })
    work.end('too late')
    await flush()
    expect([delivered.length, record()?.status]).toEqual([1, 'cancelled'])
  })

  it('an abort in the same tick ends it as cancelled, too', async () => {
    const { runner, result, delivered, record } = await running()
    runner.detach('c')
    runner.abort('c')
    expect(await result).toEqual(NOTE)
    await flush()
    expect([delivered, record()?.status]).toEqual([[[CANCELLED, record()]], 'cancelled'])
  })
})

describe('work that ends around the press', () => {
  const OFFSETS = Array.from({ length: 30 }, (_none, turns) => turns)
  const later = async (turns: number, step: () => unknown) => {
    for (let turn = 0; turn < turns; turn++) await null
    return step()
  }

  it.each<[string, (work: Setup['work']) => void, ToolResult]>([
    ['with a value', ({ end }) => end('worked'), { output: 'worked', isError: false }],
    ['with a throw', ({ fail }) => fail(new Error('boom')), { output: 'boom', isError: true }],
  ])('%s is given to the caller or delivered, never both, never neither', async (_what, finish, value) => {
    for (const first of ['work', 'press'] as const) {
      for (const turns of OFFSETS) {
        const { runner, work, result, delivered, record } = await running()
        let pressed = false
        const press = () => {
          pressed = runner.detach('c')
        }
        if (first === 'work') finish(work)
        else press()
        await later(turns, first === 'work' ? press : () => finish(work))
        const given = await result
        await flush()
        expect([given, delivered.map(([one]) => one)]).toEqual(pressed ? [NOTE, [value]] : [value, []])
        expect([record()?.status, record()?.isDetached]).toEqual([
          value.isError ? 'failed' : 'done',
          pressed || undefined,
        ])
        expect(record()?.result).toEqual(value)
      }
    }
  })

  it('and an abort around the press ends the call once, too', async () => {
    for (const first of ['abort', 'press'] as const) {
      for (const turns of OFFSETS) {
        const { runner, result, delivered, record } = await running()
        let pressed = false
        const press = () => {
          pressed = runner.detach('c')
        }
        const abort = () => runner.abort('c')
        if (first === 'abort') abort()
        else press()
        await later(turns, first === 'abort' ? press : abort)
        const given = await result
        await flush()
        expect([given, delivered.map(([one]) => one)]).toEqual(pressed ? [NOTE, [CANCELLED]] : [CANCELLED, []])
        expect(record()?.status).toBe('cancelled')
      }
    }
  })

  it('and a timeout around the press ends the call once, too', async () => {
    vi.useFakeTimers()
    for (const ms of [98, 99, 100, 101]) {
      const { runner, result, work, delivered } = await running(undefined, { timeout: 100 })
      await vi.advanceTimersByTimeAsync(ms)
      const pressed = runner.detach('c')
      await vi.advanceTimersByTimeAsync(1000)
      work.end('worked')
      await flush()
      expect(pressed).toBe(ms < 100)
      expect((await result).output).toBe(pressed ? NOTE.output : 'timed out after 100 ms')
      expect(delivered.map(([{ output }]) => output)).toEqual(pressed ? ['worked'] : [])
    }
  })
})

describe('a question of a moved call', () => {
  const asksLater = (ctx: RunContext, work: Promise<unknown>): unknown => {
    const { answer } = ctx
    return answer ? `env ${answer.data?.env}, detach ${'detach' in ctx}` : race(work, ctx)
  }
  const question = pending({ id: 'q', kind: 'input', prompt: 'Which?' })

  it('that its work returns is asked, and it runs once more in the background (K1)', async () => {
    const { runner, result, work, record, delivered, seen, events } = await running(asksLater)
    runner.detach('c')
    await result
    work.end(question)
    await flush()
    expect([runner.count(), record()?.status, delivered]).toEqual([1, 'waiting', []])
    expect(runner.head()).toMatchObject({ key: 'q', runId: record()?.id, toolName: 'job' })
    runner.answer('q', yes('q', { env: 'staging' }))
    await flush()
    expect(delivered.map(([{ output }]) => output)).toEqual(['env staging, detach false'])
    expect([seen.length, record()?.status, runner.detach('c')]).toEqual([2, 'done', false])
    expect(seen[1]).toMatchObject({ inputResponse: { status: 'resolved', payload: { env: 'staging' } } })
    expect(events.map(({ type }) => type)).toEqual(['tool_call', 'detached', 'tool_result', 'pending', 'answer'])
  })

  it('that its work returns again ends it as unresolved', async () => {
    const { runner, work, delivered, seen } = await running((ctx, promise) =>
      ctx.answer ? question : race(promise, ctx),
    )
    runner.detach('c')
    work.end(question)
    await flush()
    runner.answer('q', yes('q'))
    await flush()
    expect([delivered.map(([{ output }]) => output), seen.length]).toEqual([['unresolved: Which?'], 2])
  })

  it.each<[string, (runner: Runner) => unknown, string, RunRecord['status']]>([
    ['declined', (runner) => runner.answer('q', no('q')), 'declined/expired: Which?', 'failed'],
    ['aborted', (runner) => runner.abort('c'), 'cancelled', 'cancelled'],
    ['disposed of', (runner) => runner.dispose(), 'cancelled', 'cancelled'],
  ])('that is %s runs nothing, and the end is delivered once', async (_what, end, output, status) => {
    const { runner, work, record, delivered, seen } = await running(asksLater)
    runner.detach('c')
    work.end(question)
    await flush()
    end(runner)
    await flush()
    expect([delivered.map(([one]) => one.output), seen.length, record()?.status, runner.count()]).toEqual([
      [output],
      1,
      status,
      0,
    ])
  })

  it('is the result where nobody is asked', async () => {
    const { runner, work, delivered, record } = await running(asksLater, { options: { host: false } })
    runner.detach('c')
    work.end(question)
    // Kept first, so that somebody can go on with it.
    await expect.poll(() => [delivered.map(([one]) => one), record()?.status]).toEqual([[question], 'done'])
    const request = pendingOf(delivered[0]?.[0])
    expect(request).toBeDefined()
    if (request) expect(await runner.resume(request, yes(request.id))).toMatchObject({ isError: false })
  })

  const askInside = (ctx: RunContext, promise: Promise<unknown>, runner: Runner): unknown => {
    const ask = (id: string) => runner.waitFor({ id, kind: 'approval', prompt: `${id}?` }, { signal: ctx.signal })
    const work = async () => {
      const before = await ask('before')
      await promise
      return [before.ok, (await ask('after')).ok]
    }
    return race(work(), ctx)
  }

  it('that its work asks inside is its own, before and after the move', async () => {
    vi.useFakeTimers()
    const { runner, work, result, record, delivered, seen } = await running(askInside, { timeout: 100 })
    expect([record()?.status, record()?.isDetachable]).toEqual(['waiting', true])
    expect(runner.detach('c')).toBe(true)
    expect(await result).toEqual(NOTE)
    expect(record()).toMatchObject({ status: 'waiting', isDetached: true })
    runner.answer('before', yes('before'))
    await flush()
    expect(record()?.status).toBe('background')
    await vi.advanceTimersByTimeAsync(60_000)
    work.end('')
    await flush()
    expect([runner.head()?.runId, record()?.status]).toEqual([record()?.id, 'waiting'])
    runner.answer('after', no('after'))
    await flush()
    expect([delivered.map(([{ output }]) => output), seen.length]).toEqual([['[true,false]'], 1])
  })

  it('that its work asks inside is cancelled with it', async () => {
    const { runner, record, delivered } = await running(askInside)
    runner.detach('c')
    runner.abort('c')
    await flush()
    expect([runner.count(), record()?.status, delivered.length]).toEqual([0, 'cancelled', 1])
  })

  it('that its gate asked before is not asked again', async () => {
    const work = workOf()
    const approvals: unknown[] = []
    const onResult = vi.fn()
    const tool: AnyTool = {
      name: 'job',
      needsApproval: true,
      execute(_args, ctx) {
        approvals.push(ctx.approval?.ok)
        return race(work.promise, ctx)
      },
    }
    const runner = runnerOf([tool], { detachable: true, onResult })
    const result = runner.run('job', {}, { toolCallId: 'c' })
    await flush()
    expect(runner.detach('c')).toBe(false)
    approveHead(runner)
    await flush()
    expect(runner.detach('c')).toBe(true)
    expect(await result).toEqual(NOTE)
    work.end('worked')
    await flush()
    expect([approvals, onResult.mock.calls.length, runner.count()]).toEqual([[true], 1, 0])
  })

  it('that was asked before leaves the second attempt to be moved', async () => {
    const { runner, result, work, delivered } = await running((ctx, promise) =>
      ctx.answer ? race(promise, ctx) : question,
    )
    expect(runner.detach('c')).toBe(false)
    runner.answer('q', yes('q'))
    await flush()
    expect(runner.detach('c')).toBe(true)
    expect(await result).toEqual(NOTE)
    work.end('worked')
    await flush()
    expect(delivered.map(([{ output }]) => output)).toEqual(['worked'])
  })
})

describe('a tool with ways of its own', () => {
  it('that ignores the note and goes on is in the background all the same', async () => {
    const { runner, result, work, delivered } = await running((ctx, promise) => {
      void ctx.detach?.(promise)
      return promise
    })
    expect(runner.detach('c')).toBe(true)
    expect(await result).toEqual(NOTE)
    work.end('worked')
    await flush()
    expect(delivered.map(([{ output }]) => output)).toEqual(['worked'])
  })

  it('that never returns does not hold its work back', async () => {
    const { runner, result, work, delivered } = await running((ctx, promise) => {
      void ctx.detach?.(promise)
      return never()
    })
    runner.detach('c')
    expect(await result).toEqual(NOTE)
    work.end('worked')
    await flush()
    expect(delivered.map(([{ output }]) => output)).toEqual(['worked'])
  })

  it('that throws once it has the note does not harm its work', async () => {
    const { runner, result, work, delivered } = await running(async (ctx, promise) => {
      await race(promise, ctx)
      throw new Error('after the note')
    })
    runner.detach('c')
    expect(await result).toEqual(NOTE)
    await flush()
    work.end('worked')
    await flush()
    expect(delivered.map(([{ output }]) => output)).toEqual(['worked'])
  })

  it('that offers twice in an attempt is moved with what it offered last', async () => {
    const first = workOf()
    const { runner, result, work, delivered } = await running(async (ctx, promise) => {
      const early = race(first.promise, ctx)
      return Promise.race([early, race(promise, ctx)])
    })
    expect(runner.detach('c')).toBe(true)
    expect(await result).toEqual(NOTE)
    first.end('the first work')
    await flush()
    expect(delivered).toEqual([])
    work.end('the last work')
    await flush()
    expect(delivered.map(([{ output }]) => output)).toEqual(['the last work'])
  })

  it('that does more after the work it offered is not ended by that work', async () => {
    const more = workOf()
    const { runner, result, work, record, delivered } = await running(async (ctx, promise) => {
      const part = await race(promise, ctx)
      return `${part} and ${await more.promise}`
    })
    work.end('part')
    await flush()
    // What was offered is over; what runs now was not offered.
    expect([record()?.isDetachable, runner.detach('c')]).toEqual([undefined, false])
    more.end('more')
    expect(await result).toEqual({ output: 'part and more', isError: false })
    expect(delivered).toEqual([])
  })

  it('that offers in its second attempt is not disturbed by the end of what it offered in its first', async () => {
    const more = workOf()
    const { runner, result, work, record, delivered } = await running((ctx, promise) => {
      if (ctx.answer) return race(more.promise, ctx)
      void ctx.detach?.(promise)
      return pending({ id: 'q', kind: 'approval', prompt: '?' })
    })
    runner.answer('q', yes('q'))
    await flush()
    work.end('left behind')
    await flush()
    expect([record()?.isDetachable, runner.detach('c')]).toEqual([true, true])
    expect(await result).toEqual(NOTE)
    more.end('worked')
    await flush()
    expect(delivered.map(([{ output }]) => output)).toEqual(['worked'])
  })

  it('that offers one work after another can be moved in each', async () => {
    const more = workOf()
    const { runner, result, work, delivered } = await running(async (ctx, promise) => {
      const part = await race(promise, ctx)
      return race(
        more.promise.then((rest) => `${part} and ${rest}`),
        ctx,
      )
    })
    work.end('part')
    await flush()
    expect(runner.detach('c')).toBe(true)
    expect(await result).toEqual(NOTE)
    more.end('more')
    await flush()
    expect(delivered.map(([{ output }]) => output)).toEqual(['part and more'])
  })

  it.each<[string, unknown, string]>([
    ['nothing', undefined, ''],
    ['null', null, 'null'],
    ['a value', 'value', 'value'],
    ['an object', { a: 1 }, '{"a":1}'],
    [
      'a promise whose then throws',
      thenable(() => {
        throw new Error('no then')
      }),
      'no then',
    ],
  ])('that offers %s comes to that or to its own end, once', async (_what, rubbish, output) => {
    const { runner, result, work, delivered } = await running((ctx, promise) => {
      void ctx.detach?.(rubbish as Promise<unknown>)
      return promise
    })
    const pressed = runner.detach('c')
    work.end('its own end')
    expect((await result).output).toBe(pressed ? NOTE.output : 'its own end')
    await flush()
    expect(delivered.map(([one]) => one.output)).toEqual(pressed ? [output] : [])
  })

  it('whose work fails without anybody looking leaves no rejection unhandled when it is moved', async () => {
    const { runner, work, delivered } = await running((ctx, promise) => {
      void ctx.detach?.(promise.then((value) => value))
      return never()
    })
    runner.detach('c')
    work.fail(new Error('boom'))
    await flush()
    expect(delivered.map(([{ output }]) => output)).toEqual(['boom'])
  })

  it('whose work fails after the moved call was aborted leaves none either', async () => {
    const { runner, work, delivered } = await running()
    runner.detach('c')
    runner.abort('c')
    await flush()
    work.fail(new Error('boom'))
    await flush()
    expect(delivered.map(([{ output }]) => output)).toEqual(['cancelled'])
  })

  it('that moves itself is moved', async () => {
    const { result, work, delivered } = await running((ctx, promise, runner) => {
      const raced = race(promise, ctx)
      expect(runner.detach('c')).toBe(true)
      return raced
    })
    expect(await result).toEqual(NOTE)
    work.end('worked')
    await flush()
    expect(delivered.map(([{ output }]) => output)).toEqual(['worked'])
  })

  it('that stops at its signal is cancelled once', async () => {
    const { runner, delivered } = await running((ctx) => {
      const work = new Promise((_resolve, reject) =>
        ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason)),
      )
      return race(work, ctx)
    })
    runner.detach('c')
    runner.abort('c')
    await flush()
    expect(delivered.map(([one]) => one)).toEqual([CANCELLED])
  })
})

describe('callers of a moved call', () => {
  it('are all given the note, and the same call made again is a new one', async () => {
    const { runner, result, work, seen, delivered } = await running()
    const joined = runner.run('job', {}, { toolCallId: 'c' })
    runner.detach('c')
    const again = runner.run('job', {}, { toolCallId: 'c' })
    expect([await result, await joined]).toEqual([NOTE, NOTE])
    await flush()
    expect([seen.length, runner.getState().runs.map(({ status }) => status)]).toEqual([2, ['background', 'running']])
    work.end('worked')
    expect(await again).toEqual({ output: 'worked', isError: false })
    await flush()
    expect(delivered).toHaveLength(1)
  })

  it('that gave up before the move heard so, and the move is for the others', async () => {
    const controller = new AbortController()
    const { runner, result, work, delivered, seen } = await running()
    const joined = runner.run('job', {}, { toolCallId: 'c', signal: controller.signal })
    controller.abort()
    runner.detach('c')
    expect([await joined, await result, seen[0]?.signal.aborted]).toEqual([CANCELLED, NOTE, false])
    work.end('worked')
    await flush()
    expect(delivered).toHaveLength(1)
  })

  it('leave no listener and no timer behind (K37)', async () => {
    vi.useFakeTimers()
    const controller = new AbortController()
    const listeners = countListeners(controller.signal)
    const runner = runnerOf([recorded('job', (_args, ctx) => race(Promise.resolve('x'), ctx)), asking('asks')], {
      detachable: true,
      timeout: 100,
    })
    for (let call = 0; call < 20; call++) {
      const result = runner.run('job', {}, { toolCallId: `c${call}`, signal: controller.signal })
      for (let turn = 0; turn < call; turn++) await null
      runner.detach(`c${call}`)
      await result
    }
    await vi.runAllTimersAsync()
    expect([listeners.added(), listeners.live(), vi.getTimerCount()]).toEqual([20, 0, 0])
  })
})
