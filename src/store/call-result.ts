import {
  type Answer,
  CANCELLED,
  copyOf,
  errorResult,
  freezeDeep,
  pendingOf,
  type ToolResult,
  unknownTool,
} from '../core/internal.js'
import type { LiveRun } from './runs.js'

// A result may carry what a clone takes and JSON does not, such as dates; what neither takes is left out.
function frozenResult(result: ToolResult): ToolResult {
  const copy = copyOf(result)
  JSON.stringify(copy)
  return freezeDeep(copy)
}

/** A result to keep: frozen, plain, nobody else's. */
export function recordOf({ output, isError, metadata }: ToolResult): ToolResult {
  try {
    return frozenResult({ output, isError, ...(metadata !== undefined && { metadata }) })
  } catch {
    return Object.freeze({ output, isError })
  }
}

/** What the person wrote with a no. */
export const feedbackOf = ({ ok, data }: Answer): string | undefined =>
  !ok && typeof data?.feedback === 'string' ? data.feedback : undefined

/**
 * What a call ends with, and in its metadata how it came to that: `edited` with the arguments that ran, and for a call that was
 * refused the reason and what the person wrote (their text is fixed, K4).
 */
export function resultOf(
  { flood, isToolGone, record, refusal, isEdited, hasBegun, prepared, feedback }: LiveRun,
  outcome: ToolResult,
): ToolResult {
  if (flood) return errorResult(flood)
  if (isToolGone) return errorResult(unknownTool(record.toolName))
  const { output, isError, metadata } = outcome
  const said = {
    ...(isError && refusal?.output === output && { reason: refusal.reason }),
    ...(isError && feedback !== undefined && { feedback }),
    ...(isEdited && hasBegun && { edited: true, args: prepared?.args }),
  }
  return Object.keys(said).length > 0 ? { ...outcome, metadata: { ...metadata, ...said } } : outcome
}

export function statusOf(result: ToolResult, signal: AbortSignal): 'cancelled' | 'failed' | 'done' {
  if (signal.aborted && result.output === CANCELLED) return 'cancelled'
  return result.isError && !pendingOf(result) ? 'failed' : 'done'
}
