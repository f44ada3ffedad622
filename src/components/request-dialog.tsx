import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useCallback, useRef } from 'react'
import { type OpenQuestion, useBrowserLayoutEffect } from '../react/index.js'
import { guardKeys, isTyping } from './guard-keys.js'
import { type Kind, kindOf } from './kinds.js'
import { showModal } from './modal-focus.js'
import { RequestShell, useNewShell } from './request-shell.js'
import { useArming } from './use-arming.js'
import { useView } from './view-context.js'

interface RequestDialogProps {
  item: OpenQuestion
  kind?: Kind
  onMinimise?: (() => void) | undefined
  /** The way to the other open questions. */
  children?: ReactNode
}

// Never the yes: the first field, else Decline; the title where somebody is typing, and in a body of the app's own.
const FIRST = 'form :is(input, select, textarea):not([type="hidden"])'

function focusInside(dialog: HTMLElement, typing: boolean): void {
  const find = (selector: string): HTMLElement | null => dialog.querySelector(selector)
  const title = find('[data-slot="title"]')
  const target = typing ? title : (find(FIRST) ?? find('[data-slot="decline"]') ?? title)
  target?.focus()
}

/** One open question in a modal dialog, on the native `<dialog>`. */
export function RequestDialog({
  item,
  kind = kindOf(item.request.kind),
  onMinimise,
  children,
}: RequestDialogProps): ReactNode {
  const { labels, armingDelay } = useView()
  const ref = useRef<HTMLDialogElement>(null)
  const armed = useArming(armingDelay, ref)
  const focus = useCallback(() => {
    if (ref.current) focusInside(ref.current, isTyping())
  }, [])
  const shell = useNewShell(true, focus)

  useBrowserLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return undefined
    const typing = isTyping()
    const release = guardKeys(dialog, typing)
    const close = showModal(dialog, () => focusInside(dialog, typing))
    return () => {
      close()
      release()
    }
  }, [])

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing || event.defaultPrevented) return
    // Before the browser closes anything: a held Escape cancels one question, and the page's own handlers hear none.
    event.preventDefault()
    event.stopPropagation()
    if (!event.repeat) item.cancel()
  }

  // A second Escape cannot be prevented, so the first one settles. Events of controls inside bubble in React.
  const onCancel = (event: SyntheticEvent): void => {
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    item.cancel()
  }

  const onClose = (event: SyntheticEvent<HTMLDialogElement>): void => {
    // `open` is true when StrictMode's close is told after its second show.
    if (event.target === event.currentTarget && !event.currentTarget.open) item.cancel()
  }

  return (
    <dialog
      ref={ref}
      role={kind.role}
      aria-modal="true"
      aria-labelledby={shell.title}
      aria-describedby={shell.prompt}
      data-slot="dialog"
      data-kind={item.request.kind}
      data-state={armed ? 'armed' : 'arming'}
      onKeyDown={onKeyDown}
      onCancel={onCancel}
      onClose={onClose}
    >
      <RequestShell
        item={item}
        kind={kind}
        shell={shell}
        armed={armed}
        as="h2"
        tools={
          onMinimise && (
            <button type="button" data-slot="minimise" aria-label={labels.minimise} onClick={onMinimise}>
              <span aria-hidden="true">–</span>
            </button>
          )
        }
      >
        {children}
      </RequestShell>
    </dialog>
  )
}
