import { canonical } from './canonical.js'
import { agrees, fail, type Place, pathOf, visitPart } from './place.js'
import type { Rule, Rules } from './rules.js'
import { visitSize } from './visit-scalar.js'

export function visitArray(rules: Rules, place: Place, list: readonly unknown[]): void {
  const { unevaluatedItems, uniqueItems } = rules
  const { budget } = place.run
  visitSize(rules, place, 'Items', () => list.length)
  visitItems(rules, place, list)
  visitContains(rules, place, list)
  if (unevaluatedItems !== undefined) {
    list.forEach((item, i) => {
      if (!place.seen?.has(`${i}`)) visitPart(unevaluatedItems, place, `${i}`, item, 'unevaluatedItems')
    })
  }
  if (uniqueItems === true && new Set(list.map((item) => canonical(item, budget))).size < list.length) {
    fail(place, 'uniqueItems', rules)
  }
}

/** `prefixItems` and `items`, and a list of `items` as older drafts have it. */
function visitItems({ prefixItems, items, additionalItems }: Rules, place: Place, list: readonly unknown[]): void {
  const [first, tuple] = Array.isArray(items) ? [prefixItems, items] : [prefixItems, undefined]
  list.forEach((item, i) => {
    const visitItem = (rule: Rule | undefined, keyword: string): void => {
      if (rule !== undefined) visitPart(rule, place, `${i}`, item, keyword)
    }
    if (first && i < first.length) visitItem(first[i], 'prefixItems')
    else if (!tuple) visitItem(Array.isArray(items) ? undefined : items, 'items')
    else if (i < tuple.length) visitItem(tuple[i], 'items')
    else visitItem(additionalItems, 'additionalItems')
  })
}

function visitContains(rules: Rules, place: Place, list: readonly unknown[]): void {
  const { contains, minContains, maxContains } = rules
  const { run, path, seen } = place
  if (contains === undefined) return
  let count = 0
  list.forEach((value, i) => {
    if (!agrees(contains, { run, value, path: pathOf(path, i), found: [], seen: undefined }, 'contains')) return
    count++
    seen?.add(`${i}`)
  })
  if (count < (minContains ?? 1)) fail(place, minContains === undefined ? 'contains' : 'minContains', rules)
  if (count > (maxContains ?? count)) fail(place, 'maxContains', rules)
}
