import { isRecord, isTrusted, jsonSchemaOf, type PendingRequest, readDecisions } from '../core/internal.js'
import { dangerOf } from './danger.js'
import type { Policy } from './policy.js'
import type { About } from './questions.js'
import { formSchema } from './read-request.js'
import { callInfo, type LiveRun } from './runs.js'
import type { Asker, PendingItem, ToolRunnerOptions } from './types.js'

export interface Extra {
  isGate?: boolean
  asker?: Asker | undefined
}

/** What the runner itself says of a question: who asks, with what, how grave it is, what may be done with it. */
export function about(
  request: PendingRequest,
  run: LiveRun | undefined,
  options: ToolRunnerOptions,
  policy: Policy,
  { isGate = false, asker }: Extra,
): About {
  const data = isRecord(request.data) ? request.data : {}
  const tool = run?.tool
  const trusted = isTrusted(asker ?? {}) && isTrusted(tool ?? {})
  const schema = formSchema(request, options.answerSchemas, run?.record.toolName)
  const mayEdit = readDecisions(data).has('edit')
  const { raw, args } = run?.prepared ?? {}
  const said: About = {
    ...(run && callInfo(run)),
    trusted,
    danger: dangerOf([tool ?? {}, data], trusted),
    ...(asker && { asker }),
    ...(isGate && { isGate }),
    ...(schema !== undefined && { schema }),
    ...(mayEdit && tool && { argsSchema: jsonSchemaOf(tool) }),
    ...(mayEdit && isGate && raw !== args && { raw }),
  }
  // Only what canRemember looks at: the rest of an item is not known before it is open.
  const rememberable = policy.canRemember({ ...said, request } as PendingItem)
  return rememberable ? { ...said, rememberable } : said
}
