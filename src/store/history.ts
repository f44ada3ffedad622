import { type Answer, freezeDeep, frozenJson, isRecord } from '../core/internal.js'
import { isSecretKey } from '../core/secrets/secret-stems.js'
import { hideUrlPasswords } from '../core/secrets/url-passwords.js'
import type { HistoryEntry } from './consent-types.js'
import type { PendingItem } from './types.js'

/** What is known later of a decision: how its call ended, and what its edited arguments run as. */
export type Change = Pick<HistoryEntry, 'outcome' | 'args'>

const KEEP = 500
// Of a prompt that is a book, the first pages.
const CLIP = 10_000

export interface History {
  /** Notes a decision. Returns how to note what became of the call it belongs to. */
  note(item: PendingItem, answer: Answer, by: HistoryEntry['by']): (change: Change) => void
  list(): readonly HistoryEntry[]
}

// What an entry is written from when somebody reads; of a large request only the words are kept.
interface Note extends Omit<HistoryEntry, 'args'> {
  args: unknown
}

/** Who asked, what was shown, what was decided, by whom and when, and what came of it. An answer's data is never in it. */
export function createHistory(onDecision: (entry: () => HistoryEntry) => void): History {
  let notes: Note[] = []
  let entries: readonly HistoryEntry[] | undefined
  let sequence = 0

  return {
    note(item, answer, by) {
      const note: Note = { ...wordsOf(item), id: ++sequence, ...verdictOf(answer, item), by }
      notes.push(note)
      // In one go, so that a decision costs the same however many are kept.
      if (notes.length >= KEEP * 2) notes = notes.slice(-KEEP)
      entries = undefined
      onDecision(() => write(note))
      return (change) => {
        Object.assign(note, change)
        entries = undefined
      }
    },
    list() {
      entries ??= Object.freeze(notes.slice(-KEEP).map(write))
      return entries
    },
  }
}

function wordsOf(item: PendingItem): Omit<Note, 'id' | 'decision' | 'edited' | 'by'> {
  const { request, toolName, source, args, runId, toolCallId, danger, asker, askedAt } = item
  const { kind, url } = request
  const prompt = request.prompt.length > CLIP ? `${request.prompt.slice(0, CLIP)}…` : request.prompt
  const at = Date.now()
  return { at, waited: at - askedAt, kind, prompt, url, danger, source, asker, toolName, args, runId, toolCallId }
}

/** Edited arguments are what runs, so they stand in place of those that were shown. */
function verdictOf(
  { ok, reason = 'cancelled', data }: Answer,
  { args }: PendingItem,
): Pick<Note, 'decision' | 'edited' | 'args'> {
  const edited = ok && isRecord(data) && 'args' in data
  return { decision: ok ? 'approved' : reason, edited, args: edited ? frozenJson(data.args) : args }
}

/** As JSON would carry it, so that an export says the same. */
const write = ({ args, ...note }: Note): HistoryEntry =>
  freezeDeep(JSON.parse(JSON.stringify({ ...note, args: args && JSON.parse(JSON.stringify(args), redact) })))

const redact = (key: string, value: unknown): unknown => {
  if (isSecretKey(key)) return '•••'
  return typeof value === 'string' ? hideUrlPasswords(value) : value
}
