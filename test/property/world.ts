import { isDeepStrictEqual } from 'node:util'
import type { Answer, AnyTool, RunContext, ToolEvent, ToolResult } from 'assent/core'
import { createToolRunner, type PendingItem, type Runner } from 'assent/runner'
import { vi } from 'vitest'
import { countListeners } from '../support/asking.js'
import { answerOf, type Reply } from './replies.js'
import { behave, ENDLESS, EXPIRY, GATED, inMs, SEQUENTIAL, sleep, TOOLS, type ToolName } from './tools.js'

/** Breaks a schedule with the law it broke. */
export function law(holds: boolean, name: string, ...facts: unknown[]): asserts holds {
  if (!holds) throw new Error(`${name} ${facts.map((fact) => JSON.stringify(fact)).join(' ')}`)
}

export const REENTRANT = ['yes', 'no', 'twice', 'abortItsRun', 'abortAll', 'ask', 'detach', 'throw'] as const
export type Reentrant = (typeof REENTRANT)[number]

interface Execution {
  runId: string
  name: string
  description: string
  args: unknown
  answer: Answer | undefined
  approval: Answer | undefined
}

interface Call {
  name: ToolName
  args: Record<string, unknown>
  toolCallId: string
  runId: string
  controller: AbortController | undefined
  listeners: { live: () => number } | undefined
  /** Whether the person moved it while this caller waited. */
  moved?: boolean
  result?: ToolResult
}

interface Wait {
  prompt: string
  id: string
  controller: AbortController
  listeners: { live: () => number }
  answer?: Answer
}

interface Settled {
  ok: boolean
  reason?: Answer['reason']
  tag?: number
  args?: unknown
}

const OVER: readonly unknown[] = ['done', 'failed', 'cancelled']

/** A real runner, what was done to it, and what it must never do. Each public method is a step of a schedule. */
export class World {
  readonly runner: Runner
  readonly calls: Call[] = []
  readonly waits: Wait[] = []
  /** Every question that was ever seen open, and how the answered ones were settled. */
  private readonly items = new Map<number, PendingItem>()
  private readonly settled = new Map<number, Settled>()
  private readonly executions: Execution[] = []
  /** Calls that were stopped: nothing of theirs may run or be open. */
  private readonly stopped = new Set<string>()
  /** Calls that were moved to the background, and what was delivered of each. */
  private readonly moved = new Set<string>()
  private readonly delivered = new Map<string, ToolResult[]>()
  /** Questions that were open when everything was aborted, or opened meanwhile: they may be gone. */
  private readonly cancelled = new Set<number>()
  /** What was remembered: questions of the same call may be answered by it. */
  private readonly remembered: PendingItem[] = []
  /** What the tool said of itself when its gate was asked about, by the call's signal. */
  private readonly shownAs = new WeakMap<AbortSignal, string>()
  private readonly tools = new Map<string, () => void>()
  /** The tools that were ever taken away or registered anew. */
  private readonly changed = new Set<string>()
  private readonly listeners: (() => void)[] = []
  private seen: unknown
  private tag = 0
  private disposed = false
  /** How many aborts are under way: a listener looks in between. */
  private stopping = 0
  private aborting = 0
  private turns = 0
  private lastRunId = ''
  /** A law that was broken where a throw would be caught by the runner. */
  private broken: Error | undefined

  /** How many calls may run at once. */
  private readonly limit: number

  constructor(concurrency: number | undefined) {
    this.limit = concurrency ?? Number.POSITIVE_INFINITY
    this.runner = createToolRunner({
      policy: { remember: true },
      concurrency,
      detachable: true,
      onEvent: (event) => this.onEvent(event),
      onResult: (result, { id }) => {
        this.delivered.set(id, [...(this.delivered.get(id) ?? []), result])
        if (!this.isOver(id)) this.break('delivered before its end', id)
      },
    })
    this.runner.attach({}, 'dialog')
    this.runner.subscribe(() => {
      this.seen = this.runner.getState()
      this.guard(() => this.look())
    })
    for (const name of TOOLS) if (name !== 'unknown') this.register(name, name)
  }

