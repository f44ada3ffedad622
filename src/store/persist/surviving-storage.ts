import { claimRow } from './claim-row.js'
import { createTurns } from './in-turn.js'
import { idOf, mergeRows } from './merge-rows.js'
import { plainRow } from './plain-row.js'
import type { OnProblem } from './storage-problem.js'
import type { RunnerStorage, StoredRow } from './stored-row.js'
import { tellOnce } from './tell-once.js'
import { OutOfPatience, withPatience } from './with-patience.js'

export interface SurvivingStorage extends RunnerStorage {
  /** Whether what it was asked for last could not be read, so that a row that is missing may be there. */
  isLost(): boolean
  /** Deletes a row; whether it is known to be gone. */
  remove(id: string): Promise<boolean>
}

/**
 * A storage whose methods never reject (K29): what cannot be stored is kept in memory, and said once per kind of problem.
 * A claim is true only where it holds: in the storage for a row that is or may be in it, in memory for one that is
 * nowhere else. `patience`, in milliseconds, is how long the storage may take for one step.
 */
export function createSurvivingStorage(
  open: () => Promise<RunnerStorage>,
  onProblem: OnProblem,
  patience = 5000,
): SurvivingStorage {
  const inTurn = createTurns()
  const tell = tellOnce((problem) => {
    if (!closed) onProblem(problem)
  })
  /** The rows the storage did not take. */
  const held = new Map<string, StoredRow>()
  /** What is or may be in the storage: nobody else can have claimed a row that never was. */
  const stored = new Set<string>()
  /** What the storage did not delete. */
  const gone = new Set<string>()
  let opened: Promise<RunnerStorage | undefined> | undefined
  let closed = false
  let lost = false

  const patiently = <T>(what: string, step: () => Promise<T>): Promise<T> =>
    // Called within a promise: a storage of the app's may throw where it should reject.
    withPatience(Promise.resolve().then(step), patience, () => `the storage did not ${what} in ${patience} ms`)

  async function openOnce(): Promise<RunnerStorage | undefined> {
    const opening = Promise.resolve().then(open)
    try {
      const storage: unknown = await patiently('open', () => opening)
      if (storage === undefined) throw new Error('there is no storage')
      return await opening
    } catch (error) {
      tell({ kind: 'open', error })
      opening.then(close, () => {})
      return undefined
    }
  }

  const storageOf = (): Promise<RunnerStorage | undefined> => {
    opened ??= closed ? Promise.resolve(undefined) : openOnce()
    return opened
  }

  const claimHeld = (id: string, from: StoredRow['status'], change: Partial<StoredRow>, turn?: number): boolean => {
    const row = claimRow(held.get(id), from, change, turn)
    if (row) held.set(id, row)
    return row !== undefined
  }

  async function remove(storage: RunnerStorage, id: string): Promise<boolean> {
    try {
      await patiently('delete', () => storage.delete(id))
      stored.delete(id)
      return true
    } catch (error) {
      tell({ kind: 'write', error, id })
      return false
    }
  }

  async function write(row: StoredRow): Promise<void> {
    const { id } = row
    held.set(id, row)
    gone.delete(id)
    const storage = await storageOf()
    if (!storage) return
    try {
      await patiently('write', () => storage.put(row))
      stored.add(id)
      held.delete(id)
    } catch (error) {
      tell({ kind: 'write', error, id })
      if (error instanceof OutOfPatience) stored.add(id)
      // Better nowhere than as it was before: after a reload a row that is behind runs a tool twice. A new one may be
      // there too, when the database was lost between the write and the word that it worked.
      else await remove(storage, id)
    }
  }

  async function claim(
    id: string,
    from: StoredRow['status'],
    change: Partial<StoredRow>,
    turn?: number,
  ): Promise<boolean> {
    if (gone.has(id)) return false
    if (held.has(id) && !stored.has(id)) return claimHeld(id, from, change, turn)
    const storage = await storageOf()
    if (!storage) return false
    try {
      const isMine: unknown = await patiently('claim', () => storage.claim(id, from, change, turn))
      return isMine === true && (!held.has(id) || claimHeld(id, from, change, turn))
    } catch (error) {
      tell({ kind: 'write', error, id })
      return false
    }
  }

  /** Whether the row is known to be gone. */
  async function drop(id: string): Promise<boolean> {
    const isHere = held.delete(id) && !stored.has(id)
    const storage = isHere ? undefined : await storageOf()
    if (!storage) return isHere || !stored.has(id)
    gone.add(id)
    const isGone = await remove(storage, id)
    if (isGone) gone.delete(id)
    return isGone
  }

  async function read(): Promise<readonly unknown[]> {
    const storage = await storageOf()
    if (!storage) return []
    try {
      const all = [...(await patiently('read', () => storage.all()))]
      lost = false
      return all
    } catch (error) {
      lost = true
      tell({ kind: 'read', error })
      return []
    }
  }

  async function all(): Promise<readonly unknown[]> {
    // A row may move into the storage while that is read.
    const before = [...held.values()]
    const found = await read()
    for (const value of found) stored.add(idOf(value) ?? '')
    const rows = mergeRows(before, found, held.values())
    for (const id of gone) rows.delete(id)
    return [...rows.values()]
  }

  return {
    all,
    isLost: () => lost,
    put: (row) => inTurn(row.id, () => write(plainRow(row, row.id, tell))),
    claim: (id, from, change, turn) => inTurn(id, () => claim(id, from, plainRow(change, id, tell), turn)),
    delete: (id) => inTurn(id, () => drop(id)).then(() => {}),
    remove: (id) => inTurn(id, () => drop(id)),
    close() {
      closed = true
      opened?.then(close)
      opened = undefined
    },
  }
}

/** Closes a storage, if it can be closed. */
function close(storage: RunnerStorage | undefined): void {
  try {
    storage?.close?.()
  } catch {
    // There is nobody left to care.
  }
}
