import { isRecord, isTrusted } from '../core/internal.js'
import type { Asker } from './types.js'

const textOf = (value: unknown): string => {
  try {
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  } catch {
    return 'unreadable'
  }
}

/** Who asks, as text whatever untyped code gave (K22); undefined when nobody was named. */
export function readAsker(given: unknown): Asker | undefined {
  if (given === undefined) return undefined
  if (!isRecord(given) || typeof given.kind !== 'string' || typeof given.name !== 'string') {
    console.error('assent: an asker needs a kind and a name that are texts:', given)
  }
  const { kind = 'other', name = '', origin, trusted } = isRecord(given) ? given : { name: given, trusted: false }
  return Object.freeze({
    kind: textOf(kind),
    name: textOf(name),
    ...(origin !== undefined && origin !== null && { origin: textOf(origin) }),
    ...(trusted !== undefined && { trusted: isTrusted({ trusted }) }),
  })
}
