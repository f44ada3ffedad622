import { pause } from '../real-tools/pause.js'
import type { Message, Model, ModelReply, ToolCall } from './messages.js'
import { planCalls } from './plan-calls.js'

export const HELP =
  'I am a scripted stand-in for a language model, so I need no key and no network. I understand: “list the files”, ' +
  '“write notes.txt: buy milk”, “delete notes.txt”, “copy hello”, “deploy”, “fetch the timetable”, “crunch 10” and “import 200 rows”.'

export interface ScriptedOptions {
  /** Milliseconds between two chunks of text. Default 12. */
  pace?: number | undefined
}

/** Understands a few phrases and calls the same tools a real model would. Streams its text word by word. */
export function createScriptedModel({ pace = 12 }: ScriptedOptions = {}): Model {
  return async (messages, _tools, signal, onText) => {
    const reply = nextReply(messages)
    for (const chunk of reply.text.match(/\S+\s*/g) ?? []) {
      await pause(pace, signal)
      signal.throwIfAborted()
      onText(chunk)
    }
    return reply
  }
}

function nextReply(messages: readonly Message[]): ModelReply {
  const last = messages.at(-1)
  if (last && isOutcome(last)) return { text: summaryOf(lastOutcomes(messages)), toolCalls: [] }
  const calls = planCalls(last?.content ?? '').map(toCall)
  if (calls.length === 0) return { text: HELP, toolCalls: [] }
  return { text: calls.length === 1 ? 'On it.' : `On it: ${calls.length} calls.`, toolCalls: calls }
}

const toCall = ({ name, args }: { name: string; args: object }): ToolCall => ({
  id: `call_${crypto.randomUUID().slice(0, 8)}`,
  name,
  arguments: JSON.stringify(args),
})

type Outcome = Extract<Message, { isError: boolean }>

const isOutcome = (message: Message): message is Outcome => message.role === 'tool' || message.role === 'background'

const lastOutcomes = (messages: readonly Message[]): Outcome[] =>
  messages.slice(messages.findLastIndex((message) => !isOutcome(message)) + 1).filter(isOutcome)

const lineOf = ({ role, content, isError }: Outcome): string =>
  `${role === 'background' ? 'From the background. ' : ''}${isError ? 'Not done' : 'Done'}: ${content}`

const summaryOf = (outcomes: readonly Outcome[]): string =>
  outcomes.length === 1 ? outcomes.map(lineOf).join() : outcomes.map((outcome) => `• ${lineOf(outcome)}`).join('\n')
