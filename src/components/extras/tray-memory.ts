import type { Runner, RunRecord, RunStatus } from '../../store/index.js'

const closed = new WeakMap<Runner, Set<string>>()

/** The finished cards that were put away, by run id. Outlives a tray that is mounted anew. */
export function closedOf(runner: Runner): Set<string> {
  const ids = closed.get(runner) ?? new Set()
  closed.set(runner, ids)
  return ids
}

const LIVE: readonly RunStatus[] = ['queued', 'running', 'waiting', 'background']

export const isLive = ({ status }: RunRecord): boolean => LIVE.includes(status)

/** Whether nobody but the tray has its result: a foreground call goes when it ends, since its caller was given it. */
export const isKept = ({ status, isDetached, isRestored }: RunRecord): boolean =>
  isDetached === true || isRestored === true || status === 'interrupted'

export const isShown = (run: RunRecord, put: ReadonlySet<string>): boolean =>
  isLive(run) || (isKept(run) && !put.has(run.id))
