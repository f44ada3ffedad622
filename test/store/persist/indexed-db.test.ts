// @vitest-environment node
import 'fake-indexeddb/auto'
import { forceCloseDatabase } from 'fake-indexeddb'
import { deleteDB, openDB } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UPGRADES } from '../../../src/store/persist/database.js'
import { openIndexedDb } from '../../../src/store/persist/indexed-db.js'
import type { RunnerStorage } from '../../../src/store/persist/stored-row.js'
import { flush } from '../../support/asking.js'
import { claimers, find, idsOf, problems, row } from './rows.js'
import { followsTheRules } from './storage-rules.js'

let name = ''
let count = 0
const opened: RunnerStorage[] = []

async function open(rest: Partial<Parameters<typeof openIndexedDb>[1]> = {}): Promise<RunnerStorage> {
  const storage = await openIndexedDb(name, { onProblem: () => {}, ...rest })
  opened.push(storage)
  return storage
}

/** The databases that were opened, as the browser has them. */
function spyOnOpen(): IDBDatabase[] {
  const databases: IDBDatabase[] = []
  const real = indexedDB.open.bind(indexedDB)
  vi.spyOn(indexedDB, 'open').mockImplementation((...given) => {
    const request = real(...given)
    request.addEventListener('success', () => databases.push(request.result))
    return request
  })
  return databases
}

const newer = [...UPGRADES, () => {}]

beforeEach(() => {
  name = `test-${++count}`
})

afterEach(() => {
  for (const storage of opened.splice(0)) storage.close?.()
})

describe('rows in IndexedDB', () => {
  followsTheRules(open)

  it('are in the store "rows" of the database with the given name', async () => {
    await (await open()).put(row())
    const database = await openDB(`assent-${name}`)
    expect([...database.objectStoreNames]).toEqual(['rows'])
    expect(await database.get('rows', 'run-1')).toEqual(row())
    database.close()
  })

  it('are not those of another name', async () => {
    await (await open()).put(row())
    const other = await openIndexedDb(`${name}-other`, { onProblem: () => {} })
    expect(await other.all()).toEqual([])
    other.close?.()
  })

  it('are written with strict durability', async () => {
    const [storage, transaction] = [await open(), vi.spyOn(IDBDatabase.prototype, 'transaction')]
    await storage.put(row())
    await storage.claim('run-1', 'pending', { status: 'answered' })
    await storage.delete('run-1')
    const strict = ['rows', 'readwrite', { durability: 'strict' }]
    expect(transaction.mock.calls).toEqual([strict, strict, strict])
  })

  it('are claimed in one transaction', async () => {
    const storage = await open()
    await storage.put(row())
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction')
    await claimers([storage], 3)
    expect(transaction).toHaveBeenCalledTimes(3)
  })

  it('that hold what cannot be cloned are refused, and the one before stays', async () => {
    const storage = await open()
    await storage.put(row())
    const result = { output: '', isError: false, metadata: { f: () => 1 } }
    await expect(storage.put(row({ status: 'done', result }))).rejects.toHaveProperty('name', 'DataCloneError')
    await expect(storage.claim('run-1', 'pending', { status: 'done', result })).rejects.toHaveProperty(
      'name',
      'DataCloneError',
    )
    expect(await find(storage)).toEqual(row())
  })

  it('are not claimed when the transaction is aborted after its last write', async () => {
    const storage = await open()
    await storage.put(row())
    const put = IDBObjectStore.prototype.put
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...given) {
      const request = put.apply(this, given)
      request.addEventListener('success', () => this.transaction.abort())
      return request
    })
    await expect(storage.claim('run-1', 'pending', { status: 'answered' })).rejects.toThrow()
    expect(await find(storage)).toEqual(row())
  })

  it('are read one by one where one of them keeps the browser from reading them all', async () => {
    const { onProblem, kinds } = problems()
    const storage = await open({ onProblem })
    for (const id of ['a', 'b', 'c']) await storage.put(row({ id }))
    const fail = (): never => {
      throw new DOMException('broken', 'DataError')
    }
    vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(fail)
    const get = IDBObjectStore.prototype.get
    vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, key) {
      return key === 'b' ? fail() : get.call(this, key)
    })
    expect(idsOf(await storage.all())).toEqual(['a', 'c'])
    expect(kinds()).toEqual(['row b'])
  })
})

