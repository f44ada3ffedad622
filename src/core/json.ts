import { messageOf } from './messages.js'
import { typeName } from './plain-data.js'

// Circular data never ends as a tree, and shared data can grow without end.
const MAX_DEPTH = 200
const MAX_COST = 1e6
// An object costs more than a number to copy, to keep and to show.
const OBJECT_COST = 10

/** Copies a value that JSON does not have, or returns undefined for one that is refused. */
type Special = (value: unknown, copy: (part: unknown, key: string) => unknown) => unknown

/** Says where a value is no JSON and what stands there. */
export class NotJson extends Error {
  readonly path: string
  readonly expected: string
  constructor(path: string, what: string) {
    const expected = `JSON, got ${what}`
    super(`${path || '/'}: expected ${expected}`)
    this.path = path
    this.expected = expected
  }
}

/** A part of a JSON Pointer. */
export const pointerPart = (key: PropertyKey): string => `/${String(key).replace(/~/g, '~0').replace(/\//g, '~1')}`

/** What a value that is no JSON is called in an error. */
function nameOf(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return typeof value
  if (Array.isArray(value)) return 'an array with holes, further members or a class of its own'
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  return tag === 'Object' ? 'an object with a class, a symbol or toJSON' : tag
}

// The prototype of a plain object has none itself, also in another realm.
const hasPlainPrototype = (value: object): boolean => {
  const proto: unknown = Object.getPrototypeOf(value)
  return proto === null || Object.getPrototypeOf(proto) === null
}

const isPlainObject = (value: object): value is Record<string, unknown> =>
  typeName(value) === 'object' &&
  hasPlainPrototype(value) &&
  !Object.getOwnPropertySymbols(value).some((key) => Object.prototype.propertyIsEnumerable.call(value, key)) &&
  !('toJSON' in value && typeof value.toJSON === 'function')

/** Whether an array has all its elements, nothing else, and the array prototype of some realm. */
function isPlainArray(value: readonly unknown[]): boolean {
  const keys = Object.keys(value)
  const { length } = value
  // Index keys come first and ascend, so the last of as many keys as elements tells that none is missing.
  return keys.length === length && (length === 0 || keys[length - 1] === `${length - 1}`) && hasArrayPrototype(value)
}

// Array.prototype is itself an array, in every realm; the prototype of a class that extends Array is not.
const hasArrayPrototype = (value: readonly unknown[]): boolean => Array.isArray(Object.getPrototypeOf(value))

function copyWith(value: unknown, special: Special, finish: <T extends object>(copy: T) => T): unknown {
  const path: string[] = []
  let left = MAX_COST

  const refuse = (what: string): never => {
    throw new NotJson(path.map(pointerPart).join(''), what)
  }
  const inside = (part: unknown, key: string): unknown => {
    path.push(key)
    const copy = copyPart(part)
    path.pop()
    return copy
  }
  const copyArray = (part: readonly unknown[]): unknown => {
    if (part.length > left) refuse('too many values')
    if (!isPlainArray(part)) refuse(nameOf(part))
    return finish(Array.from({ length: part.length }, (_, at) => inside(part[at], `${at}`)))
  }
  const copyPart = (part: unknown): unknown => {
    if (--left < 0) refuse('too many values')
    if (typeof part === 'string' || typeof part === 'boolean' || part === null) return part
    // Adding 0 makes 0 of -0, which JSON cannot tell apart.
    if (Number.isFinite(part)) return Number(part) + 0
    if (path.length > MAX_DEPTH) refuse('circular or very deep data')
    left -= OBJECT_COST
    if (Array.isArray(part)) return copyArray(part)
    if (typeof part !== 'object' || !isPlainObject(part)) return special(part, inside) ?? refuse(nameOf(part))
    const entries: [string, unknown][] = []
    for (const key of Object.keys(part)) {
      const member = part[key]
      if (member !== undefined) entries.push([key, inside(member, key)])
    }
    // Made of entries, so that a key named __proto__ is a key.
    return finish(Object.fromEntries(entries))
  }

  try {
    return copyPart(value)
  } catch (error) {
    if (error instanceof NotJson) throw error
    // A getter or a proxy threw, or the object is not what its type says.
    return refuse(`what cannot be read (${messageOf(error)})`)
  }
}

const refuseAll: Special = () => undefined

/** A copy of JSON data that may be changed. Throws like `frozenJson`. */
export const jsonCopy = <T>(value: T): T => copyWith(value, refuseAll, (copy) => copy) as T

const frozen = new WeakSet<object>()

/** Freezes a copy made here and remembers that it is JSON. */
function freeze<T extends object>(copy: T): T {
  frozen.add(copy)
  return Object.freeze(copy)
}

/**
 * A frozen copy of JSON data: plain objects of any realm, arrays, strings, finite numbers, booleans and null; a member that
 * is undefined is absent (DESIGN 8.1). Throws an Error that names path and type for anything else, and for data that is
 * circular, deeper than 200 levels or larger than a million values or 100,000 objects. A copy that it made is returned as it is.
 */
export function frozenJson<T>(value: T): T {
  // The copy has the shape of the value by construction; the walk itself only knows unknown.
  return frozen.has(Object(value)) ? value : (copyWith(value, refuseAll, freeze) as T)
}

/** Whether `value` is a Date, Map, Set or URL itself and no subclass or look-alike. */
const isExactly = (value: object, tag: string): boolean => {
  const proto: object | null = Object.getPrototypeOf(value)
  return typeName(value) === tag && proto !== null && hasPlainPrototype(proto) && Object.keys(value).length === 0
}

const copyRich: Special = (value, copy) => {
  if (typeof value === 'bigint') return value
  if (typeof value !== 'object' || value === null) return undefined
  if (isExactly(value, 'date')) {
    // Read by this realm's own method, which throws for what only looks like a date.
    const time = Date.prototype.getTime.call(value)
    return Number.isNaN(time) ? undefined : new Date(time)
  }
  if (isExactly(value, 'set')) {
    const members: unknown[] = []
    Set.prototype.forEach.call(value, (member) => members.push(copy(member, `${members.length}`)))
    return new Set(members)
  }
  if (isExactly(value, 'map')) {
    const entries: [unknown, unknown][] = []
    Map.prototype.forEach.call(value, (member, key) => {
      entries.push([copy(key, `${entries.length}`), copy(member, `${entries.length}`)])
    })
    return new Map(entries)
  }
  return isExactly(value, 'url') ? new URL(String(value)) : undefined
}

/**
 * A copy of what a schema made: JSON, and Date, Set, Map, BigInt and URL (DESIGN 8.1). Throws like `frozenJson` for anything else.
 */
export const outputCopy = <T>(value: T): T => copyWith(value, copyRich, (copy) => copy) as T

/** How a copy that `outputCopy` made is shown: ISO instant, list, list of pairs, digits with `n`, href; the rest as it is. */
export function renderingOf(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value.toISOString()
  if (value instanceof URL) return value.href
  if (value instanceof Set || value instanceof Map) return [...value].map(renderingOf)
  if (Array.isArray(value)) return value.map(renderingOf)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, renderingOf(part)]))
}
