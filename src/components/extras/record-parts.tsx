import { type ReactNode, useMemo } from 'react'
import type { FrameLabels } from '../labels.js'
import { SafeText } from '../safe-text.js'
import { useView } from '../view-context.js'
import { type ExtraLabels, extraLabels } from './extra-labels.js'

export type RecordLabels = FrameLabels & ExtraLabels

export function useRecordLabels(): RecordLabels {
  const { labels } = useView()
  return useMemo(() => ({ ...extraLabels, ...labels }), [labels])
}

/** One thing that is known, with its name before it; nothing where nothing is known. */
export function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  if (children === undefined) return null
  return (
    <div data-slot="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

export const text = (value: string | undefined): ReactNode =>
  value === undefined ? undefined : <SafeText>{value}</SafeText>

const ONE_LINE = 60

/** Data as it is, so that `"5"` and `5` differ. */
export function json(value: unknown): ReactNode {
  const line = JSON.stringify(value)
  return text(line.length > ONE_LINE ? JSON.stringify(value, null, 2) : line)
}

/** Milliseconds since the epoch, in the language of the words. */
export function Instant({ at }: { at: number }): ReactNode {
  const { lang } = useView().frame
  const date = new Date(at)
  // What was stored may say anything.
  if (Number.isNaN(date.getTime())) return '?'
  return <time dateTime={date.toISOString()}>{inWords(date, lang)}</time>
}

function inWords(date: Date, lang: string | undefined): string {
  try {
    return date.toLocaleString(lang)
  } catch {
    // A language the browser cannot read.
    return date.toLocaleString()
  }
}
