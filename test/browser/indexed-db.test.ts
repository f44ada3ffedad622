import { deleteDB, openDB } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cdp } from 'vitest/browser'
import { UPGRADES } from '../../src/store/persist/database.js'
import { openIndexedDb } from '../../src/store/persist/indexed-db.js'
import { readRows } from '../../src/store/persist/read-row.js'
import type { RunnerStorage } from '../../src/store/persist/stored-row.js'
import { createSurvivingStorage } from '../../src/store/persist/surviving-storage.js'
import { claimers, find, idsOf, problems, row } from '../store/persist/rows.js'
import { followsTheRules } from '../store/persist/storage-rules.js'

let name = ''
let count = 0
const opened: RunnerStorage[] = []
const newer = [...UPGRADES, () => {}]
const { origin } = location

async function open(rest: Partial<Parameters<typeof openIndexedDb>[1]> = {}): Promise<RunnerStorage> {
  const storage = await openIndexedDb(name, { onProblem: () => {}, ...rest })
  opened.push(storage)
  return storage
}

/** The browser's own switches, which no page can reach. */
const send = (method: string, params: object): Promise<unknown> =>
  (cdp() as unknown as { send(method: string, params: object): Promise<unknown> }).send(method, params)

const unhandled = vi.fn((event: PromiseRejectionEvent) => event.preventDefault())

beforeEach(() => {
  name = `test-${++count}`
  window.addEventListener('unhandledrejection', unhandled)
})

afterEach(async () => {
  for (const storage of opened.splice(0)) storage.close?.()
  await deleteDB(`assent-${name}`)
  window.removeEventListener('unhandledrejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

describe('rows in IndexedDB', () => {
  followsTheRules(open)

  it('are claimed once over two connections and a surviving storage on a third', async () => {
    const storages = [await open(), await open(), createSurvivingStorage(open, () => {})]
    for (let round = 0; round < 30; round++) {
      await storages[round % 3]?.put(row())
      expect(await claimers(storages, 10)).toBe(1)
    }
  })

  it('of 6 MB are written and read', async () => {
    const big = row({ result: { output: 'x'.repeat(6e6), isError: false } })
    const storage = await open()
    await storage.put(big)
    const { rows } = readRows(await storage.all(), () => {})
    expect(rows).toEqual([big])
  })

  it('that hold what cannot be cloned are refused, and kept without it by a surviving storage', async () => {
    const storage = await open()
    await storage.put(row())
    const result = { output: 'x', isError: false, metadata: { at: document.body, f: () => 1, n: 1 } }
    const done = row({ status: 'done', result })
    await expect(storage.put(done)).rejects.toHaveProperty('name', 'DataCloneError')
    await expect(storage.claim('run-1', 'pending', done)).rejects.toHaveProperty('name', 'DataCloneError')
    expect(await find(storage)).toEqual(row())
    await createSurvivingStorage(
      async () => storage,
      () => {},
    ).put(done)
    expect(await find(storage)).toMatchObject({ status: 'done', result: { output: 'x', metadata: { n: 1 } } })
  })

  it('that a hand wrote between them are told one by one', async () => {
    await (await open()).put(row())
    const database = await openDB(`assent-${name}`)
    const circle: Record<string, unknown> = { version: 1, id: 'c' }
    circle.item = circle
    for (const value of [{ id: 'a' }, { version: 9, id: 'b' }, circle, { ...row({ id: 'd' }), item: new Map() }]) {
      await database.put('rows', value)
    }
    database.close()
    const { onProblem, kinds } = problems()
    const { rows, newer: later } = readRows(await (await open()).all(), onProblem)
    expect(rows).toEqual([row()])
    expect(later).toEqual([{ version: 9, id: 'b' }])
    expect(kinds().sort()).toEqual(['row a', 'row c', 'row d'])
  })
})

describe('a database', () => {
  it('held open by an older page is given up, and left alone afterwards', async () => {
    const held = await openDB(`assent-${name}`, 1, { upgrade: (database) => UPGRADES[0]?.(database as never) })
    await expect(open({ upgrades: newer, patience: 50 })).rejects.toThrow('another tab holds an older version open')
    const { onProblem, kinds } = problems()
    const storage = createSurvivingStorage(() => open({ upgrades: newer, patience: 50 }), onProblem)
    await storage.put(row())
    expect(await claimers([storage], 10)).toBe(1)
    expect(kinds()).toEqual(['open'])
    held.close()
    await (await open({ upgrades: newer })).put(row())
  })

  it('makes way for a newer page, which has its rows', async () => {
    const { onProblem, kinds } = problems()
    const old = createSurvivingStorage(() => open({ onProblem }), onProblem)
    await old.put(row())
    const fresh = await open({ upgrades: newer })
    expect(kinds()).toEqual(['open'])
    await old.put(row({ id: 'run-2' }))
    expect(idsOf(await old.all())).toEqual(['run-2'])
    expect(await claimers([fresh, old], 10)).toBe(1)
    expect(await claimers([old], 10, 'run-2')).toBe(1)
    expect(idsOf(await fresh.all())).toEqual(['run-1'])
  })

  it('that is newer than the page is left alone', async () => {
    await open({ upgrades: newer })
    await expect(open()).rejects.toHaveProperty('name', 'VersionError')
  })

  it('whose site data the user clears is made anew, and what was in it is claimed by nobody', async () => {
    const { onProblem, kinds } = problems()
    const storage = createSurvivingStorage(() => open({ onProblem }), onProblem)
    await storage.put(row())
    await send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
    await vi.waitFor(() => expect(kinds()).toEqual(['open']))
    expect(await storage.claim('run-1', 'pending', { status: 'answered' })).toBe(false)
    await storage.put(row({ id: 'run-2' }))
    expect(idsOf(await (await open()).all())).toEqual(['run-2'])
    expect(kinds()).toEqual(['open'])
  })

  it.each(['SecurityError', 'UnknownError'])('that cannot be opened for %s is done without', async (error) => {
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException('no', error)
    })
    const { onProblem, kinds } = problems()
    const storage = createSurvivingStorage(open, onProblem)
    await storage.put(row())
    expect(await storage.all()).toEqual([row()])
    expect(await claimers([storage], 10)).toBe(1)
    expect(kinds()).toEqual(['open'])
    vi.restoreAllMocks()
  })
})

describe('a disk that is full', () => {
  afterEach(() => send('Storage.overrideQuotaForOrigin', { origin }))

  it('keeps what is stored, and the rest is kept in memory', async () => {
    // The browser remembers for a while how much room a database had.
    await send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
    const { usage = 0 } = await navigator.storage.estimate()
    await send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + 500_000 })
    const { onProblem, told } = problems()
    const storage = createSurvivingStorage(open, onProblem)
    await storage.put(row())
    const big = row({ id: 'run-2', result: { output: 'x'.repeat(1e6), isError: false } })
    await storage.put(big)
    expect(told).toEqual([
      { kind: 'write', id: 'run-2', error: expect.objectContaining({ name: 'QuotaExceededError' }) },
    ])
    expect(idsOf(await storage.all())).toEqual(['run-1', 'run-2'])
    expect(await claimers([storage], 10, 'run-2')).toBe(1)
    expect(idsOf(await (await open()).all())).toEqual(['run-1'])
  })
})
