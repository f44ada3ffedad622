import { isRecord } from './plain-data.js'

/** JSON with sorted keys: equal for values that say the same, and only for those. Throws for what JSON cannot say. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) => {
    // JSON would call every set and every file `{}`, and every number without end `null`.
    if (typeof item === 'number' ? !Number.isFinite(item) : typeof item === 'object' && item !== null) {
      if (Array.isArray(item)) return item
      if (!isRecord(item)) throw new Error('no plain JSON')
      return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
    }
    return item
  })
