import { copyWith, type Special } from './json.js'
import { typeName } from './plain-data.js'

/** Whether `value` is a Date, Map, Set or URL itself and no subclass or look-alike: two prototypes, no members. */
function isExactly(value: object, tag: string): boolean {
  const proto: object | null = Object.getPrototypeOf(value)
  const root: object | null = proto && Object.getPrototypeOf(proto)
  return typeName(value) === tag && root !== null && !Object.getPrototypeOf(root) && Object.keys(value).length === 0
}

// Read by this realm's own methods, which throw for what only looks like one of these.
const copyRich: Special = (value, copy) => {
  if (typeof value === 'bigint') return value
  if (typeof value !== 'object' || value === null) return undefined
  if (isExactly(value, 'date')) {
    const time = Date.prototype.getTime.call(value)
    return Number.isNaN(time) ? undefined : new Date(time)
  }
  if (isExactly(value, 'set')) {
    const members = [...Set.prototype.values.call(value)]
    return new Set(members.map((member, at) => copy(member, `${at}`)))
  }
  if (isExactly(value, 'map')) {
    const entries = [...Map.prototype.entries.call(value)]
    return new Map(entries.map(([key, member], at) => [copy(key, `${at}`), copy(member, `${at}`)]))
  }
  return isExactly(value, 'url') ? new URL(String(value)) : undefined
}

/**
 * A copy of what a schema made: JSON, and Date, Set, Map, BigInt and URL (DESIGN 8.1). Throws an Error that names path and type for
 * anything else.
 */
export const outputCopy = <T>(value: T): T => copyWith(value, copyRich) as T

/** How a copy that `outputCopy` made is shown: ISO instant, list, list of pairs, digits with `n`, href; the rest as it is. */
export function renderingOf(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value.toISOString()
  if (value instanceof URL) return value.href
  if (value instanceof Set || value instanceof Map || Array.isArray(value)) return Array.from(value, renderingOf)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, renderingOf(part)]))
}
