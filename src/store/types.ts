import type {
  Answer,
  AnyTool,
  Danger,
  Issue,
  JsonSchema,
  LoopSwitches,
  NeedsApproval,
  PendingRequest,
  ToolEvent,
  ToolResult,
} from '../core/index.js'
import type { HistoryEntry, Permission, PolicyOptions, Remember } from './consent-types.js'
import type { StorageProblem } from './persist/storage-problem.js'
import type { RunnerStorage, StoredRow } from './persist/stored-row.js'

/** The call a question belongs to. */
export interface CallInfo {
  readonly runId: string
  readonly toolCallId: string
  readonly toolName: string
  /** What the arguments run as, in JSON; frozen. A Date is its ISO instant, a Set a list, a Map a list of pairs (DESIGN 8.1). */
  readonly args: Readonly<Record<string, unknown>>
  /** The tool's `source`. */
  readonly source?: string | undefined
  /** The files that go with the arguments, by the caller's names. */
  readonly files?: Readonly<Record<string, FileInfo>> | undefined
}

/** What is shown of a file. */
export interface FileInfo {
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** MIME type; empty where nobody knows. */
  readonly type: string
}

/** What edited arguments of an open question run as, or what is wrong with them (DESIGN 8.2). */
export interface EditCheck {
  readonly args?: Readonly<Record<string, unknown>> | undefined
  readonly issues?: readonly Issue[] | undefined
}

/** An open question: plain, frozen data. `runId`, `toolName` and `args` are absent for a question no call asked. */
export interface PendingItem extends Partial<CallInfo> {
  /** The kit's own key: the request's id, unless that id was already open (K30). */
  readonly key: string
  readonly request: PendingRequest
  /** Counts up within a runner and is never used again; for React keys. */
  readonly seq: number
  /** The form's schema: the request's own, else the runner's `answerSchemas` for this tool. */
  readonly schema?: unknown
  /** Milliseconds since the epoch. */
  readonly askedAt: number
  /** How much a yes can do; derived, never lowered by who is not trusted (DESIGN 2.4). */
  readonly danger: Danger
  /** The runner's own question before the first run, not the tool's. */
  readonly isGate?: true | undefined
  /** False when who asks is not vouched for by the app. */
  readonly trusted: boolean
  /** Who asks, for a question no call asked; said by who called `waitFor`, never by the request. */
  readonly asker?: Asker | undefined
  /** The JSON Schema of the call's arguments, where they may be edited. */
  readonly argsSchema?: JsonSchema | undefined
  /** The arguments as they were called, where they may be edited and run as something else than was called (DESIGN 8.2). */
  readonly raw?: Readonly<Record<string, unknown>> | undefined
  /** How long a yes may be remembered; absent when it may not. */
  readonly rememberable?: Remember['until'] | undefined
  /** When it expires, in milliseconds since the epoch; absent when it does not. */
  readonly expiresAt?: number | undefined
  /** It was not asked in this page: `reload` before the page was loaded, `tab` in another tab that lives (DESIGN 5.4, 5.5). */
  readonly restored?: 'reload' | 'tab' | undefined
}

/** Who asks, in the words of the app or of an adapter. */
export interface Asker {
  /** `app`, `server`, `agent`, … */
  readonly kind: string
  readonly name: string
  readonly origin?: string | undefined
  /** Default true; any other value when nobody vouches for it. */
  readonly trusted?: boolean | undefined
}

/** `interrupted`: its page went while it ran, so nobody knows how far it came. */
export type RunStatus =
  | 'queued'
  | 'running'
  | 'waiting'
  | 'background'
  | 'done'
  | 'failed'
  | 'cancelled'
  | 'interrupted'

/** The newest `progress` event of a call. */
export interface RunProgress {
  readonly step: number
  /** Absent when nobody knows how much there is to do. */
  readonly total?: number | undefined
  readonly message?: string | undefined
}

