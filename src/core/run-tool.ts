import { type Call, createCall } from './call.js'
import { allow, refused, unknownTool, unresolved } from './messages.js'
import { errorResult } from './normalise-result.js'
import { pending, pendingOf } from './pending.js'
import { type Args, type Passed, prepareArgs } from './prepare-args.js'
import type { Answer, AnyTool, LoopSwitches, PendingRequest, ToolEvent, ToolResult, WaitFor } from './types.js'

export interface RunToolOptions extends LoopSwitches {
  /** The name that was asked for, when there is no tool of that name. */
  name?: string | undefined
  /** The host that asks the person. Without one a suspension is the result. */
  waitFor?: WaitFor | undefined
  signal?: AbortSignal | undefined
  /** Budget of one attempt in milliseconds. A person's time is not charged. */
  timeout?: number | undefined
  toolCallId?: string | undefined
  context?: unknown
  /** Whether a `progress` event gives an attempt its whole budget again. Default false: the budget is a ceiling. */
  resetTimeoutOnProgress?: boolean | undefined
  onEvent?: ((event: ToolEvent) => void) | undefined
  /** For a runner: the call's own id, default the `toolCallId`. */
  runId?: string | undefined
  /** For a runner: aborts the call; its signal is the tool's. Default: one of its own. */
  controller?: AbortController | undefined
  /**
   * For a runner: its gate before the first attempt. Gives the arguments that run, or the result the call ends with.
   * Without one nobody says yes to a tool that needs approval, so it does not run.
   */
  gate?: ((args: Args, ask: Call['ask']) => Promise<Passed>) | undefined
  /** For a runner: the tool as it is now, looked up before each attempt; undefined when it is gone. */
  current?: (() => AnyTool | undefined) | undefined
  /**
   * For a runner whose person can move a call to the background; without it `ctx.detach` is absent. Told how to move the
   * call once its tool offers it, and undefined when the offer is over. `move` ends the call with the note and lets the
   * work go on; false when it is too late.
   */
  onDetachable?: ((move: (() => boolean) | undefined) => void) | undefined
  /** For a runner: told what becomes of a call that was moved. */
  onMoved?: ((rest: Promise<ToolResult>) => void) | undefined
  /** For a runner: a call that goes on from a question it had asked, its arguments as they ran, with the answers before that and the words of its first question. */
  restored?:
    | {
        readonly request: PendingRequest | undefined
        readonly answers: readonly Answer[]
        readonly first?: string | undefined
      }
    | undefined
}

/**
 * Runs one call by the loop rule (DESIGN 2.2): run, ask once, run once more with `ctx.answer`.
 * Never rejects: whatever a tool or a host does comes back as a result.
 */
export async function runTool(
  tool: AnyTool | undefined,
  args: unknown,
  options: RunToolOptions = {},
): Promise<ToolResult> {
  const { signal, controller = new AbortController(), name = '' } = options
  const call = createCall(tool?.name ?? name, options, controller)
  const abort = (): void => {
    // A moved call is the person's: whoever waited for it is answered already.
    if (!call.isMoved()) controller.abort(signal?.reason)
  }
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  const result = await call.settle(() => loop(call, tool, args, options))
  signal?.removeEventListener('abort', abort)
  return result
}

async function loop(
  call: Call,
  tool: AnyTool | undefined,
  rawArgs: unknown,
  options: RunToolOptions,
): Promise<ToolResult> {
  const gone = errorResult(unknownTool(tool?.name ?? options.name ?? ''))
  if (!tool) return gone
  const { restored, current = () => tool } = options
  const prepared: Passed = restored ? { args: rawArgs as Args } : await prepareArgs(tool, rawArgs)
  if (prepared.args && tool.needsApproval && !options.gate) return errorResult(refused(allow(tool.name)))
  const { args, result } = (prepared.args && (await options.gate?.(prepared.args, call.ask))) ?? prepared
  if (!args) return result ?? gone

  const onRefusal = tool.onRefusal ?? options.onRefusal
  const maxQuestions = tool.maxQuestions ?? options.maxQuestions ?? 1
  const answers: Answer[] = [...(restored?.answers ?? [])]
  let asked = restored?.request
  let first = restored?.first

  for (;;) {
    const now = current()
    // Looked at after every wait: an aborted call runs nothing more (K5). It has its result already; this one is dropped.
    if (!now || call.signal.aborted) return gone
    const result = asked ? pending(asked) : await call.attempt(now, args, answers)
    const request = asked ?? pendingOf(result)
    asked = undefined
    const { waitFor } = options
    if (!request || call.signal.aborted || (!waitFor && !answers[0])) return result
    first ??= request.prompt
    // Written so that a limit that is no number asks nothing more.
    if (!(answers.length < maxQuestions)) return errorResult(unresolved(first))
    if (!waitFor) return result
    const answer = await call.ask(waitFor, request)
    if (!answer.ok && onRefusal !== 'retry') return errorResult(refused(request.prompt))
    answers.push(answer)
  }
}
