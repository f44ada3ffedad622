// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { createRuns, type LiveRun } from '../../src/store/runs.js'

const runOf = (id: string, rest: Partial<LiveRun> = {}, toolCallId = id): LiveRun => ({
  record: { id, toolCallId, toolName: 't', args: {}, status: 'running', startedAt: 0, events: [] },
  controller: new AbortController(),
  tool: undefined,
  onEnd: [],
  open: 0,
  callers: 1,
  events: [],
  joinKey: undefined,
  promise: Promise.resolve({ output: '', isError: false }),
  ...rest,
})
const done = { output: 'ok', isError: false }

describe('createRuns', () => {
  it('keeps a new frozen record at each change', () => {
    const runs = createRuns()
    const run = runOf('r1')
    runs.add(run)
    const before = runs.get('r1')
    runs.update(run, { status: 'waiting' })
    expect(before?.status).toBe('running')
    expect(runs.get('r1')).toMatchObject({ id: 'r1', status: 'waiting' })
    expect(Object.isFrozen(runs.get('r1'))).toBe(true)
  })

  it('finds live calls by run id, by toolCallId, or all of them', () => {
    const runs = createRuns()
    const [a, b, c] = [runOf('r1', {}, 'c1'), runOf('r2', {}, 'c1'), runOf('r3')]
    for (const run of [a, b, c]) runs.add(run)
    expect(runs.live('r1')).toEqual([a])
    expect(runs.live('c1')).toEqual([a, b])
    expect(runs.live('nope')).toEqual([])
    runs.finish(b, 'done', done)
    expect(runs.live()).toEqual([a, c])
    expect(runs.getLive('r2')).toBeUndefined()
    expect(runs.get('r2')).toMatchObject({ status: 'done', result: done, endedAt: expect.any(Number) })
  })

  it('knows the call a signal belongs to', () => {
    const runs = createRuns()
    const run = runOf('r1')
    runs.add(run)
    expect(runs.ownerOf(run.controller.signal)).toBe(run)
    expect(runs.ownerOf(new AbortController().signal)).toBeUndefined()
  })

  it('joins the live twin, neither a finished nor an aborted one', () => {
    const runs = createRuns()
    const first = runOf('r1', { joinKey: 'k' })
    runs.add(first)
    expect(runs.twin('k')).toBe(first)
    expect(runs.twin(undefined)).toBeUndefined()
    first.controller.abort()
    expect(runs.twin('k')).toBeUndefined()
    const second = runOf('r2', { joinKey: 'k' })
    runs.add(second)
    runs.finish(first, 'cancelled', done)
    expect(runs.twin('k')).toBe(second)
    runs.finish(second, 'done', done)
    expect(runs.twin('k')).toBeUndefined()
  })

  it('forgets the oldest finished calls, never a live one', () => {
    const runs = createRuns()
    const live = runOf('live')
    runs.add(live)
    for (let index = 0; index < 1000; index++) {
      const run = runOf(`r${index}`)
      runs.add(run)
      runs.finish(run, 'done', done)
    }
    expect(runs.list().length).toBeLessThanOrEqual(401)
    expect(runs.get('live')).toBe(live.record)
    expect(runs.get('r999')).toBeDefined()
    expect(runs.get('r0')).toBeUndefined()
  })
})
