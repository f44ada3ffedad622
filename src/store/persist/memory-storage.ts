import { claimRow } from './claim-row.js'
import type { RunnerStorage, StoredRow } from './stored-row.js'

/** Rows for as long as the page lives. Several runners may share one: copies go in and out. */
export function createMemoryStorage(): RunnerStorage {
  const rows = new Map<string, StoredRow>()
  return {
    all: async () => structuredClone([...rows.values()]),
    put: async (row) => void rows.set(row.id, structuredClone(row)),
    delete: async (id) => void rows.delete(id),
    async claim(id, from, change, turn) {
      // No await before the row is written, which makes this one step.
      const row = claimRow(rows.get(id), from, structuredClone(change), turn)
      if (row) rows.set(id, row)
      return row !== undefined
    },
  }
}
