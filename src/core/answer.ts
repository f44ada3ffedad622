import { hasExpired } from './expiry.js'
import { isRecord } from './plain-data.js'
import type { Answer, PendingRequest, RefusalReason } from './types.js'

const REASONS: readonly unknown[] = ['declined', 'cancelled', 'expired'] satisfies RefusalReason[]

/** Whether `value` is an answer to this very request: the request's id and a boolean `ok` (K3). */
export const isAnswerTo = (request: PendingRequest, value: unknown): value is Answer =>
  isRecord(value) && value.id === request.id && typeof value.ok === 'boolean'

export const refusal = (id: string, reason: RefusalReason): Answer => ({ id, ok: false, reason })

/** What a host's answer comes down to: foreign, malformed and missing ones are a cancel, a late yes is expired (K4, K10). */
export function readAnswer(request: PendingRequest, value: unknown): Answer {
  if (!isAnswerTo(request, value)) return refusal(request.id, 'cancelled')
  if (value.ok && hasExpired(request)) return refusal(request.id, 'expired')
  const { reason, ...rest } = value
  return !value.ok && REASONS.includes(reason) ? value : rest
}
