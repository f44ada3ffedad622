import { dereference, type Schema } from '@cfworker/json-schema'
import { isRecord } from '../plain-data.js'
import { TOO_COSTLY } from './budget.js'
import { canonical } from './canonical.js'
import { expectation } from './expectation.js'
import { matcherOf } from './pattern/matcher.js'
import { type Fault, type Issue, pointerTo, type Run } from './place.js'
import { type OnBroken, readSchema } from './read-schema.js'
import { cutReferences, type Lookup } from './references.js'
import { remembered } from './remembered.js'
import type { Rule, Rules } from './rules.js'
import { visit } from './visit.js'

export interface Compiled {
  readonly check: (value: unknown) => Issue[]
  readonly uncheckable: () => string[]
}

interface Known extends Pick<Run, 'lookup' | 'matcher' | 'keys' | 'isLenient'> {
  readonly expected: (keyword: string, rules: Rules) => string
}

// Some 300 ms.
const MAX_STEPS = 6e6
const BASE = new URL('schema:/')

/** Without `broken` the reading is lenient: what is malformed is ignored, a pattern that is none too. */
export function compile(schema: unknown, broken?: OnBroken): Compiled {
  const onBroken = broken ?? (() => {})
  // What is read is well-formed.
  const root = (readSchema(schema, onBroken) ?? true) as Rule
  const lookup: Lookup = dereference(root as Schema, Object.create(null), BASE)
  cutReferences(lookup, onBroken)
  const matcher = remembered(matcherOf)
  const ofRules = <T>(make: (keyword: string, asked: unknown) => T): ((keyword: string, rules: Rules) => T) => {
    const byRules = remembered((rules: Rules) => remembered((keyword: string) => make(keyword, rules[keyword])))
    return (keyword, rules) => byRules(rules)(keyword)
  }
  const known: Known = { lookup, matcher, keys: ofRules(keysOf), expected: ofRules(expectation), isLenient: !broken }
  return {
    check: (value) => check(root, value, known),
    uncheckable: () => placesOf(lookup).flatMap(([at, pattern]) => (matcher(pattern).isCheckable() ? [] : at)),
  }
}

function check(root: Rule, value: unknown, known: Known): Issue[] {
  const found: Fault[] = []
  const run: Run = { ...known, budget: { left: MAX_STEPS }, undecided: [], visit }
  try {
    // As JSON carries it.
    visit(root, { run, value: JSON.parse(JSON.stringify(value)), at: undefined, found, seen: undefined }, 'false')
  } catch (error) {
    if (error === TOO_COSTLY) return [{ path: '', keyword: 'limit', expected: 'less: this takes too long to check' }]
    return [{ path: '', keyword: 'json', expected: 'plain JSON, neither cyclic nor very deep' }]
  }
  const issues = found.map(({ at, keyword, rules }) => ({
    path: pointerTo(at),
    keyword,
    expected: known.expected(keyword, rules),
  }))
  return [...new Map([...run.undecided, ...issues].map((issue) => [`${issue.path} ${issue.keyword}`, issue])).values()]
}

/** What a value may equal, as canonical texts. */
const keysOf = (keyword: string, asked: unknown): ReadonlySet<string> => {
  const values = keyword === 'enum' && Array.isArray(asked) ? asked : [asked]
  return new Set(values.map((value) => canonical(value, { left: Number.POSITIVE_INFINITY })))
}

/** Every pattern of a schema with its place. */
const placesOf = (lookup: Lookup): [place: string, pattern: string][] =>
  Object.entries(lookup).flatMap(([address, rule]) => {
    if (!isRecord(rule)) return []
    const { pattern, patternProperties = {} } = rule
    const at = decodeURIComponent(address.replace(BASE.href, '') || '#')
    const names = Object.keys(patternProperties).map((name): [string, string] => [
      `${at}/patternProperties/${name}`,
      name,
    ])
    return pattern === undefined ? names : [[`${at}/pattern`, pattern], ...names]
  })
