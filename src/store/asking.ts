import {
  type Answer,
  type AnyTool,
  CANCELLED,
  canonicalJson,
  errorResult,
  messageOf,
  notAllowed,
  type Passed,
  type PendingRequest,
  type Prepared,
  pendingOf,
  type RunToolOptions,
  refusal,
  unknownTool,
  type WaitFor,
} from '../core/internal.js'
import { passGate, reasoned } from './gate.js'
import type { Keeper } from './keeper.js'
import { deedOfCall, type Policy } from './policy.js'
import type { Publisher } from './publisher.js'
import { identityOf, isToolText, type Registry } from './registry.js'
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
  gateOf(run: LiveRun, tool: AnyTool | undefined): NonNullable<RunToolOptions['gate']>
}

export function createAsking({ options, registry, runs, publisher, policy, ask, onRule, keeper }: AskingParts): Asking {
  const { change, publish } = publisher

  /** From here on this is what the call is shown with and runs with. */
  const note = (run: LiveRun, tool: AnyTool | undefined, prepared: Prepared): void => {
    run.prepared = prepared
    if (tool) {
      run.tool = tool
      run.shown = identityOf(tool)
    }
    if (!runs.getLive(run.record.id)) return
    runs.update(run, { args: prepared.args })
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

  /** A call that goes on from a stored question: its gate was passed, but its tool and the rules may say otherwise since. */
  const gateAgain = (run: LiveRun, tool: AnyTool, prepared: Prepared): Passed => {
    note(run, tool, prepared)
    const verdict = policy.decide(deedOfCall(tool, prepared.args, run.files !== undefined))
    return verdict === 'deny' ? { result: reasoned(notAllowed(tool.name), 'denied') } : { prepared }
  }

  const gateOf: Asking['gateOf'] = (run, tool) => async (prepared, call) => {
    const { signal } = run.controller
    const { turn } = run
    // A tool that makes something else of the stored arguments than what was shown does not run on that answer.
    const isOther = turn && canonicalJson(turn.item.args ?? null) !== canonicalJson(prepared.args)
    if (tool && turn && (isOther || !isToolText(turn.tool, tool)))
      return { result: errorResult(unknownTool(tool.name)) }
    if (tool && turn && !turn.item.isGate) return gateAgain(run, tool, prepared)
    note(run, tool, prepared)
    // A predicate may take its time; what is known is shown meanwhile.
    if (typeof tool?.needsApproval === 'function' || options.needsApproval) publish()
    if (!tool || signal.aborted) return { result: errorResult(CANCELLED) }
    run.keeper ??= keeper()
    if (!turn) void run.keeper?.began(run)
    const { toolCallId, toolName } = run.record
    const passed = await passGate(prepared, {
      tool,
      current: () => registry.get(toolName),
      options,
      policy,
      hasFiles: run.files !== undefined,
      ctxOf: ({ source }) => ({ toolName, source, toolCallId, signal, context: options.context }),
      ask(asked, shown, request) {
        note(run, asked, shown)
        const host = hostOf(run, true)
        run.isChanged = false
        return host && call.ask(host, request).then((answer) => (run.isChanged ? 'changed' : answer))
      },
      timed: call.timed,
      isAsked: run.given?.isGate === true,
      onRule: (request, ok) => onRule(request, run, ok),
      onEdit(edited) {
        // A check that ends after its call changes no record.
        if (signal.aborted) return
        run.isEdited = true
        run.onEnd.at(-1)?.({ args: edited.args })
      },
    })
    run.approval = passed.approval
    // One answer is never the answer to two questions (DESIGN 5.10).
    run.given = undefined
    run.isAtGate = pendingOf(passed.result) !== undefined
    if (passed.prepared) note(run, undefined, passed.prepared)
    // On the disk before they run: an interrupted call must say with what.
    if (passed.prepared && passed.prepared !== prepared) await run.keeper?.began(run)
    return passed
  }

  return { hostOf, gateOf }
}
