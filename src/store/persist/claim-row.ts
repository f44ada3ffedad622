import { isRecord } from '../../core/internal.js'
import type { StoredRow, StoredStatus } from './stored-row.js'

/** The row after the claim; undefined when there is none, or its status is another. */
export const claimRow = <Row>(
  row: Row,
  from: StoredStatus,
  { id: _, ...change }: Partial<StoredRow>,
): Row | undefined => (isRecord(row) && row.status === from ? { ...row, ...change } : undefined)
