import type { HistoryEntry } from '../../store/consent-types.js'
import type { PendingItem, Runner } from '../../store/types.js'

/** What the runner noted of a question that was settled; undefined when it is not, or was never asked. */
export function noteOf(runner: Runner, { prompt, kind, askedAt, runId }: Asked): HistoryEntry | undefined {
  const notes = runner.history()
  for (let at = notes.length - 1; at >= 0; at--) {
    const note = notes[at]
    const isIt = note?.kind === kind && note.runId === runId && note.at - note.waited === askedAt
    if (isIt && note.prompt.slice(0, CLIP) === prompt.slice(0, CLIP)) return note
  }
  return undefined
}

// Of a long prompt the history keeps no more than the first pages.
const CLIP = 9_000

interface Asked {
  prompt: string
  kind: string
  askedAt: number
  runId?: string | undefined
}

export const askedOf = ({ request, askedAt, runId }: PendingItem): Asked => ({
  prompt: request.prompt,
  kind: request.kind,
  askedAt,
  runId,
})
