import { type PendingRequest, pendingOf, type ToolResult } from 'assent/core'
import type { Runner } from 'assent/runner'
import type { Message, Model, ModelReply, ToolCall } from './messages.js'
import { runCalls } from './run-calls.js'

export type AgentEvent =
  | { type: 'text'; chunk: string }
  | { type: 'reply'; reply: ModelReply }
  | { type: 'result'; call: ToolCall; result: ToolResult }
  | { type: 'done'; outcome: AgentOutcome }

export interface AgentOutcome {
  /** `pending`: nobody is there to be asked, `request` is the question. `stopped`: aborted. */
  status: 'done' | 'pending' | 'stopped' | 'failed' | 'turn-limit'
  /** The model's last text, the question's prompt, or the reason of the failure. */
  text: string
  /** The conversation to go on with: every call in it is answered, except where the loop is pending. */
  messages: Message[]
  /** How often the model was asked. */
  turns: number
  request?: PendingRequest | undefined
}

export interface AgentOptions {
  model: Model
  runner: Pick<Runner, 'tools' | 'runAll'>
  messages: readonly Message[]
  signal?: AbortSignal | undefined
  /** How often the model may be asked. Default 8. */
  maxTurns?: number | undefined
  onEvent?: ((event: AgentEvent) => void) | undefined
}

/** Asks the model, runs the calls of its turn side by side, feeds the results back in call order; until it has no more. */
export async function runAgent(options: AgentOptions): Promise<AgentOutcome> {
  const { model, runner, signal = new AbortController().signal, maxTurns = 8, onEvent = () => {} } = options
  const messages = [...options.messages]
  let turns = 0

  const end = (status: AgentOutcome['status'], text: string, request?: PendingRequest): AgentOutcome => {
    const outcome = { status, text, messages, turns, ...(request && { request }) }
    onEvent({ type: 'done', outcome })
    return outcome
  }
  const answer = (call: ToolCall, result: ToolResult): void => {
    messages.push({ role: 'tool', toolCallId: call.id, content: result.output, isError: result.isError })
    onEvent({ type: 'result', call, result })
  }

  for (;;) {
    let streamed = ''
    let reply: ModelReply
    try {
      signal.throwIfAborted()
      turns += 1
      reply = await model(messages, runner.tools, signal, (chunk) => {
        if (signal.aborted) return
        streamed += chunk
        onEvent({ type: 'text', chunk })
      })
      signal.throwIfAborted()
    } catch (error) {
      if (streamed) messages.push({ role: 'assistant', content: streamed, toolCalls: [] })
      if (signal.aborted) return end('stopped', streamed)
      return end('failed', error instanceof Error ? error.message : String(error))
    }
    messages.push({ role: 'assistant', content: reply.text, toolCalls: reply.toolCalls })
    onEvent({ type: 'reply', reply })
    if (reply.toolCalls.length === 0) return end('done', reply.text)
    if (turns >= maxTurns) {
      const result = { output: `not run: the limit of ${maxTurns} turns is reached`, isError: true }
      for (const call of reply.toolCalls) answer(call, result)
      return end('turn-limit', reply.text)
    }
    const results = await runCalls(runner, reply.toolCalls, signal)
    const halt = results.map(pendingOf).find((request) => request !== undefined)
    for (const [index, call] of reply.toolCalls.entries()) {
      const result = results[index]
      if (!result) continue
      const request = pendingOf(result)
      // The first question in call order halts the run and stands there by its prompt; the others were never asked.
      if (request === halt && request) answer(call, { output: request.prompt, isError: true })
      else if (!request) answer(call, result)
    }
    if (halt) return end('pending', halt.prompt, halt)
    if (signal.aborted) return end('stopped', reply.text)
  }
}
