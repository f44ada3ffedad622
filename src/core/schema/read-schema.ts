import { ignoredKeyword, schemaArrayKeyword, schemaKeyword, schemaMapKeyword } from '@cfworker/json-schema'
import { isRecord } from '../plain-data.js'

export type Node = Record<string, unknown>
/** Told of what is malformed: throws where a broken schema must not be used, returns where it is ignored bit by bit. */
export type OnBroken = (at: string, value: unknown) => void

// A keyword and its value as JSON, where the keyword can use the value.
const WELL_FORMED =
  /^(m(in|ax)[A-Z]\w+:\d+|(exclusiveM|m)(in|ax)imum:-?\d.*|multipleOf:(?!0$)\d.*|(pattern|format|\$id|\$ref|\$anchor):".*|required:\[("(\\.|[^"\\])*",?)*\]|type:\[?("(null|boolean|object|array|number|integer|string)",?)+\]?|uniqueItems:[tf].*|enum:\[.*|(const|default|\$[svc]\w+):.*)$/s

/** A copy with the well-formed keywords alone, for `dereference` to write into. */
export function readSchema(schema: unknown, broken: OnBroken, at = '#'): Node | boolean | undefined {
  if (typeof schema === 'boolean') return schema
  if (isRecord(schema)) {
    return mapOf(schema, (value, keyword) => readKeyword(keyword, value, broken, `${at}/${keyword}`))
  }
  broken(at, schema)
  return undefined
}

// Without a prototype any name is an own one, `__proto__` too.
const mapOf = (entries: Node, read: (part: unknown, name: string) => unknown): Node => {
  const map: Node = Object.create(null)
  for (const [name, part] of Object.entries(entries)) if (part !== undefined) map[name] = read(part, name)
  return map
}

function readKeyword(keyword: string, value: unknown, broken: OnBroken, at: string): unknown {
  const read = (part: unknown, key: string | number): unknown => readSchema(part, broken, `${at}/${key}`) ?? true
  if (schemaMapKeyword[keyword] === true && isRecord(value)) return mapOf(value, read)
  if (schemaArrayKeyword[keyword] === true && Array.isArray(value) && value.length > 0) return value.map(read)
  if (schemaKeyword[keyword] === true) return readSchema(value, broken, at)
  if (keyword === 'dependentRequired' && isRecord(value)) {
    return mapOf(value, (names, name) => readKeyword('required', names, broken, `${at}/${name}`) ?? [])
  }
  if (WELL_FORMED.test(`${keyword}:${JSON.stringify(value)}`)) return value
  const known = { ...ignoredKeyword, ...schemaArrayKeyword, ...schemaMapKeyword, id: false }[keyword]
  if (known === true) broken(at, value)
  return undefined
}
