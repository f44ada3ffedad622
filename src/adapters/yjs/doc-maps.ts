import type { Doc, Map as YMap } from 'yjs'

/** The four top-level maps of a document; all values are read as untrusted. */
export interface SharedMaps {
  readonly questions: YMap<unknown>
  readonly answers: YMap<unknown>
  /** By the entry of an answer that was not taken, why. */
  readonly refused: YMap<unknown>
  /** By owner, when it last said that it lives, in milliseconds of its own clock; unused where there is awareness. */
  readonly beats: YMap<unknown>
  write(change: () => void): void
}

// The origin of what the kit writes, for apps that look at it (an undo manager leaves it alone).
export const ORIGIN = 'assent'

export function sharedMaps(doc: Doc, name: string | undefined): SharedMaps {
  const base = name === undefined ? 'assent' : `assent:${name}`
  return {
    questions: doc.getMap<unknown>(base),
    answers: doc.getMap<unknown>(`${base}/answers`),
    refused: doc.getMap<unknown>(`${base}/refused`),
    beats: doc.getMap<unknown>(`${base}/owners`),
    write: (change) => doc.transact(change, ORIGIN),
  }
}
