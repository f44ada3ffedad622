import {
  type AnyTool,
  acceptsPlainYes,
  canonicalJson,
  type Danger,
  defined,
  freezeDeep,
  isRecord,
  isTrusted,
  newId,
  readDecisions,
} from '../core/internal.js'
import type { Permission, PolicyOptions, PolicyStorage, Remember, Rule } from './consent-types.js'
import { dangerOf } from './danger.js'
import { identityOf, identityText, type ToolIdentity } from './registry.js'
import { ruleMatches, type Subject, same } from './rule-match.js'
import type { Asker, PendingItem } from './types.js'

/** What rules and permissions are asked about. */
export interface Deed extends Subject {
  readonly danger: Danger
  /** The tool as text, everything that is shown of it (DESIGN 8.3); empty for one that cannot be told apart from others. */
  readonly identity: () => string
  readonly asker?: Asker | undefined
  /** What a tool's own question says; nothing for the gate, which says no more than the arguments. */
  readonly ask?: string | undefined
  /** Files belong to the arguments and are no JSON, so no permission for exact arguments covers them. */
  readonly hasFiles: boolean
  /** Whether a plain yes is an answer that is offered: a permission gives no other. */
  readonly takesYes: boolean
}

export interface Policy {
  /** What rules and remembered permissions say; deny before ask before allow. Undefined when none speaks. */
  decide(deed: Deed): Rule['decision'] | undefined
  /** Whether the person allowed this earlier, and no rule says otherwise. */
  isRemembered(item: PendingItem): boolean
  /** How long a yes to this question may be remembered, if at all: never with danger high (K21), and not for good without a storage. */
  canRemember(item: PendingItem): Remember['until'] | undefined
  remember(item: PendingItem, remember: Remember): void
  list(): readonly Permission[]
  revoke(id: string): void
}

const DECISIONS: readonly Rule['decision'][] = ['deny', 'ask', 'allow']
const KEY = 'assent.permissions'
const VERSION = 2

/** The words of a tool's own question: another prompt under the same arguments is another question. */
const askOf = ({ request: { kind, prompt, url, data } }: PendingItem): string =>
  canonicalJson([prompt, url, data, kind])

/** A call that is about to run, as the gate sees it. */
export const deedOfCall = (tool: AnyTool, args: Subject['args'], hasFiles: boolean): Deed => ({
  tool: tool.name,
  source: tool.source,
  danger: dangerOf([tool], isTrusted(tool)),
  args,
  hasFiles,
  identity: () => identityText(identityOf(tool)),
  takesYes: readDecisions(defined({ decisions: tool.decisions })).has('approve'),
})

