import {
  type Answer,
  copyOf,
  hasExpired,
  isAnswerTo,
  newId,
  type PendingRequest,
  parseInstant,
  readAnswer,
  refusal,
} from '../core/internal.js'
import type { CallInfo, PendingItem } from './types.js'
import { watchDeadline } from './watch-deadline.js'

export interface AskOptions {
  call?: CallInfo | undefined
  schema?: unknown
  signal?: AbortSignal | undefined
}

export interface Questions {
  /** Opens a question; resolves when it is settled, on whatever path. */
  ask(request: PendingRequest, options: AskOptions): Promise<Answer>
  answer(key: string, answer: unknown): boolean
  head(): PendingItem | undefined
  find(key: string): PendingItem | undefined
  list(): PendingItem[]
  count(): number
  /** Settles as cancelled what is open: all of it, or what one call asked. */
  cancel(runId?: string): void
}

interface Entry {
  readonly item: PendingItem
  readonly resolve: (answer: Answer) => void
  /** Ends its timer and its abort listener (K37). */
  readonly release: () => void
}

/**
 * The open questions: one map that is never copied, so that a question costs the same however many wait.
 * `onChange` is told what opened or settled, after the promise was settled.
 */
export function createQuestions(onChange: (item: PendingItem, settled: Answer | undefined) => void): Questions {
  const entries = new Map<string, Entry>()
  let sequence = 0
  // The oldest is looked up at every change. A fresh iterator would walk over the map's deleted entries each time, a
  // kept one has passed them.
  let oldest = entries.values()
  let first: Entry | undefined

  const head = (): Entry | undefined => {
    if (first && entries.get(first.item.key) === first) return first
    const next = oldest.next()
    // An iterator that has come to an end stays there, whatever is added later.
    if (next.done && entries.size > 0) oldest = entries.values()
    first = next.done ? oldest.next().value : next.value
    return first
  }

  const settle = (entry: Entry, answer: Answer): boolean => {
    if (entries.get(entry.item.key) !== entry) return false
    entries.delete(entry.item.key)
    entry.release()
    entry.resolve(answer)
    onChange(entry.item, answer)
    return true
  }

  const expire = (entry: Entry): boolean => settle(entry, refusal(entry.item.request.id, 'expired'))

  return {
    ask(request, { call, schema, signal }) {
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve(refusal(request.id, 'cancelled'))
        if (hasExpired(request)) return resolve(refusal(request.id, 'expired'))
        const key = entries.has(request.id) ? newId('key') : request.id
        const expiresAt = parseInstant(request.expiresAt)
        const item: PendingItem = Object.freeze({
          ...call,
          key,
          request,
          seq: ++sequence,
          askedAt: Date.now(),
          ...(schema !== undefined && { schema }),
          ...(expiresAt !== undefined && { expiresAt }),
        })
        const cancel = (): void => void settle(entry, refusal(request.id, 'cancelled'))
        const stopWatch = expiresAt === undefined ? undefined : watchDeadline(expiresAt, () => expire(entry))
        const release = (): void => {
          stopWatch?.()
          signal?.removeEventListener('abort', cancel)
        }
        const entry: Entry = { item, resolve, release }
        entries.set(key, entry)
        signal?.addEventListener('abort', cancel)
        onChange(item, undefined)
      })
    },

    answer(key, answer) {
      const entry = entries.get(key)
      const given = entry && copyAnswer(entry.item.request, answer)
      if (!entry || !given) return false
      if (given.ok && hasExpired(entry.item.request)) {
        expire(entry)
        return false
      }
      return settle(entry, readAnswer(entry.item.request, given))
    },

    head: () => head()?.item,
    find: (key) => entries.get(key)?.item,
    list: () => Array.from(entries.values(), (entry) => entry.item),
    count: () => entries.size,

    cancel(runId) {
      for (const entry of [...entries.values()]) {
        const { request, runId: owner } = entry.item
        if (runId === undefined || owner === runId) settle(entry, refusal(request.id, 'cancelled'))
      }
    },
  }
}

/** The answer as it stands now, whoever goes on writing to it; undefined when it is none to this request. */
function copyAnswer(request: PendingRequest, answer: unknown): Answer | undefined {
  try {
    const copy = copyOf(answer)
    return isAnswerTo(request, copy) ? copy : undefined
  } catch {
    return undefined
  }
}
