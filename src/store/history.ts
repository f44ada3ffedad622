import { type Answer, isRecord } from '../core/internal.js'
import type { HistoryEntry, PendingItem } from './types.js'

const KEEP = 500

export interface History {
  note(item: PendingItem, answer: Answer, by: HistoryEntry['by']): void
  /** Notes what became of the call its decisions belong to. */
  outcome(runId: string, outcome: HistoryEntry['outcome']): void
  list(): readonly HistoryEntry[]
}

// What is needed to write an entry; written only when somebody reads.
interface Note extends Pick<HistoryEntry, 'id' | 'at' | 'decision' | 'edited' | 'by'> {
  item: PendingItem
  outcome?: HistoryEntry['outcome']
}

// A secret that was shown need not be kept: under the names that forms refuse too (DESIGN 5.7).
const SECRET = /pass(word|wd|phrase|code)?$|secret|token|api[-_ ]?key|credential|private[-_ ]?key|cvv|^(pin|otp)$/i

/** Who asked, what was shown, what was decided, by whom and when, and what came of it. An answer's data is never in it. */
export function createHistory(onDecision: (entry: () => HistoryEntry) => void): History {
  let notes: Note[] = []
  let entries: readonly HistoryEntry[] | undefined
  let sequence = 0

  return {
    note(item, { ok, reason = 'cancelled', data }, by) {
      const edited = ok && isRecord(data) && 'args' in data
      const note: Note = { id: ++sequence, at: Date.now(), item, decision: ok ? 'approved' : reason, edited, by }
      notes.push(note)
      // In one go, so that a decision costs the same however many are kept.
      if (notes.length >= KEEP * 2) notes = notes.slice(-KEEP)
      entries = undefined
      onDecision(() => write(note))
    },
    outcome(runId, outcome) {
      for (const note of notes) if (note.item.runId === runId) note.outcome = outcome
      entries = undefined
    },
    list() {
      entries ??= Object.freeze(notes.slice(-KEEP).map(write))
      return entries
    },
  }
}

function write({ item, ...note }: Note): HistoryEntry {
  const { request, toolName, source, args, runId, toolCallId, danger, asker, askedAt } = item
  const { kind, prompt, url } = request
  const entry = {
    ...note,
    waited: note.at - askedAt,
    kind,
    prompt,
    url,
    danger,
    source,
    asker,
    toolName,
    runId,
    toolCallId,
  }
  // As JSON would carry it, so that an export says the same.
  return Object.freeze(JSON.parse(JSON.stringify({ ...entry, args: redact(args) })))
}

const redact = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(redact)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, SECRET.test(key) ? '•••' : redact(part)]))
}
