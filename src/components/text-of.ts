// A string that would read like another value, or like nothing.
const AMBIGUOUS = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|\s*)$/i

/** A value as text, in full; an ambiguous string is quoted, so that `"5"` and `5` differ. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return AMBIGUOUS.test(value) ? JSON.stringify(value) : value
  try {
    return JSON.stringify(value, null, 2) ?? String(value)
  } catch {
    return String(value)
  }
}
