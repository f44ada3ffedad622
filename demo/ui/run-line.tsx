import type { RunRecord } from 'assent'
import type { ReactNode } from 'react'
import { statusWords } from './run-result.js'

/** How a call stands, in one line of a list. */
export function RunLine({ run, children }: { run: RunRecord; children: ReactNode }): ReactNode {
  return (
    <li data-status={run.status}>
      <span>{children}</span>
      <span className="status">{statusWords[run.status]}</span>
    </li>
  )
}
