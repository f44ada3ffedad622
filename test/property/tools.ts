import { pending, type RunContext } from 'assent/core'
import type { Runner } from 'assent/runner'

export const TOOLS = [
  'plain',
  'asks',
  'asksTwice',
  'sameId',
  'throws',
  'hangs',
  'stuck',
  'slow',
  'expires',
  'meddles',
  'inside',
  'leaves',
  'hears',
  'gated',
  'gatedAsks',
  'gatedSlow',
  'moves',
  'movesAsks',
  'inOrder',
  'unknown',
] as const
export type ToolName = (typeof TOOLS)[number]

export const GATED: readonly string[] = ['gated', 'gatedAsks', 'gatedSlow']

/** Those that end only with their call. */
export const ENDLESS: readonly string[] = ['hangs', 'stuck']

/** Those whose calls never overlap. */
export const SEQUENTIAL: readonly string[] = ['inOrder']

/** How long the questions that end last, in milliseconds. */
export const EXPIRY = 1000

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
export const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString()
const ask = (prompt: string, rest: object = {}) => pending({ kind: 'approval', prompt, ...rest })

/** Work that the person may move, as its contract writes it. */
const offered = (work: Promise<unknown>, { detach }: RunContext): Promise<unknown> =>
  detach ? Promise.race([work, detach(work)]) : work

/** What each of the tools does with its arguments and its context. */
export async function behave(
  name: ToolName,
  args: Record<string, unknown>,
  ctx: RunContext,
  runner: Runner,
): Promise<unknown> {
  const { answer, signal } = ctx
  switch (name) {
    case 'asks':
    case 'hears':
    case 'gatedAsks':
    case 'inOrder':
      return answer ? 'done' : ask(`${name}?`)
    case 'asksTwice':
      return ask(`${name}?`)
    case 'sameId':
      return answer ? 'done' : ask(`${name}?`, { id: 'same' })
    case 'throws':
      if (answer) throw new Error('after the yes')
      return ask(`${name}?`)
    case 'hangs':
      return answer ? new Promise(() => {}) : ask(`${name}?`)
    case 'stuck':
      return new Promise(() => {})
    case 'slow':
      await sleep(300)
      return answer ? 'done' : ask(`${name}?`)
    case 'moves':
      return offered(
        sleep(300).then(() => 'done'),
        ctx,
      )
    case 'movesAsks':
      return answer
        ? 'done'
        : offered(
            sleep(300).then(() => ask(`${name}?`)),
            ctx,
          )
    case 'expires':
      return answer ? 'done' : ask(`${name}?`, { expiresAt: inMs(EXPIRY) })
    case 'meddles':
      Object.assign(args, { n: 'changed by the tool' })
      if (Array.isArray(args.list)) args.list.push('changed by the tool')
      return answer ? 'done' : ask(`${name}?`)
    case 'inside': {
      const asked = ['a', 'b'].map((part) =>
        runner.waitFor({ id: `in ${part}`, kind: 'approval', prompt: `inside ${part}?` }, { signal }),
      )
      return (await Promise.all(asked)).map(({ ok }) => ok)
    }
    case 'leaves':
      void runner.waitFor({ id: 'left', kind: 'approval', prompt: 'left behind?' }, { signal })
      return 'done'
    default:
      return name
  }
}
