import { type Answer, CANCELLED, frozenJson, pendingOf, type ToolResult } from '../core/internal.js'

/** A result to keep: frozen, plain, nobody else's. */
export function recordOf({ output, isError, metadata }: ToolResult): ToolResult {
  try {
    return frozenJson({ output, isError, ...(metadata !== undefined && { metadata }) })
  } catch {
    return Object.freeze({ output, isError })
  }
}

/** What the person wrote with a no. */
export const feedbackOf = ({ ok, data }: Answer): string | undefined =>
  !ok && typeof data?.feedback === 'string' ? data.feedback : undefined

/** What the person wrote with a no, for the model: in the result's metadata, since the text is fixed (K4). */
export const withFeedback = (result: ToolResult, feedback: string | undefined): ToolResult =>
  feedback !== undefined && result.isError ? { ...result, metadata: { ...result.metadata, feedback } } : result

export function statusOf(result: ToolResult, signal: AbortSignal): 'cancelled' | 'failed' | 'done' {
  if (signal.aborted && result.output === CANCELLED) return 'cancelled'
  return result.isError && !pendingOf(result) ? 'failed' : 'done'
}
