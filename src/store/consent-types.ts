import type { Danger, RefusalReason } from '../core/index.js'
import type { Asker } from './types.js'

/**
 * A rule of the app about a tool's calls. Without `args` it speaks of any arguments, without `source` of any source. With
 * `args`, `allow` speaks of exactly these arguments; `deny` and `ask` of all that have the members named, at every depth
 * (DESIGN 8.4). `args: {}` is exactly no arguments.
 */
export interface Rule {
  readonly tool: string
  readonly source?: string | undefined
  readonly args?: Readonly<Record<string, unknown>> | undefined
  readonly decision: 'allow' | 'ask' | 'deny'
}

/** How long a yes lasts, and for what. */
export interface Remember {
  readonly for: 'args' | 'tool'
  readonly until: 'session' | 'always'
}

/** A yes that was remembered. */
export interface Permission {
  readonly id: string
  readonly tool: string
  readonly source?: string | undefined
  /** The tool as it was shown, as canonical text; one that differs in it asks again (DESIGN 8.4). */
  readonly identity: string
  /** Who asked, for a question that came with an asker. */
  readonly asker?: Asker | undefined
  /** The exact arguments; without them any of the tool's. */
  readonly args?: Readonly<Record<string, unknown>> | undefined
  /** The words of the tool's own question, canonical, when it was one. */
  readonly ask?: string | undefined
  readonly until: Remember['until']
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The part of Web Storage that is used; `localStorage` is one. */
export interface PolicyStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

/** Rules and remembered permissions (DESIGN 5.6). deny before ask before allow. */
export interface PolicyOptions {
  rules?: readonly Rule[] | undefined
  /** Whether people are offered to remember a yes. Default false. */
  remember?: boolean | undefined
  /** Where permissions that last are kept; without it they end with the page. */
  storage?: PolicyStorage | undefined
}

/** One decision, for the record. */
export interface HistoryEntry {
  readonly id: number
  /** When it was decided, and how long it had waited, in milliseconds. */
  readonly at: number
  readonly waited: number
  readonly kind: string
  readonly prompt: string
  readonly url?: string | undefined
  readonly danger: Danger
  readonly runId?: string | undefined
  readonly toolCallId?: string | undefined
  readonly toolName?: string | undefined
  readonly source?: string | undefined
  readonly asker?: Asker | undefined
  /** As shown, or as they ran where the person edited them; values under the names of secrets are hidden. */
  readonly args?: Readonly<Record<string, unknown>> | undefined
  readonly decision: 'approved' | RefusalReason
  /** Whether the arguments were edited. */
  readonly edited: boolean
  /** A person, a rule or remembered permission, or code (abort, expiry). */
  readonly by: 'person' | 'rule' | 'code'
  /** What became of the call. */
  readonly outcome?: 'done' | 'failed' | 'cancelled' | undefined
}
