import { type Budget, spend } from '../budget.js'
import type { Look, Program, State } from './program.js'

/**
 * Whether a program matches anywhere in a text. All ways through the pattern are followed at once, so the steps grow
 * with the text times the pattern and never faster. Throws when the budget is used up.
 */
export function simulate(program: Program, isAnchored: boolean, text: string, budget: Budget): boolean {
  const characters = charactersOf(text)
  return ends(program, characters, budget, isAnchored ? 'at its start' : 'anywhere') !== undefined
}

function charactersOf(text: string): Int32Array {
  const characters = new Int32Array(text.length)
  let count = 0
  for (let i = 0; i < text.length; i++) {
    const character = text.codePointAt(i) ?? 0
    if (character > 0xffff) i++
    characters[count++] = character
  }
  return characters.subarray(0, count)
}

type From = 'at its start' | 'anywhere' | 'everywhere'

/** The places where the program ends: all of them when it begins everywhere, else one is enough. */
function ends(program: Program, text: Int32Array, budget: Budget, from: From): Uint8Array | undefined {
  const { states, start, isBackward } = program
  const found = new Uint8Array(from === 'everywhere' ? text.length + 1 : 1)
  const holds = assertions(text, budget)
  const reached = new Int32Array(states.length).fill(-1)
  const open = new Int32Array(states.length)
  const taking: State[] = []
  let opened = 0
  const reach = (targets: readonly number[], turn: number): void => {
    for (const state of targets) {
      if (reached[state] !== turn) {
        reached[state] = turn
        open[opened++] = state
      }
    }
  }
  const starts = [start]
  for (let turn = 0; turn <= text.length; turn++) {
    const place = isBackward ? text.length - turn : turn
    if (turn === 0 || from !== 'at its start') reach(starts, turn)
    else if (opened === 0) return undefined
    spend(budget, 1)
    let waiting = 0
    while (opened > 0) {
      const at = open[--opened] ?? 0
      const state = states[at]
      if (at === 0 || !state) {
        found[place] = 1
        if (from !== 'everywhere') return found
      } else if (state.takes) taking[waiting++] = state
      else if (holds(state, place)) {
        spend(budget, state.to.length)
        reach(state.to, turn)
      }
    }
    spend(budget, waiting)
    const character = text[isBackward ? place - 1 : place] ?? -1
    for (let i = 0; i < waiting; i++) {
      const state = taking[i]
      if (character >= 0 && state?.takes?.has(character)) reach(state.to, turn + 1)
    }
  }
  return from === 'everywhere' ? found : undefined
}

const WORD = /\w/

/** Whether what a state asks for between two characters holds at a place. */
function assertions(text: Int32Array, budget: Budget): (state: State, place: number) => boolean {
  const looks = new Map<Look, Uint8Array | undefined>()
  const isWord = (place: number): boolean => WORD.test(String.fromCodePoint(text[place] ?? 0))
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
