import { CANCELLED, errorResult, NO_SIGNAL, type ToolResult } from '../core/internal.js'
import type { LiveRun } from './runs.js'
import type { RunOptions } from './types.js'

/** One caller of a call: its own signals end its own wait, and the call when nobody else waits. */
export function follow(run: LiveRun, given: readonly (AbortSignal | undefined)[]): Promise<ToolResult> {
  run.callers++
  const signals = new Set(given.filter((signal) => signal !== undefined))
  if (signals.size === 0) return run.promise
  return new Promise((resolve) => {
    const release = (): void => {
      for (const signal of signals) signal.removeEventListener('abort', giveUp)
    }
    const giveUp = (): void => {
      release()
      // A call in the background is the person's, and its callers are being told so.
      if (run.isDetached) return
      if (--run.callers === 0) run.controller.abort([...signals].find(({ aborted }) => aborted)?.reason)
      else resolve(errorResult(CANCELLED))
    }
    for (const signal of signals) signal.addEventListener('abort', giveUp)
    if ([...signals].some(({ aborted }) => aborted)) giveUp()
    void run.promise.then((result) => {
      release()
      resolve(result)
    })
  })
}

/** Throws an Error for what untyped code gives in place of a signal. */
export function assertSignals(...given: readonly (AbortSignal | undefined)[]): void {
  for (const signal of given) {
    if (signal && typeof signal.addEventListener !== 'function') throw new Error(NO_SIGNAL)
  }
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