  // ---- steps

  run(name: ToolName, withSignal: boolean, timeout: number | undefined): void {
    const n = this.calls.length
    // A few calls are alike in their arguments, for what is remembered.
    this.start(name, { n: n % 3, list: [n % 3] }, `c${n}`, withSignal, timeout)
  }

  /** A call that is given up in the tick it is made, as StrictMode's first effect does it. */
  runAndLeave(name: ToolName): void {
    this.run(name, true, undefined)
    const call = this.calls.at(-1)
    if (call) this.abortSignal(call)
  }

  /** The same call once more, as a view that renders twice would do it. */
  runAgain(index: number): void {
    const call = pick(this.calls, index)
    if (call) this.start(call.name, structuredClone(call.args), call.toolCallId, true, undefined)
  }

  waitFor(sameId: boolean, expires: boolean): void {
    const n = this.waits.length
    const id = sameId ? 'same' : `w${n}`
    const controller = new AbortController()
    const wait: Wait = { prompt: `wait ${n}`, id, controller, listeners: countListeners(controller.signal) }
    this.waits.push(wait)
    const request = { id, kind: 'approval', prompt: wait.prompt, ...(expires && { expiresAt: inMs(EXPIRY) }) }
    void this.runner.waitFor(request, { signal: controller.signal }).then(
      (answer) => {
        wait.answer = answer
      },
      () => this.break('waitFor rejected'),
    )
    request.prompt = 'changed after asking'
  }

  /** Answers an open question, or, for a late one, any that was ever seen. */
  answer(index: number, reply: Reply, late: boolean): void {
    const open = this.runner.getState().pending
    const item = late ? pick([...this.items.values()], index) : pick(open, index)
    if (item) this.reply(item, reply)
  }

  answerTwice(index: number, first: Reply, second: Reply): void {
    const item = pick(this.runner.getState().pending, index)
    if (!item) return
    this.reply(item, first)
    this.reply(item, second)
  }

  abort(index: number, by: 'runId' | 'toolCallId' | 'signal' | 'nobody'): void {
    const call = pick(this.calls, index)
    if (!call) return
    if (by === 'signal') {
      this.abortSignal(call)
      return
    }
    const id = by === 'nobody' ? 'nobody has this id' : call[by]
    if (by !== 'nobody') for (const runId of this.live()) if (this.isOf(runId, id)) this.stopped.add(runId)
    this.stop(() => this.runner.abort(id))
  }

  abortAll(): void {
    this.stopAll(() => this.runner.abort())
  }

  abortWait(index: number): void {
    this.stop(() => pick(this.waits, index)?.controller.abort())
  }

  /** Moves a call that offers it, or one that does not. */
  detach(index: number): void {
    const offered = this.runner.getState().runs.filter(({ isDetachable }) => isDetachable)
    const runId = pick(offered, index)?.id ?? pick(this.calls, index)?.runId
    if (runId !== undefined) this.move(runId)
  }

  /** The clock jumps and no timer has fired yet: a page that slept. */
  jump(ms: number): void {
    vi.setSystemTime(Date.now() + ms)
  }

  unregister(name: ToolName): void {
    this.tools.get(name)?.()
    this.tools.delete(name)
    this.changed.add(name)
  }

  reregister(name: ToolName, asAnother: boolean): void {
    if (name === 'unknown') return
    this.unregister(name)
    this.register(name, asAnother ? `${name}, another tool` : name)
  }

  dispose(): void {
    this.disposed = true
    this.stopAll(() => this.runner.dispose())
  }

  /** A listener that does something the next times it is told of a change. */
  listen(does: Reentrant, times: number): void {
    let left = times
    const stop = this.runner.subscribe(() => {
      if (left-- <= 0) return
      // What listeners set off must end.
      if (this.turns++ > 50) return
      if (does === 'throw') throw new Error('a view that fails')
      this.guard(() => this.react(does))
    })
    this.listeners.push(stop)
  }

