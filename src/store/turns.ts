import type { Publisher } from './publisher.js'
import type { LiveRun, Runs } from './runs.js'

/** Who runs when: a limit for the runner, and tools whose calls never overlap. */
export interface Turns {
  /** Resolves when the call may begin; at once when nothing speaks against it. */
  take(run: LiveRun, isSequential: boolean): Promise<void> | undefined
  /** A call that waits for a person, is in the background or has ended lets the next one begin. `isOver`: for good. */
  leave(run: LiveRun, isOver?: boolean): void
  /** A call goes on, whoever else runs: the person's click must not be made to wait. */
  goOn(run: LiveRun): void
}

interface Waiting {
  run: LiveRun
  isSequential: boolean
  begin: () => void
}

export function createTurns(runs: Runs, { change, publish }: Publisher, limit: () => number | undefined): Turns {
  let active = 0
  // By tool name: the call of a sequential tool that has begun.
  const busy = new Map<string, LiveRun>()
  const queue = new Set<Waiting>()

  // A limit that is no number is none; one below 1 would let nothing run at all.
  const isFull = (): boolean => active >= Math.max(1, limit() ?? Number.NaN)
  // One that its own caller waits for would wait for ever, and one that the person has said yes to is not made to wait.
  const isFree = ({ parent, turn }: LiveRun): boolean => parent !== undefined || turn !== undefined
  const mayBegin = ({ run, isSequential }: Waiting): boolean => {
    const other = isSequential ? busy.get(run.record.toolName) : undefined
    return (isFree(run) || !isFull()) && (!other || isWithin(run, other) || waitsFor(other, run))
  }

  /** Whether `holder` cannot end before `run` does: two sequential tools that call each other would wait for ever. */
  const waitsFor = (holder: LiveRun, run: LiveRun, seen = new Set<LiveRun>()): boolean => {
    if (seen.has(holder)) return false
    seen.add(holder)
    return [...queue].some(({ run: inner }) => {
      const next = isWithin(inner, holder) ? busy.get(inner.record.toolName) : undefined
      return next !== undefined && (isWithin(run, next) || waitsFor(next, run, seen))
    })
  }

  const goOn = (run: LiveRun): void => {
    if (run.hasTurn || run.isDetached || isFree(run)) return
    run.hasTurn = true
    active++
  }
  const begin = ({ run, isSequential }: Waiting): void => {
    goOn(run)
    // A tool that calls itself is busy until the outer call has ended.
    if (isSequential && !busy.has(run.record.toolName)) busy.set(run.record.toolName, run)
  }

  const next = (): void => {
    for (const entry of queue) {
      if (!mayBegin(entry)) continue
      queue.delete(entry)
      begin(entry)
      entry.begin()
    }
  }

  return {
    take(run, isSequential) {
      const entry: Waiting = { run, isSequential, begin: () => {} }
      // It has nothing to begin.
      if (run.controller.signal.aborted) return undefined
      // The limit may have been raised: nobody goes before those who wait.
      next()
      if (mayBegin(entry)) {
        begin(entry)
        return undefined
      }
      const { signal } = run.controller
      const note = (isQueued: boolean): void => {
        run.isQueued = isQueued
        runs.update(run)
        change()
        publish()
      }
      return new Promise<void>((resolve) => {
        entry.begin = () => {
          signal.removeEventListener('abort', entry.begin)
          // Aborted while it waited: it has nothing to begin.
          queue.delete(entry)
          note(false)
          resolve()
        }
        signal.addEventListener('abort', entry.begin)
        queue.add(entry)
        note(true)
      })
    },
    leave(run, isOver = false) {
      if (run.hasTurn) active--
      run.hasTurn = false
      if (isOver && busy.get(run.record.toolName) === run) busy.delete(run.record.toolName)
      next()
    },
    goOn,
  }
}

const isWithin = ({ parent }: LiveRun, outer: LiveRun): boolean =>
  parent !== undefined && (parent === outer || isWithin(parent, outer))
