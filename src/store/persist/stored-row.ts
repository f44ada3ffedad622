import type { Answer, ToolResult } from '../../core/index.js'
import type { PendingItem } from '../types.js'

/** How far a stored call is (DESIGN 5.4): its question waits, is answered, runs with the answer, or has ended. */
export type StoredStatus = 'pending' | 'answered' | 'running' | 'done'

/** The call of a row, enough to run its tool again: the code comes from the tool registered under this name. */
export interface StoredCall {
  readonly toolCallId: string
  readonly toolName: string
  /** The arguments as they were called or edited; what they run as is made of them anew by the tool's schema (DESIGN 8.1). */
  readonly args: Readonly<Record<string, unknown>>
  /** What the person was shown of the tool, as canonical text; a tool that differs in it does not run (DESIGN 5.2). */
  readonly tool: string
}

/** A call, or a question no call asked, as it rests in a storage: plain JSON, one row each. */
export interface StoredRow {
  readonly version: number
  /** The run's id; for a question no call asked a key of its own. Unique across tabs. */
  readonly id: string
  readonly status: StoredStatus
  /** Which of its call's questions this is. */
  readonly turn?: number | undefined
  /** The tab that holds the live promise; empty where nobody waits. */
  readonly tab: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly call?: StoredCall | undefined
  /** The question as it was shown. */
  readonly item?: PendingItem | undefined
  /** The words of its tool's first question. */
  readonly first?: string | undefined
  /** The answers before this question; `approval` is the gate's. Their data only when the app allows it. */
  readonly answers?: readonly Answer[] | undefined
  readonly approval?: Answer | undefined
  /** What the person decided; its data only when the app allows it, and gone when the row is done. */
  readonly answer?: Answer | undefined
  /** Who gave it: the tab that hands it to the one with the promise. */
  readonly by?: string | undefined
  /** What it needs to go on after a reload is not in the row: left out by the app, or answers that are not kept. */
  readonly isPartial?: true | undefined
  readonly outcome?: 'done' | 'failed' | 'cancelled' | 'interrupted' | undefined
  readonly result?: ToolResult | undefined
  readonly endedAt?: number | undefined
}

/** Where rows rest. Every method may reject; the runner goes on in memory then and says so. */
export interface RunnerStorage {
  /** Every row there is, in any order. What a row holds is checked by who reads it. */
  all(): Promise<readonly unknown[]>
  /** Writes a row, whatever was under its id. */
  put(row: StoredRow): Promise<void>
  /**
   * One atomic step: when the row's status is `from` and its `turn` (0 where it has none) the one given, `change` is written
   * over it. True for one caller only, whoever else tries in the same instant, in this page or another. An answer to one
   * question of a call is never one to the next: `turn` tells them apart.
   */
  claim(id: string, from: StoredStatus, change: Partial<StoredRow>, turn?: number): Promise<boolean>
  delete(id: string): Promise<void>
  close?(): void
}
