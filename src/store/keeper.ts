import type { Answer, AnyTool, PendingRequest, ToolResult } from '../core/index.js'
import { CANCELLED, errorResult } from '../core/internal.js'
import type { HistoryEntry } from './consent-types.js'
import type { Policy } from './policy.js'
import type { Publisher } from './publisher.js'
import type { Questions } from './questions.js'
import type { Registry } from './registry.js'
import type { LiveRun, Runs } from './runs.js'
import type { StoredState } from './stored-state.js'
import type { PendingItem, PersistOptions, Runner, RunRecord, ToolRunnerOptions } from './types.js'

/** A call that goes on from a question that was stored: what was asked, and what the person said to it. */
export interface StoredTurn {
  readonly id: string
  /** Which of its call's questions this is. */
  readonly turn: number
  readonly startedAt: number
  readonly toolCallId: string
  readonly toolName: string
  readonly args: Readonly<Record<string, unknown>>
  /** The tool as it was shown, as canonical text. */
  readonly tool: string
  readonly item: PendingItem
  readonly approval?: Answer | undefined
  /** The words of its tool's first question. */
  readonly first?: string | undefined
  /** The answers before this one. */
  readonly answers: readonly Answer[]
  readonly answer: Answer
}

/** Keeps calls and questions beyond the page, and agrees with other tabs on whose answer counts (DESIGN 5.4, 5.5). */
export interface Keeper {
  /** A call has begun. */
  began(run: LiveRun): Promise<void>
  /** A question of a call is open; without a call one that nobody but its caller waits for. */
  asked(item: PendingItem, run?: LiveRun): void
  /**
   * What counts once the storage has said whose answer was first. For a call it is written that it runs before this
   * resolves. Aborts the call, with `run.instead`, when another tab runs it.
   */
  claim(item: PendingItem, answer: Answer, run?: LiveRun): Promise<Answer>
  /** A call has ended; `question` when it ended with one that nobody was asked. */
  ended(run: LiveRun, question?: PendingItem): Promise<void>
  restore(): Promise<void>
  resume(request: PendingRequest, answer: Answer): Promise<ToolResult>
  /** Takes an interrupted call out of the storage; true for one tab only. */
  takeOut(id: string): Promise<boolean>
  /** Drops what is stored of a call. */
  forget(id: string): void
  /** Cancels a call that lives in another tab. */
  abort(id: string): void
  close(): void
}

/** What a keeper needs of its runner. */
export interface KeeperHost {
  /** Undefined where nothing outlasts the page: suspensions of a runner without a host rest in memory. */
  options(): PersistOptions | undefined
  /** Shows a stored question; its answer, `aborted` when its call was cancelled here, undefined when it was dropped. */
  show(
    item: PendingItem,
    tool: string | undefined,
  ): { readonly key: string; readonly answer: Promise<Answer | 'aborted' | undefined> }
  /** Takes a question away that was settled elsewhere. */
  drop(key: string): void
  /** The same for one that this page asked: its promise goes the way of an answer that came second. */
  dropOwn(key: string): void
  /** Settles a question of this page with an answer that was given in another tab. */
  answer(key: string, answer: Answer): boolean
  /** Notes what was decided about a stored question, now that it counts. */
  decided(item: PendingItem, answer: Answer): void
  /** Runs a call on from its question; never rejects. `isTold`: its result goes to `onResult`. */
  goOn(turn: StoredTurn, isTold: boolean): Promise<ToolResult>
  /** Keeps the record of a call that is not this page's. False when it says nothing new. */
  note(record: RunRecord): boolean
  /** Drops a record whose row is gone. */
  unnote(id: string): void
  /** Whether a tool runs after this answer: a yes, or a refusal that it wants to hear. */
  runsAfter(tool: AnyTool | string | undefined, answer: Answer): boolean
  /** Whether the tool of that name is the one that was shown. */
  canRun(name: string, tool: string): boolean
  /** Whether questions are shown at all. */
  asks(): boolean
  isLive(id: string): boolean
  isDisposed(): boolean
  abort(id: string): void
  onResult(result: ToolResult, record: RunRecord): void
  onAnswer(answer: Answer, item: PendingItem): void
}

// A part that does not come, and does not fail either, must not hold an answer for ever.
const PATIENCE = 10_000

function inTime<T>(part: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`not there after ${PATIENCE} ms`)), PATIENCE)
  })
  return Promise.race([part, tooLate]).finally(() => clearTimeout(timer))
}

/** The parts of a runner that its keeper's host is made of. */
export interface HostParts {
  readonly options: ToolRunnerOptions
  readonly questions: Questions
  readonly runs: Runs
  readonly registry: Registry
  readonly policy: Policy
  readonly publisher: Publisher
  readonly stored: StoredState
  answer: Runner['answer']
  abort(id?: string): void
  decided(item: PendingItem, answer: Answer, by: HistoryEntry['by']): void
  tell(name: string, say: () => void): void
  goOn: KeeperHost['goOn']
  warnIfNone(): void
  isDisposed(): boolean
}

/** A keeper that is loaded when it is first used, so that who does not persist does not pay for it. */
export function lateKeeper(parts: HostParts): Keeper {
  let keeper: Keeper | undefined
  let loading: Promise<void> | undefined
  let isClosed = false
  const load = async (): Promise<Keeper | undefined> => {
    loading ??= inTime(import('./persist/index.js')).then(
      ({ createHost, createKeeper }) => {
        keeper = createKeeper(createHost(parts))
      },
      (error: unknown) => {
        // The app is there and its person waits: it goes on in memory.
        console.error('assent: nothing is stored, the part that does it did not load.', error)
      },
    )
    await loading
    return keeper
  }
  // Always by the same way, so that what is told first is written first.
  const then = (step: (keeper: Keeper) => void): void => void load().then((loaded) => loaded && step(loaded))

  return {
    began: async (run) => (isClosed ? undefined : (await load())?.began(run)),
    asked: (item, run) => then((kept) => kept.asked(item, run)),
    // After its end nothing is settled in the storage: what is open stays there.
    claim: async (item, answer, run) => (isClosed ? undefined : (await load())?.claim(item, answer, run)) ?? answer,
    ended: async (run, question) => (await load())?.ended(run, question),
    restore: async () => (await load())?.restore(),
    resume: async (request, answer) => (await load())?.resume(request, answer) ?? errorResult(CANCELLED),
    takeOut: async (id) => (await load())?.takeOut(id) ?? true,
    forget: (id) => then((kept) => kept.forget(id)),
    abort: (id) => then((kept) => kept.abort(id)),
    close() {
      isClosed = true
      // Behind what was asked before.
      if (loading) then((kept) => kept.close())
    },
  }
}
