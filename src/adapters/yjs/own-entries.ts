import type { SharedMaps } from './doc-maps.js'
import { type NotTaken, ownerOf, questionOf, writeEntry } from './wire.js'

// For those who were away when it was decided.
const KEEP_OUTCOMES = 100
// Who can write to the document can change it for ever; it is put right against an accident, not against them.
const MAX_REPAIRS = 1000
// Whoever can write to the document can have answers refused without end.
const KEEP_REFUSALS = 100

export interface OwnEntries {
  /** An open question. */
  open(key: string, text: string): void
  /** What became of it; its answers go. */
  settle(key: string, text: string): void
  /** Removes an answer, unless somebody wrote another in its place; with a reason it is said to who gave it. */
  dropAnswer(entry: string, text: unknown, why?: NotTaken): void
  /** Takes the open questions out of the document, until they are put back. */
  retract(): void
  putBack(): void
  isRetracted(): boolean
  /** The document says again what this owner wrote, whoever changed it. */
  repair(): void
}

/** What one owner has in the document. */
export function ownEntries({ questions, answers, refused, beats, write }: SharedMaps, owner: string): OwnEntries {
  const opened = new Map<string, string>()
  const settled = new Map<string, string>()
  const refusals = new Set<string>()
  let retracted = false
  let repairs = 0

  const textOf = (key: string): string | undefined => (retracted ? undefined : opened.get(key)) ?? settled.get(key)

  const dropAnswers = (key: string): void => {
    for (const entry of answers.keys()) if (questionOf(entry) === key) answers.delete(entry)
    for (const entry of refused.keys()) if (questionOf(entry) === key) forgive(entry)
  }

  const forgive = (entry: string): void => {
    refusals.delete(entry)
    refused.delete(entry)
  }

  const refuse = (entry: string, why: NotTaken): void => {
    refusals.add(entry)
    refused.set(entry, writeEntry({ at: Date.now(), why }))
    const [oldest] = refusals
    if (oldest !== undefined && refusals.size > KEEP_REFUSALS) forgive(oldest)
  }

  const trim = (): void => {
    const [oldest] = settled.keys()
    if (oldest === undefined || settled.size <= KEEP_OUTCOMES) return
    settled.delete(oldest)
    questions.delete(oldest)
  }

  /** Makes the document say it, where it does not. */
  const restore = (): void => {
    const all = [...opened.keys(), ...settled.keys(), ...[...questions.keys()].filter((key) => ownerOf(key) === owner)]
    const wrong = [...new Set(all)].filter((key) => questions.get(key) !== textOf(key))
    if (wrong.length === 0 || ++repairs > MAX_REPAIRS) return
    write(() => {
      for (const key of wrong) {
        const text = textOf(key)
        if (text === undefined) questions.delete(key)
        else questions.set(key, text)
      }
    })
  }

  return {
    open(key, text) {
      opened.set(key, text)
      if (!retracted) write(() => questions.set(key, text))
    },
    settle(key, text) {
      opened.delete(key)
      settled.set(key, text)
      write(() => {
        questions.set(key, text)
        dropAnswers(key)
        trim()
      })
    },
    dropAnswer(entry, text, why) {
      if (answers.get(entry) !== text) return
      write(() => {
        answers.delete(entry)
        if (why) refuse(entry, why)
      })
    },
    retract() {
      retracted = true
      write(() => {
        for (const key of opened.keys()) {
          questions.delete(key)
          dropAnswers(key)
        }
        beats.delete(owner)
      })
    },
    putBack() {
      if (!retracted) return
      retracted = false
      restore()
    },
    isRetracted: () => retracted,
    repair: restore,
  }
}
