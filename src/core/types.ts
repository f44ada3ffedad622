import type { JsonSchema } from './schema/index.js'
import type { StandardSchema } from './standard-schema.js'

/** A question a tool asks before it goes on (toolnexus SPEC §10). Plain JSON. */
export interface PendingRequest {
  /** Unique per question; an answer echoes it. */
  id: string
  /** Open vocabulary: `approval`, `input`, `question`, `authorization`, or anything else. */
  kind: string
  prompt: string
  url?: string | undefined
  data?: Record<string, unknown> | undefined
  /** RFC 3339 instant; missing or unreadable means that the question does not expire. */
  expiresAt?: string | undefined
}

export type RefusalReason = 'declined' | 'cancelled' | 'expired'

/** What the person decided (toolnexus SPEC §10). `reason` only when `ok` is false. */
export interface Answer {
  /** The id of the request it answers. An answer with another id is no consent. */
  id: string
  ok: boolean
  data?: Record<string, unknown> | undefined
  reason?: RefusalReason | undefined
}

/** The host's side of a suspension: resolves with the person's answer. */
export type WaitFor = (request: PendingRequest, options?: { signal?: AbortSignal | undefined }) => Promise<Answer>

/** What a call ends with (toolnexus SPEC §1). */
export interface ToolResult {
  output: string
  isError: boolean
  metadata?: Record<string, unknown> | undefined
}

/** How much an approval can do; untrusted sources may raise it, never lower it (DESIGN 2.4). */
export type Danger = 'low' | 'medium' | 'high'

/** What the person may do with an approval. */
export type Decision = 'approve' | 'edit' | 'decline' | 'respond'

/** MCP tool annotations: hints, believed of trusted tools only. */
export interface ToolAnnotations {
  title?: string | undefined
  readOnlyHint?: boolean | undefined
  destructiveHint?: boolean | undefined
  idempotentHint?: boolean | undefined
  openWorldHint?: boolean | undefined
}

/**
 * What decides whether a call is asked about before its first run (DESIGN 2.5). Only `false` means that it is not: a predicate
 * that throws or returns anything else asks (DESIGN 8.4).
 */
export type NeedsApproval<Args = Readonly<Record<string, unknown>>> = boolean | Predicate<Args>['ask']

// As a method, so that one typed by its tool's schema is taken where any arguments may come: they were validated by it.
interface Predicate<Args> {
  ask(args: Args, ctx: GateContext): boolean | Promise<boolean>
}

/** What a `needsApproval` predicate is told of the call besides its arguments. */
export interface GateContext {
  readonly toolName: string
  readonly source?: string | undefined
  readonly toolCallId: string
  readonly signal: AbortSignal
  readonly context?: unknown
}

/** What a tool says about asking before it runs; a runner asks (DESIGN 2.4, 2.5). */
export interface Consent<Args = Readonly<Record<string, unknown>>> {
  needsApproval?: NeedsApproval<Args> | undefined
  danger?: Danger | undefined
  annotations?: ToolAnnotations | undefined
  /** What the person may do when the runner asks; default approve and decline. */
  decisions?: readonly Decision[] | undefined
  /**
   * False for a tool that came from elsewhere: what it says to look harmless is not believed. Default true; any other value
   * than true counts as false (DESIGN 8.4).
   */
  trusted?: boolean | undefined
}

/** An answer in the words of the second contract (DESIGN 2.3): a decline is resolved there, with that as its payload. */
export type InputResponse =
  | { readonly status: 'resolved'; readonly payload: Record<string, unknown> | undefined }
  | { readonly status: 'cancelled' }

export type EmitCustomEvent = (name: string, value: object, options?: { batch?: boolean | undefined }) => void

