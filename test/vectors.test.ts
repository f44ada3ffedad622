// @vitest-environment node
import {
  type Answer,
  type AnyTool,
  authRequired,
  defineTool,
  type PendingRequest,
  pending,
  pendingOf,
  runTool,
  type ToolResult,
  type WaitFor,
} from 'assent/core'
import { createToolRunner, questionTool, type Runner } from 'assent/runner'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import file from './cases/toolnexus-vectors.json'
import { flush } from './support/asking.js'
import { WAITING_VECTORS } from './support/waiting.js'

// The shape of a vector, as far as it is read here.
interface Attempt {
  pending?: Partial<PendingRequest> & { kind: string; prompt: string }
  authRequired?: { url: string; prompt?: string }
  output?: string
  isError?: boolean
  metadata?: Record<string, unknown>
  returns?: unknown
  throws?: string
  outputFrom?: 'answer.data' | 'answer.id' | 'args'
}

interface VectorTool {
  name: string
  args?: Record<string, unknown>
  attempts: Attempt[]
  wrap?: 'native' | 'raw'
  absent?: boolean
}

type ScriptedAnswer = Partial<Answer>

interface Step {
  do?: 'approve' | 'decline' | 'dismiss' | 'answer' | 'unmount' | 'submit'
  check?: 'open' | 'queue' | 'noLink'
  id?: string
  ids?: string[]
  answer?: Answer
  advanceMs?: number
}

interface Vector {
  id: string
  profile: string
  kit: 'must' | 'should' | 'avoid'
  title: string
  tool?: VectorTool | null
  tools?: VectorTool[]
  host?: {
    none?: boolean
    answer?: ScriptedAnswer
    byId?: Record<string, ScriptedAnswer>
    delayMs?: number
    delayById?: Record<string, number>
    throws?: string
    script?: Step[]
  } | null
  run?: { abortAfterMs?: number; timeoutMs?: number; style?: string; mode?: string }
  requests?: PendingRequest[]
  expect: {
    result?: Partial<ToolResult>
    results?: Partial<ToolResult>[]
    exact?: boolean
    idPattern?: string
    idUniqueAcrossCalls?: boolean
    wire?: Partial<PendingRequest>
    wireKeys?: string[]
    suspended?: boolean
    hostCallCount?: number
    hostCalls?: Partial<PendingRequest>[]
    hostMaxOpen?: number
    hostSettleOrder?: string[]
    executions?: { args?: unknown; answer: Partial<Answer> | null }[]
    executionCountByTool?: Record<string, number>
    answersByTool?: Record<string, Partial<Answer>>
    answers?: Answer[]
    shown?: number
    openAfter?: number
    cases?: Record<string, string>
  }
}

const vectors = file as unknown as Vector[]
const byId = new Map(vectors.map((vector) => [vector.id, vector]))
const named = (id: string): Vector => {
  const vector = byId.get(id)
  if (!vector) throw new Error(`no vector ${id}`)
  return vector
}

const ran = new Set<string>()

/** Runs one vector, or a list of them, and notes it. */
const vector = (id: string, run: (vector: Vector) => Promise<void>) => {
  ran.add(id)
  it(`${id}: ${named(id).title}`, () => run(named(id)))
}

const vectorsOf = (profile: string) =>
  vectors
    .filter((one) => one.profile === profile && one.kit !== 'avoid' && !(one.id in WAITING_VECTORS))
    .map(({ id }) => id)

interface Execution {
  tool: string
  args: unknown
  answer: Answer | null
}

