import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useCallback, useReducer, useRef } from 'react'
import { type OpenQuestion, useBrowserLayoutEffect } from '../react/index.js'
import { guardKeys, isTyping } from './guard-keys.js'
import { type Kind, kindOf } from './kinds.js'
import { isClosedByUs, showModal } from './modal-focus.js'
import { namedBy, RequestShell, useNewShell } from './request-shell.js'
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
  const { labels, armingDelay, frame } = useView()
  const ref = useRef<HTMLDialogElement>(null)
  const [body, countBody] = useReducer((count: number) => count + 1, 0)
  const armed = useArming(armingDelay, ref, body)
  // The first field is only there now; what had the focus went with the old body, unless the person moved on.
  const onBodyReady = useCallback(() => {
    countBody()
    const dialog = ref.current
    if (dialog && !dialog.matches(':focus-within')) focusInside(dialog, isTyping())
  }, [])
  const shell = useNewShell('dialog', onBodyReady)

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
    if (event.key !== 'Escape') return
    // Before the browser closes anything: a held Escape cancels one question, one that ends a composition none, and the
    // page's own handlers hear none of it.
    event.preventDefault()
    event.stopPropagation()
    if (!event.repeat && !event.nativeEvent.isComposing) item.cancel()
  }

  // A second Escape cannot be prevented, so the first one settles. In React these events bubble: those of controls inside
  // are not ours, and ours are not those of a dialog of the app around.
  const onCancel = (event: SyntheticEvent): void => {
    event.stopPropagation()
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    item.cancel()
  }

  const onClose = (event: SyntheticEvent<HTMLDialogElement>): void => {
    event.stopPropagation()
    // `open` is true when StrictMode's close is told after its second show; one that we closed (Suspense, Activity) is
    // shown again later.
    const { target, currentTarget: dialog } = event
    if (target === dialog && !dialog.open && !isClosedByUs(dialog)) item.cancel()
  }

  return (
    <dialog
      {...frame}
      ref={ref}
      role={kind.role}
      aria-modal="true"
      aria-labelledby={namedBy(item, shell)}
      aria-describedby={shell.prompt}
      data-slot="dialog"
      data-kind={item.request.kind}
      data-danger={item.danger}
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
