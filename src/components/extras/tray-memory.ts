import type { Runner, RunRecord, RunStatus } from '../../store/index.js'

/** What the trays of one runner know besides its records, by run id. Outlives a tray that is mounted anew. */
export interface TrayMemory {
  /** The finished cards that were put away. */
  readonly closed: Set<string>
  /** The calls a tray started itself: it is their caller, and has their results to show. */
  readonly own: Set<string>
}

const memories = new WeakMap<Runner, TrayMemory>()

export function memoryOf(runner: Runner): TrayMemory {
  const memory = memories.get(runner) ?? { closed: new Set(), own: new Set() }
  memories.set(runner, memory)
  return memory
}

const LIVE: readonly RunStatus[] = ['queued', 'running', 'waiting', 'background']

export const isLive = ({ status }: RunRecord): boolean => LIVE.includes(status)

/** Whether nobody but the tray has its result: a foreground call goes when it ends, since its caller was given it. */
export const isKept = ({ id, status, isDetached, isRestored }: RunRecord, { own }: TrayMemory): boolean =>
  isDetached === true || isRestored === true || status === 'interrupted' || own.has(id)

export const isShown = (run: RunRecord, memory: TrayMemory): boolean =>
  isLive(run) || (isKept(run, memory) && !memory.closed.has(run.id))
