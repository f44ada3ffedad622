import {
  type Answer,
  type AnyTool,
  canonicalJson,
  type Files,
  type Prepared,
  type RefusalReason,
  type ToolResult,
} from '../core/internal.js'
import type { Change } from './history.js'
import type { Keeper, StoredTurn } from './keeper.js'
import type { ToolIdentity } from './registry.js'
import type { CallInfo, FileInfo, RunEvent, RunProgress, RunRecord, RunStatus } from './types.js'

// Finished calls are kept for views and logs, not for ever.
const KEEP_FINISHED = 200
// Of a flood of events the newest; what came before was told to the listeners.
const KEEP_EVENTS = 50

/** A call while it lives. */
export interface LiveRun {
  record: RunRecord
  readonly controller: AbortController
  /** The tool as it was when it was shown last; what it says of itself is shown with its questions. */
  tool: AnyTool | undefined
  shown?: ToolIdentity | undefined
  /** Its arguments, once they were validated. */
  prepared?: Prepared | undefined
  files?: Files | undefined
  /** Told how it ended, and what its edited arguments run as: the history's notes of what was decided about it. */
  readonly onEnd: ((change: Change) => void)[]
  /** The last question of its gate was taken back because its tool changed. */
  isChanged?: boolean
  /** Its tool changed while it asked a question of its own. */
  isToolGone?: boolean
  isEdited?: boolean
  /** An attempt has started. */
  hasBegun?: boolean
  /** Why the last question was not answered with yes, and what the call ends with when that is its end. */
  refusal?: { readonly reason: RefusalReason; readonly output: string } | undefined
  /** What the person wrote with the last no. */
  feedback?: string | undefined
  /** The answer of the gate. */
  approval?: Answer | undefined
  /** Why a question of it was not asked. */
  flood?: string
  /** How many of its questions are open. */
  open: number
  /** How many callers wait for it; it is aborted when the last one gives up. */
  callers: number
  /** toolCallId, name and arguments, canonical; only for calls that came with a toolCallId. */
  joinKey: string | undefined
  /** The call whose tool started it, with its own signal. */
  parent?: LiveRun | undefined
  /** Waits for its turn. */
  isQueued?: boolean
  /** Counts against the limit of calls that run at once. */
  hasTurn?: boolean
  /** Moves it to the background, while its tool offers that. */
  move?: (() => boolean) | undefined
  isDetached?: boolean
  /** Keeps its rows, to the end in the storage where it began. */
  keeper?: Keeper | undefined
  /** It goes on from a question that was stored; the person's answer to that one is taken once. */
  turn?: StoredTurn | undefined
  given?: { readonly answer: Answer; readonly isGate: boolean } | undefined
  /** The answers to its tool's own questions so far, and the words of the first of these. */
  answers?: readonly Answer[]
  first?: string | undefined
  /** How many questions were stored of it. */
  questions?: number
  /** What it ends with when another tab runs it. */
  instead?:
    | { readonly result: ToolResult; readonly status: 'done' | 'failed' | 'cancelled' | 'interrupted' }
    | undefined
  /** It ended with the question of the gate, which nobody was asked. */
  isAtGate?: boolean
  /** The newest events and the progress, ahead of the record until it is read. */
  events: RunEvent[]
  progress?: RunProgress | undefined
  promise: Promise<ToolResult>
}

export interface Runs {
  add(run: LiveRun): void
  /** Brings the record up to date. */
  update(run: LiveRun, change?: Partial<RunRecord>): void
  /** Keeps an event of a call; its record says so when it is read next. */
  note(run: LiveRun, event: RunEvent): void
  finish(run: LiveRun, status: RunStatus, result: ToolResult): void
  /** From here on the same call is another one: what this one's callers were given is given. */
  leaveTwins(run: LiveRun): void
  /** Keeps the record of a call that is not this page's. False when it says nothing new. */
  keep(record: RunRecord): boolean
  get(id: string): RunRecord | undefined
  list(): RunRecord[]
  /** Drops the record of a call that has ended. False when there is none. */
  forget(id: string): boolean
  /** Drops a record that is not of a call that lives here. */
  drop(id: string): boolean
  /** The call whose tool was given this signal, while it lives. */
  ownerOf(signal: AbortSignal | undefined): LiveRun | undefined
  /** Whether the signal is that of a call that has ended. */
  isOver(signal: AbortSignal | undefined): boolean
  /** A call that has not ended. */
  getLive(id: string): LiveRun | undefined
  /** The calls that have not ended: all, or those of a run id or toolCallId. */
  live(id?: string): LiveRun[]
  /** The live call that asked for the same thing under the same toolCallId. */
  twin(joinKey: string | undefined): LiveRun | undefined
}

