import type { ToolResult } from 'assent/core'
import type { Runner, TurnCall } from 'assent/runner'
import type { ToolCall } from './messages.js'

/** Runs the calls of a turn side by side; results in call order. Arguments that cannot be read are an error the model can mend. */
export async function runCalls(
  runner: Pick<Runner, 'runAll'>,
  calls: readonly ToolCall[],
  signal: AbortSignal,
): Promise<ToolResult[]> {
  const turn = calls.map(readCall)
  const ran = await runner.runAll(turn.filter(isReadable), { signal })
  return turn.flatMap((call) => (isReadable(call) ? ran.splice(0, 1) : [call]))
}

function readCall({ id, name, arguments: text }: ToolCall): TurnCall | ToolResult {
  try {
    return { name, args: text.trim() === '' ? {} : JSON.parse(text), toolCallId: id }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { output: `The arguments of ${name} are not JSON: ${why}`, isError: true }
  }
}

const isReadable = (call: TurnCall | ToolResult): call is TurnCall => 'name' in call
