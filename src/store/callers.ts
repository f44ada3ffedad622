import { CANCELLED, errorResult, type ToolResult } from '../core/internal.js'
import type { LiveRun } from './runs.js'
import type { RunOptions } from './types.js'

/** One caller of a call: its own signal ends its own wait, and the call when nobody else waits. */
export function follow(run: LiveRun, signal: AbortSignal | undefined): Promise<ToolResult> {
  run.callers++
  if (!signal) return run.promise
  return new Promise((resolve) => {
    const giveUp = (): void => {
      signal.removeEventListener('abort', giveUp)
      // A call in the background is the person's, and its callers are being told so.
      if (run.isDetached) return
      if (--run.callers === 0) run.controller.abort(signal.reason)
      else resolve(errorResult(CANCELLED))
    }
    signal.addEventListener('abort', giveUp)
    if (signal.aborted) giveUp()
    void run.promise.then((result) => {
      signal.removeEventListener('abort', giveUp)
      resolve(result)
    })
  })
}

export function tell(listener: RunOptions['onStart'], run: LiveRun): void {
  try {
    listener?.(run.record)
  } catch (error) {
    console.error('assent: onStart threw.', error)
  }
}

/** Resolves when the signal aborts; for a call's own, whose listener goes with it. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })
