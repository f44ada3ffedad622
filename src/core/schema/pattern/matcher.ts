import { type Budget, spend } from '../budget.js'
import { once, remembered } from '../remembered.js'
import { engineCost } from './engine-cost.js'
import { runnable } from './modernise.js'
import { isAnchored, type Part, parse } from './parse.js'
import { programOf } from './program.js'
import { simulate } from './simulate.js'

/** Whether a text matches; undefined when that cannot be decided within the budget. */
export type Test = (text: string, budget: Budget) => boolean | undefined

export interface Matcher {
  readonly test: Test
  /** No browser takes it for a pattern. */
  readonly isBroken: boolean
  /** Whether texts of everyday length can be decided. */
  isCheckable(): boolean
}

const EVERYDAY = 1000
// Each is some 50 ms at most.
const MAX_VISITS = 1e7
const MAX_LINEAR_VISITS = 4e7
const MAX_STEPS = 1e6
const VISITS_A_STEP = 16

/**
 * A pattern as JSON Schema means it, decided in bounded time: by the engine where it cannot take long whatever the
 * characters are, else by a simulation.
 */
export function matcherOf(source: string): Matcher {
  const pattern = runnable(source)
  if (pattern === undefined) return { test: () => undefined, isBroken: true, isCheckable: () => false }
  const engine = new RegExp(pattern, 'u')
  const part = attempt(() => parse(pattern))
  const visits = remembered((length: number) => (part ? engineCost(part, length) : Number.POSITIVE_INFINITY))
  const simulation = once(() => part && simulationOf(part))
  return {
    isBroken: false,
    isCheckable: () => visits(EVERYDAY) <= MAX_VISITS || simulation() !== undefined,
    test(text, budget) {
      // The next power of two, so that few lengths are asked about.
      const length = 2 ** (32 - Math.clz32(text.length))
      const most = visits(length)
      const isLinear = most <= Math.min(MAX_LINEAR_VISITS, 100 * (length + 10))
      const { test, size = Number.POSITIVE_INFINITY } = (isLinear ? undefined : simulation()) ?? {}
      if (test && (most > MAX_VISITS || most / VISITS_A_STEP > size * length)) return test(text, budget)
      if (!isLinear && most > MAX_VISITS) return undefined
      spend(budget, most / VISITS_A_STEP)
      return attempt(() => engine.test(text))
    },
  }
}

interface Simulation {
  readonly test: Test
  /** The steps that a character can cost. */
  readonly size: number
}

/** For all patterns but those with back references, or with counts that multiply to too much. */
export function simulationOf(part: Part): Simulation | undefined {
  const program = attempt(() => programOf(part))
  if (!program) return undefined
  const test: Test = (text, budget) => {
    const most = Math.min(MAX_STEPS, budget.left)
    const own = { left: most }
    const result = attempt(() => simulate(program, isAnchored(part), text, own))
    spend(budget, most - own.left)
    return result
  }
  return { test, size: program.states.length }
}

/** Undefined when it throws: engines throw too, for what is too deep or too large for them. */
function attempt<T>(what: () => T): T | undefined {
  try {
    return what()
  } catch {
    return undefined
  }
}
