import { isRecord } from '../plain-data.js'
import { type Budget, spend } from './budget.js'

/** One text for all that JSON Schema calls equal: JSON with sorted keys. */
export function canonical(value: unknown, budget: Budget): string {
  const inner = (part: unknown): string => canonical(part, budget)
  const text = Array.isArray(value)
    ? `[${value.map(inner).join()}]`
    : isRecord(value)
      ? `{${Object.keys(value)
          .sort()
          .map((key) => `${JSON.stringify(key)}:${inner(value[key])}`)
          .join()}}`
      : JSON.stringify(value)
  spend(budget, 2 + text.length / 32)
  return text
}
