import type { Answer } from '../../core/index.js'
import type { PersistOptions } from '../types.js'
import { readRows } from './read-row.js'
import { redactor } from './redact.js'
import type { OnProblem } from './storage-problem.js'
import type { StoredRow, StoredStatus } from './stored-row.js'
import type { SurvivingStorage } from './surviving-storage.js'
import type { Tabs } from './tabs.js'
import { createWriteLog } from './write-log.js'

type Mark = Pick<StoredRow, 'id' | 'turn'>

/** The rows of a runner: redacted on their way in, checked on their way out. */
export interface RowStore {
  put(row: StoredRow): Promise<void>
  /** Every row, oldest first. */
  all(): Promise<StoredRow[]>
  /** The same to look around in; `isStale` for a row that this page wrote meanwhile, which is then looked at again. */
  look(): Promise<{ readonly rows: readonly StoredRow[]; readonly isStale: (id: string) => boolean }>
  find(id: string): Promise<StoredRow | undefined>
  /** One atomic step (DESIGN 7.5). False, too, when the row is about another question of its call by now. */
  claim(row: Mark, from: StoredStatus, change: Partial<StoredRow>): Promise<boolean>
  /** Whether the row is known to be gone. */
  delete(id: string): Promise<boolean>
  /** Whether the app wants nothing stored of it. */
  isKeptOut(id: string): boolean
  isLost(): boolean
  /** Resolves when all that was to be written is written. */
  idle(): Promise<void>
  /** What may rest of an answer to this row's question. */
  answerOf(row: StoredRow, answer: Answer): Answer | undefined
}

interface Parts {
  storage: SurvivingStorage
  tabs: Tabs
  redact: PersistOptions['redact']
  keepAnswers: boolean
  onProblem: OnProblem
  /** Told that a row was written which somebody had looked at meanwhile. */
  onMissed: () => void
}

// Questions of one turn are asked in one millisecond.
const byAge = ({ item: a, startedAt: first }: StoredRow, { item: b, startedAt: second }: StoredRow): number =>
  (a?.askedAt ?? first) - (b?.askedAt ?? second) || (a?.seq ?? 0) - (b?.seq ?? 0)

export function createRowStore({ storage, tabs, redact, keepAnswers, onProblem, onMissed }: Parts): RowStore {
  const safely = redactor(redact)
  const keptOut = new Set<string>()
  const log = createWriteLog()
  const missed = new Set<string>()
  // Nothing is written before the others can see that this tab lives; in the order it came.
  const step = async <T>(id: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await log.during(id, () => tabs.ready.then(work))
    } finally {
      if (missed.delete(id)) onMissed()
    }
  }

  async function all(): Promise<StoredRow[]> {
    const read = readRows(await storage.all(), (bad) => {
      onProblem(bad)
      if (bad.id !== undefined) void storage.delete(bad.id)
    })
    return [...read.rows].sort(byAge)
  }

  return {
    async put(row) {
      const { id } = row
      const safe = safely(row)
      const wasKeptOut = keptOut.has(id)
      if (safe) keptOut.delete(id)
      else keptOut.add(id)
      await step(id, async () => {
        if (safe) await storage.put(safe)
        else if (!wasKeptOut) await storage.delete(id)
        tabs.post({ type: 'changed' })
      })
    },
    all,
    async look() {
      const since = log.now()
      const rows = await all()
      return {
        rows,
        isStale(id) {
          const isStale = log.isStale(id, since)
          if (isStale) missed.add(id)
          // Written and done: nobody comes to say so.
          if (isStale && !log.isStale(id, log.now()) && missed.delete(id)) onMissed()
          return isStale
        },
      }
    },
    find: async (id) => (await all()).find((row) => row.id === id),
    async claim({ id, turn = 0 }, from, change) {
      const isMine = await step(id, () => storage.claim(id, from, change, turn))
      if (isMine) tabs.post({ type: 'changed' })
      return isMine
    },
    delete: (id) => step(id, () => storage.remove(id)),
    isKeptOut: (id) => keptOut.has(id),
    isLost: storage.isLost,
    idle: log.idle,
    answerOf: (row, answer) => (keepAnswers ? safely({ ...row, answer })?.answer : undefined),
  }
}