export function createRuns(): Runs {
  const records = new Map<string, RunRecord>()
  const live = new Map<string, LiveRun>()
  const byCallId = new Map<string, Set<LiveRun>>()
  const twins = new Map<string, LiveRun>()
  const owners = new WeakMap<AbortSignal, LiveRun>()
  const finished: string[] = []

  const stale = new Set<LiveRun>()

  const update = (run: LiveRun, change: Partial<RunRecord> = {}): void => {
    const { isDetachable: _, isDetached: __, ...last } = run.record
    const { progress } = run
    run.record = Object.freeze({
      ...last,
      status: statusNow(run),
      ...(stale.has(run) && { events: Object.freeze(run.events.slice(-KEEP_EVENTS)), ...(progress && { progress }) }),
      ...(run.move && { isDetachable: true }),
      ...(run.isDetached && { isDetached: true }),
      ...change,
    })
    stale.delete(run)
    records.set(run.record.id, run.record)
  }
  const freshen = (): void => {
    for (const run of stale) update(run)
  }

  const leaveTwins = (run: LiveRun): void => {
    if (run.joinKey !== undefined && twins.get(run.joinKey) === run) twins.delete(run.joinKey)
  }

  const over = (id: string): void => {
    finished.push(id)
    // In one go, so that a call costs the same however many were kept.
    if (finished.length < KEEP_FINISHED * 2) return
    for (const old of finished.splice(0, finished.length - KEEP_FINISHED)) if (!live.has(old)) records.delete(old)
  }

  const drop = (id: string): boolean => !live.has(id) && records.delete(id)

  /** One that is older than the newest was not made here: it is put where it belongs. */
  const sortByAge = (): void => {
    const sorted = [...records].sort(([, a], [, b]) => a.startedAt - b.startedAt)
    records.clear()
    for (const [id, record] of sorted) records.set(id, record)
  }

  return {
    add(run) {
      live.set(run.record.id, run)
      const { toolCallId } = run.record
      byCallId.set(toolCallId, (byCallId.get(toolCallId) ?? new Set()).add(run))
      owners.set(run.controller.signal, run)
      if (run.joinKey !== undefined) twins.set(run.joinKey, run)
      update(run)
    },
    update,
    note(run, event) {
      run.events.push(event)
      if (run.events.length > KEEP_EVENTS * 2) run.events.splice(0, KEEP_EVENTS)
      if (event.name === 'progress') run.progress = readProgress(event.value)
      stale.add(run)
    },
    leaveTwins,
    keep(record) {
      const known = records.get(record.id)
      // What has ended does not run again; a row may be older than what is known here.
      if (live.has(record.id) || (known?.endedAt !== undefined && record.endedAt === undefined)) return false
      if (known && canonicalJson(known) === canonicalJson(record)) return false
      records.set(record.id, record)
      if (!known) sortByAge()
      if (record.endedAt !== undefined && known?.endedAt === undefined) over(record.id)
      return true
    },
    finish(run, status, result) {
      live.delete(run.record.id)
      const alike = byCallId.get(run.record.toolCallId)
      alike?.delete(run)
      if (alike?.size === 0) byCallId.delete(run.record.toolCallId)
      leaveTwins(run)
      run.move = undefined
      update(run, { status, result, endedAt: Date.now() })
      over(run.record.id)
    },
    get(id) {
      const run = live.get(id)
      if (run && stale.has(run)) update(run)
      return records.get(id)
    },
    list() {
      freshen()
      return [...records.values()]
    },
    // One that waits or runs, here or in another page, is not over.
    forget: (id) => records.get(id)?.endedAt !== undefined && drop(id),
    drop,
    ownerOf(signal) {
      const run = signal && owners.get(signal)
      return run && live.get(run.record.id)
    },
    isOver(signal) {
      const run = signal && owners.get(signal)
      return run !== undefined && !live.has(run.record.id)
    },
    getLive: (id) => live.get(id),
    live(id) {
      if (id === undefined) return [...live.values()]
      const run = live.get(id)
      return [...(run ? [run] : []), ...(byCallId.get(id) ?? [])].filter((one, at, all) => all.indexOf(one) === at)
    },
    twin(joinKey) {
      const run = joinKey === undefined ? undefined : twins.get(joinKey)
      // One that was aborted before it began (StrictMode's first effect) is not the one to wait for.
      return run?.controller.signal.aborted ? undefined : run
    },
  }
}

const statusNow = ({ isQueued, open, isDetached }: LiveRun): RunStatus => {
  if (open > 0) return 'waiting'
  if (isDetached) return 'background'
  return isQueued ? 'queued' : 'running'
}

/** What a `progress` event says; what is no number is not drawn. */
function readProgress(value: unknown): RunProgress {
  const { step, total, message }: Readonly<Record<string, unknown>> = Object(value)
  const isCount = (value: unknown): value is number => Number.isFinite(value)
  return Object.freeze({
    step: isCount(step) ? step : 0,
    ...(isCount(total) && total > 0 && { total }),
    ...(typeof message === 'string' && { message }),
  })
}

const infoOf = (file: Blob): FileInfo =>
  Object.freeze({ name: 'name' in file ? String(file.name) : '', size: file.size, type: file.type })

export const callInfo = ({ record, tool, files }: LiveRun): CallInfo => ({
  runId: record.id,
  toolCallId: record.toolCallId,
  toolName: record.toolName,
  args: record.args,
  ...(tool?.source !== undefined && { source: String(tool.source) }),
  ...(files && {
    files: Object.freeze(Object.fromEntries(Object.entries(files).map(([key, file]) => [key, infoOf(file)]))),
  }),
})
