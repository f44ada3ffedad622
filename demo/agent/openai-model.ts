import type { Runner } from 'assent/runner'
import { noteToWire } from './background-note.js'
import type { Message, Model, ModelReply } from './messages.js'
import { errorText, ReplyBuilder } from './reply-builder.js'
import { readSse } from './sse.js'

export interface Endpoint {
  /** Up to and without `/chat/completions`, for example `http://localhost:11434/v1`. */
  baseUrl: string
  model: string
  apiKey?: string | undefined
}

interface WireMessage {
  role: string
  content: string | null
  [field: string]: unknown
}

/** A model behind any endpoint that speaks OpenAI's chat completions, streamed. */
export function createOpenAiModel(endpoint: Endpoint): Model {
  return async (messages, tools, signal, onText) => {
    const response = await post(endpoint, { messages: joinUsers(messages.map(toWire)), ...toolsOf(tools) }, signal)
    if (!response.ok) throw new Error(await failureOf(response))
    if (!response.body || response.headers.get('content-type')?.includes('application/json')) {
      return readWhole(await response.json(), onText)
    }
    return readStream(response.body, onText)
  }
}

async function post({ baseUrl, model, apiKey }: Endpoint, body: object, signal: AbortSignal): Promise<Response> {
  const url = `${baseUrl.replace(/\/+$/, '')}/chat/completions`
  const headers = { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) }
  try {
    return await fetch(url, { method: 'POST', headers, signal, body: JSON.stringify({ model, stream: true, ...body }) })
  } catch (error) {
    if (signal.aborted) throw error
    throw new Error(`Could not reach ${url}. Is it running, and does it allow requests from this page (CORS)?`)
  }
}

async function readStream(body: ReadableStream<Uint8Array>, onText: (chunk: string) => void): Promise<ModelReply> {
  const builder = new ReplyBuilder()
  for await (const data of readSse(body)) {
    if (data === '[DONE]') return builder.reply()
    const text = builder.add(parse(data))
    if (text) onText(text)
  }
  if (!builder.finished) throw new Error('The endpoint closed the stream before its reply was complete.')
  return builder.reply()
}

/** An endpoint that does not stream sends the same in one piece. */
function readWhole(completion: unknown, onText: (chunk: string) => void): ModelReply {
  const builder = new ReplyBuilder()
  const text = builder.add(completion)
  if (text) onText(text)
  return builder.reply()
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    throw new Error(`The endpoint sent something that is not JSON: ${data.slice(0, 80)}`)
  }
}

async function failureOf(response: Response): Promise<string> {
  const body = await response.text()
  let why = body.slice(0, 200)
  try {
    const { error, message }: { error?: unknown; message?: unknown } = JSON.parse(body)
    why = errorText(error ?? message ?? why)
  } catch {
    // Not JSON: its text says it.
  }
  return `The endpoint answered ${response.status}: ${why || response.statusText}`
}

const toolsOf = (tools: Runner['tools']): object => {
  const described = tools('openai')
  // An empty list is refused by some endpoints.
  return described.length === 0 ? {} : { tools: described }
}

function toWire(message: Message): WireMessage {
  if (message.role === 'background') return noteToWire(message)
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content }
  if (message.role !== 'assistant' || message.toolCalls.length === 0) {
    return { role: message.role, content: message.content }
  }
  return {
    role: 'assistant',
    content: message.content || null,
    tool_calls: message.toolCalls.map(({ id, name, arguments: args }) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    })),
  }
}

/** A note and what the person says next as one message: some endpoints take no two of one role in a row. */
function joinUsers(messages: readonly WireMessage[]): WireMessage[] {
  const joined: WireMessage[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (last?.role !== 'user' || message.role !== 'user') joined.push(message)
    else joined[joined.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` }
  }
  return joined
}