/** A custom event of a call, kept with its record. */
export interface RunEvent {
  readonly name: string
  readonly value: Readonly<Record<string, unknown>>
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** One call: a new frozen object at each change, and at most once a frame for its events. */
export interface RunRecord {
  readonly id: string
  readonly toolCallId: string
  readonly toolName: string
  readonly args: Readonly<Record<string, unknown>>
  readonly status: RunStatus
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly endedAt?: number | undefined
  readonly result?: ToolResult | undefined
  readonly progress?: RunProgress | undefined
  /** The newest events, oldest first, kept to a limit. */
  readonly events: readonly RunEvent[]
  /** Whether `detach(id)` would move it to the background now. */
  readonly isDetachable?: true | undefined
  /** It was moved to the background: its result is not what its caller was given. */
  readonly isDetached?: true | undefined
  /** Its caller is gone: its result is told by `onResult`, and here. */
  readonly isRestored?: true | undefined
  /** Not all it ran with is stored, so it cannot be run again. */
  readonly isPartial?: true | undefined
}

/** What a runner holds at one moment. The same object until something changes. */
export interface RunnerState {
  /** Open questions, oldest first. */
  readonly pending: readonly PendingItem[]
  /** Calls, oldest first; finished ones are kept to a limit. */
  readonly runs: readonly RunRecord[]
}

export interface RunOptions {
  /** Gives up waiting for the call, and ends it when nobody else waits. */
  signal?: AbortSignal | undefined
  /** The signal of the call whose tool runs this one, `ctx.signal`: that call's clock stands while this one asks (DESIGN 8.5). Default `signal`, where it is one. */
  within?: AbortSignal | undefined
  /** What belongs to the arguments and is no JSON: shown as name, size and type, given as `ctx.files`, never stored (DESIGN 8.1). */
  files?: Readonly<Record<string, Blob>> | undefined
  /** Budget of one attempt in milliseconds; default the runner's. */
  timeout?: number | undefined
  /** Id of this call. A live call with the same id, name and arguments is joined, not started again. */
  toolCallId?: string | undefined
  /** Whether a `progress` event gives an attempt its whole budget again; default the runner's. */
  resetTimeoutOnProgress?: boolean | undefined
  /** Told the run as it starts, to follow it by its id. */
  onStart?: ((run: RunRecord) => void) | undefined
}

/** One call of a turn. */
export interface TurnCall extends RunOptions {
  name: string
  args?: unknown
}

/** What holds for every call of a turn. */
export type TurnOptions = Omit<RunOptions, 'toolCallId' | 'onStart'>

/** The shapes in which models are told of tools. */
export type ToolFormat = 'openai' | 'anthropic' | 'gemini'

/** Open questions and the records of calls outlast the page (DESIGN 5.4, 5.5). Plain data only, never a form's draft. */
export interface PersistOptions {
  /** Runners of one origin with the same name share what is stored, also over tabs. Default `assent`. */
  name?: string | undefined
  /** Or how to open one. Default IndexedDB; in memory, which is said, where that cannot be had. */
  storage?: RunnerStorage | (() => RunnerStorage | Promise<RunnerStorage>) | undefined
  /** What may be stored of a row; undefined for nothing. A call whose arguments or question were changed here does not go on after a reload. */
  redact?: ((row: StoredRow) => StoredRow | undefined) | undefined
  /** Whether an answer's data rests in the storage from the answer until its run has ended. Default false: an answer given just before a crash is asked again. */
  keepAnswers?: boolean | undefined
  /** Told what went wrong with the storage; default the console. */
  onProblem?: ((problem: StorageProblem) => void) | undefined
}

/** Read whenever they are needed, so that an object whose fields change is a live configuration. */
export interface ToolRunnerOptions<C = unknown> extends LoopSwitches {
  tools?: readonly AnyTool<C>[] | undefined
  /** The app's own value, `ctx.context` of every tool. */
  context?: C | undefined
  /** Default budget of one attempt in milliseconds; none unless given. */
  timeout?: number | undefined
  /** `false`: nobody is asked, a suspension is the call's result. Default true. */
  host?: boolean | undefined
  /** By tool name: the form of a tool that asks `kind: "input"` without a schema. */
  answerSchemas?: Readonly<Record<string, JsonSchema>> | undefined
  /** Whether a `progress` event gives an attempt its whole budget again. Default false: the budget is a ceiling. */
  resetTimeoutOnProgress?: boolean | undefined
  /**
   * How many calls run at once; the others are queued in the order they came. One that waits for a person or is in the
   * background does not count, nor does one that was started with the signal of a running call. Default no limit.
   */
  concurrency?: number | undefined
  /** Whether tools may offer to go on in the background also where no `<RunTray>` is mounted. Default false. */
  detachable?: boolean | undefined
  onEvent?: ((event: ToolEvent) => void) | undefined
  /** Told, once, a result that no promise delivers: of a call that was moved to the background or restored. */
  onResult?: ((result: ToolResult, run: RunRecord) => void) | undefined
  /** Asks before the first run of any tool, or of those it says yes to; beside each tool's own `needsApproval`. */
  needsApproval?: NeedsApproval | undefined
  policy?: PolicyOptions | undefined
  /** Whether open questions and records outlast the page. Default false: everything is in memory. */
  persist?: boolean | PersistOptions | undefined
  /** Told the answer to a restored question that no call asked, since the promise of `waitFor` is gone. */
  onAnswer?: ((answer: Answer, question: PendingItem) => void) | undefined
  /** Told each decision as it is made. */
  onDecision?: ((entry: HistoryEntry) => void) | undefined
  /** How many questions one source may have open; more are refused with an error. Default 1000. */
  maxOpen?: number | undefined
}

export interface WaitForOptions {
  signal?: AbortSignal | undefined
  /** The signal of the call whose tool asks, `ctx.signal`: the question is that call's, and its clock stands (DESIGN 8.5). Default `signal`, where it is one. */
  within?: AbortSignal | undefined
  /** Who asks; shown in the kit's words. What the request itself says of it is not believed. */
  asker?: Asker | undefined
  /** `false` for a question that rests elsewhere: it is not stored here. Default true, where `persist` is set. */
  persist?: boolean | undefined
}

/** What a model is told of a tool. */
export interface ToolDescription {
  name: string
  description: string
  inputSchema: JsonSchema
}

/** The runner without React (DESIGN 3). Made by `createToolRunner`. */
export interface Runner {
  /** Runs a tool to its result, after whatever the person answered. Never rejects. */
  run(name: string, args?: unknown, options?: RunOptions): Promise<ToolResult>
  /**
   * Runs the calls of one turn side by side; results in call order. One that fails does not harm the others. Without a host
   * the first suspension in call order is `results.find(pendingOf)`: what the contract halts with.
   */
  runAll(calls: readonly TurnCall[], options?: TurnOptions): Promise<ToolResult[]>
  /** Moves a call to the background; false when its tool does not offer that now. */
  detach(id: string): boolean
  /** Asks the person a question no call asked. Never rejects; aborted and malformed ones settle as cancelled. */
  waitFor(request: PendingRequest, options?: WaitForOptions): Promise<Answer>
  /**
   * Settles an open question. False when nothing was settled: no such question, another id, no JSON, too late (K2, K3, K10), or
   * a yes to a tool that is no longer the one that was shown (DESIGN 8.3).
   */
  answer(key: string, answer: Answer, options?: { remember?: Remember | undefined }): boolean
  /**
   * What edited arguments of an open question run as, or what is wrong with them; settles nothing (DESIGN 8.2). Never rejects.
   * Resolves when the tool's schema has decided, which may be never.
   */
  checkEdit(key: string, args: unknown): Promise<EditCheck>
  /**
   * Goes on with a suspension that was returned without asking (`host: false`), also in another page or process that has
   * the same storage. Never rejects: an answer to another request, and a suspension that is unknown or was answered
   * already, are an error result, and nothing runs.
   */
  resume(request: PendingRequest, answer: Answer): Promise<ToolResult>
  /** Shows again what the storage holds; once. Called by `createToolRunner` and `<ToolRunner>` where `persist` is set. */
  restore(): Promise<void>
  /**
   * Runs an interrupted call again, from the start and under its toolCallId; its result goes to `onResult`. False when
   * another tab did so, when it was not interrupted, and when not all it ran with is stored.
   */
  runAgain(id: string): Promise<boolean>
  /** Forgets a call that has ended, also where it is stored. */
  forget(id: string): void
  /** False for a restored question whose tool is not here, or is another one than was shown: it can only be closed. */
  isAnswerable(item: PendingItem): boolean
  /** Adds a tool; a function is asked for the newest one at each attempt. Throws on a duplicate or unusable tool. Returns the removal. */
  register(tool: AnyTool | (() => AnyTool)): () => void
  /** Name, description and JSON Schema of every tool, for a model; with a format in its words, and names it takes. `run` knows both names. */
  tools(): ToolDescription[]
  tools(format: ToolFormat): Record<string, unknown>[]
  /** Cancels a call by run id or toolCallId; without one every call and every question. */
  abort(id?: string): void
  /** Called after each change. Returns the removal. */
  subscribe(listener: () => void): () => void
  getState(): RunnerState
  /** Cancels everything, for good. */
  dispose(): void
  /** What people remembered, oldest first. */
  permissions(): readonly Permission[]
  /** Takes a remembered permission back. */
  revoke(id: string): void
  /** The decisions so far, oldest first, kept to a limit; JSON. */
  history(): readonly HistoryEntry[]
  /** The question to show next: the oldest of the source whose turn it is. Costs the same however many wait. */
  head(): PendingItem | undefined
  /** An open question by its key. */
  find(key: string): PendingItem | undefined
  /** A call by its run id. */
  getRun(id: string): RunRecord | undefined
  /** How many questions are open. */
  count(): number
  /** Says that a view shows the open questions, or as a tray the calls; a runner that nobody can see warns in development. Returns the removal. */
  attach(view: object, kind: 'dialog' | 'list' | 'tray'): () => void
  /** The dialog host that shows: of several on one runner the first that was attached. */
  leader(): object | undefined
}
