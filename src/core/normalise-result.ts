import { messageOf, unusable } from './messages.js'
import { pendingOf } from './pending.js'
import { isRecord } from './plain-data.js'
import type { ToolResult } from './types.js'

export const errorResult = (output: string): ToolResult => ({ output, isError: true })

const isToolResult = (value: unknown): value is ToolResult & Record<string, unknown> =>
  isRecord(value) && typeof value.output === 'string' && typeof value.isError === 'boolean'

/** Whatever a tool returned, as a result: a string as it is, a result as it is, nothing as `""`, the rest as JSON (DESIGN 7.1). */
export function normaliseResult(name: string, value: unknown = ''): ToolResult {
  if (typeof value === 'string') return { output: value, isError: false }
  try {
    // Copied, so that a getter is read once, here, where a throw is caught.
    if (isToolResult(value)) return value.metadata ? { ...value, metadata: { ...value.metadata } } : { ...value }
    const pending = pendingOf(value)
    // A suspension whose result is otherwise incomplete is still a suspension: it must not pass for an answer.
    if (pending) return { ...errorResult(pending.prompt), metadata: { pending } }
    const output: string | undefined = JSON.stringify(value)
    if (output !== undefined) return { output, isError: false }
    throw new Error(`a ${typeof value} is no JSON`)
  } catch (error) {
    return errorResult(unusable(name, 'result', messageOf(error)))
  }
}
