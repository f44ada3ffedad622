import { claimRow } from './claim-row.js'
import { type Connection, createConnection, type Database, type DatabaseOptions, ROWS } from './database.js'
import type { OnProblem, StorageProblem } from './storage-problem.js'
import type { RunnerStorage } from './stored-row.js'

const isClosed = (error: unknown): boolean => error instanceof Error && error.name === 'InvalidStateError'

/** Starts a transaction. On a database that was closed under us none can start, so a second try repeats nothing. */
async function start<T>(connection: Connection, begin: (database: Database) => T): Promise<Awaited<T>> {
  const opening = connection.get()
  try {
    return await begin(await opening)
  } catch (error) {
    if (!isClosed(error)) throw error
    connection.drop(opening)
    return await begin(await connection.get())
  }
}

// Strict: what is written before a tool runs must outlast a loss of power, or the tool runs twice.
const forWriting = (database: Database) => database.transaction(ROWS, 'readwrite', { durability: 'strict' })

type Rows = ReturnType<typeof forWriting>['store']

/** One transaction; settles when it is on the disk. `work` may await nothing but requests of these rows. */
async function write<T>(connection: Connection, work: (rows: Rows) => Promise<T>): Promise<T> {
  const transaction = await start(connection, forWriting)
  const [result] = await Promise.all([work(transaction.store), transaction.done])
  return result
}

/** The rows one by one; the ones the browser cannot read are told and left out. */
async function readEach(database: Database, onProblem: OnProblem): Promise<unknown[]> {
  const problems: StorageProblem[] = []
  const rows = (await database.getAllKeys(ROWS)).map(async (id) => {
    try {
      return [await database.get(ROWS, id)]
    } catch (error) {
      problems.push({ kind: 'row', error, id })
      return []
    }
  })
  const read = (await Promise.all(rows)).flat()
  // Rejects when not the rows are broken but the database is gone.
  await database.count(ROWS)
  problems.forEach(onProblem)
  return read
}

/** Every row. One that cannot be read keeps the browser from reading all at once, so then each is tried alone. */
const readAll = (connection: Connection, onProblem: OnProblem): Promise<unknown[]> =>
  start(connection, (database) => database.getAll(ROWS).catch(() => readEach(database, onProblem)))

/**
 * Rows in the IndexedDB database `assent-<name>` (DESIGN 5.4, 5.5). Rejects when it cannot be opened: private mode,
 * no permission, a newer version there, an older one held open by another tab. Afterwards every method rejects once a
 * newer page took it over, which `onProblem` tells.
 */
export async function openIndexedDb(name: string, given: Partial<DatabaseOptions> = {}): Promise<RunnerStorage> {
  const options = { onProblem: () => {}, ...given }
  const connection = createConnection(`assent-${name}`, options)
  await connection.get()
  return {
    all: () => readAll(connection, options.onProblem),
    put: (row) => write(connection, async (rows) => void (await rows.put(row))),
    delete: (id) => write(connection, (rows) => rows.delete(id)),
    claim: (id, from, change, turn) =>
      write(connection, async (rows) => {
        const row = claimRow(await rows.get(id), from, change, turn)
        if (row) await rows.put(row)
        return row !== undefined
      }),
    close: connection.close,
  }
}
