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
  readonly run: LiveRun
  readonly isSequential: boolean
  readonly place: number
  begin: () => void
}

export function createTurns(runs: Runs, { change, publish }: Publisher, limit: () => number | undefined): Turns {
  let active = 0
  let places = 0
  // By tool name: the call of a sequential tool that has begun.
  const busy = new Map<string, LiveRun>()
  // Those that wait for the same things: when the first of them may not begin, no other may.
  const lanes = new Map<string, Lane>()
  const inner = createInnerWaits()

  // A limit that is no number is none; one below 1 would let nothing run at all.
  const isFull = (): boolean => active >= Math.max(1, limit() ?? Number.NaN)
  const mayBegin = ({ run, isSequential }: Waiting): boolean => {
    const other = isSequential ? busy.get(run.record.toolName) : undefined
    return (isFree(run) || !isFull()) && (!other || isWithin(run, other) || waitsFor(other, run))
  }

  /** Whether `holder` cannot end before `run` does: two sequential tools that call each other would wait for ever. */
  const waitsFor = (holder: LiveRun, run: LiveRun, seen = new Set<LiveRun>()): boolean => {
    // Only a call that another one made can be waited for by a holder.
    if (!run.parent || seen.has(holder)) return false
    seen.add(holder)
    return inner.toolsOf(holder).some((name) => {
      const next = busy.get(name)
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

  const enter = (entry: Waiting): void => {
    const name = laneOf(entry)
    const lane = lanes.get(name) ?? createLane()
    lanes.set(name, lane)
    lane.add(entry)
    inner.count(entry.run, 1)
  }
  const exit = (entry: Waiting): void => {
    const name = laneOf(entry)
    const lane = lanes.get(name)
    if (!lane?.delete(entry)) return
    if (lane.size() === 0) lanes.delete(name)
    inner.count(entry.run, -1)
  }

  /** The oldest of those that may begin. Whoever waits in a circle was let through as the circle closed. */
  const nextOf = (): Waiting | undefined => {
    const full = isFull()
    let oldest: Waiting | undefined
    for (const lane of lanes.values()) {
      const entry = lane.first()
      if (!entry || (oldest && oldest.place < entry.place) || (full && !isFree(entry.run))) continue
      if (!entry.isSequential || !busy.has(entry.run.record.toolName)) oldest = entry
    }
    return oldest
  }

  const next = (): void => {
    for (let entry = nextOf(); entry; entry = nextOf()) {
      exit(entry)
      begin(entry)
      entry.begin()
    }
  }

  return {
    take(run, isSequential) {
      const entry: Waiting = { run, isSequential, place: ++places, begin: () => {} }
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
      const stopWarning = warnOfWait(run)
      return new Promise<void>((resolve) => {
        entry.begin = () => {
          stopWarning()
          signal.removeEventListener('abort', entry.begin)
          // Aborted while it waited: it has nothing to begin.
          exit(entry)
          note(false)
          resolve()
        }
        signal.addEventListener('abort', entry.begin)
        enter(entry)
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

// Written out where it is used: a bundler that knows its value leaves the words for developers out.
declare const process: { env: { NODE_ENV?: string } }

const LONG_WAIT = 2000

/** Tells the developer of a call that waits long: a call that another one waits for is only known by `within`. Returns the end. */
function warnOfWait({ record }: LiveRun): () => void {
  try {
    if (process.env.NODE_ENV === 'production') return () => {}
    const timer = setTimeout(() => {
      console.warn(
        `assent: ${record.toolName} has been queued for ${LONG_WAIT} ms behind running calls. If one of these waits for it, give run() the option within: ctx.signal; a derived signal does not tell what it came from.`,
      )
    }, LONG_WAIT)
    return () => clearTimeout(timer)
  } catch {
    // No bundler, no `process`: nobody is developing here.
    return () => {}
  }
}

// One that its own caller waits for would wait for ever, and one that the person has said yes to is not made to wait.
const isFree = ({ parent, turn }: LiveRun): boolean => parent !== undefined || turn !== undefined

const laneOf = ({ run, isSequential }: Waiting): string =>
  `${isFree(run) ? 'free' : 'limited'} ${isSequential ? run.record.toolName : ''}`

function isWithin(run: LiveRun, outer: LiveRun): boolean {
  let { parent } = run
  while (parent && parent !== outer) parent = parent.parent
  return parent !== undefined
}

type Lane = ReturnType<typeof createLane>

/** Those that wait, oldest first. Looking costs the same however many wait. */
function createLane() {
  const entries = new Set<Waiting>()
  // A fresh iterator would walk over the removed ones each time; a kept one has passed them.
  const rest = entries.values()
  let first: Waiting | undefined

  return {
    add: (entry: Waiting) => void entries.add(entry),
    delete: (entry: Waiting) => entries.delete(entry),
    size: () => entries.size,
    /** Of a lane that is not empty. */
    first(): Waiting | undefined {
      if (!first || !entries.has(first)) first = rest.next().value
      return first
    },
  }
}

/** Which tools a call waits for through the calls it made, and through how many of these. */
function createInnerWaits() {
  const waits = new Map<LiveRun, Map<string, number>>()

  const add = (outer: LiveRun, name: string, by: number): void => {
    const tools = waits.get(outer) ?? new Map<string, number>()
    const count = (tools.get(name) ?? 0) + by
    if (count > 0) tools.set(name, count)
    else tools.delete(name)
    if (tools.size > 0) waits.set(outer, tools)
    else waits.delete(outer)
  }

  return {
    count(run: LiveRun, by: 1 | -1): void {
      for (let outer = run.parent; outer; outer = outer.parent) add(outer, run.record.toolName, by)
    },
    toolsOf: (outer: LiveRun): string[] => [...(waits.get(outer)?.keys() ?? [])],
  }
}
