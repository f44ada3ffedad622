// A source with more waiting than this takes turns with the others.
const FAIR_SHARE = 10

export interface Queue<T> {
  add(entry: T, source: string): void
  remove(entry: T, source: string): void
  /** The one to show next: the oldest, unless its source crowds the others out. It stays until it is removed. */
  head(): T | undefined
  size(source: string): number
  /** Puts all that wait, with their sources, in this order; the one that is shown stays. */
  sort(sorted: readonly (readonly [T, string])[]): void
}

/** Who comes next. Looking costs the same however many wait. */
export function createQueue<T extends object>(): Queue<T> {
  const all = new Map<T, string>()
  // By source, in the order of their turns.
  const lanes = new Map<string, Set<T>>()
  // A fresh iterator would walk over the map's removed entries each time; a kept one has passed them.
  let rest = all.keys()
  let oldest: T | undefined
  let shown: T | undefined

  const findOldest = (): T | undefined => {
    if (oldest && all.has(oldest)) return oldest
    let next = rest.next()
    if (next.done && all.size > 0) {
      // An iterator that has come to its end stays there, whatever is added later.
      rest = all.keys()
      next = rest.next()
    }
    oldest = next.done ? undefined : next.value
    return oldest
  }

  const pick = (): T | undefined => {
    const first = findOldest()
    const source = first && all.get(first)
    if (source === undefined || (lanes.get(source)?.size ?? 0) <= FAIR_SHARE) return first
    for (const lane of lanes.values()) for (const entry of lane) return entry
    return first
  }

  const add = (entry: T, source: string): void => {
    all.set(entry, source)
    const lane = lanes.get(source) ?? new Set()
    lanes.set(source, lane.add(entry))
  }

  return {
    add,
    sort(sorted) {
      all.clear()
      lanes.clear()
      for (const [entry, source] of sorted) add(entry, source)
      rest = all.keys()
      oldest = undefined
    },
    remove(entry, source) {
      all.delete(entry)
      const lane = lanes.get(source)
      lane?.delete(entry)
      if (!lane || (lane.size > 0 && shown !== entry)) return
      lanes.delete(source)
      // Its turn is over: the sources that wait longer come first.
      if (lane.size > 0) lanes.set(source, lane)
    },
    head() {
      if (!shown || !all.has(shown)) shown = pick()
      return shown
    },
    size: (source) => lanes.get(source)?.size ?? 0,
  }
}