/** A tool that plays the attempts of a vector. */
function play(spec: VectorTool, executions: Execution[]): AnyTool {
  let attempt = 0
  const execute: AnyTool['execute'] = (args, ctx) => {
    executions.push({ tool: spec.name, args: structuredClone(args), answer: ctx?.answer ?? null })
    const step = spec.attempts[Math.min(attempt++, spec.attempts.length - 1)] ?? {}
    if (step.throws !== undefined) throw new Error(step.throws)
    if (step.pending) return pending(step.pending)
    if (step.authRequired) return authRequired(step.authRequired.url, step.authRequired.prompt)
    if ('returns' in step) return step.returns
    if (step.outputFrom === 'args') return JSON.stringify(args)
    if (step.outputFrom === 'answer.id') return ctx?.answer?.id
    if (step.outputFrom === 'answer.data') return JSON.stringify(ctx?.answer?.data ?? {})
    return {
      output: step.output ?? '',
      isError: step.isError ?? false,
      ...(step.metadata && { metadata: step.metadata }),
    }
  }
  return spec.wrap === 'native'
    ? (defineTool({ name: spec.name, description: '', execute }) as AnyTool)
    : { name: spec.name, description: '', inputSchema: { type: 'object' }, execute }
}

interface Host {
  waitFor: WaitFor | undefined
  calls: PendingRequest[]
  settled: string[]
  maxOpen: () => number
}

/** The host of a vector: answers by the script, after its delay. */
function hostOf({ host }: Vector): Host {
  const calls: PendingRequest[] = []
  const settled: string[] = []
  let open = 0
  let most = 0
  const waitFor: WaitFor = async (request) => {
    calls.push(request)
    most = Math.max(most, ++open)
    const delay = host?.delayById?.[request.id] ?? host?.delayMs
    if (delay !== undefined) await new Promise((resolve) => setTimeout(resolve, delay))
    open--
    settled.push(request.id)
    if (host?.throws !== undefined) throw new Error(host.throws)
    const answer = host?.byId?.[request.id] ?? host?.answer
    return { id: request.id, ok: false, ...answer }
  }
  return { waitFor: host?.none ? undefined : waitFor, calls, settled, maxOpen: () => most }
}

interface Played {
  results: ToolResult[]
  executions: Execution[]
  host: Host
}

/** Plays the calls of a vector, all at once, through the loop. */
async function playLoop(one: Vector, signal?: AbortSignal): Promise<Played> {
  const executions: Execution[] = []
  const host = hostOf(one)
  const specs = one.tools ?? (one.tool ? [one.tool] : [])
  const running = Promise.all(
    specs.map((spec) =>
      runTool(spec.absent ? undefined : one.profile === 'question' ? questionTool : play(spec, executions), spec.args, {
        name: spec.name,
        waitFor: host.waitFor,
        signal,
        timeout: one.run?.timeoutMs,
      }),
    ),
  )
  await vi.runAllTimersAsync()
  return { results: await running, executions, host }
}

/** What a vector expects of a played loop. */
function check({ expect: expected }: Vector, { results, executions, host }: Played): void {
  if (expected.results) {
    expect(results).toHaveLength(expected.results.length)
    expect(results).toMatchObject(expected.results)
  }
  if (expected.result && expected.exact) expect(results).toEqual([expected.result])
  else if (expected.result) expect(results[0]).toMatchObject(expected.result)
  if (expected.executions) {
    expect(executions).toHaveLength(expected.executions.length)
    expect(executions).toMatchObject(expected.executions)
  }
  if (expected.hostCallCount !== undefined) expect(host.calls).toHaveLength(expected.hostCallCount)
  if (expected.hostCalls) expect(host.calls).toEqual(expected.hostCalls)
  if (expected.hostMaxOpen !== undefined) expect(host.maxOpen()).toBe(expected.hostMaxOpen)
  if (expected.hostSettleOrder) expect(host.settled).toEqual(expected.hostSettleOrder)
  for (const [tool, count] of Object.entries(expected.executionCountByTool ?? {})) {
    expect(executions.filter((execution) => execution.tool === tool)).toHaveLength(count)
  }
  for (const [tool, answer] of Object.entries(expected.answersByTool ?? {})) {
    expect(executions.findLast((execution) => execution.tool === tool)?.answer).toMatchObject(answer)
  }
  const request = pendingOf(results[0])
  if (expected.suspended !== undefined) expect(request !== undefined).toBe(expected.suspended)
  if (expected.wire) expect(JSON.parse(JSON.stringify(request))).toMatchObject(expected.wire)
  if (expected.wireKeys) expect(Object.keys(request ?? {}).sort()).toEqual(expected.wireKeys)
  if (expected.idPattern) expect(request?.id).toMatch(new RegExp(expected.idPattern))
}

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) }))
afterEach(() => void vi.useRealTimers())

