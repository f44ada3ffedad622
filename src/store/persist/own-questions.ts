import {
  type Answer,
  errorResult,
  interrupted,
  isAnswerTo,
  newId,
  notStored,
  refusal,
  type ToolResult,
} from '../../core/internal.js'
import type { KeeperHost } from '../keeper.js'
import type { LiveRun } from '../runs.js'
import type { PendingItem } from '../types.js'
import { AGAIN, OVER } from './row-changes.js'
import type { RowStore } from './row-store.js'
import { rowOfItem, rowOfRun } from './rows-of.js'
import type { StoredRow } from './stored-row.js'
import type { Tabs } from './tabs.js'
import type { Words } from './words.js'

// Of claims that fail though nobody was first.
const MOST_TRIES = 2

/** A question of this page, in the storage. */
interface Mark {
  readonly id: string
  readonly turn: number
  readonly row: StoredRow
}

export interface OwnQuestions {
  asked(item: PendingItem, run?: LiveRun): void
  claim(item: PendingItem, answer: Answer, run?: LiveRun): Promise<Answer>
  ended(run: LiveRun, item?: PendingItem): Promise<void>
  /** An answer that another tab won. */
  take(id: string, turn: number, answer: unknown): void
  /** Closes what another tab has taken meanwhile. */
  settleTaken(rows: readonly StoredRow[]): void
  isOpen(id: string): boolean
}

interface Parts {
  host: KeeperHost
  rows: RowStore
  tabs: Tabs
  words: Words
  keepAnswers: boolean
  isClosed: () => boolean
  /** Ends a run whose tab is gone. */
  interrupt: (row: StoredRow) => Promise<void>
  /** Looks again when the tab has gone. */
  watch: (tab: string) => void
  syncSoon: () => void
}

const keyOf = ({ id, turn }: Pick<Mark, 'id' | 'turn'>): string => `${id} ${turn}`

