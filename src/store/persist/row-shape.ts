import { isAnswerTo, isRecord, isRequest } from '../../core/internal.js'
import type { Asker, PendingItem } from '../types.js'
import type { StoredCall, StoredRow } from './stored-row.js'

type Check = (value: unknown) => boolean
/** A check for each member there is, so that a new member cannot be forgotten here. */
type Shape<T> = Readonly<Record<keyof T, Check>>

const text: Check = (value) => typeof value === 'string'
const bool: Check = (value) => typeof value === 'boolean'
const finite: Check = (value) => Number.isFinite(value)
const anything: Check = () => true
const oneOf = (...values: readonly unknown[]): Check => values.includes.bind(values)
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)

const has = (shape: Readonly<Record<string, Check>>, value: unknown): boolean =>
  isRecord(value) && Object.entries(shape).every(([key, check]) => check(value[key]))

type Inner = Readonly<Record<string, (value: unknown) => unknown>>

/** The members a shape names; any other would be spread over what the dialogs get. */
const pick = (shape: Readonly<Record<string, Check>>, value: unknown, inner: Inner = {}): unknown =>
  isRecord(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([key]) => Object.hasOwn(shape, key))
          .map(([key, member]) => [key, inner[key] ? inner[key](member) : member]),
      )
    : value

const answer: Check = (value) =>
  isRecord(value) &&
  text(value.id) &&
  bool(value.ok) &&
  maybe(isRecord)(value.data) &&
  maybe(oneOf('declined', 'cancelled', 'expired'))(value.reason)

const result: Check = (value) =>
  isRecord(value) && text(value.output) && bool(value.isError) && maybe(isRecord)(value.metadata)

const ASKER: Shape<Asker> = { kind: text, name: text, origin: maybe(text), trusted: maybe(bool) }

const CALL: Shape<StoredCall> = { toolCallId: text, toolName: text, args: isRecord, tool: text }

const ITEM: Shape<PendingItem> = {
  key: text,
  request: isRequest,
  seq: finite,
  schema: anything,
  askedAt: finite,
  danger: oneOf('low', 'medium', 'high'),
  isGate: maybe(oneOf(true)),
  trusted: bool,
  asker: maybe((value) => has(ASKER, value)),
  argsSchema: maybe((value) => isRecord(value) || bool(value)),
  rememberable: maybe(oneOf('session', 'always')),
  expiresAt: maybe(finite),
  runId: maybe(text),
  toolCallId: maybe(text),
  toolName: maybe(text),
  args: maybe(isRecord),
  source: maybe(text),
  raw: maybe(isRecord),
  files: maybe(isRecord),
  restored: maybe(oneOf('reload', 'tab')),
}

const ROW: Shape<StoredRow> = {
  version: finite,
  id: (value) => text(value) && value !== '',
  status: oneOf('pending', 'answered', 'running', 'done'),
  turn: maybe(finite),
  tab: text,
  startedAt: finite,
  call: maybe((value) => has(CALL, value)),
  item: maybe((value) => has(ITEM, value)),
  first: maybe(text),
  answers: maybe((value) => Array.isArray(value) && value.every(answer)),
  approval: maybe(answer),
  answer: maybe(answer),
  by: maybe(text),
  isPartial: maybe(oneOf(true)),
  outcome: maybe(oneOf('done', 'failed', 'cancelled', 'interrupted')),
  result: maybe(result),
  endedAt: maybe(finite),
}

/** Whether the members fit each other: a question that waits is there, an answer is to it, and it is about this call. */
const agrees = ({ status, item, answer, call, isPartial }: StoredRow): boolean =>
  (item !== undefined || isPartial || (status !== 'pending' && status !== 'answered')) &&
  (item === undefined || answer === undefined || isAnswerTo(item.request, answer)) &&
  (item === undefined || call === undefined || item.toolName === call.toolName)

const hasRowShape = (value: unknown): value is StoredRow => has(ROW, value)

/** Whether every member is what its type says, so that neither the runner nor a dialog trips over it. */
export const isStoredRow = (value: unknown): value is StoredRow => hasRowShape(value) && agrees(value)

/** The row without members that no row, call, item or asker has. */
export const knownMembers = (row: unknown): unknown =>
  pick(ROW, row, {
    call: (call) => pick(CALL, call),
    item: (item) => pick(ITEM, item, { asker: (asker) => pick(ASKER, asker) }),
  })