/** The second argument of `execute`, as a tool must read it: every field may be missing, and so may the whole (DESIGN 2.3). */
export interface ToolContext<C = unknown> {
  /** Aborts when the call is cancelled, times out or the runner is disposed. */
  signal?: AbortSignal | undefined
  /** The same object as `signal`. */
  abortSignal?: AbortSignal | undefined
  /** The caller's budget for one attempt, in milliseconds. */
  timeout?: number | undefined
  /** The newest answer; present only on the attempt after a question. */
  answer?: Answer | undefined
  /** The answer to the runner's own question before the first run; never mixed with the tool's (DESIGN 2.5). */
  approval?: Answer | undefined
  /** All answers of this call, oldest first (`maxQuestions` above 1). */
  answers?: readonly Answer[] | undefined
  toolCallId?: string | undefined
  /**
   * Sent to listeners at once, in order; with `batch` at the next flush. Dropped after the call has settled. `progress`
   * with `{ step, total, message? }` drives the progress bar.
   */
  emitCustomEvent?: EmitCustomEvent | undefined
  /**
   * Present when the person can move this call to the background. Resolves to a note for the model when they do; `work`
   * goes on and its result is delivered when it ends: `Promise.race([work, ctx.detach(work)])`.
   */
  // Without `undefined`, as the second contract's own type has it: a tool written for that one is taken as it is.
  detach?: (work: Promise<unknown>) => Promise<string>
  /** The newest answer as the second contract has it; set exactly when `answer` is. */
  inputResponse?: InputResponse
  /** The app's own value, given to the runner. */
  context?: C | undefined
  /** The files that were given with the arguments, `run(name, args, { files })`; absent when there are none (DESIGN 8.1). */
  files?: Readonly<Record<string, Blob>> | undefined
}

/** The context as the loop really passes it. */
export interface RunContext<C = unknown> extends ToolContext<C> {
  signal: AbortSignal
  abortSignal: AbortSignal
  toolCallId: string
  emitCustomEvent: EmitCustomEvent
}

/** Two switches that weaken the loop rule, so both are off by default (DESIGN 2.2). */
export interface LoopSwitches {
  /** `retry` runs the tool once more with the refusal in `ctx.answer`. Default `settle`: after a no the tool does not run. */
  onRefusal?: 'settle' | 'retry' | undefined
  /** How many questions one call may ask, one after another. Default 1. */
  maxQuestions?: number | undefined
}

/** A tool as the wire contract has it (toolnexus SPEC §1). */
export interface Tool extends LoopSwitches, Consent {
  name: string
  description: string
  inputSchema: JsonSchema
  source?: string | undefined
  execute(args: Record<string, unknown>, ctx?: ToolContext): Promise<ToolResult> | ToolResult
}

/** Every tool shape that is accepted: JSON Schema or Standard Schema, and any value may come back. */
export interface AnyTool<C = unknown> extends LoopSwitches, Consent {
  name: string
  description?: string | undefined
  inputSchema?: JsonSchema | StandardSchema | undefined
  /** The JSON Schema of an `inputSchema` that cannot tell it itself. */
  jsonSchema?: JsonSchema | undefined
  source?: string | undefined
  /** A Standard Schema is held against what comes back; a result, a suspension and the note of a moved call are none of its business. */
  outputSchema?: JsonSchema | StandardSchema | undefined
  /** Calls of this tool never overlap in one runner: the next begins when the last has ended. Default false. */
  sequential?: boolean | undefined
  execute(args: Record<string, unknown>, ctx: RunContext<C>): unknown
}

interface EventBase {
  /** The call in this runner. */
  runId: string
  toolCallId: string
  toolName: string
  /** Milliseconds since the epoch. */
  at: number
  isError: boolean
  /** True while a person is asked. Waiting is not an error. */
  pending: boolean
}

/** One step of a call, for logs and agent loops (DESIGN 7.1). Never carries an answer's data. */
export type ToolEvent = EventBase &
  (
    | { type: 'tool_call' }
    | { type: 'pending'; request: PendingRequest }
    | { type: 'answer'; request: PendingRequest; ok: boolean; reason?: RefusalReason | undefined }
    | { type: 'custom'; name: string; value: Record<string, unknown> }
    | { type: 'detached' }
    | { type: 'tool_result'; result: ToolResult }
  )
