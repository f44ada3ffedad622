import { type Answer, type AnyTool, type PendingRequest, pending, type ToolEvent, type ToolResult } from 'assent/core'
import type { Runner } from 'assent/runner'

/** Lets every microtask run that waits now, without a timer. */
export async function flush(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await null
}

export interface Attempt {
  args: Record<string, unknown>
  answer: Answer | undefined
}

export interface RecordedTool extends AnyTool {
  /** What each execution was given, oldest first. */
  readonly attempts: Attempt[]
}

/** A tool that keeps what it was given; `execute` is told which attempt it is, from 1. */
export function recorded(
  name: string,
  execute: (...given: [...Parameters<AnyTool['execute']>, attempt: number]) => unknown,
  rest: Partial<AnyTool> = {},
): RecordedTool {
  const attempts: Attempt[] = []
  return {
    name,
    description: name,
    ...rest,
    attempts,
    execute(args, ctx) {
      attempts.push({ args: structuredClone(args), answer: ctx.answer })
      return execute(args, ctx, attempts.length)
    },
  }
}

/** A tool that asks once and then says `done`. */
export const asking = (name: string, request: Partial<PendingRequest> = {}, rest: Partial<AnyTool> = {}) =>
  recorded(
    name,
    (_args, ctx) => (ctx.answer ? 'done' : pending({ kind: 'approval', prompt: `${name}?`, ...request })),
    rest,
  )

export const yes = (id: string, data?: Record<string, unknown>): Answer => ({ id, ok: true, ...(data && { data }) })
export const no = (id: string, reason: Answer['reason'] = 'declined'): Answer => ({ id, ok: false, reason })

/** What a runner's call ends with after a no: the reason stands in the metadata, since the text is fixed (K4). */
export const refusedAs = (prompt: string, reason: Answer['reason'] = 'declined', rest: object = {}): ToolResult => ({
  output: `declined/expired: ${prompt}`,
  isError: true,
  metadata: { reason, ...rest },
})

/** Says yes to the oldest open question. */
export const approveHead = (runner: Runner, data?: Record<string, unknown>): boolean => {
  const item = runner.head()
  return item !== undefined && runner.answer(item.key, yes(item.request.id, data))
}

/** An event as a row: its type, and what it says of waiting and errors. */
export const row = ({ type, pending, isError }: ToolEvent): string =>
  type + (pending ? ' pending' : '') + (isError ? ' error' : '')

/** Counts the listeners that come and go on a target; `live` are those that are still there. */
export function countListeners(target: EventTarget): { added: () => number; live: () => number } {
  let added = 0
  const live = new Set<unknown>()
  const add = target.addEventListener.bind(target)
  const remove = target.removeEventListener.bind(target)
  target.addEventListener = (...rest: Parameters<typeof add>) => {
    added++
    live.add(rest[1])
    add(...rest)
  }
  target.removeEventListener = (...rest: Parameters<typeof remove>) => {
    live.delete(rest[1])
    remove(...rest)
  }
  return { added: () => added, live: () => live.size }
}

/** An object whose `then` is `get()`: what a hostile tool or host may hand out instead of a promise. */
export const thenable = (get: () => unknown): PromiseLike<never> =>
  Object.defineProperty({}, 'then', { get }) as PromiseLike<never>
