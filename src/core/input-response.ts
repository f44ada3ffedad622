import type { Answer, InputResponse } from './types.js'

/** The same answer in the second contract's words (DESIGN 2.3). */
export function inputResponseOf({ ok, data, reason }: Answer): InputResponse {
  if (ok) return { status: 'resolved', payload: data }
  return reason === 'declined' ? { status: 'resolved', payload: { action: 'decline' } } : { status: 'cancelled' }
}