  // ---- the end of a schedule

  /** Answers all that is open until nothing is, ends what hangs, and looks at what is left (K6, K37). */
  async finish(how: 'answer' | 'abort' | 'dispose', flush: (turns: number) => Promise<void>): Promise<void> {
    for (const stop of this.listeners) stop()
    await flush(100)
    this.checkViews()
    if (how === 'answer' && !this.disposed) {
      for (let turn = 0; turn < 500 && (this.runner.count() > 0 || vi.getTimerCount() > 0 || this.isHeldUp()); turn++) {
        if (this.isHeldUp()) this.endTheEndless()
        // From either end, so that the order of answers is not the order of questions.
        if (this.runner.count() > 0) this.answer(turn % 2 ? 0 : this.runner.count() - 1, turn % 3 ? 'yes' : 'no', false)
        else await vi.advanceTimersByTimeAsync(1000)
        await flush(100)
      }
      law(this.runner.count() === 0, 'K6: never settled', this.runner.getState().pending)
      const lost = this.calls.filter(({ result, name }) => !result && !ENDLESS.includes(name))
      law(
        lost.length === 0,
        'K6: a call was lost',
        lost.map(({ name, toolCallId }) => [name, toolCallId]),
      )
    }
    if (how === 'dispose') this.dispose()
    else this.abortAll()
    await flush(100)
    // Tools that ignore the signal come back late, to nobody.
    await vi.advanceTimersByTimeAsync(10_000)
    await flush(100)
    this.checkTheEnd()
  }

  check(): void {
    if (this.broken) throw this.broken
    this.look()
    for (const [runId, runs] of this.runsById()) this.checkRun(runId, runs)
  }

  /** The last thing a view heard is how things are. */
  checkViews(): void {
    law(this.seen === undefined || this.seen === this.runner.getState(), 'a change was not published')
    for (const runId of this.stopped) law(this.isOver(runId), 'K5: lives on after its abort', this.runner.getRun(runId))
  }

  // ---- what steps are made of

  private start(
    name: ToolName,
    args: Record<string, unknown>,
    toolCallId: string,
    withSignal: boolean,
    timeout: number | undefined,
  ): void {
    const controller = withSignal ? new AbortController() : undefined
    const listeners = controller && countListeners(controller.signal)
    const call: Call = { name, args: structuredClone(args), toolCallId, runId: '', controller, listeners }
    const promise = this.runner.run(name, args, {
      toolCallId,
      timeout,
      signal: controller?.signal,
      onStart: ({ id }) => {
        call.runId = id
      },
    })
    this.calls.push(call)
    void promise.then(
      (result) => {
        call.result = result
      },
      () => this.break('run rejected'),
    )
    // The caller goes on writing to its own object.
    Object.assign(args, { n: 'changed by the caller' })
    if (Array.isArray(args.list)) args.list.push('changed by the caller')
  }

  private register(name: ToolName, description: string): void {
    this.tools.set(name, this.runner.register(this.make(name, description)))
  }

  private make(name: ToolName, description: string): AnyTool {
    const gatedTool = GATED.includes(name)
    return {
      name,
      description,
      ...(name === 'hears' && { onRefusal: 'retry' as const }),
      ...(SEQUENTIAL.includes(name) && { sequential: true }),
      ...(gatedTool && {
        decisions: ['approve', 'edit', 'decline'] as const,
        needsApproval: async (_args, { signal }) => {
          this.shownAs.set(signal, description)
          if (name === 'gatedSlow') await sleep(200)
          return true
        },
      }),
      execute: (args, ctx) => {
        this.record(name, description, args, ctx)
        return behave(name, args, ctx, this.runner)
      },
    }
  }

