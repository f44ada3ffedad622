import type { ToolDescription } from 'assent/runner'

/** A call as the model wrote it: its arguments are text until somebody has read them. */
export interface ToolCall {
  id: string
  name: string
  arguments: string
}

export type Message =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls: ToolCall[] }
  | { role: 'tool'; toolCallId: string; content: string; isError: boolean }

export interface ModelReply {
  text: string
  toolCalls: ToolCall[]
}

/** One turn of a language model. Text is streamed to `onText` as it comes; rejects on failure and on abort. */
export type Model = (
  messages: readonly Message[],
  tools: readonly ToolDescription[],
  signal: AbortSignal,
  onText: (chunk: string) => void,
) => Promise<ModelReply>
