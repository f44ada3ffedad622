import { isRecord } from './plain-data.js'
import type { Decision, PendingRequest } from './types.js'

const KNOWN: readonly Decision[] = ['approve', 'edit', 'decline', 'respond']

/** The data of a request; nothing where it cannot be read. */
export const dataOf = ({ data }: PendingRequest): Readonly<Record<string, unknown>> => (isRecord(data) ? data : {})

/** What may be done besides declining and closing, which always may. Decisions that are there and cannot be read allow nothing. */
export function readDecisions(data: Readonly<Record<string, unknown>>): ReadonlySet<Decision> {
  const given: unknown = 'decisions' in data ? data.decisions : ['approve']
  // A choice whose password was hidden is no longer the one that was sent, so none can be taken (DESIGN 8.11).
  const isHidden = JSON.stringify(data.choices ?? null).includes(':•••@')
  return new Set(Array.isArray(given) && !isHidden ? KNOWN.filter((one) => given.includes(one)) : [])
}

/** A choice as it was given: `value` of whatever type, `label`, `description`. */
export type OfferedChoice = Readonly<Record<string, unknown>>

/** The choices in order, each value once; an entry without a value is left out. */
export function readOfferedChoices(list: unknown): OfferedChoice[] {
  const choices = new Map<string, OfferedChoice>()
  for (const entry of Array.isArray(list) ? list : []) {
    const choice: unknown = typeof entry === 'string' ? { value: entry, label: entry } : entry
    if (!isRecord(choice) || choice.value === undefined) continue
    const key = JSON.stringify(choice.value)
    if (!choices.has(key)) choices.set(key, choice)
  }
  return [...choices.values()]
}

/** Whether a plain yes is an answer to an approval: approving is offered, and nothing has to be chosen with it. */
export function acceptsPlainYes({ request }: { readonly request: PendingRequest }): boolean {
  const data = dataOf(request)
  const isForm = /^(input|question|authorization)$/.test(request.kind)
  return !isForm && readDecisions(data).has('approve') && readOfferedChoices(data.choices).length === 0
}
