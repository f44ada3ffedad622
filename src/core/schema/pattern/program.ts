import { CharacterSet } from './character-set.js'
import type { Part } from './parse.js'

/** A place in a pattern, and what leads on from it. */
export interface State {
  /** Takes one of these characters. */
  readonly takes: CharacterSet | undefined
  /** Holds between two characters; where neither is asked for, `to` is reached at once. */
  readonly edge: string
  readonly look: Look | undefined
  readonly to: readonly number[]
}

export interface Look {
  readonly program: Program
  readonly isNegated: boolean
}

/** State 0 is the end of the pattern. */
export interface Program {
  readonly states: readonly State[]
  readonly start: number
  /** Reads the text from its end, as what a lookahead asks for is read: one pass then answers for every place. */
  readonly isBackward: boolean
}

const MAX_PARTS = 10_000

/** The pattern with its counts written out. Throws for a back reference, and for counts that multiply to too much. */
export function programOf(pattern: Part): Program {
  const sets = new Map<string, CharacterSet>()
  const setOf = (token: string): CharacterSet => {
    const set = sets.get(token) ?? new CharacterSet(token)
    sets.set(token, set)
    return set
  }
  let size = 0

  const build = (root: Part, isBackward: boolean): Program => {
    const states: State[] = []
    const add = (to: readonly number[], takes?: CharacterSet, edge = '', look?: Look): number =>
      states.push({ takes, edge, look, to }) - 1
    /** The state from which `part` leads on to the state `to`. */
    const enter = (part: Part, to: number): number => {
      if (++size > MAX_PARTS) throw new Error('too large')
      switch (part.kind) {
        case 'character':
          return add([to], setOf(part.token))
        case 'edge':
          return add([to], undefined, part.token)
        case 'look':
          return add([to], undefined, '', { program: build(part.part, part.isAhead), isNegated: part.isNegated })
        case 'choice':
          return add(part.parts.map((one) => enter(one, to)))
        case 'sequence':
          return part.parts[isBackward ? 'reduce' : 'reduceRight']((next, one) => enter(one, next), to)
        case 'loop':
          return enterLoop(part.part, part.min, part.max, to)
        default:
          throw new Error('a back reference')
      }
    }
    const enterLoop = (part: Part, min: number, max: number, to: number): number => {
      let entry = to
      let copies = min
      if (max === Number.POSITIVE_INFINITY) {
        const forks = [to]
        const loop = add(forks)
        const round = enter(part, loop)
        forks.push(round)
        // The last round that must be is also the first that may be again.
        entry = min > 0 ? round : loop
        copies = Math.max(0, min - 1)
      } else {
        for (let i = min; i < max; i++) entry = add([enter(part, entry), to])
      }
      for (let i = 0; i < copies; i++) entry = enter(part, entry)
      return entry
    }
    add([])
    return { states, start: enter(root, 0), isBackward }
  }
  return build(pattern, false)
}
