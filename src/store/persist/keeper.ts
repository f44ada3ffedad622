import {
  answeredAlready,
  CANCELLED,
  errorResult,
  hasExpired,
  isRequest,
  newId,
  notKept,
  notThisRequest,
  takeAnswer,
  unknownSuspension,
  unknownTool,
} from '../../core/internal.js'
import type { Keeper, KeeperHost } from '../keeper.js'
import { openIndexedDb } from './indexed-db.js'
import { createMemoryStorage } from './memory-storage.js'
import { createOtherQuestions } from './other-questions.js'
import { createOwnQuestions } from './own-questions.js'
import { createRowStore } from './row-store.js'
import { isSameRequest, rowOfRun } from './rows-of.js'
import type { StorageProblem } from './storage-problem.js'
import type { RunnerStorage, StoredRow } from './stored-row.js'
import { createSurvivingStorage } from './surviving-storage.js'
import { createTabs, type Message, PATIENCE } from './tabs.js'
import { watchPage } from './watch-page.js'
import { createWords } from './words.js'

// Calls that have ended are kept for the record, not for ever.
const KEEP_DONE = 100
const KEEP_HANDED_OUT = 1000

const notOurs = (storage: RunnerStorage): RunnerStorage => ({
  all: () => storage.all(),
  put: (row) => storage.put(row),
  claim: (...step) => storage.claim(...step),
  delete: (id) => storage.delete(id),
})

const warn = ({ kind, error }: StorageProblem): void => console.warn(`assent: storage (${kind}).`, error)

/** Keeps rows in a storage and agrees with the other tabs over it. What runs is decided by `claim` alone (DESIGN 7.5). */
export function createKeeper(host: KeeperHost): Keeper {
  const options = host.options()
  // In a memory of this runner's own answers rest no less than in the calls themselves.
  const { keepAnswers = !options, onProblem: hear = warn } = options ?? {}
  // Without `persist` it is a memory of this runner's own.
  const name = options ? (options.name ?? 'assent') : newId('memory')
  const life = new AbortController()
  const isClosed = (): boolean => life.signal.aborted

  const onProblem = (problem: StorageProblem): void => {
    try {
      hear(problem)
    } catch (error) {
      console.error('assent: onProblem threw.', error)
    }
  }
  const storage = createSurvivingStorage(async () => {
    if (!options) return createMemoryStorage()
    const { storage: given = () => openIndexedDb(name, { onProblem }) } = options
    // An app's own is not closed with the runner: the next one may use it.
    return typeof given === 'function' ? given() : notOurs(given)
  }, onProblem)

  const words = createWords(life.signal)
  const tabs = createTabs(name, onMessage)
  const rows = createRowStore({
    storage,
    tabs,
    redact: options?.redact,
    keepAnswers,
    onProblem,
    onMissed: () => void syncSoon(),
  })

  let restoring: Promise<void> | undefined
  let syncing: Promise<void> | undefined
  let isStale = false
  /** Looks at the storage, and once more after the look that is on its way: what that one read may be old. */
  function syncSoon(): Promise<void> {
    if (!restoring) return Promise.resolve()
    isStale = true
    syncing ??= (async () => {
      await null
      try {
        while (isStale && !isClosed()) {
          isStale = false
          const found = await rows.look()
          if (isClosed()) return
          own.settleTaken(found.rows.filter(({ id }) => !found.isStale(id)))
          await others.sync(found.rows, found.isStale)
        }
      } finally {
        // In the same tick: who asks for a look from here on gets one.
        syncing = undefined
      }
    })()
    return syncing
  }

  const others = createOtherQuestions({
    host,
    rows,
    tabs,
    words,
    life: life.signal,
    keepAnswers,
    isOwn: (id) => host.isLive(id) || own.isOpen(id),
    syncSoon,
  })
  const own = createOwnQuestions({
    host,
    rows,
    tabs,
    words,
    keepAnswers,
    isClosed,
    syncSoon,
    interrupt: others.interrupt,
    watch: others.watch,
  })

  function onMessage(message: Message): void {
    if (isClosed()) return
    if (message.type === 'answer' && message.to === tabs.id) own.take(message.id, message.turn, message.answer)
    if (message.type === 'abort' && host.isLive(message.id)) host.abort(message.id)
    words.heard()
    if (message.type === 'changed') void syncSoon()
  }

  const stopWatching = watchPage(() => {
    words.heard()
    void syncSoon()
  })
  // Where nobody can say so, it looks by itself.
  const hasEars = typeof BroadcastChannel !== 'undefined'
  const looking = hasEars ? undefined : setInterval(() => void syncSoon(), PATIENCE)

  async function trim(): Promise<void> {
    const all = await rows.all()
    const done = all.filter(({ status }) => status === 'done')
    // A suspension that was handed out waits as long as its question does; of very many the newest.
    const handed = all.filter(({ status, tab }) => status === 'pending' && tab === '')
    const isOver = ({ item }: StoredRow): boolean => item !== undefined && hasExpired(item.request)
    const old = [...done.slice(0, -KEEP_DONE), ...handed.slice(0, -KEEP_HANDED_OUT), ...handed.filter(isOver)]
    for (const { id } of new Set(old)) await rows.delete(id)
  }

  let ends = 0
  return {
    async began(run) {
      if (!isClosed()) await rows.put(rowOfRun(run, tabs.id, { status: 'running' }))
    },
    asked(item, run) {
      if (!isClosed()) own.asked(item, run)
    },
    claim: own.claim,
    async ended(run, item) {
      // A question that is open at the end stays so, for the next page.
      if (isClosed() && (item || own.isOpen(run.record.id))) return
      await own.ended(run, item)
      if (!isClosed() && ++ends % KEEP_DONE === 0) await trim()
    },

    restore() {
      restoring ??= (async () => {
        await tabs.ready
        await trim()
      })().then(syncSoon)
      return restoring
    },

    async resume(request, answer) {
      const given = isRequest(request) ? takeAnswer(request, answer) : undefined
      if (!given) return errorResult(notThisRequest(Object(request).id))
      const same = (await rows.all()).filter(({ call, item }) => call && item && isSameRequest(request, item.request))
      if (isClosed()) return errorResult(CANCELLED)
      const row = same.find(({ status, tab }) => status === 'pending' && tab === '')
      if (!row?.call) return errorResult(same[0] ? answeredAlready(request.prompt) : unknownSuspension(request.prompt))
      if (row.isPartial) return errorResult(notKept(request.prompt))
      if (!host.canRun(row.call.toolName, row.call.tool)) return errorResult(unknownTool(row.call.toolName))
      const went = await others.goOn(row, given, 'pending', false)
      return went?.result ?? errorResult(answeredAlready(request.prompt))
    },

    async takeOut(id) {
      const row = await rows.find(id)
      if (row?.outcome !== 'interrupted' || isClosed()) return false
      if (!(await rows.claim(row, 'done', { status: 'running', tab: tabs.id }))) return false
      await rows.delete(id)
      tabs.post({ type: 'changed' })
      return true
    },

    forget(id) {
      if (!isClosed()) void rows.delete(id).then(() => tabs.post({ type: 'changed' }))
    },
    abort: (id) => tabs.post({ type: 'abort', id }),

    close() {
      if (isClosed()) return
      life.abort()
      stopWatching()
      clearInterval(looking)
      words.heard()
      // What was asked until now is still written down, and how the calls end that are aborted with the runner; the
      // others hear of it.
      void new Promise((resolve) => setTimeout(resolve)).then(rows.idle).then(() => {
        tabs.close()
        storage.close?.()
      })
    },
  }
}
