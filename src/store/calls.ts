import {
  type Answer,
  type AnyTool,
  type Args,
  CANCELLED,
  copyOf,
  errorResult,
  messageOf,
  newId,
  type PendingRequest,
  type RunToolOptions,
  refusal,
  runTool,
  type ToolEvent,
  type ToolResult,
  type WaitFor,
} from '../core/internal.js'
import { recordOf, statusOf, withFeedback } from './call-result.js'
import { follow, tell } from './callers.js'
import { canonicalJson } from './canonical-json.js'
import { passGate } from './gate.js'
import type { Policy } from './policy.js'
import type { Publisher } from './publisher.js'
import type { Questions } from './questions.js'
import { identityOf, isSameTool, type Registry } from './registry.js'
import type { LiveRun, Runs } from './runs.js'
import { createTurns } from './turns.js'
import type { RunOptions, ToolRunnerOptions } from './types.js'

const NO_ARGS = Object.freeze({})
const NO_EVENTS = Object.freeze([])

interface Parts {
  options: ToolRunnerOptions
  registry: Registry
  runs: Runs
  questions: Questions
  publisher: Publisher
  policy: Policy
  /** Asks the person on behalf of a call; `isGate`: for the runner itself. */
  ask: (request: PendingRequest, run: LiveRun, isGate: boolean) => Promise<Answer>
  /** Notes what a rule decided about a call without asking. */
  onRule: (request: PendingRequest, run: LiveRun, ok: boolean) => void
  /** Whether the person can move a call to the background. */
  canDetach: () => boolean
}

/** Starts calls and follows them. */
export interface Calls {
  run(name: string, args: unknown, options: RunOptions): Promise<ToolResult>
  detach(id: string): boolean
  /** A question of a call opened or was settled. */
  asked(run: LiveRun): void
}

