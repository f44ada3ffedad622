// @vitest-environment node
import { type Answer, type AnyTool, pending, pendingOf, runTool, type ToolEvent, type WaitFor } from 'assent/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { asking, countListeners, flush, no, recorded, row, thenable, yes } from '../support/asking.js'

const answering =
  (answer: Partial<Answer> | undefined): WaitFor =>
  async (request) =>
    (answer && { id: request.id, ...answer }) as Answer

const never = (): Promise<never> => new Promise(() => {})
const throwing = (): never => {
  throw new Error('no')
}

describe('the loop rule', () => {
  it('returns the result of a tool that does not ask, and asks nobody', async () => {
    const waitFor = vi.fn(answering({ ok: true }))
    expect(
      await runTool(
        recorded('t', () => 'plain'),
        {},
        { waitFor },
      ),
    ).toEqual({ output: 'plain', isError: false })
    expect(waitFor).not.toHaveBeenCalled()
  })

  it('runs the tool once more with the answer after a yes (K1)', async () => {
    const tool = asking('deploy', { id: 'r1' })
    const waitFor = vi.fn(answering({ ok: true, data: { env: 'staging' } }))
    expect(await runTool(tool, { site: 'docs' }, { waitFor })).toEqual({ output: 'done', isError: false })
    expect(waitFor).toHaveBeenCalledOnce()
    expect(tool.attempts).toEqual([
      { args: { site: 'docs' }, answer: undefined },
      { args: { site: 'docs' }, answer: { id: 'r1', ok: true, data: { env: 'staging' } } },
    ])
  })

  it.each<[string, WaitFor]>([
    ['a declined answer', answering({ ok: false, reason: 'declined' })],
    ['a cancelled one', answering({ ok: false, reason: 'cancelled' })],
    ['an expired one', answering({ ok: false, reason: 'expired' })],
    ['one without a reason', answering({ ok: false })],
    ['no answer', answering(undefined)],
    ['an answer to another request', answering({ id: 'SOMEONE-ELSE', ok: true })],
    ['an ok that is no boolean', answering({ ok: 'yes' as never })],
    ['a host that rejects', () => Promise.reject(new Error('ui gone'))],
    ['a host that throws', throwing],
    ['a host that returns nothing', (() => undefined) as never],
    [
      'an answer whose getters throw',
      async () => ({
        id: 'r1',
        get ok(): boolean {
          return throwing()
        },
      }),
    ],
    ['a promise whose then throws', (() => thenable(throwing)) as never],
  ])('does not run the tool again after %s (K3, K4)', async (_what, waitFor) => {
    const tool = asking('t', { id: 'r1', prompt: 'Delete 3 files?' })
    expect(await runTool(tool, {}, { waitFor })).toEqual({ output: 'declined/expired: Delete 3 files?', isError: true })
    expect(tool.attempts).toHaveLength(1)
  })

  it('returns the suspension itself when nobody can be asked', async () => {
    const result = await runTool(asking('t', { id: 'r1', prompt: 'Sure?' }), {})
    expect(pendingOf(result)).toEqual({ id: 'r1', kind: 'approval', prompt: 'Sure?' })
  })

  it('ends unresolved, with the first prompt, when the tool asks again', async () => {
    const waitFor = vi.fn(answering({ ok: true }))
    const tool = recorded('t', (_args, _ctx, attempt) => pending({ kind: 'input', prompt: `Step ${attempt}?` }))
    expect(await runTool(tool, {}, { waitFor })).toEqual({ output: 'unresolved: Step 1?', isError: true })
    expect([waitFor.mock.calls.length, tool.attempts.length]).toEqual([1, 2])
  })

  it('quotes the first prompt though the tool reuses one request object', async () => {
    const request = { id: 'r', kind: 'input', prompt: '' }
    const tool = recorded('t', (_args, _ctx, attempt) => {
      request.prompt = `Step ${attempt}?`
      return { output: '', isError: true, metadata: { pending: request } }
    })
    expect((await runTool(tool, {}, { waitFor: answering({ ok: true }) })).output).toBe('unresolved: Step 1?')
  })

  it('says Unknown tool when there is none', async () => {
    expect(await runTool(undefined, {}, { name: 'nope' })).toEqual({ output: 'Unknown tool: nope', isError: true })
  })

  it('takes an answer with a reason on it for the yes it is, without the reason (2.1)', async () => {
    const tool = asking('t', { id: 'r1' })
    await runTool(tool, {}, { waitFor: answering({ ok: true, reason: 'declined' }) })
    expect(tool.attempts[1]?.answer).toEqual({ id: 'r1', ok: true })
  })

  it('neither asks for nor accepts what has expired already (K10)', async () => {
    const waitFor = vi.fn(answering({ ok: true }))
    const tool = asking('t', { prompt: 'P', expiresAt: '2001-01-01T00:00:00Z' })
    expect(await runTool(tool, {}, { waitFor })).toEqual({ output: 'declined/expired: P', isError: true })
    expect(waitFor).not.toHaveBeenCalled()
  })
})

