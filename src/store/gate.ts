import {
  type Answer,
  type AnyTool,
  allow,
  defined,
  errorResult,
  frozenJson,
  type GateContext,
  isRecord,
  mayAsk,
  newId,
  notAllowed,
  outputCopy,
  type Passed,
  type PendingRequest,
  type Prepared,
  pending,
  prepareArgs,
  readDecisions,
  refused,
  type ToolResult,
  unknownTool,
} from '../core/internal.js'
import { type Deed, deedOfCall, type Policy } from './policy.js'
import type { ToolRunnerOptions } from './types.js'

export interface GateParts {
  tool: AnyTool
  /** The tool of that name as it is now; undefined when it is gone. */
  current: () => AnyTool | undefined
  options: ToolRunnerOptions
  policy: Policy
  hasFiles: boolean
  ctxOf: (tool: AnyTool) => GateContext
  /** Asks the person about the arguments as they are now; undefined where nobody can be asked. */
  ask: (tool: AnyTool, prepared: Prepared, request: PendingRequest) => Promise<Asked> | undefined
  /** Runs what may take a limited time (DESIGN 8.5). */
  timed: <T>(work: () => Promise<T>) => Promise<T>
  /** The person was asked already, before a reload: what they said counts, whatever would be asked now. */
  isAsked: boolean
  /** Told what a rule or a remembered permission decided without asking. */
  onRule: (request: PendingRequest, ok: boolean) => void
  /** Told what the edited arguments of the last answer run as. */
  onEdit: (edited: Prepared) => void
}

/** An answer; `changed` when the question was taken back because the tool is another one than was shown (DESIGN 8.3). */
export type Asked = Answer | 'changed'

type Outcome = Passed & { readonly approval?: Answer | undefined }

// A tool that changes each time it is looked at is none that a person can say yes to.
const MAX_CHANGES = 3

const denied = (name: string): Outcome => ({ result: reasoned(notAllowed(name), 'denied') })

/** A refusal that says why the call did not run. */
export const reasoned = (output: string, reason: string): ToolResult => ({
  ...errorResult(output),
  metadata: { reason },
})

const questionOf = ({ name, danger, annotations, decisions }: AnyTool): PendingRequest => {
  const data = defined({ danger, annotations, decisions })
  return frozenJson({
    id: newId('gate'),
    kind: 'approval',
    prompt: allow(name),
    ...(Object.keys(data).length > 0 && { data }),
  })
}

/**
 * The runner's own question before the first run (DESIGN 2.5): deny before ask before allow, then `needsApproval`. Its
 * answer is `ctx.approval`. Arguments edited there are validated, and count at once only when they run as they were typed;
 * others, and a tool that changed while it was asked about, are asked about again (DESIGN 8.2, 8.3).
 */
export async function passGate(first: Prepared, parts: GateParts): Promise<Outcome> {
  const { policy, hasFiles, current, timed, onEdit } = parts
  let { tool, isAsked: mustAsk } = parts
  let prepared = first
  let changes = 0
  for (;;) {
    const deed = deedOfCall(tool, prepared.args, hasFiles)
    const question = questionOf(tool)
    const verdict = await verdictOf(tool, prepared, deed, question, mustAsk, parts)
    if (verdict === 'deny') return denied(tool.name)
    if (verdict === 'allow') return { prepared }
    const asking = parts.ask(tool, prepared, question)
    if (!asking) return { result: pending(question) }
    const answer = await asking
    mustAsk = true
    if (answer === 'changed') {
      const now = current()
      if (!now || ++changes > MAX_CHANGES) return { result: errorResult(unknownTool(tool.name)) }
      tool = now
      const { raw } = prepared
      const again = await timed(() => prepareArgs(now, raw))
      if (!again.prepared) return again
      prepared = again.prepared
      continue
    }
    const { data, ok } = answer
    const isEdited = ok && isRecord(data) && 'args' in data
    if (!ok) return { result: errorResult(refused(question.prompt)) }
    if (!isOffered(tool, isEdited ? 'edit' : 'approve'))
      return { result: reasoned(refused(question.prompt), 'cancelled') }
    if (!isEdited) return { prepared, approval: answer }
    const asked = tool
    const edited = await timed(() => prepareArgs(asked, data.args))
    if (!edited.prepared) return edited
    prepared = edited.prepared
    onEdit(prepared)
    if (policy.decide(deedOfCall(tool, prepared.args, hasFiles)) === 'deny') return denied(tool.name)
    // The same object where the schema made nothing else of what was typed.
    if (prepared.args === prepared.raw && isRecord(data.args)) return { prepared, approval: answer }
  }
}

/** A yes, or edits, that were not offered are no consent to what was shown. */
const isOffered = ({ decisions }: AnyTool, decision: 'approve' | 'edit'): boolean =>
  readDecisions(defined({ decisions })).has(decision)

async function verdictOf(
  tool: AnyTool,
  { value }: Prepared,
  deed: Deed,
  question: PendingRequest,
  mustAsk: boolean,
  { policy, options, ctxOf, timed, onRule }: GateParts,
): Promise<'deny' | 'ask' | 'allow'> {
  const verdict = policy.decide(deed)
  if (verdict === 'deny' || (verdict === 'allow' && !mustAsk)) onRule(question, verdict === 'allow')
  if (verdict === 'deny') return verdict
  if (mustAsk || verdict === 'ask') return 'ask'
  if (verdict === 'allow') return verdict
  for (const need of [tool.needsApproval, options.needsApproval]) {
    const asks = typeof need === 'function' ? await timed(() => wants(need, value, ctxOf(tool))) : mayAsk(need)
    if (asks) return 'ask'
  }
  return 'allow'
}

async function wants(
  need: Extract<AnyTool['needsApproval'], (...args: never) => unknown>,
  value: Prepared['value'],
  ctx: GateContext,
): Promise<boolean> {
  try {
    return (await need(outputCopy(value), ctx)) !== false
  } catch {
    // A predicate that cannot tell is no permission.
    return true
  }
}
