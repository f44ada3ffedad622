// Compiled with the tests, never run: what must compile does, and what must not is marked with the reason.
import { type } from 'arktype'
import {
  type Answer,
  type AnyTool,
  createToolRunner,
  defineTool,
  type FromJsonSchema,
  type PendingItem,
  type PendingRequest,
  pending,
  pendingOf,
  type RunContext,
  type RunEvent,
  type Runner,
  type RunRecord,
  runTool,
  type Tool,
  type ToolContext,
  type ToolDescription,
  type ToolEvent,
  type ToolResult,
  validateAnswer,
  type WaitFor,
} from 'assent'
import * as v from 'valibot'
import { z } from 'zod'

const is = <T>(_value: T): void => {}
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_proof: Same<A, B>): void => {}

// ---- the seeds' own style -------------------------------------------------------------------------------------------

const crunch: Tool = {
  name: 'crunch',
  description: 'Do some work',
  inputSchema: { type: 'object', properties: { steps: { type: 'number' } } },
  source: 'custom',
  async execute(args, ctx) {
    if (ctx?.signal?.aborted) return { output: `cancelled after ${Number(args.steps ?? 3)}`, isError: true }
    const answered = ctx?.answer?.ok ? String(ctx.answer.data?.env ?? 'unknown') : (ctx?.answer?.reason ?? 'no reason')
    return { output: `${answered} within ${ctx?.timeout ?? 30_000}`, isError: false }
  },
}
is<AnyTool>(crunch)
is<Promise<ToolResult> | ToolResult>(crunch.execute({ steps: 3 }))
is<PendingRequest | undefined>(pendingOf(crunch.execute({}, { answer: { id: 'r', ok: true, data: { env: 'x' } } })))

const sync: Tool = { name: 's', description: '', inputSchema: {}, execute: () => ({ output: '', isError: false }) }
is<AnyTool>(sync)
createToolRunner({ tools: [crunch, sync] })
void runTool(crunch, { steps: 1 })

// @ts-expect-error a wire tool returns a result, not a string
const bare: Tool = { name: 'b', description: '', inputSchema: {}, execute: () => 'text' }
is<AnyTool>({ name: 'b', execute: () => 'text' })
void bare

const direct: Tool = {
  name: 'd',
  description: '',
  inputSchema: {},
  execute(_args, ctx) {
    // @ts-expect-error the context may be missing: any caller may leave it out
    return { output: String(ctx.signal), isError: false }
  },
}
void direct

// ---- defineTool -----------------------------------------------------------------------------------------------------

const json = defineTool({
  name: 'json',
  description: '',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      count: { type: 'integer' },
      tier: { enum: ['s', 'l'] },
      tags: { type: 'array', items: { type: 'string' } },
      deep: { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] },
    },
    required: ['path', 'deep'],
  },
  execute(args, ctx) {
    is<string>(args.path)
    is<number | undefined>(args.count)
    is<'s' | 'l' | undefined>(args.tier)
    is<string[] | undefined>(args.tags)
    is<boolean>(args.deep.on)
    is<AbortSignal>(ctx.signal)
    is<AbortSignal>(ctx.abortSignal)
    is<string>(ctx.toolCallId)
    ctx.emitCustomEvent('progress', { step: 1, total: 3 })
    same<typeof ctx, RunContext>(true)
    // @ts-expect-error path is a text
    is<number>(args.path)
    // @ts-expect-error the schema has no such argument
    is<unknown>(args.nope)
    // @ts-expect-error count is optional
    is<number>(args.count)
    // @ts-expect-error an answer is there only after a question
    is<Answer>(ctx.answer)
    return args.path
  },
})
is<AnyTool>(json)
is<Promise<ToolResult>>(json.execute({ path: '/' }))

const zod = defineTool({
  name: 'zod',
  description: '',
  inputSchema: z.object({ n: z.coerce.number(), to: z.string().optional() }),
  execute({ n, to }) {
    is<number>(n)
    is<string | undefined>(to)
    // @ts-expect-error what runs is the output of the schema, a number
    is<string>(n)
  },
})

const valibot = defineTool({
  name: 'valibot',
  description: '',
  inputSchema: v.object({ n: v.number() }),
  jsonSchema: { type: 'object' },
  execute({ n }) {
    is<number>(n)
    // @ts-expect-error n is a number
    is<string>(n)
  },
})

const arktype = defineTool({
  name: 'arktype',
  description: '',
  inputSchema: type({ n: 'number' }),
  execute({ n }) {
    is<number>(n)
    // @ts-expect-error n is a number
    is<string>(n)
  },
})

defineTool({
  name: 'none',
  description: '',
  execute(args) {
    is<Record<string, unknown>>(args)
    // @ts-expect-error nothing says what the arguments are
    is<string>(args.path)
  },
})

const runner: Runner = createToolRunner({ tools: [json, zod, valibot, arktype] })
runner.register(() => zod)

// @ts-expect-error a tool needs a name
defineTool({ description: '', execute: () => '' })
// @ts-expect-error a tool needs a description for the model
defineTool({ name: 't', execute: () => '' })
// @ts-expect-error a tool needs something to execute
defineTool({ name: 't', description: '' })
// @ts-expect-error an inputSchema is a schema, not a type name
defineTool({ name: 't', description: '', inputSchema: 'string', execute: () => '' })
// @ts-expect-error only these two ways to take a refusal
defineTool({ name: 't', description: '', onRefusal: 'ignore', execute: () => '' })
// @ts-expect-error a number of questions
defineTool({ name: 't', description: '', maxQuestions: 'many', execute: () => '' })

same<
  FromJsonSchema<{ type: 'object'; properties: { a: { type: 'string' }; b: { const: 5 } }; required: ['a'] }>,
  { a: string; b?: 5 | undefined }
