import { canonicalJson } from '../../core/internal.js'
import type { PersistOptions } from '../types.js'
import type { StoredRow } from './stored-row.js'

// What must be as it was shown for a call to go on from it.
const essence = ({ call, item }: StoredRow): string => canonicalJson([call ?? null, item ?? null])

/** What may be stored of a row; undefined for nothing. One without its arguments or question is marked: it cannot go on. */
export function redactor(redact: PersistOptions['redact']): (row: StoredRow) => StoredRow | undefined {
  if (!redact) return (row) => row
  return (row) => {
    try {
      const left = redact(structuredClone(row))
      if (!left) return undefined
      const { version, id, status, tab, startedAt } = row
      const kept = { ...left, version, id, status, tab, startedAt }
      return essence(kept) === essence(row) ? kept : { ...kept, isPartial: true }
    } catch (error) {
      // Better not stored than stored in full.
      console.error('assent: persist.redact threw; the row is not stored.', error)
      return undefined
    }
  }
}
