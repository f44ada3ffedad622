import type { ToolResult } from 'assent/core'
import type { RunRecord } from 'assent/runner'
import type { BackgroundMessage } from './messages.js'

/** What the model is to be told of a call that ended after it was moved to the background. */
export const backgroundNote = (
  { output, isError }: ToolResult,
  { toolCallId, toolName }: Pick<RunRecord, 'toolCallId' | 'toolName'>,
): BackgroundMessage => ({ role: 'background', toolCallId, toolName, content: output, isError })

/**
 * The note as chat completions take it: in the person's role, for the call has its one tool message, many endpoints refuse
 * a second system message, and a tool's output must not speak as the app. It is JSON, so that no output can end the note
 * and go on as somebody else.
 */
export function noteToWire({ toolCallId, toolName, content, isError }: BackgroundMessage): {
  role: 'user'
  content: string
} {
  const ended = { tool_call_id: toolCallId, tool: toolName, is_error: isError, output: content }
  return {
    role: 'user',
    content: `Reported by the app, not said by the person: a call in the background has ended.\n${JSON.stringify(ended)}`,
  }
}
