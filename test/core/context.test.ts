// @vitest-environment node
import {
  type Answer,
  type AnyTool,
  defineTool,
  pending,
  type RunContext,
  type RunToolOptions,
  runTool,
  type ToolContext,
  type ToolEvent,
  type WaitFor,
} from 'assent/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { flush, no } from '../support/asking.js'

const ALWAYS = ['abortSignal', 'emitCustomEvent', 'signal', 'toolCallId']
const AFTER_A_QUESTION = ['answer', 'answers', 'inputResponse']

const host =
  (answer: Partial<Answer>): WaitFor =>
  async ({ id }) => ({ id, ok: false, ...answer })

/** Runs a tool that asks, and keeps the context of each attempt. */
async function contexts(options: RunToolOptions = {}, questions = 1): Promise<RunContext[]> {
  const seen: RunContext[] = []
  const tool: AnyTool = {
    name: 't',
    execute(_args, ctx) {
      seen.push(ctx)
      return seen.length > questions ? 'done' : pending({ id: `q${seen.length}`, kind: 'input', prompt: 'Which?' })
    },
  }
  await runTool(tool, {}, { waitFor: host({ ok: true, data: { env: 'staging' } }), ...options })
  return seen
}

describe('the context', () => {
  it('has these members on the first attempt, and the answer’s on the one after it', async () => {
    const [first, second] = await contexts()
    expect(Object.keys(first ?? {}).sort()).toEqual(ALWAYS)
    expect(Object.keys(second ?? {}).sort()).toEqual([...ALWAYS, ...AFTER_A_QUESTION].sort())
  })

  it('has a timeout and a context only when they are given, on both attempts', async () => {
    const app = { user: 'ada' }
    for (const ctx of await contexts({ timeout: 5000, context: app })) {
      expect(ctx).toMatchObject({ timeout: 5000, context: app })
      expect(ctx.context).toBe(app)
    }
    for (const ctx of await contexts({ timeout: undefined, context: undefined })) {
      expect(['timeout' in ctx, 'context' in ctx]).toEqual([false, false])
    }
  })

  it.each([null, 0, '', false])('has the context %j as it was given', async (context) => {
    expect((await contexts({ context })).map((ctx) => ctx.context)).toEqual([context, context])
  })

  it('has one signal under two names, the same on both attempts', async () => {
    const [first, second] = await contexts({ toolCallId: 'c1' })
    expect(first?.signal).toBeInstanceOf(AbortSignal)
    expect(new Set([first?.signal, first?.abortSignal, second?.signal, second?.abortSignal]).size).toBe(1)
    expect([first?.toolCallId, second?.toolCallId]).toEqual(['c1', 'c1'])
  })

  it('makes up an id of the call when the caller has none, one for both attempts', async () => {
    const [first, second] = await contexts()
    const [other] = await contexts()
    expect(first?.toolCallId).toMatch(/./)
    expect(second?.toolCallId).toBe(first?.toolCallId)
    expect(other?.toolCallId).not.toBe(first?.toolCallId)
  })

  it('has all answers in order, and the newest in both contracts’ words', async () => {
    let count = 0
    const waitFor: WaitFor = async ({ id }) => ({ id, ok: true, data: { step: ++count } })
    const seen = await contexts({ waitFor, maxQuestions: 3 }, 3)
    expect(seen.map(({ answers }) => answers?.map(({ data }) => data?.step))).toEqual([
      undefined,
      [1],
      [1, 2],
      [1, 2, 3],
    ])
    expect(seen.map(({ answer }) => answer?.data?.step)).toEqual([undefined, 1, 2, 3])
    expect(seen.map(({ inputResponse }) => inputResponse)).toEqual([
      undefined,
      { status: 'resolved', payload: { step: 1 } },
      { status: 'resolved', payload: { step: 2 } },
      { status: 'resolved', payload: { step: 3 } },
    ])
  })

  it('does not let a tool change the answers of its later attempts', async () => {
    const seen: unknown[] = []
    const tool: AnyTool = {
      name: 't',
      execute(_args, { answers }) {
        seen.push(answers?.length)
        if (Array.isArray(answers)) answers.length = 0
        return pending({ kind: 'input', prompt: '?' })
      },
    }
    await runTool(tool, {}, { waitFor: host({ ok: true }), maxQuestions: 2 })
    expect(seen).toEqual([undefined, 1, 2])
  })
})

