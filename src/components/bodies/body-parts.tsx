import type { ReactNode } from 'react'
import { AskedBy } from '../asked-by.js'
import { Countdown } from '../countdown.js'
import { hasDanger } from '../kinds.js'
import { RequestDetails, type RequestDetailsProps } from '../request-details.js'
import { hasUnsafe, SafeText } from '../safe-text.js'
import { useShell } from '../shell-context.js'
import type { DialogBodyProps } from '../view-context.js'

/** Whether a text is found among all that is shown, however deep. */
function shows(value: unknown, find: (text: string) => boolean): boolean {
  const parts = new Set([value])
  // A set takes more while it is walked, and each part once.
  for (const part of parts) {
    if (typeof part === 'string' && find(part)) return true
    if (typeof part === 'object') for (const inner of Object.entries(part ?? {}).flat()) parts.add(inner)
  }
  return false
}

const dangers = { low: 'dangerLow', medium: 'dangerMedium', high: 'dangerHigh' } as const

interface ContentProps extends RequestDetailsProps {
  children?: ReactNode
  /** What comes after all that is to be read. */
  after?: ReactNode
}

/** The part that scrolls: how grave it is, who asks what, what the kind needs, and with what it would run. */
export function Content({ item, labels, calls, shown, children, after }: ContentProps): ReactNode {
  const { title, prompt: promptId, danger: dangerId, place } = useShell()
  const { prompt } = item.request
  return (
    // A scroll container must be reachable by keyboard (K24), and what can be reached needs a name.
    <div data-slot="content" {...(place === 'dialog' && { tabIndex: 0, role: 'group', 'aria-labelledby': title })}>
      {hasDanger(item) && (
        <p data-slot="danger" id={dangerId}>
          {labels[dangers[item.danger]]}
        </p>
      )}
      <AskedBy item={item} labels={labels} />
      <p data-slot="prompt" id={promptId}>
        <SafeText>{prompt}</SafeText>
      </p>
      {shows(item, hasUnsafe) && <p data-slot="warning">{labels.unsafeText}</p>}
      {children}
      <RequestDetails item={item} labels={labels} calls={calls} shown={shown} />
      {after}
      {item.expiresAt !== undefined && <Countdown expiresAt={item.expiresAt} labels={labels} />}
    </div>
  )
}

interface ActionsProps extends DialogBodyProps {
  /** The word on the button that says yes; without one there is no such button. */
  confirm?: string | undefined
  /** Whether the button submits the body's form instead of approving at once. */
  submits?: boolean
  /** What the button does; without it, a plain yes. */
  onConfirm?: () => void
  /** What Decline does; without it, a plain no. */
  onDecline?: () => void
  /** Whether a step comes first, which `onConfirm` then leads to. */
  locked?: boolean
  /** The id of what belongs to the yes. */
  describedBy?: string | undefined
  /** What stands before the buttons. */
  children?: ReactNode
}

/** The buttons, always in view. Decline works at once, the yes only once armed (K15); never the native `disabled` (DESIGN 7.2). */
export function Actions(props: ActionsProps): ReactNode {
  const { item, armed, labels, confirm, submits = false, locked = false, describedBy, children } = props
  const { onConfirm = () => item.approve(), onDecline = () => item.decline() } = props
  const { form } = useShell()
  return (
    <footer data-slot="actions">
      {children}
      <button type="button" data-slot="decline" onClick={() => onDecline()}>
        {labels.decline}
      </button>
      {confirm !== undefined && (
        <button
          type={submits ? 'submit' : 'button'}
          form={submits ? form : undefined}
          data-slot="approve"
          data-state={armed ? (locked ? 'locked' : 'armed') : 'arming'}
          aria-disabled={!armed || locked || undefined}
          aria-describedby={describedBy}
          onClick={(event) => {
            if (!armed) event.preventDefault()
            else if (!submits) onConfirm()
          }}
        >
          {confirm}
        </button>
      )}
    </footer>
  )
}
