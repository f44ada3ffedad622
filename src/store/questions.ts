import {
  type Answer,
  hasExpired,
  newId,
  type PendingRequest,
  parseInstant,
  readAnswer,
  refusal,
  takeAnswer,
  tooMany,
} from '../core/internal.js'
import type { HistoryEntry } from './consent-types.js'
import { createQueue } from './queue.js'
import type { PendingItem } from './types.js'
import { watchDeadline } from './watch-deadline.js'

/** What the runner says of a question besides the request. */
export type About = Omit<PendingItem, 'key' | 'request' | 'seq' | 'askedAt' | 'expiresAt'>
type By = HistoryEntry['by'] | 'elsewhere'

export interface Questions {
  /** Opens a question; resolves when it is settled, on whatever path. Rejects when its source has too many open. */
  ask(
    request: PendingRequest,
    about: About,
    signal?: AbortSignal,
    onOpen?: (item: PendingItem) => void,
  ): Promise<Answer>
  /** Opens one that was asked before this page, in its place among the others. */
  reopen(item: PendingItem): { item: PendingItem; answer: Promise<Answer> }
  /** Takes one away that was settled elsewhere. False when there is none. */
  drop(key: string): boolean
  /** The answer as it was taken; undefined when nothing was settled by it. */
  answer(key: string, answer: unknown, by?: By): Answer | undefined
  head(): PendingItem | undefined
  find(key: string): PendingItem | undefined
  list(): PendingItem[]
  count(): number
  /** Settles as cancelled the open ones that are meant. */
  cancel(isMeant: (item: PendingItem) => boolean): void
}

interface Parts {
  /** How many one source may have open. */
  limit: () => number
  /** An answer that was given before it was asked. */
  known: (item: PendingItem) => Answer | undefined
  /** Told what opened or settled, after the promise was settled. */
  onChange: (item: PendingItem, settled?: Answer, by?: By) => void
}

interface Entry {
  readonly item: PendingItem
  readonly resolve: (answer: Answer) => void
  /** Ends its timer and its abort listener (K37). */
  readonly release: () => void
}

/** Who is answered for many questions: turns and limits go by it. */
export const sourceOf = ({ asker, source, toolName = '' }: About): string =>
  asker ? [asker.kind, asker.name, asker.origin].join(' ').trim() : (source ?? toolName)

/** The open questions: one map that is never copied, so that a question costs the same however many wait. */
export function createQuestions({ limit, known, onChange }: Parts): Questions {
  const entries = new Map<string, Entry>()
  const queue = createQueue<Entry>()
  let sequence = 0
  // When the youngest of them was asked, or one that waited beside them.
  let newest = 0
  let isSorted = true

  /** Brings what was reopened to its place, once for all that came since somebody looked. */
  const sort = (): void => {
    if (isSorted) return
    isSorted = true
    const sorted = [...entries.values()].sort((a, b) => a.item.askedAt - b.item.askedAt)
    entries.clear()
    for (const entry of sorted) entries.set(entry.item.key, entry)
    queue.sort(sorted.map((entry) => [entry, sourceOf(entry.item)]))
  }

  // A late answer must not meet a newer question (DESIGN 8.14).
  const used = new Set<string>()
  const keyOf = ({ id }: PendingRequest): string => {
    const key = used.has(id) ? newId('key') : id
    used.add(key)
    return key
  }

  const settle = (entry: Entry, answer: Answer, by: By): boolean => {
    if (entries.get(entry.item.key) !== entry) return false
    entries.delete(entry.item.key)
    queue.remove(entry, sourceOf(entry.item))
    entry.release()
    entry.resolve(answer)
    onChange(entry.item, answer, by)
    return true
  }

  const refuse = (entry: Entry, reason: 'cancelled' | 'expired'): boolean =>
    settle(entry, refusal(entry.item.request.id, reason), 'code')

  const open = (item: PendingItem, signal: AbortSignal | undefined, resolve: Entry['resolve']): void => {
    const cancel = (): void => void refuse(entry, 'cancelled')
    const stopWatch =
      item.expiresAt === undefined ? undefined : watchDeadline(item.expiresAt, () => refuse(entry, 'expired'))
    const release = (): void => {
      stopWatch?.()
      signal?.removeEventListener('abort', cancel)
    }
    const entry: Entry = { item, resolve, release }
    newest = entries.size === 0 ? item.askedAt : Math.max(newest, item.askedAt)
    entries.set(item.key, entry)
    queue.add(entry, sourceOf(item))
    signal?.addEventListener('abort', cancel)
    onChange(item)
  }

  return {
    ask(request, about, signal, onOpen) {
      if (signal?.aborted) return Promise.resolve(refusal(request.id, 'cancelled'))
      if (hasExpired(request)) return Promise.resolve(refusal(request.id, 'expired'))
      const expiresAt = parseInstant(request.expiresAt)
      const item: PendingItem = Object.freeze({
        ...about,
        key: keyOf(request),
        request,
        seq: ++sequence,
        askedAt: Date.now(),
        ...(expiresAt !== undefined && { expiresAt }),
      })
      const answer = known(item)
      if (answer) return Promise.resolve(answer)
      const source = sourceOf(about)
      if (queue.size(source) >= limit()) return Promise.reject(new Error(tooMany(source, limit())))
      return new Promise((resolve) => {
        onOpen?.(item)
        open(item, signal, resolve)
      })
    },

    reopen(given) {
      const key = keyOf(given.request)
      const item: PendingItem = Object.freeze({ ...given, key, seq: ++sequence })
      // Those who hear of it look, and find it in its place.
      if (entries.size > 0 && item.askedAt < newest) isSorted = false
      return { item, answer: new Promise((resolve) => open(item, undefined, resolve)) }
    },
    drop(key) {
      const entry = entries.get(key)
      return entry !== undefined && settle(entry, refusal(entry.item.request.id, 'cancelled'), 'elsewhere')
    },

    answer(key, answer, by = 'person') {
      const entry = entries.get(key)
      const given = entry && takeAnswer(entry.item.request, answer)
      if (!entry || !given) return undefined
      if (given.ok && hasExpired(entry.item.request)) {
        refuse(entry, 'expired')
        return undefined
      }
      const taken = readAnswer(entry.item.request, given)
      return settle(entry, taken, by) ? taken : undefined
    },

    head() {
      sort()
      return queue.head()?.item
    },
    find: (key) => entries.get(key)?.item,
    list() {
      sort()
      return Array.from(entries.values(), (entry) => entry.item)
    },
    count: () => entries.size,

    cancel(isMeant) {
      sort()
      for (const entry of [...entries.values()]) {
        if (isMeant(entry.item)) refuse(entry, 'cancelled')
      }
    },
  }
}
