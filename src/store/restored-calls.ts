import { CANCELLED, canonicalJson, errorResult, type Files, type ToolResult } from '../core/internal.js'
import type { RunRecord } from './types.js'

/** What makes two calls the same one: an id the caller gave, the tool, and equal arguments (DESIGN 7.1). */
export const joinKeyOf = (toolCallId: string, name: string, args: unknown, files: Files = {}): string =>
  canonicalJson([toolCallId, name, args ?? {}, Object.entries(files).map(([key, file]) => [key, numberOf(file)])])

const numbers = new WeakMap<Blob, number>()
let count = 0

/** Tells files apart, whose content cannot be compared. */
function numberOf(file: Blob): number {
  const number = numbers.get(file) ?? ++count
  numbers.set(file, number)
  return number
}

/** Calls of an earlier page whose questions wait here, and who asked for the same call again meanwhile. */
export interface RestoredCalls {
  note(record: RunRecord): void
  /** The waiting call that is the same one. */
  find(joinKey: string): string | undefined
  /** Resolves with what the call comes to; when the signal aborts at once as cancelled, and then nobody waits. */
  whenOver(id: string, signal: AbortSignal): Promise<ToolResult>
  /** The call has come to this. Whether anybody waited for it. */
  over(id: string, result: ToolResult): boolean
}

export function createRestoredCalls(): RestoredCalls {
  const waiting = new Map<string, string>()
  const keys = new Map<string, string>()
  const waiters = new Map<string, ((result: ToolResult) => void)[]>()

  const forget = (id: string): void => {
    waiting.delete(keys.get(id) ?? '')
    keys.delete(id)
  }
  const over: RestoredCalls['over'] = (id, result) => {
    forget(id)
    const told = waiters.get(id) ?? []
    waiters.delete(id)
    for (const tell of told) tell(result)
    return told.length > 0
  }

  return {
    note({ id, toolCallId, toolName, args, status, result, endedAt }) {
      if (endedAt !== undefined) over(id, result ?? errorResult(CANCELLED))
      else if (status === 'waiting') {
        const key = joinKeyOf(toolCallId, toolName, args)
        waiting.set(key, id)
        keys.set(id, key)
      }
    },
    find: (joinKey) => waiting.get(joinKey),
    whenOver: (id, signal) =>
      new Promise((resolve) => {
        const giveUp = (): void => {
          const others = (waiters.get(id) ?? []).filter((other) => other !== resolve)
          if (others[0]) waiters.set(id, others)
          else waiters.delete(id)
          resolve(errorResult(CANCELLED))
        }
        waiters.set(id, [...(waiters.get(id) ?? []), resolve])
        // The signal is the call's own: its listener goes with it.
        if (signal.aborted) giveUp()
        else signal.addEventListener('abort', giveUp)
      }),
    over,
  }
}
