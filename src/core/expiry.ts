import type { PendingRequest } from './types.js'

const RFC3339 = /^(\d{4}-\d\d-(\d\d))T((?!24)\d\d:\d\d:)(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

/** The instant of an RFC 3339 timestamp in milliseconds, or undefined where it cannot be read (K11). */
export function parseInstant(text: unknown): number | undefined {
  const [, date = '', day, minute, second, fraction = '', zone] =
    RFC3339.exec(typeof text === 'string' ? text : '') ?? []
  // Date.parse alone takes 30 February for 2 March and refuses the leap second.
  const leap = second === '60'
  const instant = Date.parse(`${date}T${minute}${leap ? 59 : second}${fraction}${zone}`.toUpperCase())
  if (Number.isNaN(instant) || new Date(date).getUTCDate() !== Number(day)) return undefined
  return leap ? instant + 1000 : instant
}

/** Whether the request's time is over. At the very instant it is (K10). */
export const hasExpired = ({ expiresAt }: PendingRequest): boolean =>
  Date.now() >= (parseInstant(expiresAt) ?? Infinity)
