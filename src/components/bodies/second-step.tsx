import { type ReactNode, type Ref, useId } from 'react'
import { fill, type Labels } from '../labels.js'

// An app that left the word empty did not mean that nothing unlocks it.
const wordOf = ({ confirmWord, approve }: Labels): string => confirmWord.trim() || approve

/** Whether what was typed is the word, in any case. */
export const isConfirmed = (typed: string, labels: Labels): boolean =>
  typed.trim().localeCompare(wordOf(labels).trim(), undefined, { sensitivity: 'accent' }) === 0

interface SecondStepProps {
  box: Ref<HTMLInputElement>
  /** Says what the locked button waits for. */
  hintId: string
  typed: string
  onType: (typed: string) => void
  labels: Labels
}

/** Beside the buttons, because the box stands below all that is to be read. */
export function StepHint({ id, locked, labels }: { id: string; locked: boolean; labels: Labels }): ReactNode {
  return (
    <p data-slot="hint" id={id} role="status">
      {locked ? fill(labels.confirmLocked, { word: wordOf(labels) }) : labels.confirmUnlocked}
    </p>
  )
}

/** What makes a yes of high danger deliberate: a word to type. Not in a form, so that Enter in it answers nothing (K13). */
export function SecondStep({ box, hintId, typed, onType, labels }: SecondStepProps): ReactNode {
  const id = useId()
  return (
    <div data-slot="form">
      <div data-slot="confirm">
        <label data-slot="label" htmlFor={id}>
          {fill(labels.confirmLabel, { word: wordOf(labels) })}
        </label>
        <input
          ref={box}
          id={id}
          type="text"
          data-slot="control"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          aria-describedby={hintId}
          onChange={({ target }) => onType(target.value)}
        />
      </div>
    </div>
  )
}
