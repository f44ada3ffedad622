import { isRecord, newId } from '../core/internal.js'
import { canonicalJson } from './canonical-json.js'
import type { PendingItem, Permission, PolicyOptions, PolicyStorage, Remember, Rule } from './types.js'

/** What a rule is held against. */
export interface Deed {
  tool: string
  source?: string | undefined
  args: Readonly<Record<string, unknown>>
  /** What a tool's own question says; nothing for the gate, which says no more than the arguments. */
  ask?: string | undefined
}

export interface Policy {
  /** What rules and remembered permissions say; deny before ask before allow. Undefined when none speaks. */
  decide(deed: Deed): Rule['decision'] | undefined
  /** Whether the person allowed this earlier. */
  isRemembered(deed: Deed): boolean
  /** Whether this question may be answered once and for all: never with danger high (K21). */
  canRemember(item: PendingItem): boolean
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
  source: item.source,
  args: item.args ?? {},
  ask: item.isGate ? undefined : askOf(item),
})

/** Rules of the app and what people remember (DESIGN 5.6). What lasts goes to the storage; without one all is in memory. */
export function createPolicy(options: () => PolicyOptions | undefined, onChange: () => void): Policy {
  let permissions: readonly Permission[] | undefined

  const storage = (): PolicyStorage | undefined => options()?.storage
  const all = (): readonly Permission[] => {
    permissions ??= read(storage())
    return permissions
  }
  const set = (next: readonly Permission[]): void => {
    permissions = Object.freeze(next)
    write(storage(), permissions)
    onChange()
  }

  const isRemembered = (deed: Deed): boolean => all().some((permission) => covers(permission, deed))

  return {
    isRemembered,
    decide(deed) {
      const said = (options()?.rules ?? []).filter((rule) => matches(rule, deed)).map(({ decision }) => decision)
      for (const decision of ['deny', 'ask'] as const) if (said.includes(decision)) return decision
      return said.includes('allow') || isRemembered(deed) ? 'allow' : undefined
    },
    canRemember: (item) =>
      options()?.remember === true &&
      item.toolName !== undefined &&
      item.danger !== 'high' &&
      item.request.kind === 'approval',
    remember(item, { until, for: scope }) {
      const { tool, source, args, ask } = deedOf(item)
      const exact = scope === 'args' ? { args, ask } : {}
      set([...all(), Object.freeze({ id: newId('perm'), tool, source, ...exact, until, at: Date.now() })])
    },
    list: all,
    revoke: (id) => set(all().filter((permission) => permission.id !== id)),
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

function read(storage: PolicyStorage | undefined): readonly Permission[] {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(KEY) ?? 'null')
    if (!isRecord(stored) || stored.version !== VERSION || !Array.isArray(stored.permissions)) return []
    return stored.permissions.filter(isPermission)
  } catch {
    // Unreadable permissions are none: the person is asked again.
    return []
  }
}

function write(storage: PolicyStorage | undefined, permissions: readonly Permission[]): void {
  try {
    const lasting = permissions.filter(({ until }) => until === 'always')
    storage?.setItem(KEY, JSON.stringify({ version: VERSION, permissions: lasting }))
  } catch (error) {
    console.error('assent: permissions could not be stored; they hold until the page closes.', error)
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
  (isRecord(value.args) || (value.args === undefined && value.ask === undefined))