describe('inputResponse', () => {
  it.each<[string, Partial<Answer>, unknown]>([
    ['accepted', { ok: true, data: { env: 'staging' } }, { status: 'resolved', payload: { env: 'staging' } }],
    ['accepted with nothing', { ok: true, data: {} }, { status: 'resolved', payload: {} }],
    ['accepted without data', { ok: true }, { status: 'resolved', payload: undefined }],
    ['declined', { ok: false, reason: 'declined' }, { status: 'resolved', payload: { action: 'decline' } }],
    [
      'declined with a word',
      { ok: false, reason: 'declined', data: { feedback: 'not now' } },
      { status: 'resolved', payload: { action: 'decline' } },
    ],
    ['cancelled', { ok: false, reason: 'cancelled' }, { status: 'cancelled' }],
    ['expired', { ok: false, reason: 'expired' }, { status: 'cancelled' }],
    ['a no without a reason', { ok: false }, { status: 'cancelled' }],
  ])('says %s', async (_what, answer, expected) => {
    const [, second] = await contexts({ waitFor: host(answer), onRefusal: 'retry' })
    expect(second?.inputResponse).toEqual(expected)
    expect(second?.answer).toMatchObject({ id: 'q1', ok: answer.ok })
  })

  it.each<[string, WaitFor]>([
    ['that rejects', () => Promise.reject(new Error('gone'))],
    ['that answers nothing', (async () => undefined) as never],
    ['that answers another question', async () => ({ id: 'another', ok: true, data: { a: 1 } })],
  ])('says cancelled for a host %s', async (_what, waitFor) => {
    const [, second] = await contexts({ waitFor, onRefusal: 'retry' })
    expect(second?.inputResponse).toEqual({ status: 'cancelled' })
  })

  it('is not set without onRefusal retry, since the tool does not run', async () => {
    expect(await contexts({ waitFor: async ({ id }) => no(id) })).toHaveLength(1)
  })

  it('reaches a tool made by defineTool', async () => {
    const tool = defineTool({
      name: 't',
      description: '',
      execute: (_args, { inputResponse }) => inputResponse ?? pending({ kind: 'input', prompt: '?' }),
    })
    const result = await runTool(tool, {}, { waitFor: host({ ok: true, data: { a: 1 } }) })
    expect(result.output).toBe('{"status":"resolved","payload":{"a":1}}')
  })
})

describe('detach', () => {
  it('is absent where no host can move a call', async () => {
    for (const ctx of await contexts()) expect('detach' in ctx).toBe(false)
  })

  it('is handed on to a tool made by defineTool that is called directly, by whoever offers it', async () => {
    const tool = defineTool({
      name: 't',
      description: '',
      execute: (_args, { detach }) => detach?.(Promise.resolve()) ?? 'none',
    })
    const detach: ToolContext['detach'] = async () => 'the note'
    expect(await tool.execute({}, { detach })).toEqual({ output: 'the note', isError: false })
    expect(await tool.execute({})).toEqual({ output: 'none', isError: false })
  })
})

