/** What a value is, in a word: `object`, `array`, `map`, `null`, … */
export const typeName = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1).toLowerCase()

/** An object as JSON has them: no array, no map, no date. */
export const isRecord = (value: unknown): value is Record<string, unknown> => typeName(value) === 'object'

/** What may be undefined, as what may be absent. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** The record without what is undefined: absent optionals are absent on the wire, and a tool may look with `in`. */
export const defined = <T extends object>(record: T): Defined<T> =>
  // Members that may be undefined are optional in the types this is used for.
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>

// Circular data never ends as a tree, and shared data can grow without end.
const MAX_DEPTH = 200
const MAX_VALUES = 1e5

/** A copy nobody else holds, of plain data; other objects (dates, files) by the platform's clone. Throws for what neither can copy. */
export function copyOf<T>(value: T): T {
  let count = 0
  const copy = (part: unknown, depth: number): unknown => {
    // The clone refuses functions and symbols, which JSON would leave out without a word.
    if (typeof part === 'function' || typeof part === 'symbol') return structuredClone(part)
    if (typeof part !== 'object' || part === null) return part
    if (depth > MAX_DEPTH || ++count > MAX_VALUES) throw new Error('circular or huge')
    // Not part.map: an array can bring a map of its own.
    if (Array.isArray(part)) return Array.from(part, (item: unknown) => copy(item, depth + 1))
    const proto: unknown = Object.getPrototypeOf(part)
    if (proto !== Object.prototype && proto !== null) return structuredClone(part)
    // Made of entries, so that a key named __proto__ is a key.
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, copy(item, depth + 1)]))
  }
  // The copy has the shape of the value by construction; the walk itself only knows unknown.
  return copy(value, 0) as T
}

/** Freezes a value and all that hangs on it. */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  Object.values(value).forEach(freezeDeep)
  return Object.freeze(value)
}
