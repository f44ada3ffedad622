import {
  type Answer,
  type AnyTool,
  type Args,
  allow,
  defined,
  errorResult,
  frozenJson,
  type GateContext,
  isRecord,
  newId,
  notAllowed,
  type Passed,
  type PendingRequest,
  pending,
  prepareArgs,
  refused,
} from '../core/internal.js'
import { dangerOf } from './danger.js'
import type { Policy } from './policy.js'
import type { ToolRunnerOptions } from './types.js'

export interface GateParts {
  tool: AnyTool
  options: ToolRunnerOptions
  policy: Policy
  ctx: GateContext
  /** Asks the person; undefined where nobody can be asked. */
  ask: ((request: PendingRequest) => Promise<Answer>) | undefined
  /** The person was asked already, before a reload: what they said counts, whatever would be asked now. */
  isAsked?: boolean
  /** Told what a rule or a remembered permission decided without asking. */
  onRule: (request: PendingRequest, ok: boolean) => void
}

/**
 * The runner's own question before the first run (DESIGN 2.5): deny before ask before allow, then `needsApproval`. Its
 * answer is `ctx.approval`; arguments edited there are validated and are the ones that run.
 */
export async function passGate(args: Args, parts: GateParts): Promise<Passed & { approval?: Answer }> {
  const { tool, options, policy, ctx, ask, isAsked = false, onRule } = parts
  const { name, danger, annotations, decisions } = tool
  const data = defined({ danger, annotations, decisions })
  const question: PendingRequest = frozenJson({
    id: newId('gate'),
    kind: 'approval',
    prompt: allow(name),
    ...(Object.keys(data).length > 0 && { data }),
  })

  const deed = { tool: name, source: tool.source, danger: dangerOf([tool], tool.trusted !== false) }
  const verdict = policy.decide({ ...deed, args })
  if (verdict === 'deny' || (verdict === 'allow' && !isAsked)) onRule(question, verdict === 'allow')
  if (verdict === 'deny') return { result: errorResult(notAllowed(name)) }
  const asks =
    isAsked || verdict === 'ask' || (!verdict && (await wants(args, ctx, tool.needsApproval, options.needsApproval)))
  if (!asks) return { args }
  if (!ask) return { result: pending(question) }
  const approval = await ask(question)
  if (!approval.ok) return { result: errorResult(refused(question.prompt)) }
  const isEdited = isRecord(approval.data) && 'args' in approval.data
  // A yes, or edits, that were not offered are no consent to what was shown.
  if (!(decisions ?? ['approve']).includes(isEdited ? 'edit' : 'approve')) {
    return { result: errorResult(refused(question.prompt)) }
  }
  if (!isEdited) return { args, approval }
  const edited = await prepareArgs(tool, approval.data?.args)
  if (edited.args && policy.decide({ ...deed, args: edited.args }) === 'deny')
    return { result: errorResult(notAllowed(name)) }
  return { ...edited, approval }
}

async function wants(args: Args, ctx: GateContext, ...needs: AnyTool['needsApproval'][]): Promise<boolean> {
  for (const need of needs) {
    try {
      if (typeof need === 'function' ? await need(args, ctx) : need) return true
    } catch {
      // A predicate that cannot tell is no permission.
      return true
    }
  }
  return false
}