  private record(name: ToolName, description: string, args: Record<string, unknown>, ctx: RunContext): void {
    this.lastRunId = ''
    ctx.emitCustomEvent('ran', {})
    const runId = this.lastRunId
    if (runId === '') this.break('K1/K25: ran after its end', name, ctx.toolCallId)
    if (this.stopped.has(runId)) this.break('K5: ran after its abort', name, ctx.toolCallId)
    if (ctx.signal.aborted) this.break('K5: started with an aborted signal', name)
    const shownAs = this.shownAs.get(ctx.signal)
    // A gate whose tool changed was asked again, with the tool as it was then (DESIGN 8.3).
    const gates = [...this.items.values()].filter((item) => item.runId === runId && item.isGate).length
    if (shownAs !== undefined && gates < 2 && shownAs !== description)
      this.break('5.2: another tool ran', shownAs, description)
    if (!this.executions.some((one) => one.runId === runId)) this.checkTurn(runId, name)
    if (this.moved.has(runId) && ctx.detach) this.break('offered in the background', name)
    const { answer, approval } = ctx
    this.executions.push({ runId, name, description, args: structuredClone(args), answer, approval })
  }

  private onEvent(event: ToolEvent): void {
    // Told in the very call of emitCustomEvent, so it says whose execution this is.
    if (event.type === 'custom') this.lastRunId = event.runId
  }

  private reply(item: PendingItem, reply: Reply): boolean {
    const { key, request } = item
    this.look()
    const open = this.runner.getState().pending.find((one) => one.key === key)
    const tag = ++this.tag
    const given = answerOf(reply, request.id, tag)
    const ok = given.ok === true
    const mine = open !== undefined && open.request.id === given.id && typeof given.ok === 'boolean'
    const late = mine && ok && Date.now() >= Date.parse(open.request.expiresAt ?? '')
    const taken = mine && !late
    const remember = reply === 'remember' ? ({ for: 'args', until: 'session' } as const) : undefined
    if (remember && taken && open?.rememberable) this.remembered.push(open)
    if (taken && open) {
      law(!this.settled.has(open.seq), 'K2: open after it was settled', open.seq)
      this.settled.set(open.seq, { ok, reason: ok ? undefined : given.reason, tag, args: given.data?.args })
    }
    const said = this.runner.answer(key, given as Answer, { remember })
    if (taken && !said && this.mayBeTakenBack(open, ok)) {
      this.settled.delete(open.seq)
      this.cancelled.add(open.seq)
      if (remember) this.remembered.splice(this.remembered.indexOf(open), 1)
      law(!this.runner.getState().pending.includes(open), '8.3: still open though its tool is another', key)
      return false
    }
    law(said === taken, 'K2/K3: answer() said', said, 'expected', taken, reply, key)
    if (taken || late) {
      const still = this.runner.getState().pending.some((one) => one.seq === open?.seq)
      law(!still, 'K2: still open after it was settled', key)
    }
    return said
  }

  /** Whether a yes may be none, because the tool that it would run is gone or another one by now (DESIGN 8.3). */
  private mayBeTakenBack({ toolName }: PendingItem, ok: boolean): boolean {
    return ok && toolName !== undefined && this.changed.has(toolName)
  }

  private react(does: Exclude<Reentrant, 'throw'>): void {
    const item = this.runner.head()
    if (does === 'abortAll') this.abortAll()
    else if (does === 'detach') this.detach(0)
    else if (does === 'ask') this.waitFor(true, false)
    else if (item && does === 'abortItsRun') this.abortRun(item.runId)
    else if (item) {
      this.reply(item, does === 'no' ? 'no' : 'yes')
      if (does === 'twice') this.reply(item, 'no')
    }
  }

  private move(runId: string): void {
    const before = this.runner.getRun(runId)
    const waiting = this.calls.filter((call) => call.runId === runId && !call.controller?.signal.aborted)
    const [wasStopped, wasMoved] = [this.stopped.has(runId), this.moved.has(runId)]
    const said = this.runner.detach(runId)
    law(!said || before?.isDetachable === true, '7.1: moved though not offered', before?.toolName)
    if (!said) return
    law(!wasMoved, '7.1: moved twice', before?.toolName)
    law(this.stopping > 0 || !wasStopped, 'K5: moved after its abort', before?.toolName)
    this.moved.add(runId)
    for (const call of waiting) call.moved = true
    const { status, isDetached } = this.runner.getRun(runId) ?? {}
    law(isDetached === true && status !== 'running', '7.1: moved and not in the background', status)
  }

