import { type Budget, spend } from '../budget.js'
import type { Look, Program, State } from './program.js'

/**
 * Whether a program matches anywhere in a text. All ways through the pattern are followed at once, so the steps grow
 * with the text times the pattern and never faster. Throws when the budget is used up.
 */
export function simulate(program: Program, isAnchored: boolean, text: string, budget: Budget): boolean {
  return ends(program, text, budget, isAnchored ? 'at its start' : 'anywhere') !== undefined
}

type From = 'at its start' | 'anywhere' | 'everywhere'

/** The places where the program ends: all of them when it begins everywhere, else the first is enough. */
function ends(program: Program, text: string, budget: Budget, from: From): Uint8Array | undefined {
  const { states, start, isBackward } = program
  const found = new Uint8Array(from === 'everywhere' ? text.length + 1 : 0)
  const holds = assertions(text, budget)
  // The turn in which a state was reached last, so that it is followed once a turn.
  const reached = new Int32Array(states.length)
  const open = new Int32Array(states.length)
  const taking: State[] = []
  let opened = 0
  const reach = (state: number, turn: number): void => {
    if (reached[state] === turn) return
    reached[state] = turn
    open[opened++] = state
  }
  let place = isBackward ? text.length : 0
  for (let turn = 1; ; turn++) {
    if (turn === 1 || from !== 'at its start') reach(start, turn)
    else if (opened === 0) return undefined
    let steps = 1
    let waiting = 0
    while (opened > 0) {
      const at = open[--opened] ?? 0
      const state = states[at]
      steps++
      if (at === 0 || !state) {
        if (from !== 'everywhere') return found
        found[place] = 1
      } else if (state.takes) taking[waiting++] = state
      else if (holds(state, place)) {
        steps += state.to.length >> 1
        for (const next of state.to) reach(next, turn)
      }
    }
    spend(budget, steps)
    const character = isBackward ? before(text, place) : text.codePointAt(place)
    if (character === undefined) return from === 'everywhere' ? found : undefined
    const width = character > 0xffff ? 2 : 1
    place += isBackward ? -width : width
    for (let i = 0; i < waiting; i++) {
      const { takes, to } = taking[i] as State
      if (takes?.has(character)) reach(to[0] ?? 0, turn + 1)
    }
  }
}

/** The character that ends where another begins. */
function before(text: string, place: number): number | undefined {
  const pair = place > 1 ? (text.codePointAt(place - 2) ?? 0) : 0
  return pair > 0xffff ? pair : text.codePointAt(place - 1)
}

/** Whether what a state asks for between two characters holds at a place. */
function assertions(text: string, budget: Budget): (state: State, place: number) => boolean {
  const looks = new Map<Look, Uint8Array | undefined>()
  const isWord = (place: number): boolean => /\w/.test(text.charAt(place))
  const isThere = (look: Look, place: number): boolean => {
    if (!looks.has(look)) looks.set(look, ends(look.program, text, budget, 'everywhere'))
    return looks.get(look)?.[place] === 1
  }
  return ({ edge, look }, place) => {
    if (look) return isThere(look, place) !== look.isNegated
    if (edge === '') return true
    if (edge === '^') return place === 0
    if (edge === '$') return place === text.length
    return (isWord(place - 1) !== isWord(place)) === (edge === '\\b')
  }
}
