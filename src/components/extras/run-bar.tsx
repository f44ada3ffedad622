import type { ReactNode } from 'react'
import type { RunRecord } from '../../store/index.js'
import { fill } from '../labels.js'
import { type RecordLabels, text } from './record-parts.js'

// A message is a line about now, drawn up to sixty times a second.
const MESSAGE = 300

const shortened = (message: string): string => (message.length > MESSAGE ? `${message.slice(0, MESSAGE)}…` : message)

/** How far a call is: a share where its tool says how much there is, else that it is at work. */
export function RunBar({ run, labels }: { run: RunRecord; labels: RecordLabels }): ReactNode {
  const { progress, status } = run
  const { step = 0, total, message } = progress ?? {}
  const isAtWork = status === 'running' || status === 'background'
  return (
    <>
      {(total !== undefined || isAtWork) && (
        <div data-slot="track" data-state={total === undefined ? 'indeterminate' : 'determinate'}>
          <progress
            aria-label={labels.progress}
            {...(total !== undefined && { value: shareOf(step, total) * total, max: total })}
          />
        </div>
      )}
      {total !== undefined && (
        <p data-slot="percent">{fill(labels.percent, { percent: Math.floor(shareOf(step, total) * 100) })}</p>
      )}
      {message && <p data-slot="message">{text(shortened(message))}</p>}
    </>
  )
}

const shareOf = (step: number, total: number): number => Math.min(1, Math.max(0, step / total))