describe('what is shown is what runs (K20)', () => {
  it('gives each attempt its own copy of the arguments', async () => {
    const tool = recorded('t', (args, ctx) => {
      ;(args.items as string[]).push('x')
      delete args.path
      return ctx.answer ? 'done' : pending({ kind: 'approval', prompt: 'P' })
    })
    const args = { path: '/a', items: ['1'] }
    await runTool(tool, args, {
      waitFor: async (request) => {
        args.path = '/etc/passwd'
        return yes(request.id)
      },
    })
    expect(tool.attempts.map((attempt) => attempt.args)).toEqual([
      { path: '/a', items: ['1'] },
      { path: '/a', items: ['1'] },
    ])
  })

  it('shows a frozen copy of the request that the tool cannot change', async () => {
    const request = { id: 'r', kind: 'approval', prompt: 'Delete a?', data: { list: ['a'] } }
    const tool: AnyTool = { name: 't', execute: () => ({ output: '', isError: true, metadata: { pending: request } }) }
    let shown: unknown
    await runTool(
      tool,
      {},
      {
        waitFor: async (asked) => {
          request.prompt = 'Delete nothing?'
          request.data.list.push('b')
          expect(() => {
            asked.prompt = 'changed'
          }).toThrow(TypeError)
          shown = asked
          return no(asked.id)
        },
      },
    )
    expect(shown).toEqual({ id: 'r', kind: 'approval', prompt: 'Delete a?', data: { list: ['a'] } })
  })

  it('is an error when the question is not plain data', async () => {
    const waitFor = vi.fn(answering({ ok: true }))
    const tool: AnyTool = { name: 't', execute: () => pending({ kind: 'input', prompt: 'P', data: { go() {} } }) }
    const result = await runTool(tool, {}, { waitFor })
    expect(result.output).toBe('/data/go: expected JSON, got function')
    expect([result.isError, waitFor.mock.calls.length]).toEqual([true, 0])
  })
})

describe('what only looks like a request (K35)', () => {
  it('is not shown when it changes while it is read', async () => {
    const waitFor = vi.fn(answering({ ok: true }))
    let reads = 0
    const request = {
      id: 'r1',
      kind: 'approval',
      get prompt() {
        return ++reads > 1 ? {} : 'P'
      },
    }
    const tool: AnyTool = { name: 't', execute: () => ({ output: '', isError: true, metadata: { pending: request } }) }
    expect(await runTool(tool, {}, { waitFor })).toMatchObject({ isError: true, output: expect.any(String) })
    expect(waitFor.mock.calls.map(([asked]) => typeof asked.prompt).filter((kind) => kind !== 'string')).toEqual([])
  })

  it.each<[string, unknown]>([
    ['true', true],
    ['a number for an id', { id: 1, kind: 'approval', prompt: 'P' }],
    ['no prompt', { id: 'r1', kind: 'approval' }],
  ])('is a result like any other: pending is %s', async (_what, pending) => {
    const waitFor = vi.fn(answering({ ok: true }))
    const result = { output: 'x', isError: false, metadata: { pending } }
    expect(await runTool({ name: 't', execute: () => result }, {}, { waitFor })).toEqual(result)
    expect(waitFor).not.toHaveBeenCalled()
  })
})

