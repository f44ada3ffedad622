import type { RunRecord, RunStatus } from 'assent'
import type { ReactNode } from 'react'

export const statusWords: Record<RunStatus, string> = {
  queued: 'Queued',
  running: 'Running',
  waiting: 'Waiting for an answer',
  background: 'In the background',
  done: 'Done',
  failed: 'Error',
  cancelled: 'Cancelled',
  interrupted: 'Interrupted',
}

/** A call's status, and the ToolResult it ended with. */
export function RunResult({
  run,
  label = 'Result',
}: {
  run: RunRecord | undefined
  label?: string | undefined
}): ReactNode {
  return (
    <output className="result" aria-label={label} data-status={run?.status ?? 'idle'}>
      <span className="status">{run ? statusWords[run.status] : 'Not run yet'}</span>
      {run?.result && <span className="code">{JSON.stringify(run.result, null, 2)}</span>}
    </output>
  )
}
