import { useSyncExternalStore } from 'react'
import type { RunRecord } from '../store/index.js'
import { useRunner } from './runner-context.js'
import { useStable } from './use-stable.js'

const NONE: readonly RunRecord[] = []

/** A call by its run id (`run(name, args, { onStart })` tells it). Renders when that call changes. */
export function useRun(id: string | undefined): RunRecord | undefined {
  const runner = useRunner()
  return useSyncExternalStore(
    runner.subscribe,
    () => (id === undefined ? undefined : runner.getRun(id)),
    () => undefined,
  )
}

/** The calls, oldest first; finished ones are kept to a limit. */
export function useRuns(filter?: (run: RunRecord) => boolean): readonly RunRecord[] {
  const runner = useRunner()
  const stable = useStable<readonly RunRecord[]>()
  const select = (): readonly RunRecord[] => {
    const { runs } = runner.getState()
    return stable(filter ? runs.filter(filter) : runs)
  }
  return useSyncExternalStore(runner.subscribe, select, () => NONE)
}
