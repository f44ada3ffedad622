import type { ReactNode } from 'react'
import type { RunRecord } from '../../store/index.js'
import type { RecordLabels } from './record-parts.js'
import { RunButton } from './run-button.js'
import type { RunActions } from './run-row.js'
import { isLive } from './tray-memory.js'

interface ControlsProps {
  run: RunRecord
  actions: RunActions
  labels: RecordLabels
  /** Id of the tool's name. */
  of: string
}

/** What a person can do with the call as it is now. */
export function RunControls({ run, actions, labels, of }: ControlsProps): ReactNode {
  const { id, status, isDetachable } = run
  const isInterrupted = status === 'interrupted'
  if (!isLive(run) && !isInterrupted) return null
  return (
    <div data-slot="controls">
      {isDetachable && (
        <RunButton slot="background" of={of} onPress={() => actions.toBackground(id)}>
          {labels.toBackground}
        </RunButton>
      )}
      {isInterrupted && !run.isPartial && (
        <RunButton slot="again" of={of} onPress={() => actions.runAgain(run)}>
          {labels.runAgain}
        </RunButton>
      )}
      {isLive(run) && (
        <RunButton slot="cancel" of={of} onPress={() => actions.cancel(id)}>
          {labels.cancel}
        </RunButton>
      )}
    </div>
  )
}
