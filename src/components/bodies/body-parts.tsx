import type { ReactNode } from 'react'
import type { PendingItem } from '../../store/index.js'
import { AskedBy } from '../asked-by.js'
import { Countdown } from '../countdown.js'
import { kindOf } from '../kinds.js'
import { RequestDetails, type RequestDetailsProps } from '../request-details.js'
import { hasUnsafe, SafeText } from '../safe-text.js'
import { useShell } from '../shell-context.js'
import type { DialogBodyProps } from '../view-context.js'

/** Whether a text is found among all that is shown, however deep. */
const shows = (value: unknown, find: (text: string) => boolean): boolean =>
  typeof value === 'string'
    ? find(value)
    : Object.entries(value ?? {})
        .flat()
        .some((part) => shows(part, find))

const dangers = { low: 'dangerLow', medium: 'dangerMedium', high: 'dangerHigh' } as const

/** Whether it says how grave it is: what is filled in or signed in to does nothing by itself, unless it is said to. */
export const hasDanger = ({ danger, request: { kind } }: PendingItem): boolean =>
  danger === 'high' || kindOf(kind).role === 'alertdialog'

interface ContentProps extends RequestDetailsProps {
  children?: ReactNode
  /** What comes after all that is to be read. */
  after?: ReactNode
}

/** The part that scrolls: how grave it is, who asks what, what the kind needs, and with what it would run. */
export function Content({ item, labels, calls, children, after }: ContentProps): ReactNode {
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
      <RequestDetails item={item} labels={labels} calls={calls} />
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
