// Every text a model reads stands here, so that they stay of one voice.

export const CANCELLED = 'cancelled'
export const NO_SIGNAL = 'not run: its signal is no AbortSignal'
export const NO_CALL = 'not a call: an object with the name of a tool is expected'
/** The note a model gets in place of the result when the person moves a call. */
export const movedToBackground = (name: string): string => `Moved to the background: ${name}. Its result will follow.`
export const refused = (prompt: string): string => `declined/expired: ${prompt}`
/** The question of the gate. */
export const allow = (name: string): string => `Allow ${name}?`
export const notAllowed = (name: string): string => `not allowed by policy: ${name}`
export const tooMany = (source: string, limit: number): string => `${source} has ${limit} open questions already`
export const unresolved = (prompt: string): string => `unresolved: ${prompt}`
export const unknownTool = (name: string): string => `Unknown tool: ${name}`
export const ambiguous = (name: string): string =>
  `Ambiguous tool name: ${name}: it was told for another tool before; list the tools again and use the names listed then`
export const interrupted = (name: string): string =>
  `interrupted: ${name}: its page went while it ran, so the outcome is unknown`
export const notThisRequest = (id: unknown): string => `the answer is not to request ${String(id)}`
export const unknownSuspension = (prompt: string): string => `no such suspension: ${prompt}`
export const notStored = (name: string): string => `not run: ${name}: the storage failed, so nobody knows who was first`
export const notKept = (prompt: string): string => `cannot go on: ${prompt}: not all of it is stored`
export const answeredAlready = (prompt: string): string => `answered already: ${prompt}`
export const timedOut = (ms: number): string => `timed out after ${ms} ms`
export const invalidArgs = (name: string, issues: string): string => `Invalid arguments for ${name}: ${issues}`
export const unusable = (name: string, why: string): string => `${name}: its result cannot be used (${why})`

/** The text of a thrown value, whatever was thrown. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message || thrown.name : thrown)
  } catch {
    return 'unknown error'
  }
}
