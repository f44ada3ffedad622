import { isRecord } from '../../core/internal.js'

/** The part of a provider's awareness that is used. */
export interface Awareness {
  readonly clientID: number
  getLocalState(): Record<string, unknown> | null
  setLocalStateField(field: string, value: unknown): void
  getStates(): ReadonlyMap<number, Record<string, unknown>>
  on(name: 'change', listener: () => void): unknown
  off(name: 'change', listener: () => void): unknown
}

/** Who somebody says they are; JSON. A claim: what the transport or `verify` did not check is not known. */
export interface SharedUser {
  readonly name: string
  readonly [field: string]: unknown
}

/** Somebody who has a question on top of their screen, as they say. */
export interface Looker {
  readonly clientId: number
  /** Untrusted text; empty for who gives no name. */
  readonly name: string
}

export interface Presence {
  /** Who looks at an open question, by its key in this runner. Empty without awareness. */
  lookers(key: string): readonly Looker[]
  /** Told when that may have changed. Returns the removal. */
  subscribe(listener: () => void): () => void
}

/** What one share or join says of itself. */
export interface Part {
  user?: SharedUser | undefined
  looking?: string | undefined
  owner?: string | undefined
}

const FIELD = 'assent'
const MAX_NAME = 200
const MAX_OWNERS = 100

const parts = new WeakMap<Awareness, Set<Part>>()

/** Says what all shares and joins of this client say, in the one field they have. */
function announce(awareness: Awareness, all: ReadonlySet<Part>): void {
  const list = [...all]
  const field = {
    user: list.find(({ user }) => user)?.user,
    looking: list.find(({ looking }) => looking !== undefined)?.looking,
    owners: list.flatMap(({ owner }) => owner ?? []),
  }
  const said = all.size === 0 ? undefined : JSON.parse(JSON.stringify(field))
  const now = awareness.getLocalState()
  if (now === null || JSON.stringify(now[FIELD]) === JSON.stringify(said)) return
  awareness.setLocalStateField(FIELD, said)
}

export interface Announcement {
  /** Says what the part says now. */
  say(): void
  leave(): void
}

/** Keeps this client's field in the awareness; said again when a provider dropped it. */
export function joinAwareness(awareness: Awareness | undefined, part: Part, onChange: () => void): Announcement {
  if (!awareness) return { say: () => {}, leave: () => {} }
  const all = parts.get(awareness) ?? new Set()
  parts.set(awareness, all.add(part))
  const say = (): void => announce(awareness, all)
  const changed = (): void => {
    say()
    onChange()
  }
  awareness.on('change', changed)
  say()
  return {
    say,
    leave() {
      awareness.off('change', changed)
      all.delete(part)
      say()
    },
  }
}

/** The field of another client, whatever it wrote there. */
const fieldOf = (state: unknown): Record<string, unknown> => {
  const field = isRecord(state) ? state[FIELD] : undefined
  return isRecord(field) ? field : {}
}

/** The owners that say they live. */
export function ownersIn(awareness: Awareness | undefined): Set<string> {
  const owners = [...(awareness?.getStates().values() ?? [])].flatMap((state) => {
    const said = fieldOf(state).owners
    return Array.isArray(said) ? said.slice(0, MAX_OWNERS) : []
  })
  return new Set(owners.filter((owner) => typeof owner === 'string'))
}

/** The other clients that have this question on top. */
export function lookersAt(awareness: Awareness | undefined, key: string | undefined): Looker[] {
  if (!awareness || key === undefined) return []
  return [...awareness.getStates()].flatMap(([clientId, state]) => {
    const { looking, user } = fieldOf(state)
    if (clientId === awareness.clientID || looking !== key) return []
    const name = isRecord(user) && typeof user.name === 'string' ? user.name.slice(0, MAX_NAME) : ''
    return [{ clientId, name }]
  })
}

// A page in the background is not looked at.
const isVisible = (): boolean => typeof document === 'undefined' || document.visibilityState === 'visible'

/** What is looked at: the question on top, while the page is visible. */
export const lookingAt = (key: string | undefined): string | undefined => (isVisible() ? key : undefined)

/** Told when the page comes up or goes. Returns the removal. */
export function watchVisibility(listener: () => void): () => void {
  if (typeof document === 'undefined') return () => {}
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
