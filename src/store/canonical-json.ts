import { isRecord } from '../core/internal.js'

/** JSON with sorted keys: equal for values that say the same. Throws for what JSON cannot hold. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    isRecord(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  )
