import { type Decision, dataOf, isRecord, readDecisions, readOfferedChoices } from '../../core/internal.js'
import type { PendingItem } from '../../store/index.js'
import { isReadable } from '../form/names.js'
import { textOf } from '../text-of.js'

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

/** What a request lets the person do (DESIGN 2.4), read as `offered` reads it. */
export function readConsent({ request }: PendingItem): Consent {
  const data = dataOf(request)
  return {
    decisions: readDecisions(data),
    choices: readChoices(data.choices),
    multiple: data.multiple === true,
    calls: Array.isArray(data.calls) && data.calls.every(isRecord) ? data.calls : [],
  }
}

/** The choices with words of their own. Two that read alike show their values too. */
export function readChoices(list: unknown): Choice[] {
  const all = readOfferedChoices(list).map(
    ({ value, label, description }): Choice => ({
      value,
      label: isReadable(label) ? label : textOf(value),
      description: isReadable(description) ? description : undefined,
    }),
  )
  return all.map((choice) => {
    const isTwin = all.some((other) => other !== choice && other.label === choice.label)
    return isTwin ? { ...choice, label: `${choice.label} (${JSON.stringify(choice.value)})` } : choice
  })
}
