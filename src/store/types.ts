import type {
  Answer,
  AnyTool,
  JsonSchema,
  LoopSwitches,
  PendingRequest,
  ToolEvent,
  ToolResult,
  WaitFor,
} from '../core/index.js'

/** The call a question belongs to. */
export interface CallInfo {
  readonly runId: string
  readonly toolCallId: string
  readonly toolName: string
  /** The arguments as they run; frozen. */
  readonly args: Readonly<Record<string, unknown>>
  /** The tool's `source`. */
  readonly source?: string | undefined
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
  /** When it expires, in milliseconds since the epoch; absent when it does not. */
  readonly expiresAt?: number | undefined
}

export type RunStatus = 'running' | 'waiting' | 'done' | 'failed' | 'cancelled'

/** One call: a new frozen object at each change. */
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
}

/** What a runner holds at one moment. The same object until something changes. */
export interface RunnerState {
  /** Open questions, oldest first. */
  readonly pending: readonly PendingItem[]
  /** Calls, oldest first; finished ones are kept to a limit. */
  readonly runs: readonly RunRecord[]
}

export interface RunOptions {
  signal?: AbortSignal | undefined
  /** Budget of one attempt in milliseconds; default the runner's. */
  timeout?: number | undefined
  /** Id of this call. A live call with the same id, name and arguments is joined, not started again. */
  toolCallId?: string | undefined
  /** Told the run as it starts, to follow it by its id. */
  onStart?: ((run: RunRecord) => void) | undefined
}

/** Read whenever they are needed, so that an object whose fields change is a live configuration. */
export interface ToolRunnerOptions extends LoopSwitches {
  tools?: readonly AnyTool[] | undefined
  /** The app's own value, `ctx.context` of every tool. */
  context?: unknown
  /** Default budget of one attempt in milliseconds; none unless given. */
  timeout?: number | undefined
  /** `false`: nobody is asked, a suspension is the call's result. Default true. */
  host?: boolean | undefined
  /** By tool name: the form of a tool that asks `kind: "input"` without a schema. */
  answerSchemas?: Readonly<Record<string, JsonSchema>> | undefined
  onEvent?: ((event: ToolEvent) => void) | undefined
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
  /** Asks the person a question no call asked. Never rejects; aborted and malformed ones settle as cancelled. */
  waitFor: WaitFor
  /** Settles an open question. False when nothing was settled: no such question, another id, too late (K2, K3, K10). */
  answer(key: string, answer: Answer): boolean
  /** Adds a tool; a function is asked for the newest one at each attempt. Throws on a duplicate or unusable tool. Returns the removal. */
  register(tool: AnyTool | (() => AnyTool)): () => void
  /** Name, description and JSON Schema of every tool, for a model. */
  tools(): ToolDescription[]
  /** Cancels a call by run id or toolCallId; without one every call and every question. */
  abort(id?: string): void
  /** Called after each change. Returns the removal. */
  subscribe(listener: () => void): () => void
  getState(): RunnerState
  /** Cancels everything, for good. */
  dispose(): void
  /** The oldest open question. Costs the same however many wait. */
  head(): PendingItem | undefined
  /** An open question by its key. */
  find(key: string): PendingItem | undefined
  /** A call by its run id. */
  getRun(id: string): RunRecord | undefined
  /** How many questions are open. */
  count(): number
  /** Says that a view shows the open questions; a runner without one warns in development. Returns the removal. */
  attach(view: object, kind: 'dialog' | 'list'): () => void
  /** The dialog host that shows: of several on one runner the first that was attached. */
  leader(): object | undefined
}
