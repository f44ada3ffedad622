// More than are ever written while somebody reads.
const KEEP = 2000

/** Which rows this page wrote, and when: what was read before or meanwhile says nothing of them. */
export interface WriteLog {
  /** The moment a reading begins. */
  now(): number
  /** Whether the row was written, or is being written, since that moment. */
  isStale(id: string, since: number): boolean
  during<T>(id: string, work: () => Promise<T>): Promise<T>
  /** Resolves when nothing is being written. */
  idle(): Promise<void>
}

export function createWriteLog(): WriteLog {
  let moment = 0
  const ended = new Map<string, number>()
  const going = new Map<string, number>()

  const finish = (id: string): void => {
    const others = (going.get(id) ?? 1) - 1
    if (others > 0) going.set(id, others)
    else going.delete(id)
    ended.delete(id)
    ended.set(id, ++moment)
    if (ended.size <= KEEP) return
    for (const oldest of ended.keys()) {
      ended.delete(oldest)
      return
    }
  }

  const wakers: (() => void)[] = []

  return {
    now: () => moment,
    isStale: (id, since) => going.has(id) || (ended.get(id) ?? 0) > since,
    idle: () => (going.size === 0 ? Promise.resolve() : new Promise((resolve) => wakers.push(resolve))),
    async during(id, work) {
      going.set(id, (going.get(id) ?? 0) + 1)
      try {
        return await work()
      } finally {
        finish(id)
        if (going.size === 0) for (const wake of wakers.splice(0)) wake()
      }
    },
  }
}
