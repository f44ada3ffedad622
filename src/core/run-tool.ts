import { type Call, createCall } from './call.js'
import { type Files, readFiles } from './files.js'
import { allow, messageOf, NO_SIGNAL, refused, unknownTool, unresolved } from './messages.js'
import { errorResult } from './normalise-result.js'
import { pending, pendingOf } from './pending.js'
import { type Passed, type Prepared, prepareArgs } from './prepare-args.js'
import { isTrusted, mayAsk } from './trust.js'
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
  /** What is no JSON and belongs to the arguments: `ctx.files` (DESIGN 8.1). */
  files?: Files | undefined
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
  gate?: ((prepared: Prepared, call: Pick<Call, 'ask' | 'timed'>) => Promise<Passed>) | undefined
  /** For a runner: a tool's request as it is shown and told (DESIGN 8.11). A suspension stays as the tool wrote it. */
  asShown?: ((request: PendingRequest) => PendingRequest) | undefined
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
  /**
   * For a runner: a call that goes on from a question it had asked, with the answers before that and the words of its first
   * question.
   */
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
 * Never rejects: whatever a tool, a host or the caller of untyped code does comes back as a result.
 */
export async function runTool(
  tool: AnyTool | undefined,
  args: unknown,
  options: RunToolOptions = {},
): Promise<ToolResult> {
  try {
    return await run(tool, args, options)
  } catch (error) {
    return errorResult(messageOf(error))
  }
}

async function run(tool: AnyTool | undefined, args: unknown, options: RunToolOptions): Promise<ToolResult> {
  const { signal, controller = new AbortController(), name = '' } = options
  if (signal && typeof signal.addEventListener !== 'function') return errorResult(NO_SIGNAL)
  readFiles(options.files)
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

/** The switches of a tool; one that is not trusted can only be stricter than the runner (DESIGN 8.4). */
function switchesOf(tool: AnyTool, given: LoopSwitches): { onRefusal: string; maxQuestions: number } {
  const { onRefusal = 'settle', maxQuestions = 1 } = given
  if (isTrusted(tool))
    return { onRefusal: tool.onRefusal ?? onRefusal, maxQuestions: tool.maxQuestions ?? maxQuestions }
  return {
    onRefusal: tool.onRefusal === 'settle' ? 'settle' : onRefusal,
    maxQuestions: Math.min(tool.maxQuestions ?? maxQuestions, maxQuestions),
  }
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
  const passed = await call.timed(() => prepareArgs(tool, rawArgs))
  if (passed.prepared && mayAsk(tool.needsApproval) && !options.gate) return errorResult(refused(allow(tool.name)))
  const { prepared, result } = (passed.prepared && (await options.gate?.(passed.prepared, call))) ?? passed
  if (!prepared) return result ?? gone

  const answers: Answer[] = [...(restored?.answers ?? [])]
  let asked = restored?.request
  let first = restored?.first

  for (;;) {
    const now = current()
    // Looked at after every wait: an aborted call runs nothing more (K5). It has its result already; this one is dropped.
    if (!now || call.signal.aborted) return gone
    const { onRefusal, maxQuestions } = switchesOf(now, options)
    const result = asked ? pending(asked) : await call.attempt(now, prepared.value, answers)
    const found = asked ?? pendingOf(result)
    const request = found && (options.asShown?.(found) ?? found)
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
