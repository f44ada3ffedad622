// @vitest-environment node
import { type AnyTool, pending, type RunContext, type ToolEvent } from 'assent/core'
import type { Runner, RunRecord, ToolRunnerOptions } from 'assent/runner'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { approveHead, flush } from '../support/asking.js'
import { runnerOf } from '../support/consent.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

interface Setup {
  runner: Runner
  ctx: RunContext
  record: () => RunRecord
  end: () => Promise<void>
  heard: () => number
}

/** A call that runs until it is ended; `heard` counts how often the views were told since. */
async function running(options: ToolRunnerOptions = {}): Promise<Setup> {
  let end = (): void => {}
  let id = ''
  const seen: RunContext[] = []
  const tool: AnyTool = {
    name: 't',
    execute(_args, ctx) {
      seen.push(ctx)
      return new Promise<string>((resolve) => {
        end = () => resolve('done')
      })
    },
  }
  const runner = runnerOf([tool], options)
  const onStart = (run: RunRecord) => {
    id = run.id
  }
  const result = runner.run('t', {}, { onStart })
  await flush()
  await vi.runAllTimersAsync()
  let heard = 0
  runner.subscribe(() => heard++)
  const ctx = seen[0]
  if (!ctx) throw new Error('it does not run')
  return {
    runner,
    ctx,
    record() {
      const record = runner.getRun(id)
      if (!record) throw new Error('no record')
      return record
    },
    async end() {
      end()
      await result
    },
    heard: () => heard,
  }
}

const steps = (record: RunRecord): unknown[] => record.events.map(({ value }) => value.step)

describe('progress', () => {
  it('is what the last progress event said, whatever other events there are', async () => {
    const { ctx, record } = await running()
    expect([record().progress, record().events]).toEqual([undefined, []])
    ctx.emitCustomEvent('progress', { step: 1, total: 3 })
    ctx.emitCustomEvent('progress', { step: 2, total: 3, message: 'halfway' })
    ctx.emitCustomEvent('note', { step: 9 })
    expect(record().progress).toEqual({ step: 2, total: 3, message: 'halfway' })
    expect(record().events).toEqual([
      { name: 'progress', value: { step: 1, total: 3 }, at: expect.any(Number) },
      { name: 'progress', value: { step: 2, total: 3, message: 'halfway' }, at: expect.any(Number) },
      { name: 'note', value: { step: 9 }, at: expect.any(Number) },
    ])
  })

  it.each<[unknown, unknown]>([
    [{ step: 1 }, { step: 1 }],
    [{ step: 0, total: 0 }, { step: 0 }],
    [{ step: 1, total: -1 }, { step: 1 }],
    [{ step: 'one', total: '3', message: 5 }, { step: 0 }],
    [{ step: Number.NaN, total: Number.POSITIVE_INFINITY }, { step: 0 }],
    [
      { step: 1, total: 3, message: '' },
      { step: 1, total: 3, message: '' },
    ],
    [
      { step: 1, total: 3, extra: true },
      { step: 1, total: 3 },
    ],
    [{}, { step: 0 }],
    [undefined, { step: 0 }],
    [null, { step: 0 }],
    ['half', { step: 0 }],
  ])('of %j is %j', async (value, expected) => {
    const events: ToolEvent[] = []
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { ctx, record, end } = await running({ onEvent: (event) => events.push(event) })
    ctx.emitCustomEvent('progress', value as Record<string, unknown>)
    await end()
    expect(record().progress).toEqual(expected)
    // The app hears of it as of any event, and nothing is blamed on its listener.
    expect(events.filter(({ type }) => type === 'custom')).toHaveLength(1)
    expect(error).not.toHaveBeenCalled()
  })

  it('stays with the record after the call has ended, and is new with the next call', async () => {
    const { runner, ctx, record, end } = await running()
    ctx.emitCustomEvent('progress', { step: 3, total: 3 })
    await end()
    expect(record()).toMatchObject({ status: 'done', progress: { step: 3, total: 3 } })
    expect(steps(record())).toEqual([3])
    void runner.run('t')
    await flush()
    expect(runner.getState().runs.at(-1)).toMatchObject({ status: 'running', events: [] })
    expect(runner.getState().runs.at(-1)).not.toHaveProperty('progress')
  })

  it('goes on over a question (K25)', async () => {
    const events: ToolEvent[] = []
    const tool: AnyTool = {
      name: 't',
      execute(_args, { emitCustomEvent, answer }) {
        emitCustomEvent('progress', { step: answer ? 2 : 1, total: 2 }, { batch: true })
        return answer ? 'done' : pending({ kind: 'approval', prompt: '?' })
      },
    }
    const runner = runnerOf([tool], { onEvent: (event) => events.push(event) })
    const result = runner.run('t', {}, { toolCallId: 'c' })
    await flush()
    expect(runner.getState().runs[0]).toMatchObject({ status: 'waiting', progress: { step: 1, total: 2 } })
    approveHead(runner)
    await result
    const [run] = runner.getState().runs
    expect([run && steps(run), run?.progress]).toEqual([[1, 2], { step: 2, total: 2 }])
    expect(events.every(({ toolCallId, runId }) => toolCallId === 'c' && runId === run?.id)).toBe(true)
  })

  it('is kept apart for calls that run side by side', async () => {
    const seen: RunContext[] = []
    const runner = runnerOf([{ name: 't', execute: (_args, ctx) => new Promise(() => seen.push(ctx)) }])
    for (const id of ['a', 'b', 'c']) void runner.run('t', {}, { toolCallId: id })
    await flush()
    for (let step = 0; step < 9; step++) seen[step % 3]?.emitCustomEvent('progress', { step })
    expect(runner.getState().runs.map(steps)).toEqual([
      [0, 3, 6],
      [1, 4, 7],
      [2, 5, 8],
    ])
  })
})

