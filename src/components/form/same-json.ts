import { isRecord } from '../../core/plain-data.js'

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  )

/** Whether two JSON values say the same, in whatever order their keys stand. */
export const isSameJson = (a: unknown, b: unknown): boolean => sorted(a) === sorted(b)
