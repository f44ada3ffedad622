// @vitest-environment node
// Tools as the two contracts' documents write them: their authors know nothing of this kit. The three of the first
// document run one by one in test/seeds.test.ts; here are the second one's, and both kinds side by side.
import {
  type AnyTool,
  pending,
  pendingOf,
  type Tool,
  type ToolContext,
  type ToolEvent,
  type ToolResult,
} from 'assent/core'
import { createToolRunner, type Runner, type ToolRunnerOptions } from 'assent/runner'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { approveHead, countListeners, flush, no, refusedAs, yes } from './support/asking.js'

/** The second contract's context, in its own words. */
interface ToolExecutionContext<TContext = unknown> {
  abortSignal?: AbortSignal | undefined
  detach?: ((work: Promise<unknown>) => Promise<string>) | undefined
  emitCustomEvent: (
    eventName: string,
    value: Record<string, unknown>,
    options?: { batch?: boolean | undefined },
  ) => void
  inputResponse?:
    | { status: 'resolved'; payload?: Record<string, unknown> | undefined }
    | { status: 'cancelled' }
    | undefined
  toolCallId?: string | undefined
  context?: TContext | undefined
}

const reportProgress = {
  name: 'report_progress',
  description: 'Works in three steps and says so',
  inputSchema: z.object({ steps: z.number().default(3) }),
  async execute(args: { steps?: number }, context?: ToolExecutionContext) {
    const total = args.steps ?? 3
    for (let step = 1; step <= total; step++) {
      context?.emitCustomEvent('progress', { step, total })
      await null
    }
    return { total, callId: context?.toolCallId }
  },
}

/** A job whose end is in our hands. */
function jobOf(outputSchema: AnyTool['outputSchema'] = z.object({ rows: z.number() })) {
  let end = (_value: unknown): void => {}
  const done = new Promise<unknown>((resolve) => {
    end = resolve
  })
  const runJob = (_args: unknown): Promise<unknown> => done
  const tool = {
    name: 'run_job',
    description: 'Takes its time',
    inputSchema: v.object({}),
    jsonSchema: { type: 'object' },
    outputSchema,
    async execute(args: unknown, context?: ToolExecutionContext) {
      const work = runJob(args)
      return context?.detach ? Promise.race([work, context.detach(work)]) : work
    },
  }
  return { tool, end }
}

const NO_INPUT = pending({ id: 'in', kind: 'input', prompt: 'Which environment?' })
const deployTo = {
  name: 'deploy_to',
  description: 'Reads the answer as the second contract has it',
  onRefusal: 'retry' as const,
  execute(_args: unknown, context?: ToolExecutionContext) {
    const response = context?.inputResponse
    if (!response) return NO_INPUT
    if (response.status === 'cancelled') return { state: 'nobody answered' }
    return response.payload?.action === 'decline' ? { state: 'declined' } : { state: `to ${response.payload?.env}` }
  },
}

const whoAmI = {
  name: 'who_am_i',
  description: 'Reads the app’s own value',
  execute: (_args: unknown, context?: ToolExecutionContext<{ user: string }>) => context?.context?.user ?? 'nobody',
}

const stopsEarly = {
  name: 'stops_early',
  description: 'Hands its signal on',
  execute: (_args: unknown, context?: ToolExecutionContext) =>
    new Promise<string>((_resolve, reject) => {
      context?.abortSignal?.addEventListener('abort', () => reject(context.abortSignal?.reason))
    }),
}

const crunch: Tool = {
  name: 'crunch',
  description: 'Works in steps and stops when it is cancelled',
  inputSchema: { type: 'object', properties: { steps: { type: 'number' } } },
  source: 'custom',
  async execute(args, ctx) {
    let done = 0
    while (done < Number(args.steps ?? 3)) {
      if (ctx?.signal?.aborted) return { output: `cancelled after ${done} step(s)`, isError: true }
      done++
      await null
    }
    return { output: `completed ${done} step(s)`, isError: false }
  },
}

const fetchish: Tool = {
  name: 'fetchish',
  description: 'Stays within the budget of its caller',
  inputSchema: { type: 'object', properties: { url: { type: 'string' } } },
  source: 'custom',
  async execute(args, ctx) {
    const budget = ctx?.timeout ?? 30_000
    if (budget < 100) return { output: `budget ${budget}ms is too small to try`, isError: true }
    return { output: `fetched ${args.url} within ${budget}ms`, isError: false }
  },
}

