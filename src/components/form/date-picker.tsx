import { type ReactNode, useRef } from 'react'
import { withOffset } from './coerce.js'

interface DatePickerProps {
  withTime: boolean
  text: string
  label: string
  describedBy: string
  onPick: (text: string) => void
}

/** A button that opens the browser's own calendar and copies the choice into the text box. */
export function DatePicker({ withTime, text, label, describedBy, onPick }: DatePickerProps): ReactNode {
  const picker = useRef<HTMLInputElement>(null)
  if (!('showPicker' in HTMLInputElement.prototype)) return null
  const open = (): void => {
    const input = picker.current
    if (!input) return
    input.value = text.slice(0, withTime ? 16 : 10)
    try {
      input.showPicker()
    } catch {
      // Not allowed in a frame of another origin; the text box is there.
    }
  }
  return (
    <>
      <button type="button" data-slot="pick" title={label} aria-describedby={describedBy} onClick={open}>
        {label}
      </button>
      <input
        ref={picker}
        type={withTime ? 'datetime-local' : 'date'}
        data-slot="picker"
        aria-hidden="true"
        tabIndex={-1}
        onChange={({ target }) => onPick(withOffset(target.value))}
      />
    </>
  )
}
