import { freezeDeep, isRecord } from '../plain-data.js'
import { hideUrlPasswords } from './url-passwords.js'

// What the calls under review run with.
const ARGUMENTS = /^calls (input|arguments)$/

function cleaned(value: unknown, within = ''): unknown {
  if (typeof value === 'string') return hideUrlPasswords(value)
  if (Array.isArray(value)) return value.map((part) => cleaned(part, within))
  if (!isRecord(value)) return value
  const members = Object.entries(value).map(([key, part]) => [
    key,
    ARGUMENTS.test(`${within} ${key}`) ? part : cleaned(part, key),
  ])
  return Object.fromEntries(members)
}

/** A frozen copy of a request, or of what holds one, without the passwords that stand in addresses (DESIGN 8.11). */
// A copy with the members of the value, by construction.
export const withoutPasswords = <T>(value: T): T => freezeDeep(cleaned(value) as T)
