import { expect, it } from 'vitest'
import type { RunnerStorage } from '../../../src/store/persist/stored-row.js'
import { claimers, find, idsOf, row } from './rows.js'

/** What holds for every storage. `open` gives another one on the same rows each time. */
export function followsTheRules(open: () => Promise<RunnerStorage>): void {
  it('has the rows that were put, the newest of each id', async () => {
    const storage = await open()
    await storage.put(row())
    await storage.put(row({ id: 'run-2' }))
    await storage.put(row({ status: 'done' }))
    expect(idsOf(await storage.all())).toEqual(['run-1', 'run-2'])
    expect(await find(storage)).toEqual(row({ status: 'done' }))
  })

  it('has them for another one on the same rows', async () => {
    await (await open()).put(row())
    expect(await find(await open())).toEqual(row())
  })

  it('deletes a row, and one that is not there', async () => {
    const storage = await open()
    await storage.put(row())
    await storage.delete('run-1')
    await storage.delete('run-1')
    expect(await storage.all()).toEqual([])
  })

  it('keeps what it was given, whoever goes on writing to it', async () => {
    const storage = await open()
    const args = { site: 'docs' }
    const given = row({ call: { toolCallId: 'c', toolName: 'deploy', args, tool: '' } })
    await storage.put(given)
    args.site = 'shop'
    expect(await find(storage)).toMatchObject({ call: { args: { site: 'docs' } } })
  })

  it('writes a change over the row whose status is as the claim says', async () => {
    const storage = await open()
    await storage.put(row())
    const answer = { id: 'q1', ok: true }
    expect(await storage.claim('run-1', 'pending', { status: 'answered', answer })).toBe(true)
    expect(await find(storage)).toEqual(row({ status: 'answered', answer }))
  })

  it('takes a member away with undefined', async () => {
    const storage = await open()
    await storage.put(row({ status: 'running', answer: { id: 'q1', ok: true } }))
    await storage.claim('run-1', 'running', { status: 'done', answer: undefined })
    expect(await find(storage)).toEqual(row({ status: 'done' }))
  })

  it('leaves the id of a row as it is', async () => {
    const storage = await open()
    await storage.put(row())
    await storage.claim('run-1', 'pending', { id: 'run-2', status: 'answered' })
    expect(idsOf(await storage.all())).toEqual(['run-1'])
  })

  it('claims nothing where the status is another or there is no row', async () => {
    const storage = await open()
    await storage.put(row({ status: 'running' }))
    expect(await storage.claim('run-1', 'pending', { status: 'answered' })).toBe(false)
    expect(await storage.claim('run-2', 'pending', { status: 'answered' })).toBe(false)
    expect(await storage.all()).toEqual([row({ status: 'running' })])
  })

  it('lets one of ten claims in the same instant have it, thirty times (K26)', async () => {
    const storage = await open()
    const storages = [storage, await open()]
    for (let round = 0; round < 30; round++) {
      await storage.put(row())
      expect(await claimers(storages, 10)).toBe(1)
      expect(await find(storage)).toMatchObject({ status: 'answered' })
    }
  })
}
