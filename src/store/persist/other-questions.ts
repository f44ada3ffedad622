import {
  type Answer,
  CANCELLED,
  errorResult,
  hasExpired,
  interrupted,
  notKept,
  refusal,
  refused,
  type ToolResult,
} from '../../core/internal.js'
import type { KeeperHost } from '../keeper.js'
import { AGAIN, OVER } from './row-changes.js'
import type { RowStore } from './row-store.js'
import { recordOfRow, turnOf } from './rows-of.js'
import type { StoredRow, StoredStatus } from './stored-row.js'
import { PATIENCE, type Tabs } from './tabs.js'
import type { Words } from './words.js'

/** A call that goes on here, or a question that is answered. */
export interface Went {
  readonly result: Promise<ToolResult> | undefined
}

export interface OtherQuestions {
  /** Shows what waits in the storage, and takes away what does not. */
  sync(rows: readonly StoredRow[], isStale: (id: string) => boolean): Promise<void>
  /** Runs a call on from its question; undefined when somebody was first. Resolves as soon as that is known. */
  goOn(row: StoredRow, answer: Answer, from: StoredStatus, isTold?: boolean): Promise<Went | undefined>
  /** Looks again when the tab has gone. */
  watch(tab: string): void
  /** Ends a run whose tab is gone: nobody knows how far it came. */
  interrupt(row: StoredRow): Promise<void>
}

interface Parts {
  host: KeeperHost
  rows: RowStore
  tabs: Tabs
  words: Words
  life: AbortSignal
  keepAnswers: boolean
  /** Whether it is a call or a question of this page. */
  isOwn: (id: string) => boolean
  syncSoon: () => void
}

const isPending = ({ status }: StoredRow): boolean => status === 'pending'

