import { newId } from './ids.js'
import { frozenJson } from './json.js'
import { isRecord } from './plain-data.js'
import type { PendingRequest, ToolResult } from './types.js'

/**
 * The result of a tool that asks first: `return pending({ kind: 'approval', prompt: 'Delete 3 files?' })` (SPEC §10).
 * A missing id is generated. The request is taken as it is now: what the tool does to its data later is not shown. Throws an
 * Error for a request without kind or prompt, and for one that is no JSON (DESIGN 8.1).
 */
export function pending(request: Omit<PendingRequest, 'id'> & { id?: string | undefined }): ToolResult {
  const { id = newId('pnd'), kind, prompt, url, data, expiresAt } = request
  const wire: unknown = frozenJson({ id, kind, prompt, url, data, expiresAt })
  // From untyped code; a question without words would pass for a result.
  if (!isRequest(wire)) throw new Error('no kind or prompt')
  return { output: wire.prompt + (wire.url ? `\n${wire.url}` : ''), isError: true, metadata: { pending: wire } }
}

/** A suspension that sends the person to log in somewhere (SPEC §10). */
export const authRequired = (url: string, prompt = 'Authorization required to continue'): ToolResult =>
  pending({ kind: 'authorization', prompt, url })

/** The request of a suspended result. `metadata.pending` decides, not `isError`, and only a real request counts (K35). */
export function pendingOf(result: unknown): PendingRequest | undefined {
  const request = isRecord(result) && isRecord(result.metadata) && result.metadata.pending
  return isRequest(request) ? request : undefined
}

/** An object with a string `id`, `kind` and `prompt`; the optional fields are read leniently where they are used. */
export const isRequest = (value: unknown): value is PendingRequest =>
  isRecord(value) && ['id', 'kind', 'prompt'].every((key) => typeof value[key] === 'string')
