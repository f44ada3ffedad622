import type { ToolResult } from 'assent'
import type { AgentEvent, AgentOutcome } from './agent-loop.js'
import type { ToolCall } from './messages.js'

export type Entry = { id: number } & (
  | { type: 'user'; text: string }
  | { type: 'assistant'; text: string; open: boolean }
  | { type: 'call'; call: ToolCall; refused: boolean; result?: ToolResult | undefined }
  | { type: 'notice'; text: string }
)

export interface ChatState {
  entries: readonly Entry[]
  /** True from a message sent until the loop has ended. */
  busy: boolean
  nextId: number
}

export type ChatAction = AgentEvent | { type: 'user'; text: string } | { type: 'refused'; toolCallId: string }

export const emptyChat: ChatState = { entries: [], busy: false, nextId: 0 }

type NewEntry = Entry extends infer E ? (E extends Entry ? Omit<E, 'id'> : never) : never

const add = (state: ChatState, ...entries: NewEntry[]): ChatState => ({
  ...state,
  entries: [...state.entries, ...entries.map((entry, index) => ({ ...entry, id: state.nextId + index }) as Entry)],
  nextId: state.nextId + entries.length,
})

const map = (state: ChatState, change: (entry: Entry) => Entry): ChatState => ({
  ...state,
  entries: state.entries.map(change),
})

const isCall = (entry: Entry, id: string): boolean => entry.type === 'call' && entry.call.id === id

const close = (state: ChatState): ChatState =>
  map(state, (entry) => (entry.type === 'assistant' && entry.open ? { ...entry, open: false } : entry))

/** The conversation as it is shown, one event of the loop after another. */
export function chat(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case 'user':
      return { ...add(state, { type: 'user', text: action.text }), busy: true }
    case 'text':
      return addText(state, action.chunk)
    case 'reply': {
      const calls = action.reply.toolCalls.map((call): NewEntry => ({ type: 'call', call, refused: false }))
      return add(close(state), ...calls)
    }
    case 'refused':
      return map(state, (entry) => (isCall(entry, action.toolCallId) ? ({ ...entry, refused: true } as Entry) : entry))
    case 'result':
      return map(state, (entry) =>
        isCall(entry, action.call.id) ? ({ ...entry, result: action.result } as Entry) : entry,
      )
    case 'done': {
      const notice = noticeOf(action.outcome)
      const ended = { ...close(state), busy: false }
      return notice ? add(ended, { type: 'notice', text: notice }) : ended
    }
  }
}

function addText(state: ChatState, chunk: string): ChatState {
  const last = state.entries.at(-1)
  if (last?.type !== 'assistant' || !last.open) return add(state, { type: 'assistant', text: chunk, open: true })
  return map(state, (entry) => (entry === last ? { ...last, text: last.text + chunk } : entry))
}

function noticeOf({ status, text }: AgentOutcome): string | undefined {
  if (status === 'stopped') return 'Stopped.'
  if (status === 'failed') return text
  if (status === 'turn-limit') return 'Stopped: the model asked for tools too many times in a row.'
  if (status === 'pending') return `Nobody is here to be asked: ${text}`
  return undefined
}
