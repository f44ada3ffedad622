import { freezeDeep } from '../../core/internal.js'
import type { OnProblem } from './storage-problem.js'
import type { StoredRow } from './stored-row.js'

/**
 * A row, or a change of one, as JSON says it. A tool's result may carry what no storage takes (functions, elements,
 * circles): then that member stays out and the rest is kept.
 */
export function plainRow<T extends Partial<StoredRow>>(row: T, id: string, onProblem: OnProblem): T {
  const plain = Object.entries(row).flatMap(([key, value]): [string, unknown][] => {
    try {
      // Undefined takes a member away in a change, so it is kept.
      return [[key, value === undefined ? undefined : freezeDeep(JSON.parse(JSON.stringify(value)))]]
    } catch (error) {
      onProblem({ kind: 'row', error, id })
      return []
    }
  })
  // The same members with the same values; the ones left out are optional in a row.
  return Object.fromEntries(plain) as T
}