describe('onRefusal: "retry"', () => {
  const listening = () =>
    recorded('t', (_args, ctx) =>
      ctx.answer ? `heard ${ctx.answer.ok} ${ctx.answer.reason}` : pending({ kind: 'approval', prompt: 'P' }),
    )

  it.each<[string, WaitFor, string]>([
    ['declined', answering({ ok: false, reason: 'declined' }), 'heard false declined'],
    ['no answer', answering(undefined), 'heard false cancelled'],
    ['another id', answering({ id: 'x', ok: true }), 'heard false cancelled'],
  ])('lets the tool hear of %s', async (_what, waitFor, output) => {
    const tool = listening()
    expect(await runTool(tool, {}, { waitFor, onRefusal: 'retry' })).toEqual({ output, isError: false })
    expect(tool.attempts).toHaveLength(2)
  })

  it('is read from the tool before the options', async () => {
    const waitFor = answering({ ok: false })
    expect((await runTool({ ...listening(), onRefusal: 'settle' }, {}, { waitFor, onRefusal: 'retry' })).isError).toBe(
      true,
    )
    expect((await runTool({ ...listening(), onRefusal: 'retry' }, {}, { waitFor })).output).toBe(
      'heard false undefined',
    )
  })

  it('ends unresolved when the tool asks again after the no', async () => {
    const tool = recorded('t', () => pending({ kind: 'approval', prompt: 'P' }))
    const waitFor = answering({ ok: false })
    expect((await runTool(tool, {}, { waitFor, onRefusal: 'retry' })).output).toBe('unresolved: P')
    expect(tool.attempts).toHaveLength(2)
  })
})

describe('maxQuestions', () => {
  const wizard = (steps: number) =>
    recorded('wizard', (_args, ctx, attempt) =>
      attempt <= steps
        ? pending({ id: `q${attempt}`, kind: 'input', prompt: `Step ${attempt}?` })
        : JSON.stringify([ctx.answer?.id, ctx.answers?.map(({ id }) => id)]),
    )

  it('lets a tool ask in steps: each sees the newest answer, and all in order', async () => {
    const result = await runTool(wizard(3), {}, { waitFor: answering({ ok: true }), maxQuestions: 3 })
    expect(result.output).toBe('["q3",["q1","q2","q3"]]')
  })

  it.each([
    [1, 2],
    [2, 3],
    [Number.NaN, 1],
    [0, 1],
  ])('of %d ends the call unresolved after %d executions', async (maxQuestions, executions) => {
    const tool = wizard(10)
    const result = await runTool(tool, {}, { waitFor: answering({ ok: true }), maxQuestions })
    expect([result.output, tool.attempts.length]).toEqual(['unresolved: Step 1?', executions])
  })

  it('ends at the first no', async () => {
    const tool = wizard(3)
    const waitFor: WaitFor = async ({ id }) => (id === 'q2' ? no(id) : yes(id))
    expect((await runTool(tool, {}, { waitFor, maxQuestions: 3 })).output).toBe('declined/expired: Step 2?')
    expect(tool.attempts).toHaveLength(2)
  })
})

describe('the context', () => {
  const seen = async (options: Parameters<typeof runTool>[2], answer?: Partial<Answer>) => {
    const contexts: Record<string, unknown>[] = []
    const tool: AnyTool = {
      name: 't',
      execute(_args, ctx) {
        contexts.push({ ...ctx })
        return answer && contexts.length === 1 ? pending({ id: 'r', kind: 'input', prompt: 'P' }) : ''
      },
    }
    await runTool(tool, {}, { ...options, waitFor: answering(answer) })
    return contexts
  }

  it('has what it always has, and nothing nobody gave', async () => {
    const [context] = await seen({})
    expect(Object.keys(context ?? {}).sort()).toEqual(['abortSignal', 'emitCustomEvent', 'signal', 'toolCallId'])
    expect(context?.signal).toBe(context?.abortSignal)
    expect(context?.toolCallId).toMatch(/^call-/)
  })

  it('has the timeout, the toolCallId and the app context that were given', async () => {
    const context = { user: 'ada' }
    const [given] = await seen({ timeout: 50, toolCallId: 'c1', context })
    expect(given).toMatchObject({ timeout: 50, toolCallId: 'c1' })
    expect(given?.context).toBe(context)
  })

  it('has an answer only after a question, with the same call id', async () => {
    const [first, second] = await seen({}, { ok: true, data: {} })
    expect('answer' in (first ?? {}) || 'answers' in (first ?? {})).toBe(false)
    expect(second).toMatchObject({
      answer: { id: 'r', ok: true, data: {} },
      answers: [{ id: 'r', ok: true, data: {} }],
    })
    expect(second?.toolCallId).toBe(first?.toolCallId)
  })
})