/** Starts calls, lets several callers share one, moves them to the background, and keeps their records. */
export function createCalls(parts: Parts): Calls {
  const { options, registry, runs, questions, publisher, policy, ask, onRule, canDetach } = parts
  const { change, publish, publishSoon } = publisher
  const turns = createTurns(runs, publisher, () => options.concurrency)

  const start = (name: string, args: unknown, runOptions: RunOptions, joinKey?: string): LiveRun => {
    const { toolCallId } = runOptions
    const id = newId('run')
    const run: LiveRun = {
      record: {
        id,
        toolCallId: toolCallId ?? id,
        toolName: name,
        args: NO_ARGS,
        status: 'running',
        startedAt: Date.now(),
        events: NO_EVENTS,
      },
      controller: new AbortController(),
      tool: undefined,
      onEnd: [],
      open: 0,
      callers: 0,
      events: [],
      joinKey,
      promise: Promise.resolve(errorResult(CANCELLED)),
    }
    runs.add(run)
    change()
    run.promise = execute(run, args, runOptions)
    publish()
    return run
  }

  const execute = async (run: LiveRun, args: unknown, runOptions: RunOptions): Promise<ToolResult> => {
    // One microtask: an effect that StrictMode mounts, cleans up and mounts again runs its call once.
    await null
    const { signal } = runOptions
    const isInner = signal !== undefined && runs.ownerOf(signal) !== undefined
    await turns.take(run, registry.get(run.record.toolName)?.sequential === true, isInner)
    let rest: Promise<ToolResult> | undefined
    // A tool may throw even where it is only looked at.
    const outcome = await loop(run, args, runOptions, (whole) => {
      rest = whole
    }).catch((error) => errorResult(messageOf(error)))
    if (!rest) return finish(run, outcome)
    // What its callers were given is the note; what it comes to is told on its own.
    void rest.then((result) => deliver(run, finish(run, result)))
    return outcome
  }

  const finish = (run: LiveRun, outcome: ToolResult): ToolResult => {
    const result = withFeedback(run.flood ? errorResult(run.flood) : outcome, run.feedback)
    const { id } = run.record
    // What it asked inside execute and did not wait for has nobody left to answer to.
    if (run.open > 0) questions.cancel(id)
    const status = statusOf(result, run.controller.signal)
    runs.finish(run, status, recordOf(result))
    turns.leave(run, true)
    for (const tell of run.onEnd) tell(status)
    change()
    publish()
    return result
  }

  const deliver = (run: LiveRun, result: ToolResult): void => {
    try {
      options.onResult?.(result, run.record)
    } catch (error) {
      console.error('assent: onResult threw.', error)
    }
  }

  const onEvent = (run: LiveRun, event: ToolEvent): void => {
    if (event.type === 'custom') {
      const { name, value, at } = event
      runs.note(run, Object.freeze({ name, value, at }))
      publishSoon()
    }
    options.onEvent?.(event)
  }

  const loop = async (
    run: LiveRun,
    args: unknown,
    { timeout = options.timeout, resetTimeoutOnProgress = options.resetTimeoutOnProgress }: RunOptions,
    onMoved: RunToolOptions['onMoved'],
  ): Promise<ToolResult> => {
    const { controller, record } = run
    const { id: runId, toolCallId, toolName: name } = record
    const tool = registry.get(name)
    const shown = tool && identityOf(tool)
    run.tool = tool
    return runTool(tool, args, {
      name,
      runId,
      toolCallId,
      controller,
      timeout,
      resetTimeoutOnProgress,
      onMoved,
      // Looked at for each attempt: the tray may come and go.
      get onDetachable(): RunToolOptions['onDetachable'] {
        return canDetach() ? (move) => offer(run, move) : undefined
      },
      onRefusal: options.onRefusal,
      maxQuestions: options.maxQuestions,
      waitFor: hostOf(run, false),
      gate: gateOf(run, tool),
      ...(options.context !== undefined && { context: options.context }),
      onEvent: (event) => onEvent(run, event),
      current: () => {
        const now = registry.get(name)
        return shown && now && isSameTool(shown, now) ? publishing(run, now) : undefined
      },
    })
  }

  const offer = (run: LiveRun, move: LiveRun['move']): void => {
    if (run.move === move || !runs.getLive(run.record.id)) return
    run.move = move
    runs.update(run)
    publishSoon()
  }

  const detach = (run: LiveRun): boolean => {
    const { move } = run
    if (!move) return false
    // Before it goes: nobody who aborts in the same moment takes it along.
    run.isDetached = true
    if (!move()) {
      run.isDetached = false
      return false
    }
    run.move = undefined
    runs.leaveTwins(run)
    turns.leave(run)
    runs.update(run)
    change()
    publish()
    return true
  }

  /** Asks the person on behalf of a call; undefined where nobody is to be asked. */
  const hostOf = (run: LiveRun, isGate: boolean): WaitFor | undefined => {
    if (options.host === false) return undefined
    return async (request) => {
      try {
        return await ask(request, run, isGate)
      } catch (error) {
        // Too many open: the asker hears why, and the call ends as one that was not answered.
        run.flood = messageOf(error)
        return refusal(request.id, 'cancelled')
      }
    }
  }

  const gateOf =
    (run: LiveRun, tool: AnyTool | undefined): RunToolOptions['gate'] =>
    async (args, askPerson) => {
      const { signal } = run.controller
      note(run, args)
      // A predicate may take its time; what is known is shown meanwhile.
      if (typeof tool?.needsApproval === 'function' || options.needsApproval) publish()
      if (!tool || signal.aborted) return { result: errorResult(CANCELLED) }
      const { toolCallId, toolName } = run.record
      const host = hostOf(run, true)
      const passed = await passGate(args, {
        tool,
        options,
        policy,
        ctx: { toolName, source: tool.source, toolCallId, signal, context: options.context },
        ask: host && ((request) => askPerson(host, request)),
        onRule: (request, ok) => onRule(request, run, ok),
      })
      run.approval = passed.approval
      if (passed.args) note(run, passed.args)
      return passed
    }

  const note = (run: LiveRun, args: Args): void => {
    if (!runs.getLive(run.record.id)) return
    runs.update(run, { args })
    change()
  }

  /** The tool with the answer of the gate, and with the views told right after it has begun. */
  const publishing = ({ approval }: LiveRun, tool: AnyTool): AnyTool => ({
    name: tool.name,
    execute(args, ctx) {
      try {
        return tool.execute(args, approval ? { ...ctx, approval: copyOf(approval) } : ctx)
      } finally {
        publish()
      }
    },
  })

  const run: Calls['run'] = (asked, args, runOptions) => {
    const name = registry.nameOf(asked)
    let given = args
    let joinKey: string | undefined
    try {
      // As they are now: the caller may write to them before the call starts.
      given = copyOf(args)
      if (runOptions.toolCallId !== undefined) joinKey = canonicalJson([runOptions.toolCallId, name, given ?? {}])
    } catch {
      // What cannot be copied is refused in the call, which says why.
    }
    const run = runs.twin(joinKey) ?? start(name, given, runOptions, joinKey)
    tell(runOptions.onStart, run)
    return follow(run, runOptions.signal)
  }

  return {
    run,
    detach: (id) => runs.live(id).some(detach),
    asked(run) {
      if (run.open > 0) turns.leave(run)
      else turns.goOn(run)
    },
  }
}
