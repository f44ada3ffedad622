import { isRecord } from '../core/internal.js'
import type { PendingItem } from '../store/index.js'
import { hasDanger } from './kinds.js'

/** The keys that a body makes controls of: the app's own bodies show them their way. */
export const FOR_BODIES: readonly string[] = ['schema', 'questions', 'decisions', 'choices', 'multiple']

/** What came in `data` and is not to be seen elsewhere in the dialog. `shown` are the keys that the body shows in full. */
export function alsoSent(item: PendingItem, shown: readonly string[] = []): Record<string, unknown> {
  const { danger, request } = item
  const data: unknown = request.data ?? {}
  // What the words for the danger say, where they are shown.
  const said: Record<string, unknown> = hasDanger(item)
    ? { danger, readOnlyHint: danger === 'low', destructiveHint: danger === 'high' }
    : {}
  const isSaid = (key: string, value: unknown): boolean =>
    said[key] === value ||
    shown.includes(key) ||
    (typeof value === 'string' && /^(reason|details)$/.test(key)) ||
    (key === 'annotations' && isRecord(value) && Object.keys(value).every((hint) => said[hint] === value[hint]))
  return isRecord(data) ? Object.fromEntries(Object.entries(data).filter((entry) => !isSaid(...entry))) : { data }
}