describe('a tool that fails', () => {
  it.each<[string, () => unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('boom')
      },
      'boom',
    ],
    ['rejects', () => Promise.reject(new Error('boom')), 'boom'],
    [
      'throws a text',
      () => {
        throw 'boom'
      },
      'boom',
    ],
    [
      'throws nothing',
      () => {
        throw undefined
      },
      'undefined',
    ],
    [
      'throws what cannot be read',
      () => {
        throw Object.create(null)
      },
      'unknown error',
    ],
    ['returns a thenable whose then throws', () => thenable(throwing), 'no'],
    [
      'returns a thenable that rejects',
      () => thenable(() => (_: unknown, fail: (error: unknown) => void) => fail(new Error('no'))),
      'no',
    ],
  ])('is an error result when it %s', async (_what, execute, output) => {
    expect(await runTool({ name: 't', execute }, {})).toEqual({ output, isError: true })
  })

  it('is an error result when it throws after the yes, and is not repeated (BUG-006)', async () => {
    const tool = recorded('t', (_args, ctx) => (ctx.answer ? throwing() : pending({ kind: 'approval', prompt: 'P' })))
    expect(await runTool(tool, {}, { waitFor: answering({ ok: true }) })).toEqual({ output: 'no', isError: true })
    expect(tool.attempts).toHaveLength(2)
  })

  it.each<[string, () => unknown]>([
    [
      'a result',
      () => {
        let reads = 0
        return {
          output: 'x',
          isError: false,
          get metadata() {
            return ++reads > 1 ? throwing() : undefined
          },
        }
      },
    ],
    [
      'metadata',
      () => {
        let reads = 0
        return {
          output: 'x',
          isError: false,
          metadata: {
            get pending() {
              return ++reads > 1 ? throwing() : undefined
            },
          },
        }
      },
    ],
  ])(
    'cannot make runTool reject, or leave a listener, with %s that throws when it is read again',
    async (_what, make) => {
      const { signal } = new AbortController()
      const listeners = countListeners(signal)
      const result = make()
      expect(await runTool({ name: 't', execute: () => result }, {}, { signal })).toMatchObject({
        output: expect.any(String),
      })
      expect(listeners.live()).toBe(0)
    },
  )

  it('cannot make runTool reject with a revoked proxy', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect((await runTool({ name: 't', execute: () => proxy }, {})).isError).toBe(true)
    expect((await runTool({ name: 't', execute: () => '' }, proxy)).isError).toBe(true)
  })
})

describe('abort', () => {
  const stubborn = (): AnyTool => ({ name: 't', execute: never })

  it('ends the call at once though the tool ignores the signal', async () => {
    const controller = new AbortController()
    const run = runTool(stubborn(), {}, { signal: controller.signal })
    await flush()
    controller.abort()
    expect(await run).toEqual({ output: 'cancelled', isError: true })
  })

  it('ends the call at once though the host ignores the signal, and runs nothing after a late yes (K5)', async () => {
    const controller = new AbortController()
    const tool = asking('t')
    let say: (answer: Answer) => void = () => {}
    const run = runTool(
      tool,
      {},
      {
        signal: controller.signal,
        waitFor: ({ id }) =>
          new Promise((resolve) => {
            say = () => resolve(yes(id))
          }),
      },
    )
    await flush()
    controller.abort()
    expect((await run).output).toBe('cancelled')
    say(yes('any'))
    await flush()
    expect(tool.attempts).toHaveLength(1)
  })

  it('reaches the tool and the host with the reason of the caller', async () => {
    const controller = new AbortController()
    const signals: (AbortSignal | undefined)[] = []
    const tool = recorded('t', (_args, ctx) => {
      signals.push(ctx.signal)
      return pending({ kind: 'approval', prompt: 'P' })
    })
    const run = runTool(
      tool,
      {},
      {
        signal: controller.signal,
        waitFor: (_request, options) => {
          signals.push(options?.signal)
          return never()
        },
      },
    )
    await flush()
    controller.abort('because')
    await run
    expect(signals.map((signal) => [signal?.aborted, signal?.reason])).toEqual([
      [true, 'because'],
      [true, 'because'],
    ])
  })

  it('drops what fails later: nothing is left unhandled', async () => {
    const controller = new AbortController()
    const fails: ((reason: Error) => void)[] = []
    const failing = () => new Promise<never>((_resolve, reject) => fails.push(reject))
    const runs = Promise.all([
      runTool({ name: 't', execute: failing }, {}, { signal: controller.signal }),
      runTool(asking('t'), {}, { signal: controller.signal, waitFor: failing }),
    ])
    await flush()
    controller.abort()
    expect((await runs).map(({ output }) => output)).toEqual(['cancelled', 'cancelled'])
    for (const fail of fails) fail(new Error('too late'))
    await flush()
    expect(fails).toHaveLength(2)
  })

  it('before the start runs nothing', async () => {
    const tool = asking('t')
    expect(await runTool(tool, {}, { signal: AbortSignal.abort() })).toEqual({ output: 'cancelled', isError: true })
    expect(tool.attempts).toHaveLength(0)
  })

  it('leaves no listener on the signal of the caller (K37)', async () => {
    const { signal } = new AbortController()
    const listeners = countListeners(signal)
    for (let call = 0; call < 20; call++) {
      await runTool(asking('t'), {}, { signal, waitFor: answering({ ok: call % 2 === 0 }), timeout: 1000 })
    }
    expect(listeners.added()).toBe(20)
    expect(listeners.live()).toBe(0)
  })
})