/** This page's own questions: stored as they are asked, and settled once the storage has said who was first. */
export function createOwnQuestions(parts: Parts): OwnQuestions {
  const { host, rows, tabs, words, keepAnswers, isClosed, interrupt, watch, syncSoon } = parts
  const marks = new WeakMap<PendingItem, Mark>()
  const open = new Map<string, PendingItem>()
  /** Questions whose answer is on its way to the storage. */
  const claiming = new Map<string, PendingItem>()
  /** Answers of other tabs: taken here as if they had been given here, or waiting until ours came second. */
  const handed = new Set<string>()
  const inbox = new Map<string, Answer>()

  /** The row of a call whose question is open. */
  function waiting(run: LiveRun, item: PendingItem, tab: string): StoredRow {
    const { approval, answers = [], first } = run
    run.questions = (run.questions ?? 0) + 1
    return rowOfRun(run, tab, {
      status: 'pending',
      turn: run.questions,
      item,
      first,
      approval: approval && (keepAnswers ? approval : { id: approval.id, ok: true }),
      answers: keepAnswers ? answers : undefined,
      isPartial: (!keepAnswers && answers.length > 0) || undefined,
    })
  }

  /** What a row becomes once its question is answered: it runs, or it is over. */
  function after({ row }: Mark, answer: Answer, run: LiveRun | undefined): Partial<StoredRow> {
    if (run && host.runsAfter(run.tool, answer)) {
      return { tab: tabs.id, status: 'running', by: undefined, answer: rows.answerOf(row, answer) }
    }
    return { ...OVER, tab: tabs.id, endedAt: Date.now(), outcome: run ? 'failed' : 'done' }
  }

  async function attempt(mark: Mark, item: PendingItem, answer: Answer, run?: LiveRun, tries = 0): Promise<Answer> {
    const from = handed.delete(keyOf(mark)) ? 'answered' : 'pending'
    if (await rows.claim(mark, from, after(mark, answer, run))) return answer
    return settledElsewhere(mark, item, answer, run, tries)
  }

  /** Another tab was first: its answer is handed over, or it runs the call itself. Or the storage is in trouble. */
  async function settledElsewhere(
    mark: Mark,
    item: PendingItem,
    own: Answer,
    run: LiveRun | undefined,
    tries: number,
  ): Promise<Answer> {
    const { id } = mark
    while (!isClosed()) {
      const word = words.next()
      const answer = inbox.get(keyOf(mark))
      if (answer) {
        inbox.delete(keyOf(mark))
        handed.add(keyOf(mark))
        return attempt(mark, item, answer, run, tries)
      }
      const row = await rows.find(id)
      if (row ? row.status === 'done' && !isMine(row, mark) : rows.isLost()) return giveUp(item, row, run)
      // A storage that was slow to say so: this page's claim was first after all, and nothing has run.
      if (row && isMine(row, mark)) return own
      if (!row || (row.status === 'pending' && isAbout(row, mark))) {
        if (row && tries < MOST_TRIES) return attempt(mark, item, own, run, tries + 1)
        return (await rows.delete(id)) ? withoutStorage(own, run) : giveUp(item, undefined, run, true)
      }
      if (await isLeft(row)) {
        if (!isAbout(row, mark)) return giveUp(item, undefined, run)
        if (row.status === 'running') await interrupt(row)
        else await rows.claim(row, 'answered', AGAIN)
      } else await word
    }
    return refusal(item.request.id, 'cancelled')
  }

  const isAbout = ({ turn = 0 }: StoredRow, mark: Mark): boolean => turn === mark.turn
  const isMine = (row: StoredRow, mark: Mark): boolean =>
    row.tab === tabs.id && isAbout(row, mark) && (row.status === 'running' || row.status === 'done')

  /** Whether the tab that has it in hand is gone. */
  const isLeft = async ({ status, by = '', tab }: StoredRow): Promise<boolean> =>
    !(await tabs.isAlive(status === 'answered' ? by : tab))

  /** Nobody took it, and nobody can: it is gone from the storage, where a claim of it failed. It goes on in this page alone. */
  function withoutStorage(own: Answer, run?: LiveRun): Answer {
    if (run && host.runsAfter(run.tool, own)) void rows.put(rowOfRun(run, tabs.id, { status: 'running' }))
    return own
  }

  function giveUp(item: PendingItem, row: StoredRow | undefined, run?: LiveRun, isNotRun = rows.isLost()): Answer {
    if (run) {
      const { toolName } = run.record
      const lost = errorResult(isNotRun ? notStored(toolName) : interrupted(toolName))
      run.instead = { result: row?.result ?? lost, status: row?.outcome ?? (isNotRun ? 'failed' : 'interrupted') }
      run.controller.abort(new DOMException('settled in another tab', 'AbortError'))
    }
    // Who asks in another page's stead shows what is left of it.
    syncSoon()
    return refusal(item.request.id, 'cancelled')
  }

  /** The words of a refusal are an answer's data too. */
  function restOf({ metadata, ...result }: ToolResult, { feedback }: LiveRun): ToolResult {
    if (!metadata) return result
    const { feedback: said, ...rest } = metadata
    const isAnswer = !keepAnswers && feedback !== undefined && said === feedback
    return { ...result, metadata: isAnswer ? rest : metadata }
  }

  const take: OwnQuestions['take'] = (id, turn, answer) => {
    const item = open.get(id)
    const mark = item && marks.get(item)
    const key = keyOf({ id, turn })
    if (mark?.turn === turn && item && isAnswerTo(item.request, answer)) {
      handed.add(key)
      if (host.answer(item.key, answer)) return
      handed.delete(key)
    }
    // Answered here in the same moment, and that one came second.
    const claimed = claiming.get(key)
    if (claimed && isAnswerTo(claimed.request, answer)) inbox.set(key, answer)
    words.heard()
  }

  /** A tab won with its answer and is gone before it was handed over: the answer is taken from the row, or asked for again. */
  async function rescue(row: StoredRow): Promise<void> {
    const { id, turn = 0, by = '', answer } = row
    if (await tabs.isAlive(by)) return watch(by)
    if (answer && keepAnswers) return take(id, turn, answer)
    await rows.claim(row, 'answered', AGAIN)
  }

  return {
    asked(item, run) {
      const row = run ? waiting(run, item, tabs.id) : rowOfItem(item, newId('question'), tabs.id)
      marks.set(item, { id: row.id, turn: row.turn ?? 0, row })
      open.set(row.id, item)
      void rows.put(row)
    },

    async claim(item, answer, run) {
      const mark = marks.get(item)
      if (!mark || isClosed()) return answer
      open.delete(mark.id)
      if (rows.isKeptOut(mark.id)) return answer
      claiming.set(keyOf(mark), item)
      try {
        return await attempt(mark, item, answer, run)
      } finally {
        claiming.delete(keyOf(mark))
        inbox.delete(keyOf(mark))
      }
    },

    async ended(run, item) {
      if (run.instead) return
      const { id, status, result, endedAt } = run.record
      const outcome = status === 'failed' || status === 'cancelled' ? status : 'done'
      open.delete(id)
      if (item) await rows.put(waiting(run, item, ''))
      else {
        const rest = result && restOf(result, run)
        await rows.put(rowOfRun(run, tabs.id, { status: 'done', outcome, result: rest, endedAt, item: run.turn?.item }))
      }
    },

    take,

    settleTaken(all) {
      for (const row of all) {
        const item = open.get(row.id)
        if (!item) continue
        const isTaken = row.tab !== tabs.id && (row.status === 'running' || row.status === 'done')
        if (isTaken) host.dropOwn(item.key)
        else if (row.status === 'answered') void rescue(row)
      }
    },

    isOpen: (id) => open.has(id),
  }
}