/** Rules of the app and what people remember (DESIGN 5.6). What lasts is in the storage; without one all is in memory. */
export function createPolicy(
  options: () => PolicyOptions | undefined,
  shownOf: (item: PendingItem) => ToolIdentity | undefined,
  onChange: () => void,
): Policy {
  const deedOf = (item: PendingItem): Deed => ({
    tool: item.toolName ?? '',
    danger: item.danger,
    source: item.source,
    args: item.args ?? {},
    hasFiles: item.files !== undefined,
    asker: item.asker,
    ask: item.isGate ? undefined : askOf(item),
    takesYes: acceptsPlainYes(item),
    identity() {
      const shown = shownOf(item)
      return shown ? identityText(shown) : ''
    },
  })

  let session: readonly Permission[] = []
  let lasting: readonly Permission[] = []
  let raw: string | null = null
  let all: readonly Permission[] | undefined

  /** Looked at each time: another tab may have taken one back. */
  const list = (): readonly Permission[] => {
    const now = stored(() => options()?.storage)
    if (now !== undefined && now !== raw) {
      raw = now
      lasting = parse(now)
      all = undefined
    }
    all ??= Object.freeze([...lasting, ...session])
    return all
  }

  const setLasting = (next: readonly Permission[]): void => {
    lasting = next
    try {
      const text = JSON.stringify({ version: VERSION, permissions: next })
      options()?.storage?.setItem(KEY, text)
      raw = text
    } catch (error) {
      // They hold in memory: the storage still says what was read from it.
      console.error('assent: permissions not stored.', error)
    }
  }

  const changed = (): void => {
    all = undefined
    onChange()
  }

  const ruled = (deed: Deed): Rule['decision'] | undefined => {
    const said = (options()?.rules ?? []).filter((rule) => ruleMatches(rule, deed)).map(({ decision }) => decision)
    // A decision that nobody knows is none to run on: the person is asked.
    const isOdd = said.some((decision) => !DECISIONS.includes(decision))
    return DECISIONS.find((decision) => said.includes(decision) || (isOdd && decision === 'ask'))
  }

  const speaksAgainst = (deed: Deed): boolean => /^(deny|ask)$/.test(ruled(deed) ?? '')

  const isCovered = (deed: Deed): boolean =>
    options()?.remember === true &&
    deed.takesYes &&
    // Permissions never apply at danger `high`, even if granted earlier.
    deed.danger !== 'high' &&
    !speaksAgainst(deed) &&
    list().some((permission) => covers(permission, deed))

  return {
    isRemembered: (item) => isCovered(deedOf(item)),
    decide: (deed) => ruled(deed) ?? (isCovered(deed) ? 'allow' : undefined),
    canRemember(item) {
      const may =
        options()?.remember === true &&
        item.toolName !== undefined &&
        item.danger !== 'high' &&
        item.request.kind === 'approval' &&
        acceptsPlainYes(item) &&
        !speaksAgainst(deedOf(item))
      return may ? (stored(() => options()?.storage) === undefined ? 'session' : 'always') : undefined
    },
    remember(item, { until, for: scope }) {
      const { tool, source, args, ask, asker, hasFiles, identity } = deedOf(item)
      const shown = identity()
      // An unknown scope is no permission, and a tool or arguments that cannot be told apart from others have none.
      const isKnown = /^(args|tool) (session|always)$/.test(`${scope} ${until}`)
      if (!isKnown || shown === '' || (hasFiles && scope === 'args')) return
      const exact = scope === 'args' ? { args, ask } : {}
      // What was not offered is not kept.
      const held = item.rememberable === 'session' ? 'session' : until
      const permission: Permission = Object.freeze({
        id: newId('perm'),
        tool,
        source,
        identity: shown,
        ...(asker && { asker }),
        ...exact,
        until: held,
        at: Date.now(),
      })
      list()
      if (held === 'always') setLasting([...lasting, permission])
      else session = [...session, permission]
      changed()
    },
    list,
    revoke(id) {
      list()
      session = session.filter((permission) => permission.id !== id)
      setLasting(lasting.filter((permission) => permission.id !== id))
      changed()
    },
  }
}

// A permission is bound to the tool as it was shown, to its source, also to having seen none, and to who asked.
const covers = (permission: Permission, deed: Deed): boolean =>
  permission.tool === deed.tool &&
  permission.source === deed.source &&
  same(permission.asker ?? null, deed.asker ?? null) &&
  (permission.args === undefined ||
    (!deed.hasFiles && permission.ask === deed.ask && same(permission.args, deed.args))) &&
  permission.identity === deed.identity()

/** The text in the storage; undefined when there is none to read from. */
function stored(storage: () => PolicyStorage | undefined): string | null | undefined {
  try {
    return storage()?.getItem(KEY)
  } catch {
    return undefined
  }
}

function parse(text: string | null): readonly Permission[] {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (!isRecord(value) || value.version !== VERSION || !Array.isArray(value.permissions)) return []
    return value.permissions.filter(isPermission).map(freezeDeep)
  } catch {
    // Unreadable permissions are none: the person is asked again.
    return []
  }
}

const isPermission = (value: unknown): value is Permission =>
  isRecord(value) &&
  typeof value.id === 'string' &&
  typeof value.tool === 'string' &&
  typeof value.identity === 'string' &&
  value.identity !== '' &&
  (value.asker === undefined || isRecord(value.asker)) &&
  value.until === 'always' &&
  typeof value.at === 'number' &&
  (value.source === undefined || typeof value.source === 'string') &&
  // One for exact arguments must still say which, or it would be one for any.
  (isRecord(value.args) ? same(value.args, value.args) : value.args === undefined && value.ask === undefined)
