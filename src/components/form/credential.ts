import { isRecord } from '../../core/plain-data.js'
import { humanise } from './names.js'
import type { Node } from './resolve.js'

const SECRET =
  /\b(pass ?(word|phrase|code|wd)|pwd|secrets?|credentials?|(api|access|private|secret|encryption|signing) ?key|(\w*(auth|hub|lab|bot)|access|refresh|bearer|api|session|security) ?token|cvv2?|cvc2?|otp|(verification|one time|two factor|2fa|mfa|security) code)\b(?! (names?|ids?|type|kind|policy|hint|length|count|path|ref|url|version|manager)\b)|^(pin|token|pin code)$/i

/** Whether a name or a title asks for a secret. */
export const isSecretName = (name: string): boolean => SECRET.test(humanise(name))

/** Whether a schema asks, at any depth, for a secret: those are never entered in a form (DESIGN 5.7). */
export function isCredentialSchema(schema: unknown): boolean {
  const seen = new Set<unknown>()
  const asks = (part: unknown, name: string): boolean => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return false
    seen.add(part)
    const { format, writeOnly, title, type, properties } = part as Node
    if (format === 'password' || writeOnly === true) return true
    const isTyped = type !== 'boolean' && !('enum' in part || 'oneOf' in part || 'const' in part)
    if (isTyped && (isSecretName(name) || (typeof title === 'string' && isSecretName(title)))) return true
    return Object.entries(part).some(([key, inner]) =>
      inner === properties && isRecord(inner)
        ? Object.entries(inner).some(([property, field]) => asks(field, property))
        : /^(items|anyOf|oneOf|allOf|\d+|\$defs|definitions)$/.test(key) && asks(inner, ''),
    )
  }
  return asks(schema, '')
}
