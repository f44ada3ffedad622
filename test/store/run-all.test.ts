// @vitest-environment node
import { type AnyTool, pending, pendingOf } from 'assent/core'
import type { RunRecord, TurnCall } from 'assent/runner'
import { describe, expect, it, vi } from 'vitest'
import { approveHead, asking, countListeners, flush, recorded, yes } from '../support/asking.js'
import { runnerOf } from '../support/consent.js'

const CANCELLED = { output: 'cancelled', isError: true }
const NO_CALL = { output: 'not a call: an object with the name of a tool is expected', isError: true }

/** Says its `n`, after so many microtasks. */
const echo = recorded('echo', async ({ n, turns = 0 }) => {
  for (let turn = 0; turn < Number(turns); turn++) await null
  return String(n)
})
const hangs: AnyTool = { name: 'hangs', execute: () => new Promise(() => {}) }
const throws: AnyTool = {
  name: 'throws',
  execute() {
    throw new Error('boom')
  },
}
const outputs = (results: { output: string }[]): string[] => results.map(({ output }) => output)

describe('runAll', () => {
  it('gives the results in call order, whichever ends first', async () => {
    const calls = [5, 1, 9, 0].map((turns, n) => ({ name: 'echo', args: { n, turns } }))
    expect(outputs(await runnerOf([echo]).runAll(calls))).toEqual(['0', '1', '2', '3'])
  })

  it('runs the calls side by side', async () => {
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    let running = 0
    const waits: AnyTool = {
      name: 'waits',
      async execute() {
        // Only when all three run does any of them end.
        if (++running === 3) release()
        await gate
        return 'met'
      },
    }
    expect(outputs(await runnerOf([waits]).runAll(Array(3).fill({ name: 'waits' })))).toEqual(['met', 'met', 'met'])
  })

  it('lets no call that fails, throws, is unknown or cannot be read harm the others', async () => {
    const failing: AnyTool = { name: 'failing', execute: () => ({ output: 'no', isError: true }) }
    const runner = runnerOf([echo, throws, failing])
    const results = await runner.runAll([
      { name: 'throws' },
      { name: 'echo', args: { n: 1 } },
      { name: 'nope' },
      { name: 'failing' },
      { name: 'echo', args: 'no object' },
      { name: 'echo', args: { n: 2 } },
    ])
    expect(outputs(results)).toEqual([
      'boom',
      '1',
      'Unknown tool: nope',
      'no',
      'Invalid arguments for echo: /: expected object, got string',
      '2',
    ])
    expect(results.map(({ isError }) => isError)).toEqual([true, false, true, true, true, false])
  })

  it('is empty for no calls, and for what is no list of calls', async () => {
    const runner = runnerOf([echo])
    for (const turn of [[], undefined, null, 'echo', { name: 'echo' }, 5]) {
      expect(await runner.runAll(turn as TurnCall[])).toEqual([])
    }
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'echo'],
    ['a number', 5],
    ['an empty object', {}],
    ['a name that is no text', { name: 5 }],
    ['a list', ['echo']],
    [
      'a name that throws',
      {
        get name() {
          throw new Error('no name')
        },
      },
    ],
    [
      'arguments that throw',
      {
        name: 'echo',
        get args() {
          throw new Error('no args')
        },
      },
    ],
  ])('gives an error result for %s among the calls', async (_what, rubbish) => {
    const runner = runnerOf([echo])
    const calls = [{ name: 'echo', args: { n: 1 } }, rubbish, { name: 'echo', args: { n: 2 } }]
    let results: unknown
    // It never throws, neither at once nor later.
    expect(() => {
      results = runner.runAll(calls as TurnCall[]).catch((error) => `rejected: ${error}`)
    }).not.toThrow()
    expect(await results).toMatchObject([{ output: '1' }, { isError: true }, { output: '2' }])
  })

  it('says what was wrong with what is no call', async () => {
    const runner = runnerOf([echo])
    expect(await runner.runAll([null, {}] as unknown as TurnCall[])).toEqual([NO_CALL, NO_CALL])
    expect(runner.getState().runs).toEqual([])
  })

  it('gives an error result for a hole in the list', async () => {
    const calls: TurnCall[] = []
    calls[1] = { name: 'echo', args: { n: 1 } }
    expect(await runnerOf([echo]).runAll(calls)).toEqual([NO_CALL, { output: '1', isError: false }])
  })

  it('asks all its questions at once and takes the answers in any order (K6)', async () => {
    const runner = runnerOf([asking('a', { id: 'qa' }), asking('b', { id: 'qb' }), echo])
    const results = runner.runAll([{ name: 'a' }, { name: 'echo', args: { n: 1 } }, { name: 'b' }])
    await flush()
    expect(runner.getState().pending.map(({ key }) => key)).toEqual(['qa', 'qb'])
    runner.answer('qb', yes('qb'))
    runner.answer('qa', { id: 'qa', ok: false })
    expect(outputs(await results)).toEqual(['declined/expired: a?', '1', 'done'])
  })

  it('gives the first suspension in call order where nobody is asked', async () => {
    const slow = recorded('slow', async () => {
      await flush()
      return pending({ id: 'first', kind: 'approval', prompt: 'first?' })
    })
    const runner = runnerOf([slow, asking('fast', { id: 'second' }), echo], { host: false })
    const results = await runner.runAll([{ name: 'echo', args: { n: 1 } }, { name: 'slow' }, { name: 'fast' }])
    expect(pendingOf(results.find(pendingOf))?.id).toBe('first')
    expect(results.map((result) => pendingOf(result)?.id)).toEqual([undefined, 'first', 'second'])
  })

  it('aborts what still runs by the signal of all, and keeps what is done', async () => {
    const controller = new AbortController()
    const listeners = countListeners(controller.signal)
    const runner = runnerOf([echo, hangs, asking('asks')])
    const results = runner.runAll([{ name: 'echo', args: { n: 1 } }, { name: 'hangs' }, { name: 'asks' }], {
      signal: controller.signal,
    })
    await flush()
    controller.abort()
    expect(await results).toEqual([{ output: '1', isError: false }, CANCELLED, CANCELLED])
    expect([runner.count(), listeners.live()]).toEqual([0, 0])
  })

  it('runs nothing when the signal was aborted before', async () => {
    const tool = recorded('t', () => 'ran')
    const results = await runnerOf([tool]).runAll([{ name: 't' }, { name: 't' }], { signal: AbortSignal.abort() })
    expect([results, tool.attempts]).toEqual([[CANCELLED, CANCELLED], []])
  })

  it('is cancelled for a runner that was disposed of', async () => {
    const runner = runnerOf([echo])
    runner.dispose()
    expect(await runner.runAll([{ name: 'echo' }, { name: 'echo' }])).toEqual([CANCELLED, CANCELLED])
  })

  it('takes what a call says of itself before what is said for all', async () => {
    const seen: unknown[] = []
    const tool = recorded('t', (_args, { timeout, toolCallId }) => {
      seen.push([toolCallId, timeout])
    })
    const started: RunRecord[] = []
    const own = new AbortController()
    const runner = runnerOf([tool, hangs])
    const results = runner.runAll(
      [
        { name: 't', toolCallId: 'c1', onStart: (run) => started.push(run) },
        { name: 't', toolCallId: 'c2', timeout: 5 },
        { name: 'hangs', signal: own.signal },
      ],
      { timeout: 1000, signal: new AbortController().signal },
    )
    await flush()
    own.abort()
    expect(outputs(await results)).toEqual(['', '', 'cancelled'])
    expect(seen).toEqual([
      ['c1', 1000],
      ['c2', 5],
    ])
    expect(started.map(({ toolCallId }) => toolCallId)).toEqual(['c1'])
  })

  it('takes an undefined of a call for nothing said', async () => {
    const seen: unknown[] = []
    const controller = new AbortController()
    const runner = runnerOf([
      hangs,
      recorded('t', (_args, { timeout }) => {
        seen.push(timeout)
      }),
    ])
    const settled = vi.fn()
    void runner
      .runAll(
        [
          { name: 'hangs', signal: undefined },
          { name: 't', timeout: undefined },
        ],
        { timeout: 100_000, signal: controller.signal },
      )
      .then(settled)
    await flush()
    controller.abort()
    await flush()
    expect([seen, settled.mock.calls.length]).toEqual([[100_000], 1])
    runner.abort()
  })

  it('joins the same call under the same toolCallId, and no other', async () => {
    const tool = recorded('t', ({ n }) => n)
    const results = await runnerOf([tool]).runAll([
      { name: 't', args: { n: 1 }, toolCallId: 'c' },
      { name: 't', args: { n: 1 }, toolCallId: 'c' },
      { name: 't', args: { n: 2 }, toolCallId: 'c' },
      { name: 't', args: { n: 1 } },
    ])
    expect([outputs(results), tool.attempts.length]).toEqual([['1', '1', '2', '1'], 3])
  })

  it('keeps to the limit of the runner, whose questions do not count', async () => {
    const runner = runnerOf([asking('asks'), echo], { concurrency: 1 })
    const results = runner.runAll([
      { name: 'asks' },
      { name: 'echo', args: { n: 1 } },
      { name: 'asks', args: { n: 2 } },
    ])
    await flush()
    expect(runner.getState().runs.map(({ status }) => status)).toEqual(['waiting', 'done', 'waiting'])
    approveHead(runner)
    approveHead(runner)
    expect(outputs(await results)).toEqual(['done', '1', 'done'])
  })

  it('may be taken off the runner', async () => {
    const { runAll } = runnerOf([echo])
    expect(outputs(await runAll([{ name: 'echo', args: { n: 1 } }]))).toEqual(['1'])
  })
})
