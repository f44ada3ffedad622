import { vi } from 'vitest'
import type { StorageProblem } from '../../../src/store/persist/storage-problem.js'
import type { RunnerStorage, StoredRow } from '../../../src/store/persist/stored-row.js'
import type { PendingItem } from '../../../src/store/types.js'

export const item = (rest: Partial<PendingItem> = {}): PendingItem => ({
  key: 'q1',
  request: { id: 'q1', kind: 'approval', prompt: 'Deploy?' },
  seq: 1,
  askedAt: 1000,
  danger: 'medium',
  trusted: true,
  runId: 'run-1',
  toolCallId: 'call-1',
  toolName: 'deploy',
  args: { site: 'docs' },
  ...rest,
})

export const row = (rest: Partial<StoredRow> = {}): StoredRow => ({
  version: 1,
  id: 'run-1',
  status: 'pending',
  tab: 'tab-1',
  startedAt: 1000,
  call: { toolCallId: 'call-1', toolName: 'deploy', args: { site: 'docs' }, tool: '{"name":"deploy"}' },
  item: item(),
  ...rest,
})

export const idsOf = (rows: readonly unknown[]): unknown[] =>
  rows.map((one) => (one instanceof Object && 'id' in one ? one.id : one)).sort()

/** The row under an id as the storage has it now. */
export const find = async (storage: RunnerStorage, id = 'run-1'): Promise<unknown> =>
  (await storage.all()).find((one) => one instanceof Object && 'id' in one && one.id === id)

/** A listener for problems, and what it was told so far, as `kind id`. */
export function problems() {
  const told: StorageProblem[] = []
  const onProblem = vi.fn((problem: StorageProblem) => void told.push(problem))
  return { onProblem, told, kinds: () => told.map(({ kind, id = '' }) => `${kind} ${id}`.trim()) }
}

/** Claims a row `times` times in the same instant, in turn from each storage; how many were told that it is theirs. */
export async function claimers(storages: readonly RunnerStorage[], times: number, id = 'run-1'): Promise<number> {
  const claims = Array.from({ length: times }, (_, n) =>
    storages[n % storages.length]?.claim(id, 'pending', { status: 'answered', tab: `tab-${n}` }),
  )
  return (await Promise.all(claims)).filter((mine) => mine === true).length
}
