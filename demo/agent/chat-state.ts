import type { ToolResult } from 'assent'
import type { AgentEvent, AgentOutcome } from './agent-loop.js'
import type { ToolCall } from './messages.js'

export type Entry = { id: number } & (
  | { type: 'user'; text: string }
  | { type: 'assistant'; text: string; open: boolean }
  | { type: 'call'; call: ToolCall; refused: boolean; result?: ToolResult | undefined; ended?: ToolResult | undefined }
  | { type: 'notice'; text: string }
)

export interface ChatState {
  entries: readonly Entry[]
  /** True while the loop is at work. */
  busy: boolean
  nextId: number
}

export type ChatAction =
  | AgentEvent
  | { type: 'begin' }
  | { type: 'user'; text: string }
  | { type: 'refused'; toolCallId: string }
  /** A call that was moved to the background has ended. */
  | { type: 'ended'; toolCallId: string; toolName: string; result: ToolResult }

export const emptyChat: ChatState = { entries: [], busy: false, nextId: 0 }

type NewEntry = Entry extends infer E ? (E extends Entry ? Omit<E, 'id'> : never) : never

const add = (state: ChatState, ...entries: NewEntry[]): ChatState => ({
  ...state,
  entries: [...state.entries, ...entries.map((entry, index) => ({ ...entry, id: state.nextId + index }) as Entry)],
  nextId: state.nextId + entries.length,
})

const map = (state: ChatState, replace: (entry: Entry) => Entry): ChatState => ({
  ...state,
  entries: state.entries.map(replace),
})

type CallEntry = Extract<Entry, { type: 'call' }>

const change = (state: ChatState, callId: string, news: Partial<CallEntry>): ChatState =>
  map(state, (entry) => (entry.type === 'call' && entry.call.id === callId ? { ...entry, ...news } : entry))

const close = (state: ChatState): ChatState =>
  map(state, (entry) => (entry.type === 'assistant' && entry.open ? { ...entry, open: false } : entry))

/** The conversation as it is shown, one event of the loop after another. */
export function chat(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case 'user':
      return add(state, { type: 'user', text: action.text })
    case 'begin':
      return { ...state, busy: true }
    case 'text':
      return addText(state, action.chunk)
    case 'reply': {
      const calls = action.reply.toolCalls.map((call): NewEntry => ({ type: 'call', call, refused: false }))
      return add(close(state), ...calls)
    }
    case 'refused':
      return change(state, action.toolCallId, { refused: true })
    case 'result':
      return change(state, action.call.id, { result: action.result })
    case 'ended': {
      const text = `${action.toolName} has ended in the background.`
      return add(change(state, action.toolCallId, { ended: action.result }), { type: 'notice', text })
    }
    case 'done': {
      const notice = noticeOf(action.outcome)
      const ended = { ...close(state), busy: false }
      return notice ? add(ended, { type: 'notice', text: notice }) : ended
    }
  }
}

function addText(state: ChatState, chunk: string): ChatState {
  // Not always the last: a notice may come while the model speaks.
  const open = state.entries.find((entry) => entry.type === 'assistant' && entry.open)
  if (open?.type !== 'assistant') return add(state, { type: 'assistant', text: chunk, open: true })
  return map(state, (entry) => (entry === open ? { ...open, text: open.text + chunk } : entry))
}

function noticeOf({ status, text }: AgentOutcome): string | undefined {
  if (status === 'stopped') return 'Stopped.'
  if (status === 'failed') return text
  if (status === 'turn-limit') return 'Stopped: the model asked for tools too many times in a row.'
  if (status === 'pending') return `Nobody is here to be asked: ${text}`
  return undefined
}
