import { spend } from './budget.js'
import { canonical, isObject } from './canonical.js'
import { agrees, fail, type Place } from './place.js'
import type { Rule, Rules } from './rules.js'
import { visitArray } from './visit-array.js'
import { visitObject } from './visit-object.js'
import { visitNumber, visitText } from './visit-scalar.js'

// In steps of the budget.
const VISIT = 20

/** Finds what is wrong with a value by a schema that stands under `keyword` in another, or is the root. */
export function visit(rule: Rule, place: Place, keyword: string): void {
  const { value, found, run } = place
  spend(run.budget, VISIT)
  if (rule === false) fail(place, keyword, { [keyword]: false })
  if (typeof rule === 'boolean') return
  const { unevaluatedProperties, unevaluatedItems } = rule
  const isAsked = unevaluatedProperties !== undefined || unevaluatedItems !== undefined
  const at: Place = isAsked && !place.seen ? { ...place, seen: new Set() } : place
  const { __absolute_ref__: target } = rule
  if (rule.$ref !== undefined && target !== undefined) agrees(run.lookup[target] ?? true, at, '$ref', found)
  visitValue(rule, at)
  visitChoices(rule, at)
  if (typeof value === 'string') visitText(rule, at, value)
  else if (typeof value === 'number') visitNumber(rule, at, value)
  else if (Array.isArray(value)) visitArray(rule, at, value)
  else if (isObject(value)) visitObject(rule, at, value)
}

function visitValue(rules: Rules, place: Place): void {
  const { value, run } = place
  if (rules.type !== undefined && ![rules.type].flat().some((type) => hasType(value, type))) fail(place, 'type', rules)
  for (const keyword of ['const', 'enum']) {
    if (rules[keyword] === undefined) continue
    if (!run.keys(keyword, rules).has(canonical(value, run.budget))) fail(place, keyword, rules)
  }
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  return type === 'object' ? isObject(value) : typeof value === type
}

function visitChoices(rules: Rules, place: Place): void {
  const { not, anyOf, allOf, oneOf, if: when, then, else: otherwise } = rules
  const count = (choices: readonly Rule[], keyword: string): number =>
    choices.filter((choice) => agrees(choice, place, keyword)).length
  if (not !== undefined && agrees(not, { ...place, seen: undefined }, 'not')) fail(place, 'not', rules)
  if (anyOf && count(anyOf, 'anyOf') === 0) fail(place, 'anyOf', rules)
  for (const part of allOf ?? []) agrees(part, place, 'allOf', place.found)
  if (oneOf && count(oneOf, 'oneOf') !== 1) fail(place, 'oneOf', rules)
  if (when === undefined) return
  const [next, keyword] = agrees(when, place, 'if') ? [then, 'then'] : [otherwise, 'else']
  if (next !== undefined) agrees(next, place, keyword, place.found)
}
