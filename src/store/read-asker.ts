import { defined, isRecord, isTrusted } from '../core/internal.js'
import type { Asker } from './types.js'

/** Who asks, as text whatever untyped code gave (K22); undefined when nobody was named. */
export function readAsker(given: unknown): Asker | undefined {
  if (given === undefined) return undefined
  const { kind, name, origin, trusted } = isRecord(given) ? given : { name: given, trusted: false }
  const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  return Object.freeze({
    kind: text(kind),
    name: text(name),
    ...defined({ origin: origin === undefined ? origin : text(origin) }),
    ...(trusted !== undefined && { trusted: isTrusted({ trusted }) }),
  })
}
