import { createToolRunner, type Runner, type ToolRunnerOptions } from 'assent/runner'
import { runAgent } from './agent-loop.js'
import { backgroundNote } from './background-note.js'
import type { ChatAction } from './chat-state.js'
import type { Message, Model } from './messages.js'

const system: Message = {
  role: 'system',
  content:
    'You help a person in a web page. Use the tools for what they ask; some tools ask the person first. ' +
    'A refusal is an answer: accept it, and do not call the tool again unless you are asked to. ' +
    'The person may move a call to the background: do not call it again, the app reports its result when it ends. Be brief.',
}

/** A conversation with a model, and the runner of its tools. Outlives the views. */
export interface Agent {
  readonly runner: Runner
  model: Model
  /** Says it to the model: now, or after its turn. */
  send(text: string): void
  /** Ends the turn. What goes on in the background goes on; its result then waits for the person's next message. */
  stop(): void
}

/** Makes an agent; what happens is told to `onAction`, step by step. */
export function createAgent(
  model: Model,
  { tools, answerSchemas, detachable }: Pick<ToolRunnerOptions, 'tools' | 'answerSchemas' | 'detachable'>,
  onAction: (action: ChatAction) => void,
): Agent {
  let messages: Message[] = [system]
  const unsaid: Message[] = []
  let controller: AbortController | undefined
  let isStopped = false

  const runner = createToolRunner({
    tools,
    answerSchemas,
    detachable,
    onEvent(event) {
      if (event.type === 'answer' && !event.ok) onAction({ type: 'refused', toolCallId: event.toolCallId })
    },
    // Its caller was given the note long ago, so the model is told here (DESIGN 2.3).
    onResult(result, run) {
      onAction({ type: 'ended', toolCallId: run.toolCallId, toolName: run.toolName, result })
      unsaid.push(backgroundNote(result, run))
      void goOn()
    },
  })

  const turn = async (signal: AbortSignal): Promise<void> => {
    onAction({ type: 'begin' })
    const asked = [...messages, ...unsaid.splice(0)]
    const outcome = await runAgent({ model: agent.model, runner, messages: asked, signal, onEvent: onAction })
    messages = outcome.messages
  }
  const goOn = async (): Promise<void> => {
    if (controller) return
    while (unsaid.length > 0 && !isStopped) {
      controller = new AbortController()
      await turn(controller.signal)
    }
    controller = undefined
  }

  const agent: Agent = {
    runner,
    model,
    send(text) {
      isStopped = false
      unsaid.push({ role: 'user', content: text })
      onAction({ type: 'user', text })
      void goOn()
    },
    stop() {
      if (!controller) return
      isStopped = true
      controller.abort()
    },
  }
  return agent
}
