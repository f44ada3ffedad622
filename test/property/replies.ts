import type { Answer } from 'assent/core'

export const REPLIES = ['yes', 'no', 'cancel', 'edit', 'foreign', 'malformed', 'remember'] as const
export type Reply = (typeof REPLIES)[number]

/** An answer of this sort, to be told from every other by its tag. */
export function answerOf(
  reply: Reply,
  id: string,
  tag: number,
): { id: string; ok: unknown; data?: { tag: number; args?: unknown }; reason?: Answer['reason'] } {
  const data = { tag }
  switch (reply) {
    case 'no':
      return { id, ok: false, reason: 'declined', data }
    case 'cancel':
      return { id, ok: false, reason: 'cancelled', data }
    case 'edit':
      return { id, ok: true, data: { tag, args: { n: tag, edited: true } } }
    case 'foreign':
      return { id: `${id}, not`, ok: true, data }
    case 'malformed':
      return { id, ok: 'true', data }
    default:
      return { id, ok: true, data }
  }
}
