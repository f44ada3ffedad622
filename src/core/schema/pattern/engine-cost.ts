import { isAnchored, type Part } from './parse.js'

interface Cost {
  /** Visits to the part itself. */
  readonly own: number
  /** How often what follows is tried. */
  readonly tries: number
  /** The fewest characters it takes. */
  readonly least: number
}

/**
 * The most places a backtracking engine can visit when it matches a pattern against a text of `length` units. Every way
 * through the pattern counts, whatever the characters are, so it is too high for many patterns and too low for none.
 */
export function engineCost(pattern: Part, length: number): number {
  const { own, tries } = costOf(pattern, length)
  return isAnchored(pattern) ? length + own + tries : (length + 1) * (own + tries)
}

function costOf(part: Part, length: number): Cost {
  switch (part.kind) {
    case 'character':
      return { own: 1, tries: 1, least: 1 }
    case 'edge':
      return { own: 1, tries: 1, least: 0 }
    case 'reference':
      return { own: length + 1, tries: 1, least: 0 }
    case 'look': {
      const { own, tries } = costOf(part.part, length)
      return { own: own + tries + 1, tries: 1, least: 0 }
    }
    case 'sequence':
      return part.parts.reduceRight((rest, one) => followed(costOf(one, length), rest), { own: 0, tries: 1, least: 0 })
    case 'choice': {
      const costs = part.parts.map((one) => costOf(one, length))
      const sum = (name: 'own' | 'tries'): number => costs.reduce((total, cost) => total + cost[name], 0)
      return { own: 1 + sum('own'), tries: sum('tries'), least: Math.min(...costs.map(({ least }) => least)) }
    }
    default:
      return costOfLoop(costOf(part.part, length), part.min, part.max, length)
  }
}

const followed = (one: Cost, rest: Cost): Cost => ({
  own: one.own + one.tries * rest.own,
  tries: one.tries * rest.tries,
  least: one.least + rest.least,
})

function costOfLoop(round: Cost, min: number, max: number, length: number): Cost {
  const { own, tries } = round
  // An engine takes no empty round beyond the least number of rounds.
  const rounds = Math.min(max, round.least > 0 ? Math.ceil((length + 1) / round.least) : min + length + 1)
  const least = min * round.least
  if (tries === 1) return { own: rounds * (1 + own), tries: Math.max(1, 1 + rounds - min), least }
  let cost: Cost = { own: 0, tries: 1, least }
  // The cost doubles with each round, so this ends soon.
  for (let left = 1; left <= rounds && cost.own < Number.MAX_SAFE_INTEGER; left++) {
    const more = followed(round, cost)
    cost = { own: more.own + 1, tries: more.tries + (rounds - left >= min ? 1 : 0), least }
  }
  return cost
}
