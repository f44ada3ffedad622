import { defined, frozenJson, isRecord } from '../../core/internal.js'
import { hideUrlPasswords } from '../../core/secrets/url-passwords.js'
import type { PendingItem } from '../../store/types.js'
import { speaksOfSecret } from './asks-secret.js'
import type { SharedView } from './wire.js'

/** Data as it leaves: no value that is named like a secret, no password in an address. */
const left = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data), (key: string, value: unknown) => {
    if (speaksOfSecret(key)) return '•••'
    return typeof value === 'string' ? hideUrlPasswords(value) : value
  })

/** All that the dialog shows. */
function wholeView({ request, schema, toolName, source, asker, args, danger }: PendingItem): SharedView {
  // The form may be the app's and not the request's, and the other side has no app.
  const data = schema === undefined ? request.data : { ...request.data, schema }
  const who = source ?? (asker && [asker.name, asker.origin].filter(Boolean).join(', '))
  return defined({ request: defined({ ...request, data }), toolName, source: who, args, danger })
}

/**
 * What leaves unless the app says otherwise: all that the dialog shows, but of arguments no value that is named like a
 * secret, and no password in an address.
 */
export function usualView(item: PendingItem): SharedView {
  const { args, request, ...view } = wholeView(item)
  const { data } = request
  const calls = data && 'calls' in data ? { data: { ...data, calls: left(data.calls) } } : {}
  return defined({ ...view, request: { ...request, ...calls }, args: args && asRecord(left(args)) })
}

const asRecord = (value: unknown): Record<string, unknown> | undefined => (isRecord(value) ? value : undefined)

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The names of what differs, one by one for the entries of a record. */
function differing(name: string, whole: unknown, left: unknown): string[] {
  if (same(whole, left)) return []
  if (!isRecord(whole) || !isRecord(left)) return [name]
  return Object.keys(whole).flatMap((key) => (same(whole[key], left[key]) ? [] : [`${name}.${key}`]))
}

/** What the app lets go, with the id it is answered by and the names of what stayed. Throws for what is no JSON. */
export function finalView(item: PendingItem, given: SharedView): SharedView {
  const whole = wholeView(item)
  const { toolName, source, args, danger } = given
  const { kind, prompt, url, data, expiresAt } = given.request
  const request = defined({ id: item.request.id, kind, prompt, url, data, expiresAt })
  const withheld = [
    ...(['prompt', 'url'] as const).filter((name) => !same(whole.request[name], request[name])),
    ...differing('data', whole.request.data, data),
    ...differing('args', whole.args, args),
    ...(['toolName', 'source'] as const).filter((name) => !same(whole[name], given[name])),
  ]
  return frozenJson(
    defined({ request, toolName, source, args, danger, withheld: withheld.length > 0 ? withheld : undefined }),
  )
}
