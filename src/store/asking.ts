import {
  type Answer,
  type AnyTool,
  type Args,
  CANCELLED,
  errorResult,
  messageOf,
  notAllowed,
  type Passed,
  type PendingRequest,
  pendingOf,
  type RunToolOptions,
  refusal,
  unknownTool,
  type WaitFor,
} from '../core/internal.js'
import { dangerOf } from './danger.js'
import { passGate } from './gate.js'
import type { Keeper } from './keeper.js'
import type { Policy } from './policy.js'
import type { Publisher } from './publisher.js'
import { isToolText, type Registry } from './registry.js'
import type { LiveRun, Runs } from './runs.js'
import type { ToolRunnerOptions } from './types.js'

export interface AskingParts {
  options: ToolRunnerOptions
  registry: Registry
  runs: Runs
  publisher: Publisher
  policy: Policy
  /** Asks the person on behalf of a call; `isGate`: for the runner itself. */
  ask: (request: PendingRequest, run: LiveRun, isGate: boolean) => Promise<Answer>
  /** Notes what a rule decided about a call without asking. */
  onRule: (request: PendingRequest, run: LiveRun, ok: boolean) => void
  /** What keeps calls beyond the page; for a suspension nobody was asked also without `persist`. */
  keeper: (isNeeded?: boolean) => Keeper | undefined
}

/** How a call asks: before its first run, and when its tool does. */
export interface Asking {
  /** Asks the person on behalf of a call; undefined where nobody is to be asked. */
  hostOf(run: LiveRun, isGate: boolean): WaitFor | undefined
  gateOf(run: LiveRun, tool: AnyTool | undefined): RunToolOptions['gate']
  /** For a gate that was passed before a reload. */
  gateAgain(tool: AnyTool | undefined, args: Args): Passed
}

export function createAsking({ options, runs, publisher, policy, ask, onRule, keeper }: AskingParts): Asking {
  const { change, publish } = publisher

  const note = (run: LiveRun, args: Args): void => {
    if (!runs.getLive(run.record.id)) return
    runs.update(run, { args })
    change()
  }

  const remember = (run: LiveRun, answer: Answer): void => {
    run.answers = [...(run.answers ?? []), answer]
  }

  /** Asks the person on behalf of a call; undefined where nobody is to be asked. */
  const hostOf = (run: LiveRun, isGate: boolean): WaitFor | undefined => {
    const { given } = run
    if (given?.isGate === isGate) {
      return async ({ id }) => {
        run.given = undefined
        const answer = { ...given.answer, id }
        if (!isGate) remember(run, answer)
        return answer
      }
    }
    if (options.host === false) return undefined
    return async (request) => {
      try {
        if (!isGate) run.first ??= request.prompt
        const answer = await ask(request, run, isGate)
        if (!isGate) remember(run, answer)
        return answer
      } catch (error) {
        // Too many open: the asker hears why, and the call ends as one that was not answered.
        run.flood = messageOf(error)
        return refusal(request.id, 'cancelled')
      }
    }
  }

  /** The gate was passed before a reload; a rule that says no since then is heard all the same. */
  const gateAgain = (tool: AnyTool | undefined, args: Args): Passed => {
    if (!tool) return { args }
    const { name, source, trusted } = tool
    const verdict = policy.decide({ tool: name, source, args, danger: dangerOf([tool], trusted !== false) })
    return verdict === 'deny' ? { result: errorResult(notAllowed(name)) } : { args }
  }

  const gateOf =
    (run: LiveRun, tool: AnyTool | undefined): RunToolOptions['gate'] =>
    async (args, askPerson) => {
      const { signal } = run.controller
      note(run, args)
      // A predicate may take its time; what is known is shown meanwhile.
      if (typeof tool?.needsApproval === 'function' || options.needsApproval) publish()
      if (!tool || signal.aborted) return { result: errorResult(CANCELLED) }
      if (run.turn && !isToolText(run.turn.tool, tool)) return { result: errorResult(unknownTool(tool.name)) }
      run.keeper ??= keeper()
      if (!run.turn) void run.keeper?.began(run)
      const { toolCallId, toolName } = run.record
      const host = hostOf(run, true)
      const passed = await passGate(args, {
        tool,
        options,
        policy,
        ctx: { toolName, source: tool.source, toolCallId, signal, context: options.context },
        ask: host && ((request) => askPerson(host, request)),
        isAsked: run.given?.isGate === true,
        onRule: (request, ok) => onRule(request, run, ok),
      })
      run.approval = passed.approval
      // One answer is never the answer to two questions (DESIGN 5.10).
      run.given = undefined
      run.isAtGate = pendingOf(passed.result) !== undefined
      if (passed.args) note(run, passed.args)
      // On the disk before they run: an interrupted call must say with what.
      if (passed.args && passed.args !== args) await run.keeper?.began(run)
      return passed
    }

  return { hostOf, gateOf, gateAgain }
}
