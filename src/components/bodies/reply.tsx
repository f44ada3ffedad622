import { type ReactNode, useId, useState } from 'react'

interface ReplyProps {
  title: string
  label: string
  hint?: string | undefined
  send: string
  /** What was written so far; it outlives the view. */
  draft: { text: string }
  /** Whether there is something to send. */
  canSend: (text: string) => boolean
  onSend: (text: string) => void
}

/** A few words in place of a yes, or with a no. */
export function Reply({ title, label, hint, send, draft, canSend, onSend }: ReplyProps): ReactNode {
  const id = useId()
  const [isOpen, setOpen] = useState(draft.text !== '')
  const [text, setText] = useState(draft.text)
  const isReady = canSend(text)
  return (
    <details data-slot="reply" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
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
              type="button"
              data-slot="send"
              aria-disabled={isReady ? undefined : true}
              onClick={() => isReady && onSend(text)}
            >
              {send}
            </button>
          </div>
        </div>
      )}
    </details>
  )
}