/** The questions and calls of pages that are gone, and of other tabs. */
export function createOtherQuestions(parts: Parts): OtherQuestions {
  const { host, rows, tabs, words, life, keepAnswers, isOwn, syncSoon } = parts
  /** What is shown here, by the id of its row. */
  const shown = new Map<string, { readonly key: string; readonly turn: number }>()
  /** Rows whose question was answered here, until that is written: what was read before would show it again. */
  const deciding = new Set<string>()
  const watched = new Set<string>()
  /** Records that are here only because their rows are there. */
  const noted = new Set<string>()

  function watch(tab: string): void {
    if (tab === tabs.id || watched.has(tab)) return
    watched.add(tab)
    void tabs.whenGone(tab, life).then(() => {
      watched.delete(tab)
      words.heard()
      syncSoon()
    })
  }

  /** Ends a row for good; only the tab that was first tells its result. */
  async function end(row: StoredRow, outcome: StoredRow['outcome'], result: ToolResult): Promise<boolean> {
    const change = { ...OVER, outcome, result, endedAt: Date.now() }
    if (!(await rows.claim(row, row.status, change))) return false
    const ended = recordOfRow({ ...row, ...change })
    if (ended) {
      const record = Object.freeze({ ...ended, isRestored: true as const })
      host.note(record)
      host.onResult(result, record)
    }
    return true
  }

  const interrupt = async (row: StoredRow): Promise<void> =>
    void (await end(row, 'interrupted', errorResult(interrupted(row.call?.toolName ?? ''))))

  /** What cannot go on, and has not run since it was asked. */
  const leave = async (row: StoredRow): Promise<void> =>
    void (await end(row, 'failed', errorResult(notKept(row.item?.request.prompt ?? row.call?.toolName ?? ''))))

  async function expire(row: StoredRow): Promise<void> {
    const { request } = row.item ?? {}
    if (!row.item || !request || !(await end(row, 'failed', errorResult(refused(request.prompt))))) return
    if (!row.call) host.onAnswer(refusal(request.id, 'expired'), row.item)
  }

  async function goOn(row: StoredRow, answer: Answer, from: StoredStatus, isTold = true): Promise<Went | undefined> {
    const turn = turnOf(row, answer)
    const runs = turn !== undefined && host.runsAfter(turn.toolName, answer)
    const change: Partial<StoredRow> = runs
      ? { status: 'running', by: undefined, answer: rows.answerOf(row, answer) }
      : { ...OVER, outcome: turn ? 'failed' : 'done', endedAt: Date.now() }
    if (!(await rows.claim(row, from, { ...change, tab: tabs.id }))) return undefined
    // Claimed, and then the runner's end came: the next page says that nobody knows.
    if (life.aborted) return undefined
    if (row.item) host.decided(row.item, answer)
    if (!turn && row.item) host.onAnswer(answer, row.item)
    return { result: turn && host.goOn(turn, isTold) }
  }

  /** What a tab that is gone left behind: an answer nobody took is asked again, a run nobody saw the end of is over. */
  async function bury(row: StoredRow): Promise<void> {
    const { status, answer, by = '', tab } = row
    const holder = status === 'answered' ? by : tab
    if (await tabs.isAlive(holder)) return watch(holder)
    if (status === 'running') return interrupt(row)
    if (answer && keepAnswers && !(await tabs.isAlive(tab))) return void (await goOn(row, answer, 'answered'))
    if (await rows.claim(row, 'answered', AGAIN)) syncSoon()
  }

  /** The person answered here what another page asked. */
  async function decide(row: StoredRow, answer: Answer): Promise<void> {
    const { id, turn = 0, tab } = row
    if (!(await tabs.isAlive(tab))) return void (await goOn(row, answer, 'pending'))
    const mine = { status: 'answered', by: tabs.id, answer: rows.answerOf(row, answer) } as const
    if (!(await rows.claim(row, 'pending', mine))) return
    tabs.post({ type: 'answer', id, turn, to: tab, answer })
    if (!(await isTaken(row))) await goOn(row, answer, 'answered')
  }

  /** Whether the page with the promise took the answer in time. */
  async function isTaken({ id, turn = 0 }: StoredRow): Promise<boolean> {
    const isOpen = (row: StoredRow | undefined): boolean => row?.status === 'answered' && (row.turn ?? 0) === turn
    const end = Date.now() + PATIENCE
    while (Date.now() < end && !life.aborted) {
      const word = words.next()
      if (!isOpen(await rows.find(id))) return true
      await word
    }
    return !isOpen(await rows.find(id))
  }

  /** Settles what was shown here: by the person's answer, or because its whole call was cancelled. */
  async function settle(row: StoredRow, how: Answer | 'aborted'): Promise<void> {
    if (life.aborted || host.isDisposed()) return
    deciding.add(row.id)
    try {
      if (how !== 'aborted') await decide(row, how)
      // One that lives after all was told, and ends itself.
      else if (!(await tabs.isAlive(row.tab))) await end(row, 'cancelled', errorResult(CANCELLED))
    } finally {
      deciding.delete(row.id)
      syncSoon()
    }
  }

  function show(row: StoredRow, restored: 'reload' | 'tab'): void {
    if (!row.item || shown.has(row.id)) return
    const { key, answer } = host.show({ ...row.item, restored }, row.call?.tool)
    const entry = { key, turn: row.turn ?? 0 }
    shown.set(row.id, entry)
    void answer.then((how) => {
      if (shown.get(row.id) === entry) shown.delete(row.id)
      return how && settle(row, how)
    })
  }

  /** Not waited for: a tab that must be asked has two seconds. */
  async function ifLeft(row: StoredRow, then: (row: StoredRow) => Promise<void>): Promise<void> {
    if (!(await tabs.isAlive(row.tab))) await then(row)
  }

  async function place(row: StoredRow, isStale: (id: string) => boolean): Promise<void> {
    if (isOwn(row.id) || deciding.has(row.id)) return
    const { status, item, tab } = row
    const record = recordOfRow(row)
    if (record && host.note(record)) noted.add(row.id)
    if (status === 'running' || status === 'answered') return bury(row)
    if (status !== 'pending') return
    const lives = await tabs.looksAlive(tab)
    if (lives) watch(tab)
    // Nobody but the page that has the rest of it can go on with it.
    const end = item && hasExpired(item.request) ? expire : row.isPartial || !item ? leave : undefined
    if (end) return void ifLeft(row, end)
    if (!host.asks()) return
    // Answered or asked here while we looked around.
    if (!deciding.has(row.id) && !isOwn(row.id) && !isStale(row.id)) show(row, lives ? 'tab' : 'reload')
  }

  return {
    goOn,
    interrupt,
    watch,
    async sync(found, isStale) {
      const all = found.filter(({ id }) => !isStale(id))
      const waits = all.filter(isPending)
      const turns = new Map(waits.map(({ id, turn = 0 }) => [id, turn]))
      for (const [id, { key, turn }] of [...shown]) {
        if (turns.get(id) === turn || isStale(id)) continue
        shown.delete(id)
        host.drop(key)
      }
      const there = new Set(found.map(({ id }) => id))
      for (const id of noted) if (!there.has(id) && !isStale(id) && noted.delete(id)) host.unnote(id)
      // What can be shown at once does not wait for the word of a tab that may be gone.
      for (const row of waits) await place(row, isStale)
      for (const row of all) if (!isPending(row)) void place(row, isStale)
    },
  }
}
