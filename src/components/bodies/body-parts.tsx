import type { ReactNode } from 'react'
import { Countdown } from '../countdown.js'
import { RequestDetails } from '../request-details.js'
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

/** The part that scrolls: the prompt, who asks with what, then what the kind needs. */
export function Content({
  item,
  labels,
  children,
}: Omit<DialogBodyProps, 'armed'> & { children?: ReactNode }): ReactNode {
  const { title, prompt: promptId, place } = useShell()
  const { prompt } = item.request
  return (
    // A scroll container must be reachable by keyboard (K24), and what can be reached needs a name.
    <div data-slot="content" {...(place === 'dialog' && { tabIndex: 0, role: 'group', 'aria-labelledby': title })}>
      <p data-slot="prompt" id={promptId}>
        <SafeText>{prompt}</SafeText>
      </p>
      {shows(item, hasUnsafe) && <p data-slot="warning">{labels.unsafeText}</p>}
      {children}
      <RequestDetails item={item} labels={labels} />
      {item.expiresAt !== undefined && <Countdown expiresAt={item.expiresAt} labels={labels} />}
    </div>
  )
}

interface ActionsProps extends DialogBodyProps {
  /** The word on the button that says yes; without one there is no such button. */
  confirm?: string | undefined
  /** Whether the button submits the body's form instead of approving at once. */
  submits?: boolean
}

/** The buttons, always in view. Decline works at once, the yes only once armed (K15); never the native `disabled` (DESIGN 7.2). */
export function Actions({ item, armed, labels, confirm, submits = false }: ActionsProps): ReactNode {
  const { form } = useShell()
  return (
    <footer data-slot="actions">
      <button type="button" data-slot="decline" onClick={() => item.decline()}>
        {labels.decline}
      </button>
      {confirm !== undefined && (
        <button
          type={submits ? 'submit' : 'button'}
          form={submits ? form : undefined}
          data-slot="approve"
          data-state={armed ? 'armed' : 'arming'}
          aria-disabled={armed ? undefined : true}
          onClick={(event) => {
            if (!armed) event.preventDefault()
            else if (!submits) item.approve()
          }}
        >
          {confirm}
        </button>
      )}
    </footer>
  )
}
