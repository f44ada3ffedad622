import type { Decision } from '../../core/index.js'
import { isRecord } from '../../core/internal.js'
import type { PendingItem } from '../../store/index.js'
import { isReadable } from '../form/names.js'
import { textOf } from '../text-of.js'

const KNOWN: readonly Decision[] = ['approve', 'edit', 'decline', 'respond']

export interface Choice {
  /** As it was given, whatever its type. */
  readonly value: unknown
  readonly label: string
  readonly description: string | undefined
}

export interface Consent {
  /** What may be done besides declining and closing, which always may. */
  readonly decisions: ReadonlySet<Decision>
  readonly choices: readonly Choice[]
  readonly multiple: boolean
  readonly calls: readonly Readonly<Record<string, unknown>>[]
}

/** What a request lets the person do (DESIGN 2.4). Decisions that are there and cannot be read allow nothing. */
export function readConsent({ request }: PendingItem): Consent {
  const data = isRecord(request.data) ? request.data : {}
  const given: unknown = 'decisions' in data ? data.decisions : ['approve']
  return {
    decisions: new Set(Array.isArray(given) ? KNOWN.filter((one) => given.includes(one)) : []),
    choices: readChoices(data.choices),
    multiple: data.multiple === true,
    calls: Array.isArray(data.calls) && data.calls.every(isRecord) ? data.calls : [],
  }
}

/** The choices, each value once; what is none is left out. Two that read alike show their values too. */
export function readChoices(list: unknown): Choice[] {
  const choices = new Map<string, Choice>()
  for (const entry of Array.isArray(list) ? list : []) {
    const { value, label, description } = readEntry(entry)
    const key = JSON.stringify(value)
    if (value === undefined || choices.has(key)) continue
    choices.set(key, {
      value,
      label: isReadable(label) ? label : textOf(value),
      description: isReadable(description) ? description : undefined,
    })
  }
  const all = [...choices.values()]
  return all.map((choice) => {
    const isTwin = all.some((other) => other !== choice && other.label === choice.label)
    return isTwin ? { ...choice, label: `${choice.label} (${JSON.stringify(choice.value)})` } : choice
  })
}

const readEntry = (entry: unknown): Record<string, unknown> =>
  typeof entry === 'string' ? { value: entry, label: entry } : isRecord(entry) ? entry : {}
