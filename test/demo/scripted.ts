import type { Message, Model, ModelReply, ToolCall } from '../../demo/agent/messages.js'

export const call = (id: string, name: string, args: unknown = {}): ToolCall => ({
  id,
  name,
  arguments: JSON.stringify(args),
})

/** A model that says what it is told, turn by turn, and remembers what it was sent. */
export function modelOf(...replies: Array<Partial<ModelReply> | Error>): Model & { sent: Message[][] } {
  const sent: Message[][] = []
  const model: Model = async (messages, _tools, signal, onText) => {
    signal.throwIfAborted()
    const reply = replies[Math.min(sent.length, replies.length - 1)]
    sent.push(structuredClone([...messages]))
    if (reply instanceof Error) throw reply
    if (reply?.text) onText(reply.text)
    return { text: '', toolCalls: [], ...reply }
  }
  return Object.assign(model, { sent })
}
