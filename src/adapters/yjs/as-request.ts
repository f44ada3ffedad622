import { dataOf, defined, isRecord, type PendingRequest } from '../../core/internal.js'
import type { Asker } from '../../store/types.js'
import { offeredElsewhere } from './offered-elsewhere.js'
import type { SharedView } from './wire.js'

/** What this side says itself, by the key where the dialogs show it. */
interface Notices {
  reason?: string | undefined
  details?: string | undefined
}

/** A text of ours before one that was sent; what was sent and is none is still to be seen. */
function before(name: keyof Notices, own: string | undefined, sent: Record<string, unknown>): Record<string, unknown> {
  if (own === undefined) return {}
  const theirs = sent[name]
  if (typeof theirs === 'string') return { [name]: `${own}\n\n${theirs}` }
  return { [name]: own, [`sent_${name}`]: theirs }
}

/**
 * A shared question as one that can be asked here: what would run stands in `data.calls`, where the dialogs show it
 * (DESIGN 2.4), how grave it is in `data.danger`, and what this side says itself before the text that was sent.
 */
export function asRequest(
  key: string,
  { request, toolName, source, args, danger, isGate }: SharedView,
  notices: Notices = {},
): PendingRequest {
  const { kind, prompt, url, expiresAt } = request
  const sent = offeredElsewhere(dataOf(request), isGate === true)
  const own = toolName === undefined ? [] : [defined({ name: toolName, source, input: args })]
  const isReadable = Array.isArray(sent.calls) && sent.calls.every(isRecord)
  const theirs: unknown[] = Array.isArray(sent.calls) && isReadable ? sent.calls : []
  const data = {
    ...sent,
    // What cannot be read as calls is still to be seen.
    ...('calls' in sent && !isReadable && { calls: undefined, sent_calls: sent.calls }),
    ...(own.length > 0 && { calls: [...own, ...theirs] }),
    ...(danger !== undefined && { danger }),
    ...before('reason', notices.reason, sent),
    ...before('details', notices.details, sent),
  }
  return defined({ id: key, kind, prompt, url, expiresAt, data: defined(data) })
}

const MAX_NAME = 200

/** Who asks: the person whose page it is, as they say. */
export function askerOf(user: unknown, { toolName, source }: SharedView, trusted: boolean): Asker {
  const name = isRecord(user) && typeof user.name === 'string' && user.name !== '' ? user.name : 'Another device'
  const origin = [toolName, source].filter(Boolean).join(', ')
  return {
    kind: 'device',
    name: name.slice(0, MAX_NAME),
    ...(origin && { origin: origin.slice(0, MAX_NAME) }),
    trusted,
  }
}
