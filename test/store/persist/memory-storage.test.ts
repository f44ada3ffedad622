// @vitest-environment node
import { beforeEach, describe, expect, it } from 'vitest'
import { createMemoryStorage } from '../../../src/store/persist/memory-storage.js'
import { find, row } from './rows.js'
import { followsTheRules } from './storage-rules.js'

describe('rows in memory', () => {
  let rows = createMemoryStorage()
  beforeEach(() => {
    rows = createMemoryStorage()
  })
  followsTheRules(async () => rows)

  it('hands out copies', async () => {
    const storage = createMemoryStorage()
    await storage.put(row())
    const [first] = await storage.all()
    Object.assign(first as object, { status: 'done' })
    expect(await find(storage)).toEqual(row())
  })

  it('refuses a row that cannot be copied, and keeps the one before', async () => {
    const storage = createMemoryStorage()
    await storage.put(row())
    const result = { output: '', isError: false, metadata: { f: () => 1 } }
    await expect(storage.put(row({ status: 'done', result }))).rejects.toThrow()
    expect(await storage.all()).toEqual([row()])
  })
})
