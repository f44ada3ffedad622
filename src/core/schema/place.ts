import { escapePointer } from '@cfworker/json-schema'
import { type Budget, spend } from './budget.js'
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

// In steps of the budget.
const FAULT = 20
const MATCH = 60

/** What is wrong, before it is put into words: most of it is dropped again, since another alternative fits. */
export interface Fault {
  readonly at: Path | undefined
  readonly keyword: string
  readonly rules: Rules
}

/** A place in a value by the steps to it, the last one first. */
export interface Path {
  readonly key: string
  readonly parent: Path | undefined
}

/** One check of one value, from its root. */
export interface Run {
  readonly budget: Budget
  readonly lookup: Readonly<Record<string, Rule>>
  readonly matcher: (pattern: string) => Matcher
  /** What `enum` or `const` lets a value equal, as canonical texts. */
  readonly keys: (keyword: string, rules: Rules) => ReadonlySet<string>
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
  readonly at: Path | undefined
  readonly found: Fault[]
  /** The properties and items that a schema has looked at; only where `unevaluated…` asks. */
  readonly seen: Set<string> | undefined
}

export function fail({ run, at, found }: Place, keyword: string, rules: Rules): void {
  spend(run.budget, FAULT)
  found.push({ at, keyword, rules })
}

export function pointerTo(at: Path | undefined): string {
  let pointer = ''
  for (let step = at; step; step = step.parent) pointer = `/${escapePointer(step.key)}${pointer}`
  return pointer
}

/** Holds a property or an item against its own schema. */
export function visitPart(rule: Rule, place: Place, key: string, value: unknown, keyword: string): void {
  const { run, found, at, seen } = place
  seen?.add(key)
  run.visit(rule, { run, found, value, at: { key, parent: at }, seen: undefined }, keyword)
}

/** Whether the same value is what another schema asks for; what is not goes to `found`. */
export function agrees(rule: Rule, place: Place, keyword: string, found: Fault[] = []): boolean {
  const { run, value, at, seen } = place
  const before = found.length
  const looked = seen && new Set<string>()
  run.visit(rule, { run, value, at, found, seen: looked }, keyword)
  const isFine = found.length === before
  if (isFine && looked) {
    spend(run.budget, looked.size * 4)
    for (const key of looked) seen?.add(key)
  }
  return isFine
}

/** Whether a text matches; undefined, and the end of the value, when that cannot be decided. */
export function matches(pattern: string, text: string, { run, at }: Place, keyword: string): boolean | undefined {
  spend(run.budget, MATCH)
  const matcher = run.matcher(pattern)
  const result = matcher.test(text, run.budget)
  if (result === undefined && !(matcher.isBroken && run.isLenient)) {
    const expected = `pattern ${JSON.stringify(pattern)}, which cannot be checked safely`
    run.undecided.push({ path: pointerTo(at), keyword, expected })
  }
  return result
}