const deploy: Tool = {
  name: 'deploy',
  description: 'Deploy, asking which environment first',
  inputSchema: { type: 'object', properties: {} },
  source: 'custom',
  async execute(_args, ctx) {
    if (!ctx?.answer) return pending({ kind: 'input', prompt: 'Which environment?' })
    if (!ctx.answer.ok) return { output: `declined: ${ctx.answer.reason ?? 'no reason'}`, isError: true }
    return { output: `deployed to ${String(ctx.answer.data?.env ?? 'unknown')}`, isError: false }
  },
}

interface Made {
  runner: Runner
  events: ToolEvent[]
  results: ToolResult[]
}
function runnerOf<C>(tools: readonly AnyTool<C>[], options: ToolRunnerOptions<C> = {}): Made {
  const events: ToolEvent[] = []
  const results: ToolResult[] = []
  const runner = createToolRunner({
    tools,
    onEvent: (event) => events.push(event),
    onResult: (result) => results.push(result),
    ...options,
  })
  runner.attach({}, 'dialog')
  return { runner, events, results }
}

describe('the second contract’s tools, called directly without a context', () => {
  it('do their work', async () => {
    expect(await reportProgress.execute({ steps: 2 })).toEqual({ total: 2, callId: undefined })
    const { tool, end } = jobOf()
    const result = tool.execute({})
    end({ rows: 3 })
    expect(await result).toEqual({ rows: 3 })
    expect(pendingOf(deployTo.execute({}))?.prompt).toBe('Which environment?')
    expect(whoAmI.execute({})).toBe('nobody')
  })
})

describe('the second contract’s tools, run by a runner', () => {
  it('tell their progress, and get the id of their call', async () => {
    const { runner, events } = runnerOf([reportProgress])
    const result = await runner.run('report_progress', {}, { toolCallId: 'call_7' })
    expect(result).toEqual({ output: '{"total":3,"callId":"call_7"}', isError: false })
    expect(events.flatMap((event) => (event.type === 'custom' ? [[event.name, event.value]] : []))).toEqual([
      ['progress', { step: 1, total: 3 }],
      ['progress', { step: 2, total: 3 }],
      ['progress', { step: 3, total: 3 }],
    ])
    expect(runner.getState().runs[0]).toMatchObject({ toolCallId: 'call_7', progress: { step: 3, total: 3 } })
  })

  it('do their work here where nobody can move them', async () => {
    const { tool, end } = jobOf()
    const { runner, results } = runnerOf([tool])
    const result = runner.run('run_job')
    await flush()
    end({ rows: 3 })
    expect([await result, results]).toEqual([{ output: '{"rows":3}', isError: false }, []])
  })

  it('are moved, and their output is checked when it comes', async () => {
    for (const [value, expected] of [
      [{ rows: 3 }, { output: '{"rows":3}', isError: false }],
      [
        { rows: 'x' },
        { output: expect.stringMatching(/^run_job: its result cannot be used \(\/rows: /), isError: true },
      ],
    ] as const) {
      const { tool, end } = jobOf()
      const { runner, results } = runnerOf([tool], { detachable: true })
      const result = runner.run('run_job', {}, { toolCallId: 'j' })
      await flush()
      expect(runner.detach('j')).toBe(true)
      expect(await result).toEqual({
        output: 'Moved to the background: run_job. Its result will follow.',
        isError: false,
      })
      end(value)
      await flush()
      expect(results).toEqual([expected])
    }
  })

  it.each([
    ['a yes', (id: string) => yes(id, { env: 'staging' }), '{"state":"to staging"}'],
    ['a no', (id: string) => no(id), '{"state":"declined"}'],
    ['a close', (id: string) => no(id, 'cancelled'), '{"state":"nobody answered"}'],
    ['an expiry', (id: string) => no(id, 'expired'), '{"state":"nobody answered"}'],
  ] as const)('read %s in their own words', async (_what, answer, output) => {
    const { runner } = runnerOf([deployTo])
    const result = runner.run('deploy_to')
    await flush()
    runner.answer('in', answer('in'))
    expect(await result).toEqual({ output, isError: false })
  })

  it('read the app’s own value', async () => {
    const runner = createToolRunner({ tools: [whoAmI], context: { user: 'ada' } })
    expect((await runner.run('who_am_i')).output).toBe('ada')
    expect((await createToolRunner<{ user: string }>({ tools: [whoAmI] }).run('who_am_i')).output).toBe('nobody')
  })

  it('ask first where they need approval, whatever their output has to be', async () => {
    let ran = 0
    const gated: AnyTool = {
      name: 'wipe',
      needsApproval: true,
      outputSchema: z.object({ wiped: z.boolean() }),
      execute: () => ({ wiped: ++ran > 0 }),
    }
    const { runner } = runnerOf([gated])
    const refused = runner.run('wipe')
    await flush()
    expect([ran, runner.head()?.request.prompt]).toEqual([0, 'Allow wipe?'])
    const id = runner.head()?.request.id ?? ''
    runner.answer(id, no(id))
    expect(await refused).toEqual(refusedAs('Allow wipe?'))
    const passed = runner.run('wipe')
    await flush()
    approveHead(runner)
    expect(await passed).toEqual({ output: '{"wiped":true}', isError: false })
  })

  it('stop at their signal, and the call ends at once', async () => {
    const { runner } = runnerOf([stopsEarly])
    const result = runner.run('stops_early', {}, { toolCallId: 's' })
    await flush()
    runner.abort('s')
    expect(await result).toEqual({ output: 'cancelled', isError: true })
  })
})

describe('a tool that is stopped', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** Two calls that ignore their signals, one under each of its names, and the reasons they were given. */
  const stuck = () => {
    const reasons: unknown[] = []
    const ignores = (name: string, signalOf: (ctx: ToolContext) => AbortSignal | undefined): AnyTool => ({
      name,
      execute(_args, ctx) {
        const signal = signalOf(ctx)
        signal?.addEventListener('abort', () => reasons.push(signal.reason))
        return new Promise(() => {})
      },
    })
    const { runner } = runnerOf([
      ignores('first', ({ signal }) => signal),
      ignores('second', ({ abortSignal }) => abortSignal),
    ])
    return { runner, reasons }
  }
  const mine = new Error('the app’s own')

  it.each<[string, (runner: Runner, controller: AbortController) => unknown, object, string]>([
    ['its caller', (_runner, controller) => controller.abort(mine), { message: 'the app’s own' }, 'cancelled'],
    ['the runner', (runner) => runner.abort(), { name: 'AbortError', message: 'cancelled' }, 'cancelled'],
    ['the end of the runner', (runner) => runner.dispose(), { name: 'AbortError', message: 'disposed' }, 'cancelled'],
    [
      'its timeout',
      () => vi.advanceTimersByTimeAsync(100),
      { name: 'TimeoutError', message: 'timed out after 100 ms' },
      'timed out after 100 ms',
    ],
  ])('by %s is told why, and holds nothing though it goes on', async (_what, stop, reason, output) => {
    const { runner, reasons } = stuck()
    const controller = new AbortController()
    const listeners = countListeners(controller.signal)
    const results = runner.runAll([{ name: 'first' }, { name: 'second' }], { signal: controller.signal, timeout: 100 })
    await flush()
    await stop(runner, controller)
    expect(await results).toEqual(Array(2).fill({ output, isError: true }))
    expect(reasons).toMatchObject([reason, reason])
    expect(reasons.every((one) => one === mine || one instanceof DOMException)).toBe(true)
    const status = output === 'cancelled' ? 'cancelled' : 'failed'
    expect(runner.getState().runs.map((run) => run.status)).toEqual([status, status])
    expect([listeners.live(), vi.getTimerCount()]).toEqual([0, 0])
  })
})