  /** Whether calls are queued that only the end of others lets begin. */
  private isHeldUp(): boolean {
    return this.runner.getState().runs.some(({ status }) => status === 'queued')
  }

  private endTheEndless(): void {
    for (const { id, toolName, status } of this.runner.getState().runs) {
      if (ENDLESS.includes(toolName) && status === 'running') this.abortRun(id)
    }
  }

  private stop(stop: () => void): void {
    this.stopping++
    stop()
    this.stopping--
    this.look()
  }

  private stopAll(stop: () => void): void {
    this.look()
    const before = this.runner.getState().pending
    for (const { seq } of before) this.cancelled.add(seq)
    for (const runId of this.live()) this.stopped.add(runId)
    this.aborting++
    this.stop(stop)
    this.aborting--
    const left = this.runner.getState().pending.filter((item) => before.includes(item))
    law(left.length === 0, 'K5: open after everything was aborted', left)
  }

  private abortRun(runId: string | undefined): void {
    if (runId === undefined) return
    if (this.live().includes(runId)) this.stopped.add(runId)
    this.stop(() => this.runner.abort(runId))
  }

  private abortSignal(call: Call): void {
    const others = this.calls.filter(
      (one) => one !== call && one.runId === call.runId && !one.controller?.signal.aborted,
    )
    const live = this.live().includes(call.runId)
    // Whoever waited for a moved call has its note already.
    const ends = live && others.length === 0 && !this.moved.has(call.runId)
    if (call.controller && ends) this.stopped.add(call.runId)
    this.stop(() => call.controller?.abort())
  }

  private live(): string[] {
    return this.runner
      .getState()
      .runs.filter(({ status }) => !OVER.includes(status))
      .map(({ id }) => id)
  }

  private isOf(runId: string, id: string): boolean {
    return runId === id || this.runner.getRun(runId)?.toolCallId === id
  }

  private runsById(): Map<string, Execution[]> {
    const runs = new Map<string, Execution[]>()
    for (const execution of this.executions) {
      const list = runs.get(execution.runId)
      if (list) list.push(execution)
      else runs.set(execution.runId, [execution])
    }
    return runs
  }

  // ---- the laws

  private break(...facts: [string, ...unknown[]]): void {
    this.guard(() => law(false, ...facts))
  }

  /** The runner takes what a listener throws for a view that fails; the schedule must hear of it. */
  private guard(step: () => void): void {
    try {
      step()
    } catch (error) {
      this.broken ??= error instanceof Error ? error : new Error(String(error))
    }
  }

  /** Looks at what is open: nothing of a stopped call, and nothing that vanished without a reason (K5, K6). */
  look(): void {
    const open = this.runner.getState().pending
    for (const item of open) {
      this.items.set(item.seq, item)
      if (this.aborting > 0) this.cancelled.add(item.seq)
      if (item.runId !== undefined) {
        const over = this.isOver(item.runId)
        law(this.stopping > 0 || !over, 'K37: a question of a call that ended is open', item.toolName)
        law(
          this.stopping > 0 || !this.stopped.has(item.runId),
          'K5: a question of a stopped call is open',
          item.toolName,
        )
        const { status } = this.runner.getRun(item.runId) ?? {}
        law(this.stopping > 0 || status === 'waiting', 'a call that asks is not waiting', item.toolName, status)
        const call = this.calls.find(({ runId }) => runId === item.runId)
        const args = item.isGate ? call?.args : this.argsOf(item.runId)
        law(call === undefined || isDeepStrictEqual(item.args, args), 'K20: shown', item.args, 'asked with', args)
      }
    }
    law(this.runner.count() === open.length, 'count() and pending differ')
    const head = this.runner.head()
    law(head === undefined ? open.length === 0 : open.includes(head), 'head() is not open')
    for (const item of this.items.values()) {
      if (!open.some(({ seq }) => seq === item.seq)) law(this.mayBeGone(item), 'K6: a question was lost', item.request)
      else law(!this.settled.has(item.seq), 'K2: open after it was settled', item.request)
    }
  }

