import { type ReactNode, useCallback, useMemo, useReducer, useRef, useSyncExternalStore } from 'react'
import { useBrowserLayoutEffect, useRunner, useStable } from '../../react/index.js'
import type { Runner } from '../../store/index.js'
import { guardKeys } from '../guard-keys.js'
import { useView } from '../view-context.js'
import { useRecordLabels } from './record-parts.js'
import { RunNews } from './run-news.js'
import { type RunActions, RunRow } from './run-row.js'
import { useSteadyHand } from './steady-hand.js'
import { closedOf, isShown } from './tray-memory.js'

const NONE: readonly string[] = []

/**
 * The calls that run, and the finished ones whose result has nobody else to go to. In the order they began, so that a row
 * stays where it is when its call is moved or ends, and what comes and goes quickly does so below what lasts.
 */
export function RunList(): ReactNode {
  const runner = useRunner()
  const labels = useRecordLabels()
  const { armingDelay, frame } = useView()
  const section = useRef<HTMLElement>(null)
  const [ids, lookAgain] = useShownIds(runner)
  const actions = useActions(runner, lookAgain)
  const guard = useSteadyHand(armingDelay)
  useBrowserLayoutEffect(() => (section.current ? guardKeys(section.current, false) : undefined), [])

  return (
    <section
      {...frame}
      ref={section}
      data-slot="list"
      data-kind="runs"
      aria-label={labels.runs}
      tabIndex={-1}
      onClickCapture={guard}
    >
      <RunNews />
      {ids.length > 0 && (
        <ol>
          {ids.map((id) => (
            <RunRow key={id} id={id} actions={actions} />
          ))}
        </ol>
      )}
    </section>
  )
}

/** Ids and not records: an event of a call renders its own row and not the list. */
function useShownIds(runner: Runner): [ids: readonly string[], lookAgain: () => void] {
  const closed = closedOf(runner)
  const stable = useStable<readonly string[]>()
  const [, lookAgain] = useReducer((count: number) => count + 1, 0)
  const select = (): readonly string[] =>
    stable(
      runner
        .getState()
        .runs.filter((run) => isShown(run, closed))
        .map(({ id }) => id),
    )
  return [useSyncExternalStore(runner.subscribe, select, () => NONE), lookAgain]
}

function useActions(runner: Runner, lookAgain: () => void): RunActions {
  const close = useCallback(
    (id: string) => {
      closedOf(runner).add(id)
      // Or it would come back with the next page.
      if (runner.getRun(id)?.isRestored) runner.forget(id)
      lookAgain()
    },
    [runner, lookAgain],
  )
  return useMemo(
    () => ({
      toBackground: (id) => void runner.detach(id),
      cancel: (id) => runner.abort(id),
      close,
      runAgain: ({ id }) => void runner.runAgain(id),
    }),
    [runner, close],
  )
}