describe('the record', () => {
  it('says what was told right after it was told, in getRun and in getState', async () => {
    const seen: unknown[] = []
    const setup: Setup = await running({
      onEvent(event) {
        if (event.type === 'custom')
          seen.push([setup.record().progress?.step, setup.runner.getState().runs[0]?.progress?.step])
      },
    })
    for (const step of [1, 2, 3]) {
      setup.ctx.emitCustomEvent('progress', { step })
      expect(setup.record().progress?.step).toBe(step)
      expect(setup.runner.getState().runs[0]).toBe(setup.record())
    }
    expect(seen).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ])
  })

  it('is a new frozen object at a change, and the same one without', async () => {
    const { runner, ctx, record } = await running()
    const before = record()
    expect(record()).toBe(before)
    const state = runner.getState()
    ctx.emitCustomEvent('progress', { step: 1 })
    expect(record()).not.toBe(before)
    expect([before.progress, before.events.length]).toEqual([undefined, 0])
    expect(runner.getState()).not.toBe(state)
    expect(runner.getState()).toBe(runner.getState())
    const { events, progress } = record()
    expect([record(), events, progress, events[0], events[0]?.value].every(Object.isFrozen)).toBe(true)
  })

  it('keeps the newest 50 events, and loses none on the way to onEvent', async () => {
    const told: unknown[] = []
    const { ctx, record } = await running({
      onEvent: (event) => event.type === 'custom' && told.push(event.value.step),
    })
    for (let step = 1; step <= 10_000; step++) {
      ctx.emitCustomEvent('progress', { step }, { batch: step % 7 === 0 })
      if (step % 997 === 0) expect(record().events.length).toBeLessThanOrEqual(50)
    }
    await vi.runAllTimersAsync()
    expect(told).toEqual(Array.from({ length: 10_000 }, (_none, index) => index + 1))
    expect(steps(record())).toEqual(Array.from({ length: 50 }, (_none, index) => 9951 + index))
    expect(record().progress?.step).toBe(10_000)
  })

  it('keeps them whether or not it is read in between', async () => {
    for (const readEvery of [1, 3, 49, 50, 51, 1000]) {
      const { ctx, record } = await running()
      for (let step = 1; step <= 260; step++) {
        ctx.emitCustomEvent('progress', { step })
        if (step % readEvery === 0) record()
      }
      expect(steps(record())).toEqual(Array.from({ length: 50 }, (_none, index) => 211 + index))
    }
  })

  it('keeps values as they were, and no object of the tool’s', async () => {
    const { ctx, record } = await running()
    const value = { step: 1, rows: [{ n: 1 }] }
    ctx.emitCustomEvent('progress', value)
    value.step = 99
    value.rows.push({ n: 2 })
    expect(record().events[0]?.value).toEqual({ step: 1, rows: [{ n: 1 }] })
    expect(Object.isFrozen(value)).toBe(false)
  })

  it('says nothing of an event that cannot be copied, of which the console does', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { ctx, record, end } = await running()
    ctx.emitCustomEvent('progress', { step: 1, go() {} })
    expect([record().events, record().progress]).toEqual([[], undefined])
    expect(error).toHaveBeenCalledExactlyOnceWith('assent: an event of t cannot be copied.', expect.any(Error))
    await end()
    expect(record().status).toBe('done')
  })

  it('does not change after its call has ended (K25)', async () => {
    const { ctx, record, end } = await running()
    ctx.emitCustomEvent('progress', { step: 1 }, { batch: true })
    await end()
    const ended = record()
    expect(steps(ended)).toEqual([1])
    ctx.emitCustomEvent('progress', { step: 2 })
    ctx.emitCustomEvent('progress', { step: 3 }, { batch: true })
    await vi.runAllTimersAsync()
    expect(record()).toBe(ended)
  })

  it.each<[string, (setup: Setup) => void]>([
    ['aborted', ({ runner }) => runner.abort()],
    ['disposed of', ({ runner }) => runner.dispose()],
  ])('does not change after its call was %s, though its tool goes on', async (_what, end) => {
    const setup = await running()
    end(setup)
    await flush()
    const ended = setup.record()
    setup.ctx.emitCustomEvent('progress', { step: 2 })
    await vi.runAllTimersAsync()
    expect([setup.record(), ended.status, ended.events]).toEqual([ended, 'cancelled', []])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('does not need onEvent, and one that throws keeps nothing from it', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const options: ToolRunnerOptions = {
      onEvent() {
        throw new Error('from the app')
      },
    }
    for (const { ctx, record } of [await running(), await running(options)]) {
      ctx.emitCustomEvent('progress', { step: 1 })
      ctx.emitCustomEvent('progress', { step: 2 }, { batch: true })
      await vi.runAllTimersAsync()
      expect(steps(record())).toEqual([1, 2])
    }
  })
})

