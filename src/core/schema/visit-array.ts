import { canonical } from './canonical.js'
import { agrees, fail, type Place, visitPart } from './place.js'
import type { Rules } from './rules.js'
import { visitSize } from './visit-scalar.js'

export function visitArray(rules: Rules, place: Place, list: readonly unknown[]): void {
  const { unevaluatedItems, uniqueItems } = rules
  const { budget } = place.run
  visitSize(rules, place, 'Items', () => list.length)
  visitItems(rules, place, list)
  visitContains(rules, place, list)
  if (unevaluatedItems !== undefined) {
    for (const [i, item] of list.entries()) {
      if (!place.seen?.has(`${i}`)) visitPart(unevaluatedItems, place, `${i}`, item, 'unevaluatedItems')
    }
  }
  if (uniqueItems === true && new Set(list.map((item) => canonical(item, budget))).size < list.length) {
    fail(place, 'uniqueItems', rules)
  }
}

/** `prefixItems` and `items`, and a list of `items` as older drafts have it. */
function visitItems({ prefixItems, items, additionalItems }: Rules, place: Place, list: readonly unknown[]): void {
  const first = prefixItems?.length ?? 0
  for (const [i, item] of list.entries()) {
    const [rule, keyword] =
      i < first
        ? [prefixItems?.[i], 'prefixItems']
        : !Array.isArray(items)
          ? [items, 'items']
          : i < items.length
            ? [items[i], 'items']
            : [additionalItems, 'additionalItems']
    if (rule !== undefined) visitPart(rule, place, `${i}`, item, keyword)
  }
}

function visitContains(rules: Rules, place: Place, list: readonly unknown[]): void {
  const { contains, minContains, maxContains } = rules
  const { run, at, seen } = place
  if (contains === undefined) return
  let count = 0
  for (const [i, value] of list.entries()) {
    const item = { run, value, at: { key: `${i}`, parent: at }, found: [], seen: undefined }
    if (!agrees(contains, item, 'contains')) continue
    count++
    seen?.add(`${i}`)
  }
  if (count < (minContains ?? 1)) fail(place, minContains === undefined ? 'contains' : 'minContains', rules)
  if (count > (maxContains ?? count)) fail(place, 'maxContains', rules)
}