describe('emitCustomEvent', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** Runs what emits, and keeps what the listener is told. */
  async function told(execute: AnyTool['execute'], options: RunToolOptions = {}): Promise<ToolEvent[]> {
    const events: ToolEvent[] = []
    const running = runTool({ name: 't', execute }, {}, { onEvent: (event) => events.push(event), ...options })
    await vi.runAllTimersAsync()
    await running
    return events
  }
  const names = (events: ToolEvent[]) => events.map((event) => (event.type === 'custom' ? event.name : event.type))

  it('tells an event at once, with the id of its call (K25)', async () => {
    const told: unknown[] = []
    const tool: AnyTool = {
      name: 't',
      execute(_args, { emitCustomEvent }) {
        emitCustomEvent('progress', { step: 1, total: 2 })
        told.push('after the first')
        emitCustomEvent('progress', { step: 2, total: 2 })
      },
    }
    const onEvent = (event: ToolEvent) => event.type === 'custom' && told.push(event)
    await runTool(tool, {}, { onEvent, toolCallId: 'c1' })
    const base = { type: 'custom', toolCallId: 'c1', toolName: 't', name: 'progress', isError: false, pending: false }
    expect(told).toMatchObject([
      { ...base, value: { step: 1, total: 2 } },
      'after the first',
      { ...base, value: { step: 2, total: 2 } },
    ])
  })

  it('keeps what is batched until the next flush', async () => {
    const events: ToolEvent[] = []
    const tool: AnyTool = {
      name: 't',
      async execute(_args, { emitCustomEvent }) {
        emitCustomEvent('a', {}, { batch: true })
        emitCustomEvent('b', {}, { batch: true })
        await new Promise((resolve) => setTimeout(resolve, 5000))
      },
    }
    const running = runTool(tool, {}, { onEvent: (event) => events.push(event) })
    await flush()
    expect(names(events)).toEqual(['tool_call'])
    await vi.advanceTimersByTimeAsync(100)
    expect(names(events)).toEqual(['tool_call', 'a', 'b'])
    await vi.advanceTimersByTimeAsync(5000)
    await running
    expect(vi.getTimerCount()).toBe(0)
  })

  it('keeps the order of what is batched and what is not', async () => {
    const events = await told(
      (_args, { emitCustomEvent, answer }) => {
        if (answer) return 'done'
        emitCustomEvent('a', {}, { batch: true })
        emitCustomEvent('b', {})
        emitCustomEvent('c', {}, { batch: false })
        emitCustomEvent('d', {}, { batch: true })
        emitCustomEvent('e', {}, { batch: true })
        return pending({ kind: 'input', prompt: '?' })
      },
      { waitFor: host({ ok: true }) },
    )
    expect(names(events)).toEqual(['tool_call', 'a', 'b', 'c', 'd', 'e', 'pending', 'answer', 'tool_result'])
  })

  it('tells what is batched before the result, also when the call is aborted', async () => {
    const controller = new AbortController()
    const running = told(
      (_args, { emitCustomEvent }) => {
        emitCustomEvent('a', {}, { batch: true })
        queueMicrotask(() => controller.abort())
        return new Promise(() => {})
      },
      { signal: controller.signal },
    )
    expect(names(await running)).toEqual(['tool_call', 'a', 'tool_result'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('keeps the order over the retry', async () => {
    const events = await told(
      (_args, { emitCustomEvent, answer }) => {
        emitCustomEvent(answer ? 'second' : 'first', {}, { batch: true })
        return answer ? 'done' : pending({ kind: 'input', prompt: '?' })
      },
      { waitFor: host({ ok: true }) },
    )
    expect(names(events)).toEqual(['tool_call', 'first', 'pending', 'answer', 'second', 'tool_result'])
  })

  it('drops what comes after the call has settled, batched or not (K25)', async () => {
    const kept: RunContext[] = []
    const events = await told((_args, ctx) => {
      kept.push(ctx)
      setTimeout(() => ctx.emitCustomEvent('late', {}), 100)
      setTimeout(() => ctx.emitCustomEvent('late', {}, { batch: true }), 100)
      return 'done'
    })
    kept[0]?.emitCustomEvent('later', {}, { batch: true })
    await vi.advanceTimersByTimeAsync(1000)
    expect(names(events)).toEqual(['tool_call', 'tool_result'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('tells values as they were, whoever goes on writing to them', async () => {
    const value = { step: 1, list: [1] }
    const events = await told((_args, { emitCustomEvent }) => {
      for (const batch of [true, false]) {
        emitCustomEvent('e', value, { batch })
        value.step++
        value.list.push(value.step)
      }
    })
    const values = events.flatMap((event) => (event.type === 'custom' ? [event.value] : []))
    expect(values).toEqual([
      { step: 1, list: [1] },
      { step: 2, list: [1, 2] },
    ])
    expect(values.every((one) => Object.isFrozen(one) && Object.isFrozen(one.list))).toBe(true)
  })

  it.each<[string, Record<string, unknown>]>([
    ['holds a function', { go() {} }],
    ['is circular', circular()],
    [
      'throws where it is read',
      {
        get bad() {
          throw new Error('no')
        },
      },
    ],
  ])('drops a value that %s, says so and goes on', async (_what, value) => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const events = await told((_args, { emitCustomEvent }) => {
      emitCustomEvent('before', {})
      emitCustomEvent('bad', value)
      emitCustomEvent('bad', value, { batch: true })
      emitCustomEvent('after', {})
      return 'done'
    })
    expect(names(events)).toEqual(['tool_call', 'before', 'after', 'tool_result'])
    expect(error.mock.calls.map(([text]) => text)).toEqual(Array(2).fill('assent: an event of t cannot be copied.'))
  })

  it.each([undefined, null, 5, 'text', [1]])('takes the value %j from untyped code', async (value) => {
    const events = await told((_args, { emitCustomEvent }) => emitCustomEvent('progress', value as never))
    expect(names(events)).toEqual(['tool_call', 'progress', 'tool_result'])
    expect(events.at(-1)).toMatchObject({ isError: false })
  })

  it('takes null for its options from untyped code', async () => {
    const events = await told((_args, { emitCustomEvent }) => emitCustomEvent('e', {}, null as never))
    expect(names(events)).toEqual(['tool_call', 'e', 'tool_result'])
    expect(events.at(-1)).toMatchObject({ isError: false })
  })

  it('loses none of 10,000, batched and not, and leaves no timer', async () => {
    const events = await told((_args, { emitCustomEvent }) => {
      for (let n = 0; n < 10_000; n++) emitCustomEvent('e', { n }, { batch: n % 3 > 0 })
    })
    const seen = events.flatMap((event) => (event.type === 'custom' ? [event.value.n] : []))
    expect(seen).toEqual(Array.from({ length: 10_000 }, (_none, n) => n))
    expect(vi.getTimerCount()).toBe(0)
  })

  it('survives a listener that throws', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const running = runTool(
      {
        name: 't',
        execute(_args, { emitCustomEvent }) {
          for (const batch of [true, true, false]) emitCustomEvent('e', {}, { batch })
          return 'done'
        },
      },
      {},
      {
        onEvent: () => {
          throw new Error('a listener')
        },
      },
    )
    expect(await running).toEqual({ output: 'done', isError: false })
  })

  it('needs no listener', async () => {
    expect(await runTool({ name: 't', execute: (_args, ctx) => ctx.emitCustomEvent('e', {}) }, {})).toEqual({
      output: '',
      isError: false,
    })
  })
})

function circular(): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  value.self = value
  return value
}

describe('the signal’s reason', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** The reason a tool that ignores its signal is given, and the result. */
  async function ending(options: RunToolOptions, end: () => unknown) {
    const reasons: unknown[] = []
    const tool: AnyTool = {
      name: 't',
      execute(_args, { signal }) {
        signal.addEventListener('abort', () => reasons.push(signal.reason))
        return new Promise(() => {})
      },
    }
    const running = runTool(tool, {}, options)
    await flush()
    await end()
    return { result: await running, reasons }
  }

  it('is the caller’s own', async () => {
    const controller = new AbortController()
    const reason = { mine: true }
    const { result, reasons } = await ending({ signal: controller.signal }, () => controller.abort(reason))
    expect([result.output, reasons.length, reasons[0] === reason]).toEqual(['cancelled', 1, true])
  })

  it('is a TimeoutError when the budget is used up', async () => {
    const { result, reasons } = await ending({ timeout: 50 }, () => vi.advanceTimersByTimeAsync(50))
    expect(result).toEqual({ output: 'timed out after 50 ms', isError: true })
    expect(reasons).toMatchObject([{ name: 'TimeoutError', message: 'timed out after 50 ms' }])
    expect(reasons[0]).toBeInstanceOf(DOMException)
  })
})

describe('resetTimeoutOnProgress', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const stepping = (name = 'progress', options?: { batch: boolean }): AnyTool => ({
    name: 't',
    async execute(_args, { emitCustomEvent }) {
      for (let step = 1; step <= 10; step++) {
        await new Promise((resolve) => setTimeout(resolve, 80))
        emitCustomEvent(name, { step, total: 10 }, options)
      }
      return 'done'
    },
  })
  const play = async (tool: AnyTool, options: RunToolOptions) => {
    const running = runTool(tool, {}, { timeout: 100, ...options })
    await vi.advanceTimersByTimeAsync(2000)
    return (await running).output
  }

  it.each([
    ['with a listener', { onEvent: () => {} }],
    ['without one', {}],
  ])('gives the whole budget again at each step, %s', async (_what, options) => {
    expect(await play(stepping(), { resetTimeoutOnProgress: true, ...options })).toBe('done')
    expect(await play(stepping('progress', { batch: true }), { resetTimeoutOnProgress: true, ...options })).toBe('done')
  })

  it('is off unless it is given, and hears of no other event', async () => {
    const timedOut = 'timed out after 100 ms'
    const onEvent = () => {}
    expect(await play(stepping(), { onEvent })).toBe(timedOut)
    expect(await play(stepping('note'), { onEvent, resetTimeoutOnProgress: true })).toBe(timedOut)
  })

  it('gives no more than the whole budget', async () => {
    const tool: AnyTool = {
      name: 't',
      execute(_args, { emitCustomEvent }) {
        for (let step = 0; step < 100; step++) emitCustomEvent('progress', { step })
        return new Promise(() => {})
      },
    }
    const running = runTool(tool, {}, { timeout: 100, resetTimeoutOnProgress: true, onEvent: () => {} })
    const settled = vi.fn()
    void running.then(settled)
    await vi.advanceTimersByTimeAsync(99)
    expect(settled).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(settled).toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('starts no clock while the person is asked', async () => {
    const tool: AnyTool = {
      name: 't',
      execute(_args, { emitCustomEvent, answer }) {
        if (answer) return 'done'
        setTimeout(() => emitCustomEvent('progress', { step: 1 }), 10)
        return pending({ kind: 'approval', prompt: '?' })
      },
    }
    const waitFor: WaitFor = ({ id }) => new Promise((resolve) => setTimeout(() => resolve({ id, ok: true }), 60_000))
    const running = runTool(tool, {}, { timeout: 100, resetTimeoutOnProgress: true, onEvent: () => {}, waitFor })
    await vi.advanceTimersByTimeAsync(60_000)
    expect((await running).output).toBe('done')
  })
})
