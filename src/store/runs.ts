import type { Answer, AnyTool, ToolResult } from '../core/index.js'
import type { CallInfo, RunRecord, RunStatus } from './types.js'

// Finished calls are kept for views and logs, not for ever.
const KEEP_FINISHED = 200

/** A call while it lives. */
export interface LiveRun {
  record: RunRecord
  readonly controller: AbortController
  /** The tool as it was when the call began; what it says of itself is shown with its questions. */
  tool: AnyTool | undefined
  /** Told how it ended: the history's notes of what was decided about it. */
  readonly onEnd: ((outcome: 'done' | 'failed' | 'cancelled') => void)[]
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
  readonly joinKey: string | undefined
  promise: Promise<ToolResult>
}

export interface Runs {
  add(run: LiveRun): void
  update(run: LiveRun, change: Partial<RunRecord>): void
  finish(run: LiveRun, status: RunStatus, result: ToolResult): void
  get(id: string): RunRecord | undefined
  list(): RunRecord[]
  /** The call whose tool was given this signal, while it lives. */
  ownerOf(signal: AbortSignal): LiveRun | undefined
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
  const twins = new Map<string, LiveRun>()
  const owners = new WeakMap<AbortSignal, LiveRun>()
  const finished: string[] = []

  const update = (run: LiveRun, change: Partial<RunRecord>): void => {
    run.record = Object.freeze({ ...run.record, ...change })
    records.set(run.record.id, run.record)
  }

  const trim = (): void => {
    // In one go, so that a call costs the same however many were kept.
    if (finished.length < KEEP_FINISHED * 2) return
    for (const id of finished.splice(0, finished.length - KEEP_FINISHED)) records.delete(id)
  }

  return {
    add(run) {
      live.set(run.record.id, run)
      owners.set(run.controller.signal, run)
      if (run.joinKey !== undefined) twins.set(run.joinKey, run)
      update(run, {})
    },
    update,
    finish(run, status, result) {
      live.delete(run.record.id)
      if (run.joinKey !== undefined && twins.get(run.joinKey) === run) twins.delete(run.joinKey)
      update(run, { status, result, endedAt: Date.now() })
      finished.push(run.record.id)
      trim()
    },
    get: (id) => records.get(id),
    list: () => [...records.values()],
    ownerOf(signal) {
      const run = owners.get(signal)
      return run && live.get(run.record.id)
    },
    getLive: (id) => live.get(id),
    live: (id) =>
      [...live.values()].filter(({ record }) => id === undefined || record.id === id || record.toolCallId === id),
    twin(joinKey) {
      const run = joinKey === undefined ? undefined : twins.get(joinKey)
      // One that was aborted before it began (StrictMode's first effect) is not the one to wait for.
      return run?.controller.signal.aborted ? undefined : run
    },
  }
}

export const callInfo = ({ record, tool }: LiveRun): CallInfo => ({
  runId: record.id,
  toolCallId: record.toolCallId,
  toolName: record.toolName,
  args: record.args,
  ...(tool?.source !== undefined && { source: tool.source }),
})
