import { isRecord } from '../plain-data.js'
import type { OnBroken } from './read-schema.js'
import type { Rule } from './rules.js'

export type Lookup = Record<string, Rule>

// More checks than this of one value are an attack, not a schema.
const MAX_CHECKS = 1e5

/** Every `$ref` must lead somewhere in this schema, but neither back to itself nor to checks that multiply. */
export function cutReferences(lookup: Lookup, broken: OnBroken): void {
  const weights = new Map<unknown, number>()
  const weigh = (rule: Rule | undefined): number => {
    if (!isRecord(rule)) return 1
    const known = weights.get(rule)
    if (known !== undefined) return known
    weights.set(rule, MAX_CHECKS)
    const { allOf, anyOf, oneOf, not, if: when, then, else: otherwise, dependentSchemas = {}, $ref } = rule
    const parts = [allOf, anyOf, oneOf, not, when, then, otherwise, Object.values(dependentSchemas)].flat()
    let weight = parts.reduce<number>((sum, part) => sum + weigh(part), 1)
    if ($ref !== undefined) {
      const target = lookup[rule.__absolute_ref__ ?? '']
      weight += target === undefined ? MAX_CHECKS : weigh(target)
      if (weight > MAX_CHECKS) {
        broken('a $ref (it must lead to another place in this schema)', $ref)
        delete rule.$ref
        weight = 1
      }
    }
    weights.set(rule, weight)
    return weight
  }
  for (const rule of Object.values(lookup)) weigh(rule)
}