describe('tools of both contracts in one runner', () => {
  it('are run side by side in one turn', async () => {
    const { tool, end } = jobOf()
    const { runner, results } = runnerOf<{ user: string }>(
      [reportProgress, tool, deployTo, whoAmI, crunch, fetchish, deploy],
      {
        context: { user: 'ada' },
        detachable: true,
        timeout: 5000,
      },
    )
    const turn = runner.runAll([
      { name: 'crunch', args: { steps: 2 } },
      { name: 'run_job', toolCallId: 'j' },
      { name: 'deploy' },
      { name: 'report_progress', args: { steps: 1 }, toolCallId: 'p' },
      { name: 'deploy_to' },
      { name: 'fetchish', args: { url: '/a' } },
      { name: 'who_am_i' },
    ])
    await flush()
    runner.detach('j')
    for (let question = 0; question < 2; question++) approveHead(runner, { env: 'staging' })
    expect((await turn).map(({ output }) => output)).toEqual([
      'completed 2 step(s)',
      'Moved to the background: run_job. Its result will follow.',
      'deployed to staging',
      '{"total":1,"callId":"p"}',
      '{"state":"to staging"}',
      'fetched /a within 5000ms',
      'ada',
    ])
    end({ rows: 1 })
    await flush()
    expect(results).toEqual([{ output: '{"rows":1}', isError: false }])
  })

  it('are told to each model alike', () => {
    const { runner } = runnerOf([reportProgress, jobOf().tool, crunch])
    expect(runner.tools('openai')).toMatchObject([
      { function: { name: 'report_progress', parameters: { properties: { steps: {} } } } },
      { function: { name: 'run_job', parameters: { type: 'object' } } },
      { function: { name: 'crunch', parameters: { properties: { steps: { type: 'number' } } } } },
    ])
  })
})
