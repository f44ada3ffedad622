import { messageOf } from './messages.js'
import { typeName } from './plain-data.js'

// Circular data never ends as a tree, and shared data can grow without end.
const MAX_DEPTH = 200
const MAX_COST = 1e6
// An object costs more than a number to copy, to keep and to show.
const OBJECT_COST = 10

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
  if (typeof value === 'number') return `${value}`
  if (typeof value !== 'object') return typeof value
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  return tag === 'Array' ? 'a sparse or extended array' : tag === 'Object' ? 'a class instance' : tag
}

// Object.prototype has no prototype, in every realm.
const isRoot = (proto: object | null): boolean => proto === null || Object.getPrototypeOf(proto) === null

const isPlainObject = (value: object): value is Record<string, unknown> =>
  typeName(value) === 'object' &&
  isRoot(Object.getPrototypeOf(value)) &&
  typeof (value as { toJSON?: unknown }).toJSON !== 'function' &&
  !Object.getOwnPropertySymbols(value).some((key) => Object.prototype.propertyIsEnumerable.call(value, key))

// Index keys come first and ascend, so the last of as many keys as elements tells that none is missing. Array.prototype is
// itself an array, in every realm; the prototype of a class that extends Array is not.
const isPlainArray = (value: readonly unknown[], keys: readonly string[]): boolean =>
  keys.length === value.length &&
  keys.at(-1) === (keys.length > 0 ? `${keys.length - 1}` : undefined) &&
  Array.isArray(Object.getPrototypeOf(value))

type CopyPart = (part: unknown, key: string) => unknown

/** Copies a value that JSON does not have; undefined for one that is refused. */
export type Special = (value: unknown, copy: CopyPart) => unknown

/** A copy made in one walk; `finish` is called with each object and array that was made. Throws `NotJson`. */
export function copyWith(
  value: unknown,
  special: Special = () => undefined,
  finish: <T extends object>(copy: T) => T = (copy) => copy,
): unknown {
  const path: string[] = []
  let left = MAX_COST

  const refuse = (what: string): never => {
    throw new NotJson(path.map(pointerPart).join(''), what)
  }
  const inside: CopyPart = (part, key) => {
    path.push(key)
    const copy = copyPart(part)
    path.pop()
    return copy
  }
  const copyPart = (part: unknown): unknown => {
    if (typeof part === 'string' || typeof part === 'boolean' || part === null) return part
    // Adding 0 makes 0 of -0, which JSON cannot tell apart.
    if (Number.isFinite(part)) return Number(part) + 0
    const keys = typeof part === 'object' ? Object.keys(part) : []
    left -= OBJECT_COST + keys.length
    if (path.length > MAX_DEPTH || left < 0) refuse('circular or huge data')
    if (Array.isArray(part)) {
      return isPlainArray(part, keys) ? finish(keys.map((key) => inside(part[Number(key)], key))) : refuse(nameOf(part))
    }
    if (typeof part !== 'object' || !isPlainObject(part)) return special(part, inside) ?? refuse(nameOf(part))
    const entries: [string, unknown][] = []
    for (const key of keys) {
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
    // Thrown by a getter or a proxy, or by an object that is not what its type says.
    return refuse(messageOf(error))
  }
}

/** A copy of JSON data that may be changed. Throws like `frozenJson`. */
export const jsonCopy = <T>(value: T): T => copyWith(value) as T

const frozen = new WeakSet<object>()

/** Freezes a copy made here and remembers that it is JSON. */
function freeze<T extends object>(copy: T): T {
  frozen.add(copy)
  return Object.freeze(copy)
}

/**
 * A frozen copy of JSON data: plain objects of any realm, arrays, strings, finite numbers, booleans and null; a member that
 * is undefined is absent (DESIGN 8.1). Throws an Error that names path and type for anything else, and for data that is
 * circular, deeper than 200 levels or larger than some 100,000 objects. A copy that it made is returned as it is.
 */
export const frozenJson = <T>(value: T): T =>
  // The copy has the shape of the value by construction; the walk itself only knows unknown.
  frozen.has(Object(value)) ? value : (copyWith(value, undefined, freeze) as T)
