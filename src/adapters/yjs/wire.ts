import {
  type Answer,
  type Danger,
  isRecord,
  isRequest,
  type PendingRequest,
  type RefusalReason,
} from '../../core/internal.js'

/** What leaves of a question. JSON. */
export interface SharedView {
  request: PendingRequest
  toolName?: string | undefined
  /** The tool's `source`, or who asks. */
  source?: string | undefined
  args?: Readonly<Record<string, unknown>> | undefined
  danger?: Danger | undefined
  /** Whether the call has not begun yet, so that a reply would be a no; written by the owner. */
  isGate?: true | undefined
  /** The names of what did not leave, `args.token` for one argument; written by the owner, shown to who answers. */
  withheld?: readonly string[] | undefined
}

/** An entry of the questions: one that is open, or what became of it. */
export type QuestionEntry =
  | { state: 'open'; at: number; user?: unknown; view: SharedView }
  | {
      state: 'settled'
      at: number
      ok?: boolean | undefined
      reason?: RefusalReason | undefined
      by?: unknown
      /** The entry of the answer that was taken, when it came from elsewhere. */
      answer?: string | undefined
    }

/** What an answer says, as one text, so that it can be signed: which question, what was shown, what was decided, by whom. */
export interface Statement {
  key: string
  seen: string
  answer: Answer
  by?: unknown
}

export interface AnswerEntry {
  at: number
  /** The text of a `Statement`. */
  said: string
  proof?: unknown
}

const NOT_TAKEN = [
  'malformed',
  'other question',
  'not what was shared',
  'not offered',
  'not verified',
  'too late',
] as const

/** Why an answer from elsewhere was not taken. */
export type NotTaken = (typeof NOT_TAKEN)[number]

/** What the owner says of an answer that it did not take. */
export interface Refusal {
  at: number
  why: NotTaken
}

const VERSION = 1
// In UTF-16 units. An answer holds the question's text once more, and JSON in JSON can double in length.
const MAX_QUESTION = 256 * 1024
const MAX_ANSWER = 4 * MAX_QUESTION
const MAX_REFUSAL = 200

/** Entries are texts and not shared types, so that what was shown can be compared with what was shared as it stands. */
export const writeEntry = (entry: QuestionEntry | AnswerEntry | Refusal): string =>
  JSON.stringify({ v: VERSION, ...entry })

export const isTooLong = (text: string): boolean => text.length > MAX_QUESTION

export const ownerOf = (key: string): string => key.slice(0, Math.max(0, key.lastIndexOf('/')))

/** The question an answer's entry belongs to: `<owner>/<number>/<who answers>`. */
export const questionOf = (entry: string): string => ownerOf(entry)

function parse(text: unknown, limit: number): Record<string, unknown> | undefined {
  if (typeof text !== 'string' || text.length > limit) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isOptional = (value: unknown, type: string): boolean => value === undefined || typeof value === type

const isView = (value: unknown): value is SharedView =>
  isRecord(value) &&
  isRequest(value.request) &&
  isOptional(value.request.url, 'string') &&
  isOptional(value.request.expiresAt, 'string') &&
  (value.request.data === undefined || isRecord(value.request.data)) &&
  isOptional(value.toolName, 'string') &&
  isOptional(value.source, 'string') &&
  (value.args === undefined || isRecord(value.args))

/** An entry of the questions; undefined for what is none, or is too long. */
export function readQuestion(text: unknown): QuestionEntry | undefined {
  const entry = parse(text, MAX_QUESTION)
  if (entry?.v !== VERSION || typeof entry.at !== 'number') return undefined
  if (entry.state === 'open' && isView(entry.view))
    return { state: 'open', at: entry.at, user: entry.user, view: entry.view }
  if (entry.state !== 'settled') return undefined
  const { at, ok, reason, by, answer } = entry
  return {
    state: 'settled',
    at,
    by,
    ok: typeof ok === 'boolean' ? ok : undefined,
    reason: isReason(reason) ? reason : undefined,
    answer: typeof answer === 'string' ? answer : undefined,
  }
}

const isReason = (value: unknown): value is RefusalReason =>
  value === 'declined' || value === 'cancelled' || value === 'expired'

/** An entry of the answers; undefined for what is none. */
export function readAnswerEntry(text: unknown): AnswerEntry | undefined {
  const entry = parse(text, MAX_ANSWER)
  if (entry?.v !== VERSION || typeof entry.at !== 'number' || typeof entry.said !== 'string') return undefined
  return { at: entry.at, said: entry.said, proof: entry.proof }
}

/** Why an answer was not taken; undefined for what does not say so. */
export function readRefusal(text: unknown): Refusal | undefined {
  const { v, at, why } = parse(text, MAX_REFUSAL) ?? {}
  const known = NOT_TAKEN.find((one) => one === why)
  return v === VERSION && typeof at === 'number' && known ? { at, why: known } : undefined
}

/** What an answer says; undefined for what says nothing an owner could take. */
export function readStatement(said: string): Statement | undefined {
  const { key, seen, answer, by } = parse(said, MAX_ANSWER) ?? {}
  if (typeof key !== 'string' || typeof seen !== 'string' || !isRecord(answer)) return undefined
  const { id, ok, data, reason } = answer
  if (typeof id !== 'string' || typeof ok !== 'boolean' || !(data === undefined || isRecord(data))) return undefined
  return {
    key,
    seen,
    by,
    answer: { id, ok, ...(data && { data }), ...(!ok && isReason(reason) && { reason }) },
  }
}