describe('results', () => {
  for (const id of vectorsOf('result')) {
    vector(id, async (one) => {
      const played = await playLoop(one)
      check(one, played)
      if (one.expect.idUniqueAcrossCalls) {
        const again = await playLoop(one)
        expect(pendingOf(again.results[0])?.id).not.toBe(pendingOf(played.results[0])?.id)
      }
    })
  }
})

describe('the loop', () => {
  for (const id of vectorsOf('loop')) {
    vector(id, async (one) => check(one, await playLoop(one)))
  }
})

describe('several calls of one runner', () => {
  // The same vectors once more, with a runner for the host, answered in the order of their delays.
  for (const id of ['C01', 'C03', 'C05', 'C06']) {
    it(`${id}: ${named(id).title}`, async () => {
      const one = named(id)
      const executions: Execution[] = []
      const specs = one.tools ?? []
      const runner = createToolRunner()
      runner.attach({}, 'dialog')
      // Two calls of one tool are two registrations under one name in a vector: each call brings its own.
      const results = Promise.all(
        specs.map(async (spec) => {
          const remove = runner.register({ ...play(spec, executions), name: `${spec.name}-${specs.indexOf(spec)}` })
          const result = await runner.run(`${spec.name}-${specs.indexOf(spec)}`, spec.args)
          remove()
          return result
        }),
      )
      await flush()
      const open = [...runner.getState().pending]
      expect(open.map(({ request }) => request.id)).toEqual(
        specs.flatMap(({ attempts }) => attempts[0]?.pending?.id ?? []),
      )
      const delayOf = (key: string) => one.host?.delayById?.[key] ?? 0
      for (const { key, request } of open.sort((a, b) => delayOf(a.key) - delayOf(b.key))) {
        const answer = one.host?.byId?.[request.id] ?? one.host?.answer
        expect(runner.answer(key, { id: request.id, ok: false, ...answer })).toBe(true)
      }
      expect(await results).toMatchObject(one.expect.results ?? [])
      expect(runner.count()).toBe(0)
    })
  }
})

describe('the question tool', () => {
  for (const id of vectorsOf('question')) {
    vector(id, async (one) => check(one, await playLoop(one)))
  }
})

describe('a name for a model', () => {
  vector('A02', async (one) => {
    const cases = Object.entries(one.expect.cases ?? {})
    expect(cases.length).toBeGreaterThan(0)
    const tools = cases.map(([name]) => ({ name, execute: () => name }))
    const runner = createToolRunner({ tools })
    expect(runner.tools('anthropic').map(({ name }) => name)).toEqual(cases.map(([, told]) => told))
    for (const [name, told] of cases) expect((await runner.run(told)).output).toBe(name)
  })
})

