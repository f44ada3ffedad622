import { spend } from './budget.js'
import { agrees, fail, matches, type Place, visitPart } from './place.js'
import type { Rule, Rules } from './rules.js'
import { visitSize } from './visit-scalar.js'

type Values = Readonly<Record<string, unknown>>

export function visitObject(rules: Rules, place: Place, values: Values): void {
  const { propertyNames, dependentSchemas } = rules
  const names = Object.keys(values)
  spend(place.run.budget, names.length)
  visitRequired(rules, place, values, names)
  visitSize(rules, place, 'Properties', () => names.length)
  if (propertyNames !== undefined) {
    const isNamed = (name: string): boolean =>
      agrees(propertyNames, { ...part(place, name), value: name, seen: undefined }, 'propertyNames')
    // Each name is held against it, so that a pattern nobody can check is met.
    if (names.filter((name) => !isNamed(name)).length > 0) fail(place, 'propertyNames', rules)
  }
  for (const name of names) {
    const rule = dependentSchemas?.[name]
    if (rule !== undefined) agrees(rule, place, 'dependentSchemas', place.found)
  }
  visitProperties(rules, place, values, names)
}

const part = (place: Place, key: string): Place => ({ ...place, at: { key, parent: place.at } })

function visitRequired(rules: Rules, place: Place, values: Values, names: readonly string[]): void {
  const { required = [], dependentRequired } = rules
  const isMissing = (name: string): boolean => !Object.hasOwn(values, name)
  spend(place.run.budget, required.length)
  for (const name of required.filter(isMissing)) fail(part(place, name), 'required', rules)
  for (const name of names) {
    const needed = dependentRequired?.[name] ?? []
    spend(place.run.budget, needed.length)
    if (needed.some(isMissing)) fail(place, 'dependentRequired', rules)
  }
}

function visitProperties(rules: Rules, place: Place, values: Values, names: readonly string[]): void {
  const { properties, patternProperties = {}, additionalProperties, unevaluatedProperties } = rules
  const named = new Set<string>()
  const visitNamed = (rule: Rule, name: string, keyword: string): void => {
    named.add(name)
    visitPart(rule, place, name, values[name], keyword)
  }
  for (const name of names) {
    const rule = properties?.[name]
    if (rule !== undefined) visitNamed(rule, name, 'properties')
  }
  for (const [pattern, rule] of Object.entries(patternProperties)) {
    for (const name of names) {
      const isMatch = matches(pattern, name, part(place, name), 'patternProperties')
      if (isMatch) visitNamed(rule, name, 'patternProperties')
      // A name that only a pattern which cannot be checked allows is not refused as unknown.
      else if (isMatch === undefined) named.add(name)
    }
  }
  const visitOthers = (rule: Rule | undefined, keyword: string, known: ReadonlySet<string>): void => {
    if (rule === undefined) return
    for (const name of names) if (!known.has(name)) visitPart(rule, place, name, values[name], keyword)
  }
  visitOthers(additionalProperties, 'additionalProperties', named)
  visitOthers(unevaluatedProperties, 'unevaluatedProperties', place.seen ?? new Set())
}
