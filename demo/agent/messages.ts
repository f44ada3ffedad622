import type { Runner } from 'assent/runner'

/** A call as the model wrote it: its arguments are text until somebody has read them. */
export interface ToolCall {
  id: string
  name: string
  arguments: string
}

/** What became of a call that was moved to the background; its tool message says only that it was. */
export interface BackgroundMessage {
  role: 'background'
  toolCallId: string
  toolName: string
  content: string
  isError: boolean
}

export type Message =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls: ToolCall[] }
  | { role: 'tool'; toolCallId: string; content: string; isError: boolean }
  | BackgroundMessage

export interface ModelReply {
  text: string
  toolCalls: ToolCall[]
}

/**
 * One turn of a language model, which asks `tools` for the shape its API takes. Text is streamed to `onText` as it comes;
 * rejects on failure and on abort.
 */
export type Model = (
  messages: readonly Message[],
  tools: Runner['tools'],
  signal: AbortSignal,
  onText: (chunk: string) => void,
) => Promise<ModelReply>
