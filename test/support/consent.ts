import type { Answer, AnyTool } from 'assent/core'
import {
  createToolRunner,
  type PendingItem,
  type PolicyStorage,
  type Runner,
  type ToolRunnerOptions,
} from 'assent/runner'
import { flush, yes } from './asking.js'

/** A runner that is looked at, so that nothing warns. */
export const runnerOf = (tools: AnyTool[], options: ToolRunnerOptions = {}): Runner => {
  const runner = createToolRunner({ tools, ...options })
  runner.attach({}, 'dialog')
  return runner
}

/** A question as an adapter would hand it in. */
export const request = (id: string, rest: object = {}) => ({ id, kind: 'approval', prompt: `${id}?`, ...rest })

export interface GatedTool extends AnyTool {
  /** What each execution was given, oldest first. */
  readonly seen: { args: Record<string, unknown>; answer: Answer | undefined; approval: Answer | undefined }[]
}

/** A tool the runner asks about first; without `execute` it says `ran`. */
export function gated(name: string, rest: Partial<AnyTool> = {}, execute: AnyTool['execute'] = () => 'ran'): GatedTool {
  const seen: GatedTool['seen'] = []
  return {
    name,
    description: name,
    needsApproval: true,
    ...rest,
    seen,
    execute(args, ctx) {
      seen.push(structuredClone({ args, answer: ctx.answer, approval: ctx.approval }))
      return execute(args, ctx)
    },
  }
}

/** The question that waits for its turn, once everything that runs now has run. */
export async function shown(runner: Runner): Promise<PendingItem> {
  await flush()
  const item = runner.head()
  if (!item) throw new Error('nothing is asked')
  return item
}

/** Says yes to the question to show next, and to have it remembered. */
export async function approveNext(
  runner: Runner,
  data?: Record<string, unknown>,
  remember?: Parameters<Runner['answer']>[2],
): Promise<PendingItem> {
  const item = await shown(runner)
  runner.answer(item.key, yes(item.request.id, data), remember)
  return item
}

/** What `localStorage` does, with its rows in sight. */
export function memoryStorage(
  rows: Record<string, string> = {},
): PolicyStorage & { readonly rows: Map<string, string> } {
  const map = new Map(Object.entries(rows))
  return {
    rows: map,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
  }
}
