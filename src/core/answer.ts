import { hasExpired } from './expiry.js'
import { jsonCopy } from './json.js'
import { isRecord } from './plain-data.js'
import type { Answer, PendingRequest, RefusalReason } from './types.js'

const REASONS: readonly unknown[] = ['declined', 'cancelled', 'expired'] satisfies RefusalReason[]

export const isReason = (value: unknown): value is RefusalReason => REASONS.includes(value)

/** Whether `value` is an answer to this very request: the request's id and a boolean `ok` (K3). */
export const isAnswerTo = (request: PendingRequest, value: unknown): value is Answer =>
  isRecord(value) && value.id === request.id && typeof value.ok === 'boolean'

export const refusal = (id: string, reason: RefusalReason): Answer => ({ id, ok: false, reason })

/** A copy of an answer to this request, nobody else's to change; undefined for what is none, or is no JSON (DESIGN 8.1). */
export function takeAnswer(request: PendingRequest, value: unknown): Answer | undefined {
  try {
    const answer: unknown = jsonCopy(value)
    return isAnswerTo(request, answer) && isRecord(answer.data ?? {}) ? answer : undefined
  } catch {
    return undefined
  }
}

/** What a host's answer comes down to: foreign, malformed and missing ones are a cancel, a late yes is expired (K4, K10). */
export function readAnswer(request: PendingRequest, value: unknown): Answer {
  const answer = takeAnswer(request, value)
  if (!answer) return refusal(request.id, 'cancelled')
  if (answer.ok && hasExpired(request)) return refusal(request.id, 'expired')
  const { reason, ...rest } = answer
  return !answer.ok && isReason(reason) ? answer : rest
}