  private mayBeGone({ seq, runId, request, toolName, args, isGate }: PendingItem): boolean {
    if (this.settled.has(seq) || this.cancelled.has(seq)) return true
    if (request.expiresAt !== undefined && Date.now() >= Date.parse(request.expiresAt)) return true
    if (runId === undefined) {
      return this.waits.some(({ prompt, controller }) => prompt === request.prompt && controller.signal.aborted)
    }
    // What a tool asked and did not wait for ends with its call.
    if (this.stopped.has(runId) || this.isOver(runId) || toolName === 'leaves') return true
    return this.isRemembered(toolName, args, isGate)
  }

  private isOver(runId: string): boolean {
    return OVER.includes(this.runner.getRun(runId)?.status)
  }

  private isRemembered(toolName: string | undefined, args: unknown, isGate: true | undefined): boolean {
    return this.remembered.some(
      (item) => item.toolName === toolName && item.isGate === isGate && isDeepStrictEqual(item.args, args),
    )
  }

  /** The arguments that run: those of the call, or those the person made of them at the gate. */
  private argsOf(runId: string): unknown {
    const gates = [...this.items.values()].filter((item) => item.runId === runId && item.isGate)
    // A gate whose tool changed is asked again; the answer that counted is the last.
    const edited = this.settled.get(gates.at(-1)?.seq ?? -1)
    const call = this.calls.find((one) => one.runId === runId)
    return edited?.ok && edited.args !== undefined ? edited.args : call?.args
  }

  /** A call that begins keeps to the limit, and to the turns of its tool. */
  private checkTurn(runId: string, name: string): void {
    const asked = new Set([...this.items.values()].map((item) => item.runId))
    const others = [...this.runsById().entries()].filter(([id]) => id !== runId && !this.isOver(id))
    // One that was answered goes on whoever else runs; what never asked began only where there was room.
    const running = others.filter(([id]) => !asked.has(id) && this.runner.getRun(id)?.status === 'running')
    if (!asked.has(runId) && running.length >= this.limit) this.break('7.1: over the limit', name, running.length)
    const alike = others.filter(([, [first]]) => first?.name === name)
    if (SEQUENTIAL.includes(name) && alike.length > 0) this.break('7.1: calls overlap', name)
  }

  private checkRun(runId: string, [first, second, ...more]: Execution[]): void {
    if (!first) return
    law(more.length === 0, 'K1: ran more than twice', first.name)
    law(first.answer === undefined, 'K1: the first run has an answer', first.name)
    this.checkAnswer(runId, first.approval, first.name, true)
    if (second) {
      law(second.answer !== undefined, 'K1: the second run has no answer', second.name)
      law(second.answer.ok || second.name === 'hears', 'K4: ran after a no', second.name)
      this.checkAnswer(runId, second.answer, second.name, false)
      law(isDeepStrictEqual(second.approval, first.approval), 'the approval changed', second.name)
      law(second.description === first.description, '5.2: another tool ran', first.description, second.description)
    }
    const args = this.argsOf(runId)
    for (const execution of second ? [first, second] : [first]) {
      law(isDeepStrictEqual(execution.args, args), 'K20: ran with', execution.args, 'shown', args)
      const call = this.calls.find((one) => one.runId === runId)
      law(execution.name === call?.name, 'K20: another tool ran', execution.name, call?.name)
    }
  }

