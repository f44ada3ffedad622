import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { OnProblem } from './storage-problem.js'
import { withPatience } from './with-patience.js'

export const ROWS = 'rows'

interface Schema extends DBSchema {
  // What an older version or a hand wrote is in it too.
  [ROWS]: { key: string; value: unknown }
}

export type Database = IDBPDatabase<Schema>
type Upgrade = (database: Database) => void

/** Each brings the database from the version that is its index to the next; the version of the code is their number. */
export const UPGRADES: readonly Upgrade[] = [(database) => void database.createObjectStore(ROWS, { keyPath: 'id' })]

export interface DatabaseOptions {
  onProblem: OnProblem
  /** How long an open may take, in milliseconds; another tab with an older version can hold it up for ever. */
  patience?: number | undefined
  upgrades?: readonly Upgrade[] | undefined
}

interface Ends {
  /** The browser took it away: it may be opened again. */
  onLost: () => void
  /** A newer tab waits for it. */
  onOutdated: () => void
}

async function open(
  name: string,
  { patience = 4000, upgrades = UPGRADES }: DatabaseOptions,
  ends: Ends,
): Promise<Database> {
  let isBlocked = false
  let database: Database | undefined
  const opening: Promise<Database> = openDB<Schema>(name, upgrades.length, {
    upgrade: (fresh, from) => {
      for (const upgrade of upgrades.slice(from)) upgrade(fresh)
    },
    blocked: () => {
      isBlocked = true
    },
    blocking: (_from, to) => {
      database?.close()
      if (to === null) ends.onLost()
      else ends.onOutdated()
    },
    terminated: ends.onLost,
  })
  const why = (): string => (isBlocked ? 'another tab holds an older version open' : `no sign of it in ${patience} ms`)
  try {
    database = await withPatience(opening, patience, () => `the database ${name} does not open: ${why()}`)
    return database
  } catch (error) {
    // One that opens after all would hold up everybody else.
    opening.then(
      (late) => late.close(),
      () => {},
    )
    throw error
  }
}

export interface Connection {
  /** The open database; opens it again when the browser took it away. Rejects when there is none to be had. */
  get(): Promise<Database>
  /** Forgets what `get` gave because it turned out to be closed. */
  drop(opening: Promise<Database>): void
  close(): void
}

/** A database that stays open until it is closed, or a newer version of the page wants it. */
export function createConnection(name: string, options: DatabaseOptions): Connection {
  let opened: Promise<Database> | undefined
  let ended: Error | undefined
  const tell = (text: string): Error => {
    const error = new Error(`the database ${name} ${text}`)
    options.onProblem({ kind: 'open', error })
    return error
  }
  const drop = (opening: Promise<Database>): void => {
    if (opened === opening) opened = undefined
  }
  const start = (): Promise<Database> => {
    const opening = open(name, options, {
      onLost: () => {
        drop(opening)
        tell('was taken away by the browser; it is opened again when it is needed')
      },
      onOutdated: () => {
        ended ??= tell('was closed for a newer version of this page in another tab')
      },
    })
    opening.catch(() => drop(opening))
    return opening
  }
  return {
    drop,
    get() {
      if (ended) return Promise.reject(ended)
      opened ??= start()
      return opened
    },
    close() {
      ended ??= new Error(`the database ${name} was closed`)
      opened?.then(
        (database) => database.close(),
        () => {},
      )
    },
  }
}
