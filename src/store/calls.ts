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
import type { RunOptions, ToolRunnerOptions } from './types.js'

const NO_ARGS = Object.freeze({})

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
}

/** Starts calls, lets several callers share one, and keeps their records. Returns `run`. */
export function createCalls({ options, registry, runs, questions, publisher, policy, ask, onRule }: Parts) {
  const { change, publish } = publisher

  const start = (name: string, args: unknown, { timeout, toolCallId }: RunOptions, joinKey?: string): LiveRun => {
    const id = newId('run')
    const run: LiveRun = {
      record: {
        id,
        toolCallId: toolCallId ?? id,
        toolName: name,
        args: NO_ARGS,
        status: 'running',
        startedAt: Date.now(),
      },
      controller: new AbortController(),
      tool: undefined,
      onEnd: [],
      open: 0,
      callers: 0,
      joinKey,
      promise: Promise.resolve(errorResult(CANCELLED)),
    }
    runs.add(run)
    change()
    run.promise = execute(run, args, timeout ?? options.timeout)
    publish()
    return run
  }

  const execute = async (run: LiveRun, args: unknown, timeout: number | undefined): Promise<ToolResult> => {
    // One microtask: an effect that StrictMode mounts, cleans up and mounts again runs its call once.
    await null
    // A tool may throw even where it is only looked at.
    const outcome = await loop(run, args, timeout).catch((error) => errorResult(messageOf(error)))
    const result = withFeedback(run.flood ? errorResult(run.flood) : outcome, run.feedback)
    const { id } = run.record
    // What it asked inside execute and did not wait for has nobody left to answer to.
    if (run.open > 0) questions.cancel(id)
    const status = statusOf(result, run.controller.signal)
    runs.finish(run, status, recordOf(result))
    for (const tell of run.onEnd) tell(status)
    change()
    publish()
    return result
  }

  const loop = async (run: LiveRun, args: unknown, timeout: number | undefined): Promise<ToolResult> => {
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
      onRefusal: options.onRefusal,
      maxQuestions: options.maxQuestions,
      waitFor: hostOf(run, false),
      gate: gateOf(run, tool),
      ...(options.context !== undefined && { context: options.context }),
      onEvent: (event) => options.onEvent?.(event),
      current: () => {
        const now = registry.get(name)
        return shown && now && isSameTool(shown, now) ? publishing(run, now) : undefined
      },
    })
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

  return (name: string, args: unknown, runOptions: RunOptions): Promise<ToolResult> => {
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
}
