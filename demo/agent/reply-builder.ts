import type { ModelReply, ToolCall } from './messages.js'

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Puts a streamed chat completion together: text and the pieces of its tool calls. */
export class ReplyBuilder {
  #text = ''
  #calls = new Map<number, ToolCall>()
  /** True once the endpoint has said how the reply ends. Calls of a reply that was cut off must not run. */
  finished = false

  /** Takes one chunk, or a whole completion (`message` where a chunk has `delta`). Returns its text. Throws what the endpoint reports. */
  add(chunk: unknown): string {
    const { error, choices } = fieldsOf(chunk)
    if (error) throw new Error(errorText(error))
    const choice = fieldsOf(listOf(choices)[0])
    const delta = fieldsOf(choice.delta ?? choice.message)
    if (choice.finish_reason) this.finished = true
    for (const [position, piece] of listOf(delta.tool_calls).entries()) this.#addCall(fieldsOf(piece), position)
    const text = textOf(delta.content)
    this.#text += text
    return text
  }

  reply(): ModelReply {
    return { text: this.#text, toolCalls: [...this.#calls.values()] }
  }

  #addCall(piece: Fields, position: number): void {
    const index = typeof piece.index === 'number' ? piece.index : this.#indexOf(piece, position)
    const call = this.#calls.get(index) ?? { id: '', name: '', arguments: '' }
    const { name, arguments: args } = fieldsOf(piece.function)
    call.id ||= textOf(piece.id) || crypto.randomUUID()
    call.name ||= textOf(name)
    call.arguments += isFields(args) ? JSON.stringify(args) : textOf(args)
    this.#calls.set(index, call)
  }

  /** Some endpoints leave the index out: then a known id goes on, and a new one is a new call. */
  #indexOf({ id }: Fields, position: number): number {
    if (!id) return position
    for (const [index, call] of this.#calls) if (call.id === id) return index
    return this.#calls.size
  }
}

/** What went wrong, in the endpoint's own words where it has any. */
export function errorText(error: unknown): string {
  return textOf(error) || textOf(fieldsOf(error).message) || JSON.stringify(error)
}