  /** An answer that a tool was given is one that was given to a question of this very call (K1, K3). */
  private checkAnswer(runId: string, answer: Answer | undefined, name: string, isGate: boolean): void {
    const shown = isGate ? this.calls.find((call) => call.runId === runId)?.args : this.argsOf(runId)
    const byRule = this.isRemembered(name, shown, isGate || undefined)
    if (isGate) {
      law(!GATED.includes(name) || answer?.ok === true || byRule, '2.5: ran past its gate', name)
      law(GATED.includes(name) || answer === undefined, '2.5: an approval nobody gave', name)
    }
    if (!answer || (byRule && answer.ok && answer.data === undefined)) return
    const mine = [...this.items.values()].some(
      ({ seq, runId: owner, isGate: gate, request }) =>
        owner === runId && (gate === true) === isGate && request.id === answer.id && this.matches(seq, answer),
    )
    law(mine, 'K3: an answer of another question', name, answer)
  }

  private matches(seq: number, answer: Answer): boolean {
    const settled = this.settled.get(seq)
    // Only the tool that hears refusals is handed one that nobody gave: an abort or an expiry of its question.
    if (!settled) return !answer.ok
    return settled.ok === answer.ok && (!answer.ok || settled.tag === answer.data?.tag)
  }

  private checkTheEnd(): void {
    this.check()
    this.checkViews()
    const { runs, pending: open } = this.runner.getState()
    law(open.length === 0 && this.runner.head() === undefined, 'K37: open at the end', open.length)
    const alive = runs.filter(({ status }) => !OVER.includes(status))
    law(alive.length === 0, 'K37: a call that never ends', alive)
    const unsettled = this.calls.filter(({ result }) => !result).map(({ name, toolCallId }) => [name, toolCallId])
    law(unsettled.length === 0, 'K6: a call that never settled', unsettled)
    for (const wait of this.waits) this.checkWait(wait)
    this.checkMoves()
    for (const { name, listeners } of this.calls)
      law(!listeners?.live(), 'K37: a listener on the caller’s signal', name)
    law(vi.getTimerCount() === 0, 'K37: timers', vi.getTimerCount())
    const count = (by: string) => this.runner.history().filter((entry) => entry.by === by).length
    const [persons, code, rules] = [count('person'), count('code'), count('rule')]
    law(persons === this.settled.size, 'K2: answers in the history', persons, this.settled.size)
    const questions = this.items.size
    const each = persons + code <= questions && questions <= persons + code + rules
    law(each, 'K2: not one decision for each question', { questions, persons, code, rules })
  }

  /** Who waited for a moved call was given the note, and what it came to was delivered once. */
  private checkMoves(): void {
    for (const { name, moved, result } of this.calls) {
      const isNote = result?.output === `Moved to the background: ${name}. Its result will follow.`
      law(isNote === (moved === true), '7.1: the note', name, moved, result)
    }
    for (const runId of this.moved) {
      const [result, ...more] = this.delivered.get(runId) ?? []
      law(result !== undefined && more.length === 0, '7.1: not delivered once', runId, more.length)
      const kept = this.runner.getRun(runId)?.result
      law(kept === undefined || isDeepStrictEqual(kept, result), '7.1: another result in the record', kept, result)
    }
    const strays = [...this.delivered.keys()].filter((runId) => !this.moved.has(runId))
    law(strays.length === 0, '7.1: delivered though a promise was there', strays)
  }

  private checkWait({ prompt, id, answer, listeners }: Wait): void {
    law(answer !== undefined, 'K6: a question that never settled', prompt)
    law(answer.id === id, 'K3: an answer with another id', answer.id, id)
    law(listeners.live() === 0, 'K37: a listener on the asker’s signal', prompt)
    const item = [...this.items.values()].find(({ request }) => request.prompt === prompt)
    const settled = item && this.settled.get(item.seq)
    law(answer.ok === (settled?.ok ?? false), 'K2: the first answer did not win', prompt, answer)
    if (settled?.ok) law(answer.data?.tag === settled.tag, 'K2: another answer', prompt, answer)
    if (settled && !settled.ok) law(answer.reason === settled.reason, 'K34: another reason', prompt, answer)
    if (!settled) law(answer.reason === 'cancelled' || answer.reason === 'expired', 'K5: without a reason', answer)
  }
}

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)]