describe('the views', () => {
  it('are told of a flood of events once a frame', async () => {
    const { ctx, heard } = await running()
    for (let step = 0; step < 1000; step++) ctx.emitCustomEvent('progress', { step })
    await flush()
    expect(heard()).toBe(0)
    await vi.runAllTimersAsync()
    expect(heard()).toBe(1)
    ctx.emitCustomEvent('progress', { step: 1 })
    await vi.runAllTimersAsync()
    expect(heard()).toBe(2)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('are told at most once a frame over many frames, and of the last event', async () => {
    const { ctx, heard, runner } = await running()
    let last: unknown
    runner.subscribe(() => {
      last = runner.getState().runs[0]?.progress?.step
    })
    for (let step = 1; step <= 160; step++) {
      ctx.emitCustomEvent('progress', { step })
      await vi.advanceTimersByTimeAsync(1)
    }
    await vi.runAllTimersAsync()
    // 160 ms are ten frames and a bit.
    expect(heard()).toBeLessThanOrEqual(11)
    expect([heard() > 5, last]).toEqual([true, 160])
  })

  it('are told with whatever else changes meanwhile, and not a second time', async () => {
    const { ctx, heard, runner } = await running()
    ctx.emitCustomEvent('progress', { step: 1 })
    void runner.waitFor({ id: 'q', kind: 'approval', prompt: '?' })
    expect([heard(), runner.getState().runs[0]?.progress?.step]).toEqual([1, 1])
    await vi.runAllTimersAsync()
    expect(heard()).toBe(1)
  })

  it('are told of no frame when nothing was noted', async () => {
    const { heard } = await running()
    await vi.runAllTimersAsync()
    expect([heard(), vi.getTimerCount()]).toEqual([0, 0])
  })
})
