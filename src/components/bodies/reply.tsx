import { type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** What was written so far, and whether it is open to be read and sent; it outlives the view. */
export interface ReplyDraft {
  text: string
  isOpen: boolean
}

// In pixels.
const GAP = 8

interface ReplyProps {
  title: string
  label: string
  hint?: string | undefined
  send: string
  draft: ReplyDraft
  /** Whether there is something to send. */
  canSend: (text: string) => boolean
  onSend: (text: string) => void
}

/** Scrolls until all of it is in view, and not below the time that stays at the end of what scrolls. */
function reveal(element: HTMLElement): void {
  element.scrollIntoView({ block: 'nearest' })
  const content = element.closest('[data-slot="content"]')
  const countdown = content?.querySelector('[data-slot="countdown"]')
  if (!content || !countdown) return
  const covered = element.getBoundingClientRect().bottom - countdown.getBoundingClientRect().top
  if (covered > 0) content.scrollBy(0, covered + GAP)
}

/** A few words in place of a yes, or with a no. */
export function Reply({ title, label, hint, send, draft, canSend, onSend }: ReplyProps): ReactNode {
  const id = useId()
  const [isOpen, setOpen] = useState(draft.isOpen)
  const [text, setText] = useState(draft.text)
  const button = useRef<HTMLButtonElement>(null)
  const isReady = canSend(text)

  const toggle = (open: boolean): void => {
    // What is open from the start is told as well.
    if (open === draft.isOpen) return
    draft.isOpen = open
    flushSync(() => setOpen(open))
    if (button.current) reveal(button.current)
  }

  return (
    <details data-slot="reply" open={isOpen} onToggle={({ currentTarget }) => toggle(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && (
        <div data-slot="form">
          <div data-slot="field">
            <label data-slot="label" htmlFor={id}>
              {label}
            </label>
            {hint && (
              <p data-slot="hint" id={`${id}-hint`}>
                {hint}
              </p>
            )}
            <textarea
              id={id}
              rows={2}
              data-slot="control"
              autoComplete="off"
              value={text}
              aria-describedby={hint && `${id}-hint`}
              onChange={({ target }) => {
                draft.text = target.value
                setText(target.value)
              }}
            />
            <button
              ref={button}
              type="button"
              data-slot="send"
              aria-disabled={isReady ? undefined : true}
              // It may have come under the pointer by the first click of two, which was on the title.
              onClick={({ detail }) => isReady && detail < 2 && onSend(text)}
            >
              {send}
            </button>
          </div>
        </div>
      )}
    </details>
  )
}
