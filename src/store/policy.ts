import { type Danger, freezeDeep, isRecord, newId } from '../core/internal.js'
import { canonicalJson } from './canonical-json.js'
import type { Permission, PolicyOptions, PolicyStorage, Remember, Rule } from './consent-types.js'
import type { PendingItem } from './types.js'

/** What a rule is held against. */
export interface Deed {
  tool: string
  danger: Danger
  source?: string | undefined
  args: Readonly<Record<string, unknown>>
  /** What a tool's own question says; nothing for the gate, which says no more than the arguments. */
  ask?: string | undefined
}

export interface Policy {
  /** What rules and remembered permissions say; deny before ask before allow. Undefined when none speaks. */
  decide(deed: Deed): Rule['decision'] | undefined
  /** Whether the person allowed this earlier, and no rule says otherwise. */
  isRemembered(deed: Deed): boolean
  /** How long a yes to this question may be remembered, if at all: never with danger high (K21), and not for good without a storage. */
  canRemember(item: PendingItem): Remember['until'] | undefined
  remember(item: PendingItem, remember: Remember): void
  list(): readonly Permission[]
  revoke(id: string): void
}

const KEY = 'assent.permissions'
const VERSION = 1

/** The words of a tool's own question: another prompt under the same arguments is another question. */
export const askOf = ({ request: { prompt, url, data } }: PendingItem): string => canonicalJson([prompt, url, data])

export const deedOf = (item: PendingItem): Deed => ({
  tool: item.toolName ?? '',
  danger: item.danger,
  source: item.source,
  args: item.args ?? {},
  ask: item.isGate ? undefined : askOf(item),
})

/** Rules of the app and what people remember (DESIGN 5.6). What lasts is in the storage; without one all is in memory. */
export function createPolicy(options: () => PolicyOptions | undefined, onChange: () => void): Policy {
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
    const said = (options()?.rules ?? []).filter((rule) => matches(rule, deed)).map(({ decision }) => decision)
    return (['deny', 'ask', 'allow'] as const).find((decision) => said.includes(decision))
  }

  const speaksAgainst = (deed: Deed): boolean => /^(deny|ask)$/.test(ruled(deed) ?? '')

  const isRemembered = (deed: Deed): boolean =>
    options()?.remember === true &&
    // What was remembered of a tool before it became grave is not remembered of what it is now.
    deed.danger !== 'high' &&
    !speaksAgainst(deed) &&
    list().some((permission) => covers(permission, deed))

  return {
    isRemembered,
    decide: (deed) => ruled(deed) ?? (isRemembered(deed) ? 'allow' : undefined),
    canRemember(item) {
      const may =
        options()?.remember === true &&
        item.toolName !== undefined &&
        item.danger !== 'high' &&
        item.request.kind === 'approval' &&
        !speaksAgainst(deedOf(item))
      return may ? (stored(() => options()?.storage) === undefined ? 'session' : 'always') : undefined
    },
    remember(item, { until, for: scope }) {
      const { tool, source, args, ask } = deedOf(item)
      // An unknown scope is no permission, and what cannot be told apart from others cannot be remembered by itself.
      if (!/^(args|tool) (session|always)$/.test(`${scope} ${until}`) || !same(args, args)) return
      const exact = scope === 'args' ? { args, ask } : {}
      // What was not offered is not kept.
      const held = item.rememberable === 'session' ? 'session' : until
      const permission: Permission = Object.freeze({
        id: newId('perm'),
        tool,
        source,
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

const same = (a: unknown, b: unknown): boolean => {
  try {
    return canonicalJson(a) === canonicalJson(b)
  } catch {
    return false
  }
}

// Without `args` a rule speaks of any; `{}` are arguments like others.
const matches = (rule: Omit<Rule, 'decision'>, deed: Deed): boolean =>
  rule.tool === deed.tool &&
  (rule.source === undefined || rule.source === deed.source) &&
  (rule.args === undefined || same(rule.args, deed.args))

// What a person allowed is bound to the source they saw, also to having seen none.
const covers = (permission: Permission, deed: Deed): boolean =>
  matches(permission, deed) &&
  permission.source === deed.source &&
  (permission.args === undefined || permission.ask === deed.ask)

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
  value.until === 'always' &&
  typeof value.at === 'number' &&
  (value.source === undefined || typeof value.source === 'string') &&
  // One for exact arguments must still say which, or it would be one for any.
  (isRecord(value.args) ? same(value.args, value.args) : value.args === undefined && value.ask === undefined)
