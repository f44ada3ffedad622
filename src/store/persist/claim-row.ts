import { isRecord } from '../../core/internal.js'
import type { StoredRow, StoredStatus } from './stored-row.js'

/** The row after the claim; undefined when there is none, its status is another, or it is about another question. */
export function claimRow<Row>(
  row: Row,
  from: StoredStatus,
  { id: _, ...change }: Partial<StoredRow>,
  turn: number | undefined,
): Row | undefined {
  if (!isRecord(row) || row.status !== from || (turn !== undefined && (row.turn ?? 0) !== turn)) return undefined
  return { ...row, ...change }
}
