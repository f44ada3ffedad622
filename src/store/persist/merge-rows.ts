import { isRecord } from '../../core/internal.js'

/** The id a stored value goes by; undefined when it has none. */
export function idOf(value: unknown): string | undefined {
  try {
    return isRecord(value) && typeof value.id === 'string' ? value.id : undefined
  } catch {
    // A storage of the app's may hand out anything, also what throws when it is looked at.
    return undefined
  }
}

/** One row for each id, the last one given; what has no id is kept as it is. */
export function mergeRows(...sources: readonly Iterable<unknown>[]): Map<unknown, unknown> {
  const values = sources.flatMap((source) => [...source])
  return new Map(values.map((value) => [idOf(value) ?? Symbol(), value]))
}