describe('what the reference does and this kit must not', () => {
  vector('L12', async (one) => {
    const { results, executions } = await playLoop(one)
    expect(results).toEqual([{ output: 'boom', isError: true }])
    expect(executions).toHaveLength(2)
  })

  vector('L16', async (one) => {
    const { results, executions } = await playLoop(one)
    expect(results).toEqual([{ output: 'declined/expired: Proceed?', isError: true }])
    expect(executions).toHaveLength(1)
  })

  it('L16, asked by a runner: the foreign answer is refused and the question stays', async () => {
    const executions: Execution[] = []
    const runner = createToolRunner({ tools: [play(named('L16').tool as VectorTool, executions)] })
    runner.attach({}, 'dialog')
    const result = runner.run('t')
    await flush()
    expect(runner.answer('r1', { id: 'SOMEONE-ELSE', ok: true })).toBe(false)
    await flush()
    expect([runner.count(), executions.length]).toEqual([1, 1])
    runner.answer('r1', { id: 'r1', ok: true })
    expect((await result).output).toBe('r1')
  })

  vector('L17', async (one) => {
    const { results } = await playLoop(one)
    expect(results).toEqual([{ output: 'declined/expired: Proceed?', isError: true }])
  })

  vector('L22', async (one) => {
    const { results, executions, host } = await playLoop(one)
    expect(results).toEqual([{ output: 'declined/expired: Proceed?', isError: true }])
    expect([host.calls.length, executions.length]).toEqual([0, 1])
  })

  vector('L23', async (one) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('aborted by test')), one.run?.abortAfterMs)
    const { results, executions } = await playLoop(one, controller.signal)
    expect(results).toEqual([{ output: 'cancelled', isError: true }])
    expect(executions).toHaveLength(1)
  })

  // A timeout is the tool's own: the person's 60 ms are not charged, and the call neither dies nor rejects.
  vector('L25', async (one) => {
    const { results, executions } = await playLoop(one)
    expect(results).toEqual([{ output: 'side effect', isError: false }])
    expect(executions).toHaveLength(2)
  })
})

describe('a host', () => {
  for (const id of vectorsOf('host')) {
    vector(id, async (one) => {
      const { answers, shown, runner } = await drive(one)
      expect(answers).toEqual(one.expect.answers)
      if (one.expect.shown !== undefined) expect(shown).toBe(one.expect.shown)
      expect(runner.count()).toBe(one.expect.openAfter ?? 0)
      expect(vi.getTimerCount()).toBe(0)
    })
  }
})

/** `T+10` and `T-1` are milliseconds from now. */
const at = (expiresAt: string): string => {
  const offset = /^T([+-]\d+)$/.exec(expiresAt)?.[1]
  return offset ? new Date(Date.now() + Number(offset)).toISOString() : expiresAt
}

/** Drives a runner through the script of a host vector, by what its buttons would send. */
async function drive({ requests = [], host }: Vector): Promise<{ answers: Answer[]; shown: number; runner: Runner }> {
  const runner = createToolRunner()
  runner.attach({}, 'dialog')
  const keys = new Set<string>()
  runner.subscribe(() => {
    for (const { key } of runner.getState().pending) keys.add(key)
  })
  const answers = Promise.all(
    requests.map(({ expiresAt, ...request }) =>
      runner.waitFor(expiresAt === undefined ? request : { ...request, expiresAt: at(expiresAt) }),
    ),
  )
  const first = requests[0]?.id ?? ''
  for (const step of host?.script ?? []) act(runner, step, first)
  return { answers: await answers, shown: keys.size, runner }
}

function act(runner: Runner, step: Step, first: string): void {
  const id = step.id ?? runner.head()?.request.id ?? first
  if (step.advanceMs !== undefined) vi.advanceTimersByTime(step.advanceMs)
  if (step.check === 'open') expect(runner.count()).toBeGreaterThan(0)
  if (step.check === 'queue') expect(runner.getState().pending.map(({ key }) => key)).toEqual(step.ids)
  if (step.do === 'approve') runner.answer(id, { id, ok: true })
  if (step.do === 'decline') runner.answer(id, { id, ok: false, reason: 'declined' })
  if (step.do === 'dismiss') runner.answer(id, { id, ok: false, reason: 'cancelled' })
  if (step.do === 'answer' && step.answer) runner.answer(id, step.answer)
  if (step.do === 'unmount') runner.dispose()
}

describe('the file of vectors', () => {
  it('is run here, or each vector says why it is not', () => {
    expect(vectors.map(({ id }) => id).filter((id) => !ran.has(id) && !(id in WAITING_VECTORS))).toEqual([])
    expect(Object.keys(WAITING_VECTORS).filter((id) => ran.has(id) || !byId.has(id))).toEqual([])
  })
})
