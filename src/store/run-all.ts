import { defined, errorResult, messageOf, NO_CALL, type ToolResult } from '../core/internal.js'
import type { Runner, TurnCall, TurnOptions } from './types.js'

/** Runs the calls of one turn side by side (DESIGN 7.1). What a call says itself goes before what is said for all. */
export function runAll(
  { run }: Pick<Runner, 'run'>,
  turn: readonly TurnCall[],
  forAll: TurnOptions = {},
): Promise<ToolResult[]> {
  if (!Array.isArray(turn)) console.error('assent: runAll() needs an array of calls:', turn)
  // From untyped code, or a model's own list; one with holes has calls that are none.
  const calls: readonly unknown[] = Array.isArray(turn) ? Array.from(turn) : []
  return Promise.all(
    calls.map((call) => {
      try {
        if (!isCall(call)) return errorResult(NO_CALL)
        const { name, args, ...options } = call
        return run(name, args, { ...forAll, ...defined(options) })
      } catch (error) {
        return errorResult(messageOf(error))
      }
    }),
  )
}

const isCall = (call: unknown): call is TurnCall =>
  typeof call === 'object' && call !== null && 'name' in call && typeof call.name === 'string'