describe('timeout', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('ends the call with an error though the tool ignores the signal', async () => {
    let signal: AbortSignal | undefined
    const run = runTool(
      {
        name: 't',
        execute: (_args, ctx) => {
          signal = ctx.signal
          return never()
        },
      },
      {},
      { timeout: 50 },
    )
    await vi.advanceTimersByTimeAsync(50)
    expect(await run).toEqual({ output: 'timed out after 50 ms', isError: true })
    expect(signal?.aborted).toBe(true)
    expect(signal?.reason).toMatchObject({ name: 'TimeoutError' })
    expect(vi.getTimerCount()).toBe(0)
  })

  const slow = (ms: number) =>
    recorded('slow', async (_args, ctx) => {
      await new Promise((resolve) => setTimeout(resolve, ms))
      return ctx.answer ? 'done' : pending({ kind: 'approval', prompt: 'P' })
    })

  it('charges no time of the person and gives the second attempt the whole budget (K12, BUG-068)', async () => {
    const waitFor: WaitFor = async ({ id }) => {
      await new Promise((resolve) => setTimeout(resolve, 60_000))
      return yes(id)
    }
    const run = runTool(slow(90), {}, { waitFor, timeout: 100 })
    await vi.advanceTimersByTimeAsync(60_180)
    expect(await run).toEqual({ output: 'done', isError: false })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is a ceiling for the second attempt too', async () => {
    const tool = recorded('t', (_args, ctx) => (ctx.answer ? never() : pending({ kind: 'approval', prompt: 'P' })))
    const run = runTool(tool, {}, { waitFor: answering({ ok: true }), timeout: 100 })
    await vi.advanceTimersByTimeAsync(100)
    expect((await run).output).toBe('timed out after 100 ms')
  })

  it('is none unless somebody gave one', async () => {
    void runTool({ name: 't', execute: never }, {})
    await vi.advanceTimersByTimeAsync(1000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves no timer behind when the call was aborted and its tool never ends (K37)', async () => {
    const controller = new AbortController()
    const run = runTool({ name: 't', execute: never }, {}, { signal: controller.signal, timeout: 60_000 })
    await flush()
    controller.abort()
    expect((await run).output).toBe('cancelled')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves no timer behind after a call that ended', async () => {
    await runTool(asking('t'), {}, { waitFor: answering({ ok: true }), timeout: 60_000 })
    await runTool({ name: 't', execute: throwing }, {}, { timeout: 60_000 })
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('onEvent', () => {
  const heard = async (tool: AnyTool | undefined, answer: Partial<Answer> | undefined, args: unknown = {}) => {
    const events: ToolEvent[] = []
    await runTool(tool, args, {
      name: 't',
      toolCallId: 'c1',
      waitFor: answering(answer),
      onEvent: (event) => events.push(event),
    })
    return events
  }

  it.each<[string, AnyTool | undefined, Partial<Answer> | undefined, string[]]>([
    ['a plain call', recorded('t', () => ''), undefined, ['tool_call', 'tool_result']],
    ['a yes (K36)', asking('t'), { ok: true }, ['tool_call', 'pending pending', 'answer', 'tool_result']],
    ['a no', asking('t'), { ok: false }, ['tool_call', 'pending pending', 'answer', 'tool_result error']],
    ['a throw', recorded('t', throwing), undefined, ['tool_call', 'tool_result error']],
    ['an unknown tool', undefined, undefined, ['tool_call', 'tool_result error']],
  ])('tells of %s in order', async (_what, tool, answer, rows) => {
    const events = await heard(tool, answer)
    expect(events.map(row)).toEqual(rows)
    for (const event of events) expect(event).toMatchObject({ runId: 'c1', toolCallId: 'c1', toolName: 't' })
  })

  it('does not call a suspension nobody answers an error (K36)', async () => {
    const events: ToolEvent[] = []
    await runTool(asking('t'), {}, { onEvent: (event) => events.push(event) })
    expect(events.map(row)).toEqual(['tool_call', 'tool_result pending'])
  })

  it('carries the request and how it was answered, never the data of an answer (K32)', async () => {
    const events = await heard(asking('t', { id: 'r1' }), { ok: true, data: { secret: 'hunter2' } })
    const request = { id: 'r1', kind: 'approval', prompt: 't?' }
    expect(events[1]).toMatchObject({ type: 'pending', request })
    expect(events[2]).toMatchObject({ type: 'answer', request, ok: true })
    expect(JSON.stringify(events)).not.toContain('hunter2')
    const refused = await heard(asking('t', { id: 'r1' }), {
      ok: false,
      reason: 'declined',
      data: { feedback: 'hunter2' },
    })
    expect(refused[2]).toMatchObject({ type: 'answer', ok: false, reason: 'declined' })
    expect(JSON.stringify(refused)).not.toContain('hunter2')
  })

  it('tells of the question before the host is asked (BUG-024)', async () => {
    const order: string[] = []
    await runTool(
      asking('t'),
      {},
      {
        onEvent: ({ type }) => order.push(type),
        waitFor: async ({ id }) => {
          order.push('host')
          return yes(id)
        },
      },
    )
    expect(order).toEqual(['tool_call', 'pending', 'host', 'answer', 'tool_result'])
  })

  it('passes on what the tool emits, at once and in order over both attempts (K25)', async () => {
    const events = await heard(
      recorded('t', (_args, ctx, attempt) => {
        ctx.emitCustomEvent('progress', { step: attempt * 10 })
        ctx.emitCustomEvent('progress', { step: attempt * 10 + 1 })
        return ctx.answer ? '' : pending({ kind: 'approval', prompt: 'P' })
      }),
      { ok: true },
    )
    expect(events.map((event) => (event.type === 'custom' ? `${event.name} ${event.value.step}` : event.type))).toEqual(
      ['tool_call', 'progress 10', 'progress 11', 'pending', 'answer', 'progress 20', 'progress 21', 'tool_result'],
    )
  })

  it('is silent after the end, whatever the tool still says (K25)', async () => {
    const events: string[] = []
    let late = (): void => {}
    const controller = new AbortController()
    const tool: AnyTool = {
      name: 't',
      execute(_args, ctx) {
        late = () => ctx.emitCustomEvent('progress', {})
        return never()
      },
    }
    const run = runTool(tool, {}, { signal: controller.signal, onEvent: ({ type }) => events.push(type) })
    await flush()
    controller.abort()
    await run
    late()
    expect(events).toEqual(['tool_call', 'tool_result'])
  })

  it('may throw: the call goes on', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const result = await runTool(asking('t'), {}, { waitFor: answering({ ok: true }), onEvent: throwing })
    expect(result).toEqual({ output: 'done', isError: false })
    expect(error).toHaveBeenCalledWith(expect.stringMatching(/^assent: onEvent threw/), expect.any(Error))
  })

  it('may abort the call: nothing runs', async () => {
    const controller = new AbortController()
    const tool = asking('t')
    const run = runTool(
      tool,
      {},
      {
        signal: controller.signal,
        waitFor: answering({ ok: true }),
        onEvent: ({ type }) => type === 'pending' && controller.abort(),
      },
    )
    expect((await run).output).toBe('cancelled')
    await flush()
    expect(tool.attempts).toHaveLength(1)
  })
})
