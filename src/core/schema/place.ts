import { escapePointer } from '@cfworker/json-schema'
import type { Budget } from './budget.js'
import type { Matcher } from './pattern/matcher.js'
import type { Rule, Rules } from './rules.js'

/** One thing that is wrong with a value. */
export interface Issue {
  /** JSON Pointer to the value, `''` for the root; for a missing property the pointer it would have. */
  path: string
  keyword: string
  /** What was expected, in short English for a model. */
  expected: string
}

/** One check of one value, from its root. */
export interface Run {
  readonly budget: Budget
  readonly lookup: Readonly<Record<string, Rule>>
  readonly matcher: (pattern: string) => Matcher
  /** What `enum` or `const` lets a value equal, as canonical texts. */
  readonly keys: (keyword: string, rules: Rules) => ReadonlySet<string>
  readonly expected: (keyword: string, rules: Rules) => string
  /** Whether a pattern that is none is ignored. */
  readonly isLenient: boolean
  /** Patterns that could not be decided: the value is refused, whatever else is said of it. */
  readonly undecided: Issue[]
  readonly visit: (rule: Rule, place: Place, keyword: string) => void
}

/** A value, or a part of one, to hold against a schema. */
export interface Place {
  readonly run: Run
  readonly value: unknown
  readonly path: string
  readonly found: Issue[]
  /** The properties and items that a schema has looked at; only where `unevaluated…` asks. */
  readonly seen: Set<string> | undefined
}

export function fail({ run, path, found }: Place, keyword: string, rules: Rules): void {
  found.push({ path, keyword, expected: run.expected(keyword, rules) })
}

export const pathOf = (path: string, key: string | number): string => `${path}/${escapePointer(String(key))}`

/** Holds a property or an item against its own schema. */
export function visitPart(rule: Rule, place: Place, key: string, value: unknown, keyword: string): void {
  const { run, found, path, seen } = place
  seen?.add(key)
  run.visit(rule, { run, found, value, path: pathOf(path, key), seen: undefined }, keyword)
}

/** Whether the same value is what another schema asks for; what is not goes to `found`. */
export function agrees(rule: Rule, place: Place, keyword: string, found: Issue[] = []): boolean {
  const { run, value, path, seen } = place
  const before = found.length
  const looked = seen && new Set<string>()
  run.visit(rule, { run, value, path, found, seen: looked }, keyword)
  const isFine = found.length === before
  if (isFine) for (const key of looked ?? []) seen?.add(key)
  return isFine
}

/** Whether a text matches; undefined, and the end of the value, when that cannot be decided. */
export function matches(pattern: string, text: string, { run, path }: Place, keyword: string): boolean | undefined {
  const matcher = run.matcher(pattern)
  const result = matcher.test(text, run.budget)
  if (result === undefined && !(matcher.isBroken && run.isLenient)) {
    const expected = `pattern ${JSON.stringify(pattern)}, which cannot be checked safely`
    run.undecided.push({ path, keyword, expected })
  }
  return result
}
