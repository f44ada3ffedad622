import { type Args, checkArgs, frozenJson, messageOf, notAllowed } from '../core/internal.js'
import { deedOfCall, type Policy } from './policy.js'
import type { LiveRun } from './runs.js'
import type { EditCheck, PendingItem } from './types.js'

const denial = (name: string): EditCheck => ({ issues: [{ path: '', keyword: 'policy', expected: notAllowed(name) }] })

function asTyped(args: unknown): EditCheck {
  try {
    return { args: frozenJson(args) as Args }
  } catch (error) {
    return { issues: [{ path: '', keyword: 'json', expected: messageOf(error) }] }
  }
}

/**
 * What edited arguments of a question run as (DESIGN 8.2). At the gate the call's tool and the rules decide; elsewhere the
 * arguments go to the tool as they were typed.
 */
export async function checkEdit(
  item: PendingItem | undefined,
  run: LiveRun | undefined,
  args: unknown,
  policy: Policy,
): Promise<EditCheck> {
  const tool = run?.tool
  if (!item?.isGate || !tool) return asTyped(args)
  const checked = await checkArgs(tool, args)
  if (checked.issues) return checked
  const edited = checked.prepared.args
  const verdict = policy.decide(deedOfCall(tool, edited, run.files !== undefined))
  return verdict === 'deny' ? denial(tool.name) : { args: edited }
}
