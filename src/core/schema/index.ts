import { dereference, escapePointer, type OutputUnit, type Schema, validate } from '@cfworker/json-schema'
import { isRecord } from '../plain-data.js'
import { EMAIL, type Node, type OnBroken, readSchema } from './read-schema.js'

export { readApprovalForm } from './approval-form.js'
export { fitsArgs, fitsForm } from './fits-form.js'

export type JsonSchema = boolean | { readonly [keyword: string]: unknown }

/** One thing that is wrong with a value. */
export interface Issue {
  /** JSON Pointer to the value, `''` for the root; for a missing property the pointer it would have. */
  path: string
  keyword: string
  /** What was expected, in short English for a model. */
  expected: string
}

type Check = (value: unknown) => Issue[]
type Lookup = Record<string, Schema | boolean>

const BASE = new URL('schema:/')
// More checks than this of one value are an attack, not a schema.
const MAX_CHECKS = 1e5

const strict = new WeakMap<object, Check>()
const lenient = new WeakMap<object, Check>()

/**
 * The check of a JSON Schema (draft 2020-12), made once per schema object. Throws an `Error` that says where the schema
 * is broken; the check itself never throws. Patterns that are unsafe to run are not part of it.
 */
export function compileSchema(schema: unknown): (value: unknown) => Issue[] {
  return remember(strict, schema, (at, value) => {
    throw new Error(`Broken JSON Schema: ${at} cannot be ${JSON.stringify(value)}`)
  })
}

/** What is wrong with an answer. Never throws: what is malformed in the schema is ignored, keyword by keyword. */
export function validateAnswer(schema: unknown, value: unknown): Issue[] {
  try {
    return remember(lenient, schema, () => {})(value)
  } catch {
    return []
  }
}

function remember(cache: WeakMap<object, Check>, schema: unknown, broken: OnBroken): Check {
  if (!isRecord(schema)) return compile(schema, broken)
  const check = cache.get(schema) ?? compile(schema, broken)
  cache.set(schema, check)
  return check
}

function compile(schema: unknown, broken: OnBroken): Check {
  const copy = readSchema(schema, broken) ?? true
  const lookup: Lookup = dereference(copy, Object.create(null), BASE)
  cutRefs(lookup, broken)
  return (value) => {
    try {
      // As JSON carries it: the validator throws on undefined.
      const plain: unknown = JSON.parse(JSON.stringify(value))
      return toIssues(validate(plain, copy, '2020-12', lookup, false).errors, plain, copy, lookup)
    } catch {
      return [{ path: '', keyword: 'json', expected: 'plain JSON, neither cyclic nor very deep' }]
    }
  }
}

/** Every `$ref` must lead somewhere in this schema, but neither back to itself nor to checks that multiply. */
function cutRefs(lookup: Lookup, broken: OnBroken): void {
  const weights = new Map<unknown, number>()
  const weigh = (schema: unknown): number => {
    if (!isRecord(schema)) return 1
    const known = weights.get(schema)
    if (known !== undefined) return known
    weights.set(schema, MAX_CHECKS)
    const { allOf, anyOf, oneOf, not, if: when, then, else: otherwise, dependentSchemas, $ref } = schema
    const parts = [allOf, anyOf, oneOf, not, when, then, otherwise, Object.values(dependentSchemas ?? {})].flat()
    let weight = parts.reduce<number>((sum, part) => sum + weigh(part), 1)
    if ($ref !== undefined) {
      const target = targetOf(schema, lookup)
      weight += target === undefined ? MAX_CHECKS : weigh(target)
      if (weight > MAX_CHECKS) {
        broken('a $ref (it must lead to another place in this schema)', $ref)
        delete schema.$ref
        weight = 1
      }
    }
    weights.set(schema, weight)
    return weight
  }
  for (const schema of Object.values(lookup)) weigh(schema)
}

const targetOf = (schema: Node, lookup: Lookup): unknown => lookup[String(schema.__absolute_ref__)]

// Below these stands what was wrong with each alternative; the alternatives themselves are the message.
const CHOICE = /^(anyOf|oneOf|contains|minContains|propertyNames)$/

function toIssues(errors: readonly OutputUnit[], value: unknown, root: unknown, lookup: Lookup): Issue[] {
  const closed = [
    ...new Set(errors.flatMap((error) => (CHOICE.test(error.keyword) ? `${error.keywordLocation}/` : []))),
  ]
  const issues = new Map<string, Issue>()
  errors.forEach((error, i) => {
    // The boolean schema false names neither itself nor its place; the keyword before it does.
    const { keyword, keywordLocation } = (error.keyword === 'false' && errors[i - 1]) || error
    if (isIntroduction(error, errors[i + 1]) || closed.some((place) => keywordLocation.startsWith(place))) return
    const schema = follow(root, segments(keywordLocation).slice(0, -1), lookup)
    for (const issue of describe(keyword, schema as Node | boolean, error.instanceLocation, value)) {
      issues.set(`${issue.path} ${issue.keyword}`, issue)
    }
  })
  return [...issues.values()]
}

/** Whether an error only says that something below it is wrong, which follows. */
const isIntroduction = ({ keyword, keywordLocation }: OutputUnit, next?: OutputUnit): boolean =>
  keyword === 'if' ||
  (!CHOICE.test(keyword) && (next?.keyword === 'false' || !!next?.keywordLocation.startsWith(`${keywordLocation}/`)))

function describe(keyword: string, schema: Node | boolean, location: string, root: unknown): Issue[] {
  const path = decodeURIComponent(location.slice(1))
  if (!isRecord(schema)) return [{ path, keyword, expected: 'nothing' }]
  if (schema.pattern === EMAIL) return [{ path, keyword: 'format', expected: 'format "email"' }]
  if (keyword !== 'required') return [{ path, keyword, expected: expectation(keyword, schema) }]
  const value = follow(root, segments(location))
  const missing = (schema.required as string[]).filter((name) => !isRecord(value) || !Object.hasOwn(value, name))
  return missing.map((name) => ({ path: `${path}/${escapePointer(name)}`, keyword, expected: 'a value (required)' }))
}

const segments = (location: string): string[] =>
  location
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~'))

function follow(from: unknown, path: readonly string[], lookup?: Lookup): unknown {
  let node = from
  for (const part of path) {
    // What a location names is there.
    const parts = node as Node
    node = lookup && part === '$ref' && typeof parts.$ref === 'string' ? targetOf(parts, lookup) : parts[part]
  }
  return node
}

const UNITS: Node = { Length: ' characters', Items: ' items', Properties: ' properties' }

/** What a failed keyword asked for, in a few English words. */
function expectation(keyword: string, schema: Node): string {
  const value = keyword === 'pattern' ? schema.$comment : schema[keyword]
  const [, bound, unit = ''] = /^m(in|ax)(.+)$/.exec(keyword) ?? []
  if (bound) return `at ${bound === 'in' ? 'least' : 'most'} ${value}${UNITS[unit] ?? ''}`
  if (keyword === 'type') return [value].flat().join(' or ')
  if (/^(enum|oneOf|anyOf)$/.test(keyword)) return `one of ${[value].flat().map(summary).join(', ')}`
  return keyword === 'const' ? summary(value) : `${keyword} ${summary(value)}`
}

const summary = (part: unknown): string => {
  const { const: only, type } = isRecord(part) ? part : {}
  return type === undefined ? JSON.stringify(only ?? part) : expectation('type', { type })
}