describe('opening the database', () => {
  it.each(['SecurityError', 'InvalidStateError', 'QuotaExceededError'])('rejects with %s', async (error) => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('no', error)
    })
    await expect(open()).rejects.toHaveProperty('name', error)
  })

  it('rejects where there is no IndexedDB', async () => {
    vi.stubGlobal('indexedDB', undefined)
    await expect(open()).rejects.toThrow(TypeError)
    vi.unstubAllGlobals()
  })

  it('rejects when what is there is newer', async () => {
    await open({ upgrades: newer })
    await expect(open()).rejects.toHaveProperty('name', 'VersionError')
  })

  it('brings an older one up to date and keeps its rows', async () => {
    const before = await open()
    await before.put(row())
    before.close?.()
    const after = await open({ upgrades: newer })
    expect(await find(after)).toEqual(row())
  })

  it('gives up when an older one is held open, and is in nobody’s way afterwards', async () => {
    const held = await openDB(`assent-${name}`, 1, { upgrade: (database) => UPGRADES[0]?.(database as never) })
    await expect(open({ upgrades: newer, patience: 20 })).rejects.toThrow(
      `the database assent-${name} does not open: another tab holds an older version open`,
    )
    held.close()
    const next = await open({ upgrades: newer })
    await next.put(row())
    next.close?.()
    await deleteDB(`assent-${name}`)
  })

  it('gives up when nothing happens', async () => {
    const held = await openDB(`assent-${name}`, 1)
    const deleting = deleteDB(`assent-${name}`)
    await expect(open({ patience: 20 })).rejects.toThrow('no sign of it in 20 ms')
    held.close()
    await deleting
  })
})

describe('an open database', () => {
  it('makes way for a newer version of the page, and rejects from then on', async () => {
    const { onProblem, told } = problems()
    const old = await open({ onProblem })
    await old.put(row())
    const fresh = await open({ upgrades: newer })
    expect(await find(fresh)).toEqual(row())
    const error = new Error(`the database assent-${name} was closed for a newer version of this page in another tab`)
    expect(told).toEqual([{ kind: 'open', error }])
    await expect(old.all()).rejects.toEqual(error)
    await expect(old.put(row())).rejects.toEqual(error)
    await expect(old.claim('run-1', 'pending', {})).rejects.toEqual(error)
    await expect(old.delete('run-1')).rejects.toEqual(error)
  })

  it('makes way when it is to be deleted, and is made anew', async () => {
    const { onProblem, kinds } = problems()
    const storage = await open({ onProblem })
    await storage.put(row())
    await deleteDB(`assent-${name}`)
    expect(await storage.all()).toEqual([])
    await storage.put(row())
    expect(await find(storage)).toEqual(row())
    expect(kinds()).toEqual(['open'])
  })

  it('is opened again when the browser took it away', async () => {
    const { onProblem, kinds } = problems()
    const databases = spyOnOpen()
    const storage = await open({ onProblem })
    await storage.put(row())
    // Its types ask for the class where the function takes a database.
    forceCloseDatabase(databases[0] as never)
    await new Promise((resolve) => setTimeout(resolve))
    expect(await claimers([storage], 10)).toBe(1)
    expect(kinds()).toEqual(['open'])
    expect(databases).toHaveLength(2)
  })

  it('is opened again, once, when it turns out to be closed', async () => {
    const databases = spyOnOpen()
    const storage = await open()
    await storage.put(row())
    databases[0]?.close()
    const [read, mine] = await Promise.all([storage.all(), claimers([storage], 10)])
    expect([idsOf(read), mine, databases.length]).toEqual([['run-1'], 1, 2])
  })

  it('rejects when it cannot be opened again, and works when it can', async () => {
    const databases = spyOnOpen()
    const storage = await open()
    await storage.put(row())
    databases[0]?.close()
    vi.mocked(indexedDB.open).mockImplementationOnce(() => {
      throw new DOMException('no', 'UnknownError')
    })
    await expect(storage.all()).rejects.toHaveProperty('name', 'UnknownError')
    expect(idsOf(await storage.all())).toEqual(['run-1'])
  })

  it('writes what was begun before it is closed, and rejects afterwards', async () => {
    const storage = await open()
    const writing = storage.put(row())
    await flush()
    storage.close?.()
    await writing
    await expect(storage.put(row({ status: 'done' }))).rejects.toThrow(`the database assent-${name} was closed`)
    expect(await find(await open())).toEqual(row())
  })
})
