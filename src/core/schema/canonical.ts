import { type Budget, spend } from './budget.js'

/** An object as `JSON.parse` makes them. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One text for all that JSON Schema calls equal: JSON with sorted keys. */
export function canonical(value: unknown, budget: Budget): string {
  const inner = (part: unknown): string => canonical(part, budget)
  const text = Array.isArray(value)
    ? `[${value.map(inner).join()}]`
    : isObject(value)
      ? `{${Object.keys(value)
          .sort()
          .map((key) => `${JSON.stringify(key)}:${inner(value[key])}`)
          .join()}}`
      : JSON.stringify(value)
  spend(budget, 10 + text.length / 32)
  return text
}
