import { useToolRunner } from 'assent'
import { useEffect, useRef } from 'react'
import { runAgent } from './agent-loop.js'
import type { ChatAction } from './chat-state.js'
import type { Message, Model } from './messages.js'

const system: Message = {
  role: 'system',
  content:
    'You help a person in a web page. Use the tools for what they ask; some tools ask the person first. ' +
    'A refusal is an answer: accept it, and do not call the tool again unless you are asked to. Be brief.',
}

/** Sends messages to the agent and stops it; what happens is told to `onAction`. */
export function useChat(model: Model, onAction: (action: ChatAction) => void) {
  const { runner } = useToolRunner()
  const messages = useRef<Message[]>([system])
  const controller = useRef<AbortController | undefined>(undefined)

  useEffect(() => () => controller.current?.abort(), [])

  const send = async (text: string): Promise<void> => {
    controller.current = new AbortController()
    const { signal } = controller.current
    onAction({ type: 'user', text })
    const asked: Message[] = [...messages.current, { role: 'user', content: text }]
    const outcome = await runAgent({ model, runner, messages: asked, signal, onEvent: onAction })
    messages.current = outcome.messages
  }

  return { send, stop: () => controller.current?.abort() }
}
