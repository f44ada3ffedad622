import { frozenJson } from './json.js'
import { messageOf, unusable } from './messages.js'
import { isRequest, pendingOf } from './pending.js'
import { isRecord } from './plain-data.js'
import type { ToolResult } from './types.js'

export const errorResult = (output: string): ToolResult => ({ output, isError: true })

export const isToolResult = (value: unknown): value is ToolResult & Record<string, unknown> =>
  isRecord(value) && typeof value.output === 'string' && typeof value.isError === 'boolean'

/** Whatever a tool returned, as a result: a string as it is, a result as it is, nothing as `""`, the rest as JSON (DESIGN 7.1). */
export function normaliseResult(name: string, value: unknown = ''): ToolResult {
  if (typeof value === 'string') return { output: value, isError: false }
  try {
    // Copied, so that a getter is read once, here, where a throw is caught.
    const result = isToolResult(value)
      ? { ...value, ...(value.metadata && { metadata: { ...value.metadata } }) }
      : undefined
    const request = pendingOf(result ?? value)
    if (request) {
      // As it is shown: nobody can change it afterwards (K15, K20). A suspension whose result is otherwise incomplete is
      // still one: it must not pass for an answer.
      const pending = frozenJson(request)
      // A getter may say something else when it is read for the copy.
      if (!isRequest(pending)) throw new Error('no kind or prompt')
      return { ...(result ?? errorResult(pending.prompt)), metadata: { ...result?.metadata, pending } }
    }
    if (result) return result
    const output: string | undefined = JSON.stringify(value)
    if (output !== undefined) return { output, isError: false }
    throw new Error(typeof value)
  } catch (error) {
    return errorResult(unusable(name, messageOf(error)))
  }
}