>(true)

// ---- requests and answers -------------------------------------------------------------------------------------------

is<Answer>({ id: 'r', ok: true, data: { env: 'staging' } })
is<Answer>({ id: 'r', ok: false, reason: 'declined' })
// @ts-expect-error the reasons are a closed list
is<Answer>({ id: 'r', ok: false, reason: 'denied' })
// @ts-expect-error an answer names its request
is<Answer>({ ok: true })
// @ts-expect-error ok is a boolean
is<Answer>({ id: 'r', ok: 'yes' })

is<ToolResult>(pending({ kind: 'anything', prompt: 'P', url: undefined }))
// @ts-expect-error a question needs a prompt
pending({ kind: 'approval' })
// @ts-expect-error a question needs a kind
pending({ prompt: 'P' })
// @ts-expect-error expiresAt is a timestamp in text
pending({ kind: 'approval', prompt: 'P', expiresAt: new Date() })

const waitFor: WaitFor = async ({ id }, options) => ({ id, ok: options?.signal?.aborted ?? true })
void runTool(json, {}, { waitFor })
is<WaitFor>(runner.waitFor)
// @ts-expect-error a host brings an answer, not a boolean
is<WaitFor>(async () => true)

is<ToolContext>({})
validateAnswer({ type: 'string' }, 5).map(({ path, expected }) => path + expected)

// ---- the runner -----------------------------------------------------------------------------------------------------

is<Promise<ToolResult>>(runner.run('json', { path: '/' }, { timeout: 50, toolCallId: 'c1', onStart: ({ id }) => id }))
is<boolean>(runner.answer('key', { id: 'r', ok: true }))
// @ts-expect-error a key alone is no answer
runner.answer('key')
// @ts-expect-error a runner has one of two ways to take a refusal
createToolRunner({ onRefusal: 'never' })

const item = {} as PendingItem
// @ts-expect-error an item is for reading
item.key = 'other'
// @ts-expect-error a question no call asked has no tool
is<string>(item.toolName)
// @ts-expect-error the state is for reading
runner.getState().pending.push(item)

createToolRunner({
  onEvent(event: ToolEvent) {
    if (event.type === 'answer') {
      is<boolean>(event.ok)
      // @ts-expect-error an event never carries what the person answered
      is<unknown>(event.data)
    }
    if (event.type === 'custom') is<string>(event.name)
    // @ts-expect-error only a custom event has a value
    is<unknown>(event.value)
  },
})

// ---- the second half of the context ---------------------------------------------------------------------------------

const moving: AnyTool = {
  name: 'moving',
  outputSchema: z.object({ rows: z.number() }),
  sequential: true,
  async execute(_args, ctx) {
    const work = Promise.resolve({ rows: 1 })
    ctx.emitCustomEvent('progress', { step: 1, total: 3 }, { batch: true })
    is<((work: Promise<unknown>) => Promise<string>) | undefined>(ctx.detach)
    // @ts-expect-error it is there only where the person can move a call
    void ctx.detach(work)
    // @ts-expect-error the one option there is
    ctx.emitCustomEvent('progress', {}, { later: true })
    const { inputResponse } = ctx
    // @ts-expect-error a cancelled response has no payload
    void inputResponse?.payload
    if (inputResponse?.status === 'resolved') is<Record<string, unknown> | undefined>(inputResponse.payload)
    // @ts-expect-error the statuses are a closed list
    if (inputResponse?.status === 'accepted') return undefined
    return ctx.detach ? Promise.race([work, ctx.detach(work)]) : work
  },
}

const forUsers: AnyTool<{ user: string }> = {
  name: 'forUsers',
  execute(_args, { context }) {
    is<string | undefined>(context?.user)
    // @ts-expect-error the app’s own value has no such member
    void context?.tenant
    return ''
  },
}
createToolRunner({ tools: [forUsers, moving], context: { user: 'ada' } })
// @ts-expect-error the tools want another value than the app gives
createToolRunner<{ user: string }>({ tools: [forUsers], context: { name: 'ada' } })

// ---- runs, turns and tools for models -------------------------------------------------------------------------------

is<Promise<ToolResult[]>>(runner.runAll([{ name: 'json', args: {}, toolCallId: 'c1' }], { timeout: 50 }))
// @ts-expect-error a call needs a name
void runner.runAll([{ args: {} }])
// @ts-expect-error an id is one call’s, not a turn’s
void runner.runAll([], { toolCallId: 'c1' })
is<boolean>(runner.detach('run-1'))
is<ToolDescription[]>(runner.tools())
is<Record<string, unknown>[]>(runner.tools('gemini'))
// @ts-expect-error these three formats are known
runner.tools('mistral')

const run = {} as RunRecord
is<number | undefined>(run.progress?.total)
is<readonly RunEvent[]>(run.events)
// @ts-expect-error a record is for reading
run.events.push({ name: 'e', value: {}, at: 0 })
// @ts-expect-error the statuses are a closed list
is<boolean>(run.status === 'paused')
createToolRunner({ concurrency: 2, detachable: true, onResult: (result, { id }) => is<string>(result.output + id) })

// ---- what a tool's own schema says is what its gate and its context are given ----------------------------------------

const named = defineTool({
  name: 'write_file',
  description: 'Write a file',
  inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  needsApproval: async ({ name }) => name.length > 0,
  execute: ({ name }, ctx: RunContext<{ user: string }>) => `${name} by ${ctx.context?.user}`,
})
createToolRunner<{ user: string }>({ tools: [named], context: { user: 'ada' } })
defineTool({
  name: 'n',
  description: '',
  inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  // @ts-expect-error the schema has no such argument
  needsApproval: ({ path }) => Boolean(path),
  execute: () => '',
})
