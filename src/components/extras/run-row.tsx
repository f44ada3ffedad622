import { memo, type ReactNode, useId } from 'react'
import { useRun } from '../../react/index.js'
import type { RunRecord } from '../../store/index.js'
import { clockTime } from '../countdown.js'
import { escapeText } from '../safe-text.js'
import { usePassingFocus } from './pass-focus.js'
import { Fact, json, type RecordLabels, text, useRecordLabels } from './record-parts.js'
import { RunBar } from './run-bar.js'
import { RunButton } from './run-button.js'
import { RunControls } from './run-controls.js'
import { RunResult } from './run-result.js'
import { useSeconds } from './seconds.js'
import { useNotedMoves } from './steady-hand.js'
import { isLive } from './tray-memory.js'

/** What a person can do with a call. Stable, or every row renders. */
export interface RunActions {
  toBackground(id: string): void
  cancel(id: string): void
  close(id: string): void
  runAgain(run: RunRecord): void
}

interface RowProps {
  id: string
  actions: RunActions
}

/** One call. Renders when that call changes, and at no event of another. */
export const RunRow: (props: RowProps) => ReactNode = memo(({ id, actions }: RowProps) => {
  const run = useRun(id)
  return run && <Row run={run} actions={actions} />
})

function Row({ run, actions }: { run: RunRecord; actions: RunActions }): ReactNode {
  const labels = useRecordLabels()
  const state = useId()
  const name = useId()
  const live = isLive(run)
  const row = usePassingFocus<HTMLDivElement>()
  useNotedMoves(row, live)
  const { id, toolName, status } = run
  return (
    <li>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form. */}
      <div
        ref={row}
        role="group"
        aria-label={escapeText(toolName)}
        aria-describedby={state}
        tabIndex={-1}
        data-slot="run"
        data-status={status}
      >
        <div data-slot="head">
          <p data-slot="tool" id={name}>
            {text(toolName)}
          </p>
          <p data-slot="state" id={state}>
            {wordOf(run, labels)}
          </p>
          <Elapsed run={run} live={live} />
          {!live && (
            <RunButton slot="close" of={name} name={labels.close} onPress={() => actions.close(id)}>
              ×
            </RunButton>
          )}
        </div>
        <Matter run={run} live={live} labels={labels} />
        <RunControls run={run} actions={actions} labels={labels} of={name} />
      </div>
    </li>
  )
}

function wordOf({ status }: RunRecord, labels: RecordLabels): string {
  const { runQueued: queued, runRunning: running, runWaiting: waiting, runBackground: background } = labels
  const { outcomeDone: done, outcomeFailed: failed, outcomeCancelled: cancelled, runInterrupted: interrupted } = labels
  return { queued, running, waiting, background, done, failed, cancelled, interrupted }[status]
}

const between = (from: number, to: number): string => clockTime(Math.max(0, Math.floor((to - from) / 1000)))

/** How long it runs, or ran. A timer is not read aloud at each tick. */
function Elapsed({ run, live }: { run: RunRecord; live: boolean }): ReactNode {
  const { startedAt, endedAt, status } = run
  if (live) return <Ticking since={startedAt} />
  return endedAt === undefined || status === 'interrupted' ? null : (
    <p data-slot="elapsed">{between(startedAt, endedAt)}</p>
  )
}

function Ticking({ since }: { since: number }): ReactNode {
  const now = useSeconds()
  return (
    <p data-slot="elapsed" role="timer">
      {between(since, now)}
    </p>
  )
}

/** What there is to say of it now: how far it is, what it came to, or that nobody knows. */
function Matter({ run, live, labels }: { run: RunRecord; live: boolean; labels: RecordLabels }): ReactNode {
  if (live) return <RunBar run={run} labels={labels} />
  return run.status === 'interrupted' ? (
    <Interrupted run={run} labels={labels} />
  ) : (
    <RunResult run={run} labels={labels} />
  )
}

function Interrupted({ run: { args }, labels }: { run: RunRecord; labels: RecordLabels }): ReactNode {
  return (
    <>
      <p data-slot="description">{labels.outcomeUnknown}</p>
      {Object.keys(args).length > 0 && (
        <dl data-slot="facts">
          <Fact name={labels.arguments}>{json(args)}</Fact>
        </dl>
      )}
    </>
  )
}
