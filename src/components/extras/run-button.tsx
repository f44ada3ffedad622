import type { ReactNode } from 'react'
import { usePassingFocus } from './pass-focus.js'

interface ButtonProps {
  slot: string
  /** Id of the tool's name: every row has a button of these words. */
  of: string
  name?: string
  onPress: () => void
  children: ReactNode
}

/** A button of a row, which may go while it has the focus. */
export function RunButton({ slot, of, name, onPress, children }: ButtonProps): ReactNode {
  const button = usePassingFocus<HTMLButtonElement>()
  return (
    <button ref={button} type="button" data-slot={slot} aria-label={name} aria-describedby={of} onClick={onPress}>
      {children}
    </button>
  )
}
