import type { ToolResult } from 'assent/core'
import type { Runner } from 'assent/runner'
import type { ToolCall } from './messages.js'

/** Reads the arguments a model wrote and runs its call. Unreadable ones are an error it can mend; the tool does not run. */
export async function runCall(runner: Pick<Runner, 'run'>, call: ToolCall, signal: AbortSignal): Promise<ToolResult> {
  let args: unknown
  try {
    args = call.arguments.trim() === '' ? {} : JSON.parse(call.arguments)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { output: `The arguments of ${call.name} are not JSON: ${why}`, isError: true }
  }
  return runner.run(call.name, args, { toolCallId: call.id, signal })
}
