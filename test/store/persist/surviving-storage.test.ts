// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMemoryStorage } from '../../../src/store/persist/memory-storage.js'
import type { RunnerStorage, StoredRow } from '../../../src/store/persist/stored-row.js'
import { createSurvivingStorage } from '../../../src/store/persist/surviving-storage.js'
import { claimers, find, idsOf, problems, row } from './rows.js'
import { followsTheRules } from './storage-rules.js'

type Method = 'all' | 'put' | 'claim' | 'delete'

const quota = (): never => {
  throw new DOMException('full', 'QuotaExceededError')
}
const rejecting = async (): Promise<never> => quota()
const never = (): Promise<never> => new Promise(() => {})

/** A surviving storage on rows that the test can look at, and break, from below. */
function setUp(patience?: number) {
  const below = createMemoryStorage()
  const { onProblem, told, kinds } = problems()
  const storage = createSurvivingStorage(async () => below, onProblem, patience)
  return {
    below,
    storage,
    told,
    kinds,
    breaks: (method: Method, how: () => Promise<never> = rejecting) => vi.spyOn(below, method).mockImplementation(how),
  }
}

const unhandled = vi.fn()
beforeEach(() => void process.on('unhandledRejection', unhandled))
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve))
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

describe('a storage that works', () => {
  let below = createMemoryStorage()
  beforeEach(() => {
    below = createMemoryStorage()
  })
  followsTheRules(async () =>
    createSurvivingStorage(
      async () => below,
      () => {},
    ),
  )

  it('is opened once, when it is needed', async () => {
    const open = vi.fn(async () => createMemoryStorage())
    const storage = createSurvivingStorage(open, () => {})
    expect(open).not.toHaveBeenCalled()
    await Promise.all([storage.all(), storage.put(row()), storage.all()])
    expect(open).toHaveBeenCalledTimes(1)
  })

  it('has every row: nothing is kept beside it', async () => {
    const { below, storage, told } = setUp()
    await storage.put(row())
    expect(await below.all()).toEqual([row()])
    await below.delete('run-1')
    expect(await storage.all()).toEqual([])
    expect(told).toEqual([])
  })

  it('leaves no timer (K37)', async () => {
    vi.useFakeTimers()
    const { storage } = setUp()
    await storage.put(row())
    await storage.claim('run-1', 'pending', { status: 'answered' })
    await storage.all()
    await storage.delete('run-1')
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  it('gets the steps of one row one after another, in the order they were asked for', async () => {
    const { below, storage } = setUp()
    const steps = [storage.put(row()), storage.claim('run-1', 'pending', { status: 'answered' })]
    const last = storage.put(row({ status: 'done' }))
    expect(await Promise.all([...steps, last])).toEqual([undefined, true, undefined])
    expect(await below.all()).toEqual([row({ status: 'done' })])
  })
})

describe('a storage that does not open (BUG-176)', () => {
  const error = (name: string) => new DOMException('no', name)
  it.each<[string, () => Promise<RunnerStorage>]>([
    ['rejects with SecurityError', async () => Promise.reject(error('SecurityError'))],
    [
      'throws SecurityError',
      () => {
        throw error('SecurityError')
      },
    ],
    ['rejects with VersionError', async () => Promise.reject(error('VersionError'))],
    ['gives no storage', async () => undefined as never],
    ['never settles', never],
  ])('and %s: everything goes on in memory, and it is said once', async (_what, open) => {
    const { onProblem, kinds } = problems()
    const storage = createSurvivingStorage(open, onProblem, 20)
    await storage.put(row())
    await storage.put(row({ id: 'run-2' }))
    expect(idsOf(await storage.all())).toEqual(['run-1', 'run-2'])
    expect(await claimers([storage], 10)).toBe(1)
    await storage.delete('run-2')
    expect(await storage.all()).toEqual([row({ status: 'answered', tab: 'tab-0' })])
    expect(await storage.claim('run-2', 'pending', {})).toBe(false)
    expect(kinds()).toEqual(['open'])
  })

  it('in time is closed when it opens after all', async () => {
    const late = { ...createMemoryStorage(), close: vi.fn() }
    let open: (storage: RunnerStorage) => void = () => {}
    const storage = createSurvivingStorage(
      () => new Promise((resolve) => (open = resolve)),
      () => {},
      5,
    )
    await storage.put(row())
    open(late)
    await vi.waitFor(() => expect(late.close).toHaveBeenCalledTimes(1))
    expect(await storage.all()).toEqual([row()])
    expect(await late.all()).toEqual([])
  })
})

describe('a row that cannot be written', () => {
  it.each<[string, () => Promise<never>]>([
    ['put rejects', rejecting],
    ['put throws', quota as () => Promise<never>],
    ['put never settles', never],
    [
      'put throws DataCloneError',
      () => {
        throw new DOMException('no', 'DataCloneError')
      },
    ],
  ])('is kept in memory beside those that were (%s)', async (_what, how) => {
    const { storage, breaks, kinds } = setUp(20)
    await storage.put(row({ id: 'old' }))
    breaks('put', how)
    await storage.put(row({ id: 'a' }))
    await storage.put(row({ id: 'b' }))
    expect(idsOf(await storage.all())).toEqual(['a', 'b', 'old'])
    expect(kinds()).toEqual(['write a'])
  })

  it('is claimed there, by one of ten', async () => {
    const { below, storage, breaks } = setUp()
    breaks('put')
    await storage.put(row())
    const claim = vi.spyOn(below, 'claim')
    expect(await claimers([storage], 10)).toBe(1)
    expect(claim).not.toHaveBeenCalled()
    expect(await storage.claim('run-1', 'answered', { status: 'running', answer: undefined })).toBe(true)
    expect(await find(storage)).toMatchObject({ status: 'running', tab: 'tab-0' })
  })

  it('is deleted there', async () => {
    const { storage, breaks, kinds } = setUp()
    breaks('put')
    breaks('delete')
    await storage.put(row())
    await storage.delete('run-1')
    expect(await storage.all()).toEqual([])
    expect(await storage.claim('run-1', 'pending', {})).toBe(false)
    expect(kinds()).toEqual(['write run-1'])
  })

  it('moves into the storage with the next write that works', async () => {
    const { below, storage, breaks } = setUp()
    const put = breaks('put')
    await storage.put(row())
    put.mockRestore()
    await storage.put(row({ status: 'running' }))
    expect(await below.all()).toEqual([row({ status: 'running' })])
    expect(await storage.all()).toEqual([row({ status: 'running' })])
    await below.delete('run-1')
    expect(await storage.all()).toEqual([])
  })

  it('is not lost to a reader while it moves', async () => {
    const { below, storage, breaks } = setUp()
    const put = breaks('put')
    await storage.put(row())
    put.mockRestore()
    let read: (rows: readonly unknown[]) => void = () => {}
    vi.spyOn(below, 'all').mockReturnValueOnce(new Promise((resolve) => (read = resolve)))
    const reading = storage.all()
    await storage.put(row())
    read([])
    expect(await reading).toEqual([row()])
  })

  it('is not shown as it was when it moved and was claimed elsewhere meanwhile', async () => {
    const { below, storage, breaks } = setUp()
    const put = breaks('put')
    await storage.put(row())
    put.mockRestore()
    const all = below.all
    vi.spyOn(below, 'all').mockImplementationOnce(async () => {
      await storage.put(row())
      await below.claim('run-1', 'pending', { status: 'running' })
      return all()
    })
    expect(await storage.all()).toEqual([row({ status: 'running' })])
  })

  it('takes the row that is behind out of the storage: after a reload that one would run a tool twice', async () => {
    const { below, storage, breaks } = setUp()
    await storage.put(row())
    breaks('put')
    await storage.put(row({ status: 'running' }))
    expect(await below.all()).toEqual([])
    expect(await storage.all()).toEqual([row({ status: 'running' })])
    expect(await storage.claim('run-1', 'running', { status: 'done' })).toBe(true)
  })

  it('is not claimed in memory when an older one may be claimed in the storage', async () => {
    const { below, storage, breaks } = setUp()
    await storage.put(row())
    breaks('put')
    breaks('delete')
    await storage.put(row({ startedAt: 2000 }))
    expect(await below.claim('run-1', 'pending', { status: 'answered', tab: 'other' })).toBe(true)
    expect(await storage.claim('run-1', 'pending', { status: 'answered' })).toBe(false)
  })

  it('and whose older one is in the storage is claimed in both', async () => {
    const { below, storage, breaks } = setUp()
    await storage.put(row())
    breaks('put')
    breaks('delete')
    await storage.put(row({ startedAt: 2000 }))
    expect(await claimers([storage, below], 10)).toBe(1)
  })

  it('is not claimed when it may have been written after all', async () => {
    const { below, storage, breaks } = setUp(20)
    const put = breaks('put', never)
    await storage.put(row())
    put.mockRestore()
    await below.put(row())
    await below.claim('run-1', 'pending', { status: 'answered', tab: 'other' })
    expect(await storage.claim('run-1', 'pending', { status: 'answered' })).toBe(false)
  })

  it('as a whole, because of one member, is written without that', async () => {
    const { below, storage, told } = setUp()
    const circle: Record<string, unknown> = {}
    circle.self = circle
    await storage.put(row({ status: 'done', result: { output: 'ok', isError: false, metadata: circle } }))
    expect(await below.all()).toEqual([row({ status: 'done' })])
    expect(told).toEqual([{ kind: 'row', id: 'run-1', error: expect.any(TypeError) }])
  })

  it('as it is, is written as JSON says it', async () => {
    const { below, storage, told } = setUp()
    const metadata = { f: () => 1, at: new Date(0), list: [undefined] }
    await storage.put(row({ status: 'done', result: { output: 'ok', isError: false, metadata } }))
    const plain = { at: '1970-01-01T00:00:00.000Z', list: [null] }
    expect(await below.all()).toEqual([
      row({ status: 'done', result: { output: 'ok', isError: false, metadata: plain } }),
    ])
    expect(told).toEqual([])
  })
})

describe('a claim', () => {
  it.each<[string, () => Promise<never>]>([
    ['rejects', rejecting],
    ['throws', quota as () => Promise<never>],
    ['never settles', never],
    ['says something else', async () => 'yes' as never],
  ])('of a stored row is false when the storage %s', async (_what, how) => {
    const { storage, breaks } = setUp(20)
    await storage.put(row())
    breaks('claim', how)
    expect(await storage.claim('run-1', 'pending', { status: 'answered' })).toBe(false)
    expect(await find(storage)).toEqual(row())
  })

  it('can be tried again when the storage works again', async () => {
    const { storage, breaks, kinds } = setUp()
    await storage.put(row())
    const claim = breaks('claim')
    await storage.claim('run-1', 'pending', { status: 'answered' })
    claim.mockRestore()
    expect(await claimers([storage], 10)).toBe(1)
    expect(kinds()).toEqual(['write run-1'])
  })

  it('of a row that another tab wrote goes to the storage', async () => {
    const { below, storage } = setUp()
    await below.put(row())
    expect(await claimers([storage, below], 10)).toBe(1)
  })

  it('after the storage was closed is false for what is stored, and holds for what never was', async () => {
    const { storage } = setUp()
    await storage.put(row())
    storage.close?.()
    await storage.put(row({ id: 'run-2' }))
    expect(await storage.claim('run-1', 'pending', { status: 'answered' })).toBe(false)
    expect(await storage.claim('run-2', 'pending', { status: 'answered' })).toBe(true)
  })
})

describe('a storage that cannot be read', () => {
  it.each<[string, () => Promise<never>]>([
    ['rejects', rejecting],
    ['never settles', never],
    ['gives no list', async () => 5 as never],
  ])('and %s gives what is in memory', async (_what, how) => {
    const { storage, breaks, kinds } = setUp(20)
    const put = breaks('put')
    await storage.put(row())
    put.mockRestore()
    breaks('all', how)
    expect(await storage.all()).toEqual([row()])
    expect(await storage.all()).toEqual([row()])
    expect(kinds()).toEqual(['write run-1', 'read'])
  })

  it('for one row only gives the others, and that one as it is', async () => {
    const { below, storage, breaks } = setUp()
    const poison = Object.defineProperty({}, 'id', {
      get() {
        throw new Error('poison')
      },
    })
    vi.spyOn(below, 'all').mockResolvedValue([poison, '{', null, row()])
    breaks('put')
    await storage.put(row({ id: 'held' }))
    const rows = await storage.all()
    expect([rows.length, rows.includes(poison)]).toEqual([5, true])
    expect(idsOf(rows.filter((one) => one !== poison && one instanceof Object))).toEqual(['held', 'run-1'])
  })
})

describe('a row that cannot be deleted', () => {
  it.each<[string, () => Promise<never>]>([
    ['rejects', rejecting],
    ['never settles', never],
  ])('is gone all the same when the storage %s', async (_what, how) => {
    const { storage, breaks, kinds } = setUp(20)
    await storage.put(row())
    breaks('delete', how)
    await storage.delete('run-1')
    expect(await storage.all()).toEqual([])
    expect(await storage.claim('run-1', 'pending', {})).toBe(false)
    expect(kinds()).toEqual(['write run-1'])
  })

  it('is there again when it is put again', async () => {
    const { storage, breaks } = setUp()
    await storage.put(row())
    breaks('delete')
    await storage.delete('run-1')
    await storage.put(row({ status: 'done' }))
    expect(await storage.all()).toEqual([row({ status: 'done' })])
  })
})

describe('a problem', () => {
  it('is said once per kind, with its error and id', async () => {
    const { storage, breaks, told } = setUp()
    for (const method of ['put', 'all', 'claim', 'delete'] as const) breaks(method)
    for (const id of ['a', 'b']) {
      await storage.put(row({ id }))
      await storage.claim('elsewhere', 'pending', {})
      await storage.delete('elsewhere')
      await storage.all()
    }
    const error = expect.objectContaining({ name: 'QuotaExceededError' })
    expect(told).toEqual([
      { kind: 'write', id: 'a', error },
      { kind: 'read', error },
    ])
  })

  it('whose listener throws breaks nothing', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const storage = createSurvivingStorage(rejecting, () => {
      throw new Error('listener')
    })
    await storage.put(row())
    expect(await storage.all()).toEqual([row()])
    expect(error).toHaveBeenCalledTimes(1)
  })

  it('after the close is not said', async () => {
    const { storage, breaks, told } = setUp()
    await storage.put(row())
    let fail: (error: Error) => void = () => {}
    breaks('put', () => new Promise((_resolve, reject) => (fail = reject)))
    const writing = storage.put(row({ status: 'done' }))
    await vi.waitFor(() => expect(fail).not.toHaveLength(0))
    storage.close?.()
    fail(new Error('closed'))
    await writing
    expect(told).toEqual([])
  })
})

describe('close', () => {
  const closing = () => ({ ...createMemoryStorage(), close: vi.fn() })

  it('closes the storage, and opens none when none was opened', async () => {
    const below = closing()
    const open = vi.fn(async () => below)
    const storage = createSurvivingStorage(open, () => {})
    await storage.all()
    storage.close?.()
    await vi.waitFor(() => expect(below.close).toHaveBeenCalledTimes(1))
    const unused = createSurvivingStorage(open, () => {})
    unused.close?.()
    await unused.put(row())
    expect(open).toHaveBeenCalledTimes(1)
  })

  it('closes one that is still being opened', async () => {
    const below = closing()
    const storage = createSurvivingStorage(
      async () => below,
      () => {},
    )
    const reading = storage.all()
    storage.close?.()
    await reading
    await vi.waitFor(() => expect(below.close).toHaveBeenCalledTimes(1))
  })

  it('takes a storage that throws at it', async () => {
    const storage = createSurvivingStorage(
      async () => ({ ...createMemoryStorage(), close: quota }),
      () => {},
    )
    await storage.all()
    storage.close?.()
    expect(await storage.all()).toEqual([])
  })
})

it('takes a row that grew to 6 MB', async () => {
  const { below, storage } = setUp()
  const big: StoredRow = row({ result: { output: 'x'.repeat(6e6), isError: false } })
  await storage.put(big)
  expect(await below.all()).toEqual([big])
})
