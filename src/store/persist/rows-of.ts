import { type Answer, canonicalJson, defined, type PendingRequest } from '../../core/internal.js'
import { withoutPasswords } from '../../core/secrets/without-secrets.js'
import type { StoredTurn } from '../keeper.js'
import { toolText } from '../registry.js'
import type { LiveRun } from '../runs.js'
import type { PendingItem, RunRecord, RunStatus } from '../types.js'
import { ROW_VERSIONS } from './read-row.js'
import type { StoredCall, StoredRow } from './stored-row.js'

type Given = Pick<StoredRow, 'status'> & Partial<StoredRow>

const callOf = ({ record, tool, prepared }: LiveRun): StoredCall => ({
  toolCallId: record.toolCallId,
  toolName: record.toolName,
  args: prepared?.raw ?? record.args,
  tool: tool ? toolText(tool) : '',
})

/** The row of a call. */
export const rowOfRun = (run: LiveRun, tab: string, given: Given): StoredRow =>
  defined({
    version: ROW_VERSIONS.current,
    id: run.record.id,
    tab,
    startedAt: run.record.startedAt,
    call: callOf(run),
    ...given,
    // Files are never stored, so such a call cannot go on after a reload (DESIGN 8.1).
    isPartial: run.files ? true : given.isPartial,
  })

/** The row of a question no call asked. */
export const rowOfItem = (item: PendingItem, id: string, tab: string): StoredRow => ({
  version: ROW_VERSIONS.current,
  id,
  tab,
  status: 'pending',
  startedAt: item.askedAt,
  item,
})

const STATUSES: Readonly<Record<StoredRow['status'], RunStatus>> = {
  pending: 'waiting',
  answered: 'waiting',
  running: 'running',
  done: 'done',
}

/** The record of a stored call; undefined for a question no call asked. */
export function recordOfRow(row: StoredRow): RunRecord | undefined {
  const { id, call, status, startedAt, outcome, result, endedAt, isPartial } = row
  if (!call) return undefined
  const { toolCallId, toolName, args } = call
  const now = status === 'done' ? (outcome ?? 'done') : STATUSES[status]
  return Object.freeze(
    defined({
      id,
      toolCallId,
      toolName,
      args,
      status: now,
      startedAt,
      endedAt,
      result,
      events: Object.freeze([]),
      // Its caller is gone without an answer; what ended while its page lived was told to who called.
      isRestored: now === 'interrupted' || undefined,
      isPartial: now === 'interrupted' ? isPartial : undefined,
    }),
  )
}

/** What a stored call goes on with once its question is answered. */
export function turnOf(
  { id, turn = 0, startedAt, call, item, approval, first, answers = [] }: StoredRow,
  answer: Answer,
): StoredTurn | undefined {
  if (!call || !item) return undefined
  return { ...call, id, turn, startedAt, item, approval, first, answers, answer }
}

/** Whether a caller's request is the stored one, of which no password was kept. */
export const isSameRequest = (a: PendingRequest, b: unknown): boolean =>
  canonicalJson(withoutPasswords(a)) === canonicalJson(withoutPasswords(b))
