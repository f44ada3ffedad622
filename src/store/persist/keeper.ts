import {
  type Answer,
  answeredAlready,
  CANCELLED,
  errorResult,
  hasExpired,
  interrupted,
  isAnswerTo,
  isRequest,
  newId,
  notKept,
  notStored,
  notThisRequest,
  refusal,
  refused,
  type ToolResult,
  unknownSuspension,
  unknownTool,
} from '../../core/internal.js'
import type { Keeper, KeeperHost } from '../keeper.js'
import type { LiveRun } from '../runs.js'
import type { PendingItem } from '../types.js'
import { openIndexedDb } from './indexed-db.js'
import { createMemoryStorage } from './memory-storage.js'
import { readRows } from './read-row.js'
import { redactor } from './redact.js'
import { isSameRequest, recordOfRow, rowOfItem, rowOfRun, turnOf } from './rows-of.js'
import type { StorageProblem } from './storage-problem.js'
import type { StoredRow, StoredStatus } from './stored-row.js'
import { createSurvivingStorage } from './surviving-storage.js'
import { createTabs, type Message, PATIENCE, pause } from './tabs.js'

// Calls that have ended are kept for the record, not for ever.
const KEEP_DONE = 100
// Of claims that fail though nobody was first.
const MOST_TRIES = 2

// Questions of one turn are asked in one millisecond.
const byAge = ({ item: a, startedAt: first }: StoredRow, { item: b, startedAt: second }: StoredRow): number =>
  (a?.askedAt ?? first) - (b?.askedAt ?? second) || (a?.seq ?? 0) - (b?.seq ?? 0)

const warn = ({ kind, error }: StorageProblem): void => console.warn(`assent: storage (${kind}).`, error)

const isPending = ({ status }: StoredRow): boolean => status === 'pending'

