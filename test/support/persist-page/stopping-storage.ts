import type { RunnerStorage } from 'assent/runner'
import type { Passing } from './points.js'

/** A storage that tells how far the page is. */
export const stoppingStorage = (storage: RunnerStorage, pass: Passing): RunnerStorage => ({
  all: storage.all,
  delete: storage.delete,
  async put(row) {
    if (row.status === 'pending') await pass('before the question')
    if (row.status === 'done') await pass('before the end')
    await storage.put(row)
    if (row.status === 'pending') await pass('before the answer')
    if (row.status === 'done') await pass('after the end')
  },
  async claim(...asked) {
    await pass('before the claim')
    const isMine = await storage.claim(...asked)
    if (isMine) await pass('after the claim')
    return isMine
  },
})
