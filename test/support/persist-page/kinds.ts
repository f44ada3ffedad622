import { type AnyTool, type PendingRequest, pending } from 'assent'

/** What a tool does to the world, told what it was given. */
export type Work = (given: unknown) => Promise<string>
type Make = (work: Work) => AnyTool

const site = { type: 'object', properties: { site: { type: 'string' } }, required: ['site'] } as const

/** A tool that asks, and works with what the person said. */
const asks =
  (request: Omit<PendingRequest, 'id'>, rest: Partial<AnyTool> = {}): Make =>
  (work) => ({
    name: 'deploy',
    inputSchema: site,
    ...rest,
    execute: (_args, ctx) => (ctx.answer ? work(ctx.answer.data ?? ctx.answer.ok) : pending(request)),
  })

/** A tool the runner asks about. */
const gated =
  (rest: Partial<AnyTool> = {}): Make =>
  (work) => ({ name: 'deploy', inputSchema: site, needsApproval: true, execute: (args) => work(args), ...rest })

const numbers = {
  type: 'object',
  properties: { count: { type: 'integer' }, force: { type: 'boolean' } },
  required: ['count', 'force'],
}

const steps: Make = (work) => ({
  name: 'deploy',
  inputSchema: site,
  maxQuestions: 2,
  execute(_args, ctx) {
    const said = (ctx.answers ?? []).map(({ data }) => data?.value)
    if (said.length === 2) return work(said)
    return pending({ kind: 'input', prompt: said.length === 0 ? 'First?' : 'Second?' })
  },
})

const gateAndQuestion: Make = (work) => ({
  ...asks({ kind: 'input', prompt: 'Second?' })(work),
  needsApproval: true,
  execute: (_args, ctx) =>
    ctx.answer ? work([ctx.approval?.ok, ctx.answer.data?.value]) : pending({ kind: 'input', prompt: 'Second?' }),
})

export const kinds = {
  approval: asks({ kind: 'approval', prompt: 'Sure?' }),
  input: asks({ kind: 'input', prompt: 'How many?', data: { schema: numbers } }),
  question: asks({
    kind: 'question',
    prompt: 'Which?',
    data: { questions: [{ question: 'Where to?', options: [{ label: 'staging' }, { label: 'live' }] }] },
  }),
  authorization: asks({ kind: 'authorization', prompt: 'Sign in', url: 'https://example.com/login' }),
  gate: gated(),
  edited: gated({ decisions: ['approve', 'edit', 'decline'] }),
  refusal: asks({ kind: 'approval', prompt: 'Sure?' }),
  'heard refusal': asks({ kind: 'approval', prompt: 'Sure?' }, { onRefusal: 'retry' }),
  'two steps': steps,
  'gate and question': gateAndQuestion,
} satisfies Record<string, Make>

export type Kind = keyof typeof kinds
