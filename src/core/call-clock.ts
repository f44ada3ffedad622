import { callAt } from './long-timer.js'

const now = (): number => performance.now()

/** Counts what the tool itself takes, attempt by attempt; a person's time is never charged (K12). */
export interface CallClock {
  /** Begins an attempt with the whole budget. */
  start(): void
  stop(): void
  /** The whole budget again, from now. */
  reset(): void
  /** Holds the clock; it goes on when every pause has been ended. */
  pause(): () => void
}

const clocks = new WeakMap<AbortSignal, CallClock>()

/** The clock of the call that owns this signal. `budget` in milliseconds; without one, or with no number, it never ends. */
export function createCallClock(signal: AbortSignal, budget: number | undefined, onTimeout: () => void): CallClock {
  let left = Number(budget)
  let since = 0
  // The one that keeps it from counting at first is `stop`.
  let holds = 1
  let cancel = (): void => {}

  const release = (): void => {
    if (--holds > 0) return
    since = now()
    if (!Number.isNaN(left)) cancel = callAt(since + left, now, onTimeout)
  }
  const hold = (): void => {
    if (holds++ > 0) return
    cancel()
    left -= now() - since
  }

  const clock: CallClock = {
    start() {
      left = Number(budget)
      release()
    },
    stop: hold,
    reset() {
      hold()
      left = Number(budget)
      release()
    },
    pause() {
      hold()
      let end = release
      return () => {
        end()
        end = () => {}
      }
    },
  }
  clocks.set(signal, clock)
  return clock
}

/** Pauses the clock of the call that owns this signal (a tool that asks inside `execute`). Returns the resume. */
export const pauseClock = (signal: AbortSignal | undefined): (() => void) =>
  (signal && clocks.get(signal)?.pause()) || (() => {})
