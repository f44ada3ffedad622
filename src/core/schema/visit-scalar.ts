import { format as formats } from '@cfworker/json-schema'
import { spend } from './budget.js'
import { isMultipleOf } from './multiple-of.js'
import { fail, matches, type Place } from './place.js'
import type { Rules } from './rules.js'

const LABEL = '[A-Za-z\\d]+(-+[A-Za-z\\d]+)*'
const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+"
// ajv-formats' idea of an address, which is what servers check with: no quotes, no [1.2.3.4], a dot in the domain.
const EMAIL = `^${ATOM}(\\.${ATOM})*@(${LABEL}\\.)+${LABEL}$`

/** Fails when `size` is out of the bounds that `min…` and `max…` set. */
export function visitSize(rules: Rules, place: Place, of: 'Length' | 'Items' | 'Properties', size: () => number): void {
  const { [`min${of}`]: min, [`max${of}`]: max } = rules
  if (min === undefined && max === undefined) return
  const actual = size()
  if (actual < Number(min ?? 0)) fail(place, `min${of}`, rules)
  if (actual > Number(max ?? actual)) fail(place, `max${of}`, rules)
}

export function visitText(rules: Rules, place: Place, text: string): void {
  const { format, pattern } = rules
  spend(place.run.budget, text.length / 64)
  if (format !== undefined && isOfFormat(format, text, place) === false) fail(place, 'format', rules)
  // Length counts characters, of which some are two units.
  visitSize(rules, place, 'Length', () => text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ' ').length)
  if (pattern !== undefined && matches(pattern, text, place, 'pattern') === false) fail(place, 'pattern', rules)
}

function isOfFormat(name: string, text: string, place: Place): boolean | undefined {
  if (name === 'email') return matches(EMAIL, text, place, 'format')
  // The library's idea of "url", which no draft has, can take for ever.
  return name === 'url' || !Object.hasOwn(formats, name) || formats[name]?.(text)
}

const BOUNDS = Object.entries<(value: number, bound: number) => boolean>({
  minimum: (value, bound) => value >= bound,
  maximum: (value, bound) => value <= bound,
  exclusiveMinimum: (value, bound) => value > bound,
  exclusiveMaximum: (value, bound) => value < bound,
  multipleOf: isMultipleOf,
})

export function visitNumber(rules: Rules, place: Place, value: number): void {
  // Very large and very small ones are long as decimals.
  if (rules.multipleOf !== undefined) spend(place.run.budget, Math.abs(Math.log10(Math.abs(value) || 1)))
  for (const [keyword, holds] of BOUNDS) {
    const bound = rules[keyword]
    if (bound !== undefined && !holds(value, Number(bound))) fail(place, keyword, rules)
  }
}