/** Keeps rows in a storage and agrees with the other tabs over it. What runs is decided by `claim` alone (DESIGN 7.5). */
export function createKeeper(host: KeeperHost): Keeper {
  const options = host.options()
  // In a memory of this runner's own answers rest no less than in the calls themselves.
  const { keepAnswers = !options, onProblem = warn } = options ?? {}
  // Without `persist` it is a memory of this runner's own.
  const name = options ? (options.name ?? 'assent') : newId('memory')
  const storage = createSurvivingStorage(async () => {
    if (!options) return createMemoryStorage()
    return options.storage ?? openIndexedDb(name, { onProblem: tell })
  }, tell)
  const tabs = createTabs(name, onMessage)
  const life = new AbortController()
  const redact = redactor(options?.redact)

  /** The ids of this page's questions that no call asked. */
  const ids = new WeakMap<PendingItem, string>()
  /** This page's open questions by the id of their row. */
  const open = new Map<string, PendingItem>()
  /** Rows that may not be stored. */
  const unstored = new Set<string>()
  /** Answers of other tabs that were taken here, and those that still wait to be. */
  const handed = new Set<string>()
  const inbox = new Map<string, Answer>()
  /** Stored questions that are shown here: their keys by the id of their row. */
  const shown = new Map<string, string>()
  const watched = new Set<string>()
  let wakers: (() => void)[] = []
  let ends = 0

  function tell(problem: StorageProblem): void {
    try {
      onProblem(problem)
    } catch (error) {
      console.error('assent: onProblem threw.', error)
    }
  }

  const isClosed = (): boolean => life.signal.aborted
  const changed = (): void => tabs.post({ type: 'changed' })
  const claimRow = (id: string, from: StoredStatus, change: Partial<StoredRow>): Promise<boolean> =>
    tabs.ready.then(() => storage.claim(id, from, change))

  async function put(row: StoredRow): Promise<void> {
    const safe = redact(row)
    await tabs.ready
    if (isClosed()) return
    if (safe) await storage.put(safe)
    else if (!unstored.has(row.id)) await storage.delete(row.id)
    if (safe) unstored.delete(row.id)
    else unstored.add(row.id)
    changed()
  }

  async function rows(): Promise<StoredRow[]> {
    const read = readRows(await storage.all(), (bad) => {
      tell(bad)
      if (bad.id !== undefined) void storage.delete(bad.id)
    })
    return [...read.rows].sort(byAge)
  }
  const find = async (id: string): Promise<StoredRow | undefined> => (await rows()).find((row) => row.id === id)

  const wake = (): void => {
    const now = wakers
    wakers = []
    for (const go of now) go()
  }
  /** The next word of another tab, or a look around every two seconds. */
  const nextWord = (): Promise<unknown> =>
    Promise.race([new Promise<void>((resolve) => wakers.push(resolve)), pause(PATIENCE, life.signal)])

  // What a row becomes once its question is answered: it runs, or it is over.
  const after = (answer: Answer, runs: boolean, isCall: boolean): Partial<StoredRow> => ({
    tab: tabs.id,
    by: undefined,
    ...(runs
      ? { status: 'running', answer: keepAnswers ? answer : undefined }
      : { status: 'done', answer: undefined, endedAt: Date.now(), outcome: isCall ? 'failed' : 'done' }),
  })

  /** The row of a call whose question is open. */
  function waiting(run: LiveRun, item: PendingItem, tab: string): StoredRow {
    const { approval, answers = [], first } = run
    return rowOfRun(run, tab, {
      status: 'pending',
      item,
      first,
      approval: approval && (keepAnswers ? approval : { id: approval.id, ok: true }),
      answers: keepAnswers ? answers : undefined,
      isPartial: (!keepAnswers && answers.length > 0) || undefined,
    })
  }

  /* ---- this page's own calls and questions ------------------------------------------------------------------- */

  async function claim(item: PendingItem, answer: Answer, run?: LiveRun, tries = 0): Promise<Answer> {
    const id = run ? run.record.id : (ids.get(item) ?? '')
    open.delete(id)
    if (isClosed() || unstored.has(id)) return answer
    const from = handed.delete(id) ? 'answered' : 'pending'
    const runs = run !== undefined && host.runsAfter(run.tool, answer)
    const isFirst = await claimRow(id, from, after(answer, runs, run !== undefined))
    if (!isFirst) return settledElsewhere(item, id, answer, run, tries)
    changed()
    return answer
  }

  /** Another tab was first: its answer is handed over, or it runs the call itself. Or the storage is in trouble. */
  async function settledElsewhere(
    item: PendingItem,
    id: string,
    own: Answer,
    run: LiveRun | undefined,
    tries: number,
  ): Promise<Answer> {
    while (!isClosed()) {
      const word = nextWord()
      const answer = inbox.get(id)
      if (answer) {
        inbox.delete(id)
        handed.add(id)
        return claim(item, answer, run)
      }
      const row = await find(id)
      // A storage that was slow to say so: this page's claim was first after all, and nothing has run.
      if (row?.tab === tabs.id && (row.status === 'running' || row.status === 'done')) return own
      if (row?.status === 'done' || (!row && storage.isLost())) return giveUp(item, row, run)
      if (row?.status === 'pending' && tries < MOST_TRIES) return claim(item, own, run, tries + 1)
      if (!row || row.status === 'pending') {
        // Nobody took it, and nobody can: it is taken out of the storage, where a claim fails, or it is gone from there.
        await storage.delete(id)
        if (run) void put(rowOfRun(run, tabs.id, { status: 'running' }))
        return own
      }
      await buryIfDead(row)
      await word
    }
    return refusal(item.request.id, 'cancelled')
  }

  function giveUp(item: PendingItem, row: StoredRow | undefined, run?: LiveRun): Answer {
    if (run) {
      const { toolName } = run.record
      const result = row?.result ?? errorResult(row ? interrupted(toolName) : notStored(toolName))
      run.instead = { result, status: row?.outcome ?? 'failed' }
      run.controller.abort(new DOMException('settled in another tab', 'AbortError'))
    }
    return refusal(item.request.id, 'cancelled')
  }

  /* ---- rows of pages that are gone, and of other tabs --------------------------------------------------------- */

  const outcomeOf = (row: StoredRow): Partial<StoredRow> => ({
    status: 'done',
    outcome: 'interrupted',
    endedAt: Date.now(),
    result: errorResult(interrupted(row.call?.toolName ?? '')),
  })

  /** Ends a row for good; only the tab that was first tells its result. */
  async function close(row: StoredRow, from: StoredStatus, change: Partial<StoredRow>): Promise<void> {
    if (!(await claimRow(row.id, from, change))) return
    const ended = { ...row, ...change }
    const record = recordOfRow(ended)
    changed()
    if (!record || !ended.result) return
    host.note(record)
    host.onResult(ended.result, record)
  }

  /** What a tab that is gone left behind: an answer nobody took is asked again, a run nobody saw the end of is over. */
  async function buryIfDead(row: StoredRow): Promise<void> {
    const holder = row.status === 'answered' ? (row.by ?? '') : row.tab
    if (holder === tabs.id || (await tabs.isAlive(holder))) return watch(holder)
    if (row.status === 'running') return close(row, 'running', outcomeOf(row))
    if (row.status !== 'answered') return
    // Not waited for: the call takes its time, and others are looked after meanwhile.
    if (row.answer && keepAnswers) return void goOn(row, row.answer, 'answered')
    if (await claimRow(row.id, 'answered', { status: 'pending', by: undefined, answer: undefined })) changed()
  }

  function watch(tab: string): void {
    if (tab === tabs.id || watched.has(tab)) return
    watched.add(tab)
    void tabs.whenGone(tab, life.signal).then(() => {
      watched.delete(tab)
      wake()
      syncSoon()
    })
  }

  async function goOn(
    row: StoredRow,
    answer: Answer,
    from: StoredStatus,
    isTold = true,
  ): Promise<ToolResult | undefined> {
    const runs = row.call !== undefined && host.runsAfter(row.call.toolName, answer)
    if (!(await claimRow(row.id, from, after(answer, runs, row.call !== undefined)))) return undefined
    changed()
    const turn = turnOf(row, answer)
    if (turn) return host.goOn(turn, isTold)
    if (row.item) host.onAnswer(answer, row.item)
    return undefined
  }

  /** The person answered here what another page asked. */
  async function decide(row: StoredRow, answer: Answer): Promise<void> {
    if (isClosed()) return
    const { id, tab } = row
    if (!(await tabs.isAlive(tab))) return void (await goOn(row, answer, 'pending'))
    const mine = { status: 'answered', by: tabs.id, answer: keepAnswers ? answer : undefined } as const
    if (!(await claimRow(id, 'pending', mine))) return
    tabs.post({ type: 'answer', id, to: tab, answer })
    changed()
    if (!(await isTaken(id))) await goOn(row, answer, 'answered')
  }

  /** Whether the page with the promise took the answer in time. */
  async function isTaken(id: string): Promise<boolean> {
    const end = Date.now() + PATIENCE
    while (Date.now() < end && !isClosed()) {
      const word = nextWord()
      if ((await find(id))?.status !== 'answered') return true
      await word
    }
    return (await find(id))?.status !== 'answered'
  }

  function show(row: StoredRow, restored: 'reload' | 'tab'): void {
    if (!row.item || shown.has(row.id)) return
    const { key, answer } = host.show({ ...row.item, restored }, row.call?.tool)
    shown.set(row.id, key)
    void answer.then((settled) => {
      if (shown.get(row.id) === key) shown.delete(row.id)
      if (settled === 'aborted') return cancel(row)
      return settled && decide(row, settled)
    })
  }

  /** The whole call was cancelled here, and not its question answered. */
  async function cancel(row: StoredRow): Promise<void> {
    if (isClosed()) return
    const result = errorResult(CANCELLED)
    await close(row, 'pending', { status: 'done', outcome: 'cancelled', endedAt: Date.now(), result })
  }

  async function place(row: StoredRow): Promise<void> {
    const { id, status, item, tab } = row
    if (host.isLive(id) || open.has(id)) return
    const record = recordOfRow(row)
    if (record) host.note(record)
    if (status === 'running' || status === 'answered') return buryIfDead(row)
    if (status !== 'pending' || !item || !host.asks()) return
    const lives = await tabs.looksAlive(tab)
    if (lives) watch(tab)
    if (hasExpired(item.request)) {
      const result = errorResult(refused(item.request.prompt))
      if (lives) return
      await close(row, 'pending', { status: 'done', outcome: 'failed', endedAt: Date.now(), result })
      if (!row.call) host.onAnswer(refusal(item.request.id, 'expired'), item)
      return
    }
    // Nobody but the page that has the rest of it can go on with it.
    if (row.isPartial) return lives ? undefined : close(row, 'pending', outcomeOf(row))
    show(row, lives ? 'tab' : 'reload')
  }

  async function sync(): Promise<void> {
    const all = await rows()
    if (isClosed()) return
    // What can be shown at once does not wait for the word of a tab that may be gone.
    const [waits, rest] = [all.filter(isPending), all.filter((row) => !isPending(row))]
    for (const row of waits) await place(row)
    await Promise.all(rest.map(place))
    const ids = new Set(waits.map(({ id }) => id))
    for (const [id, key] of shown) if (!ids.has(id)) host.drop(key)
  }

  let syncing: Promise<void> | undefined
  let isStale = false
  /** Once more after the one that runs: what it read may be old. */
  function syncSoon(): Promise<void> {
    isStale = true
    syncing ??= (async () => {
      while (isStale && !isClosed()) {
        isStale = false
        await sync()
      }
    })().finally(() => {
      syncing = undefined
    })
    return syncing
  }

  let restoring: Promise<void> | undefined
  function onMessage(message: Message): void {
    if (isClosed()) return
    wake()
    if (message.type === 'changed' && restoring) void syncSoon()
    if (message.type === 'abort' && host.isLive(message.id)) host.abort(message.id)
    if (message.type === 'answer' && message.to === tabs.id) take(message.id, message.answer)
  }

  /** An answer that another tab won for a question of this page. */
  function take(id: string, answer: unknown): void {
    const item = open.get(id)
    if (item && isAnswerTo(item.request, answer)) {
      handed.add(id)
      if (host.answer(item.key, answer)) return
      handed.delete(id)
    }
    // Answered here in the same moment, and that one came second.
    inbox.set(id, answer as Answer)
    wake()
  }

  async function trim(): Promise<void> {
    const done = (await rows()).filter(({ status }) => status === 'done')
    for (const { id } of done.slice(0, -KEEP_DONE)) await storage.delete(id)
  }

  return {
    began(run) {
      void put(rowOfRun(run, tabs.id, { status: 'running' }))
    },

    asked(item, run) {
      if (isClosed()) return
      if (!run) {
        const id = newId('question')
        ids.set(item, id)
        open.set(id, item)
        void put(rowOfItem(item, id, tabs.id))
        return
      }
      open.set(run.record.id, item)
      void put(waiting(run, item, tabs.id))
    },

    claim,

    async ended(run, item) {
      if (isClosed() || run.instead) return
      const { id, status, result, endedAt } = run.record
      const outcome = status === 'failed' || status === 'cancelled' ? status : 'done'
      if (item) await put(waiting(run, item, ''))
      else await put(rowOfRun(run, tabs.id, { status: 'done', outcome, result, endedAt }))
      open.delete(id)
      if (++ends % KEEP_DONE === 0) await trim()
    },

    restore() {
      restoring ??= (async () => {
        await tabs.ready
        await trim()
        await syncSoon()
      })()
      return restoring
    },

    async resume(request, answer) {
      if (!isRequest(request) || !isAnswerTo(request, answer)) return errorResult(notThisRequest(Object(request).id))
      const same = (await rows()).filter(({ call, item }) => call && item && isSameRequest(request, item.request))
      if (isClosed()) return errorResult(CANCELLED)
      const row = same.find(({ status, tab }) => status === 'pending' && tab === '')
      if (!row?.call) return errorResult(same[0] ? answeredAlready(request.prompt) : unknownSuspension(request.prompt))
      if (row.isPartial) return errorResult(notKept(request.prompt))
      if (!host.canRun(row.call.toolName, row.call.tool)) return errorResult(unknownTool(row.call.toolName))
      return (await goOn(row, answer, 'pending', false)) ?? errorResult(answeredAlready(request.prompt))
    },

    forget(id) {
      if (!isClosed()) void tabs.ready.then(() => storage.delete(id)).then(changed)
    },

    abort: (id) => tabs.post({ type: 'abort', id }),

    close() {
      if (isClosed()) return
      life.abort()
      wake()
      tabs.close()
      storage.close?.()
    },
  }
}
