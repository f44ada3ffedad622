// A string that would read like another value, or like nothing.
const AMBIGUOUS = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|\s*)$/i

/** A value as text, in full; an ambiguous string is quoted, so that `"5"` and `5` differ. Never throws. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return AMBIGUOUS.test(value) ? JSON.stringify(value) : value
  try {
    return JSON.stringify(value, null, 2) ?? String(value)
  } catch {
    // Cyclic, or a BigInt; what has no text at all is named by its type.
    try {
      return String(value)
    } catch {
      return typeof value
    }
  }
}

/** A text as it is; from untyped code also anything else, as text. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : textOf(value))
