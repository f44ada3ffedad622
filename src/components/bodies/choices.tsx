import { type ReactNode, useId } from 'react'
import type { Labels } from '../labels.js'
import { SafeText } from '../safe-text.js'
import type { Choice } from './read-consent.js'

// More than a glance takes in is a list with a button of its own.
const MAX_BUTTONS = 4

export const isButtons = (choices: readonly Choice[], multiple: boolean): boolean =>
  !multiple && choices.length > 0 && choices.length <= MAX_BUTTONS

interface ChoiceButtonsProps {
  choices: readonly Choice[]
  /** The state of a yes, which each of them is. */
  state: 'arming' | 'armed' | 'locked'
  describedBy: string | undefined
  labels: Labels
  onChoose: (choice: Choice) => void
}

/** A few choices as buttons. They say that they answer: their words come from elsewhere and may read like ours. */
export function ChoiceButtons({ choices, state, describedBy, labels, onChoose }: ChoiceButtonsProps): ReactNode {
  const id = useId()
  return (
    <fieldset data-slot="options">
      <legend>
        <span data-slot="label">{labels.chooseOne}</span>
        <span data-slot="description">{labels.choiceAnswers}</span>
      </legend>
      {choices.map((choice, at) => (
        <div data-slot="field" key={JSON.stringify(choice.value)}>
          <button
            type="button"
            data-slot="choice"
            data-state={state}
            aria-disabled={state === 'armed' ? undefined : true}
            aria-describedby={[choice.description && `${id}-${at}`, describedBy].filter(Boolean).join(' ') || undefined}
            onClick={() => state !== 'arming' && onChoose(choice)}
          >
            <SafeText>{choice.label}</SafeText>
          </button>
          {choice.description !== undefined && (
            <span data-slot="description" id={`${id}-${at}`}>
              <SafeText>{choice.description}</SafeText>
            </span>
          )}
        </div>
      ))}
    </fieldset>
  )
}

interface ChoiceListProps {
  choices: readonly Choice[]
  multiple: boolean
  chosen: readonly Choice[]
  /** Whether nothing was chosen where something must be. */
  missing: boolean
  labels: Labels
  onChange: (chosen: Choice[]) => void
}

export function ChoiceList({ choices, multiple, chosen, missing, labels, onChange }: ChoiceListProps): ReactNode {
  const id = useId()
  const toggle = (choice: Choice, on: boolean): void =>
    onChange(choices.filter((other) => (other === choice ? on : multiple && chosen.includes(other))))
  return (
    <div data-slot="form">
      <div data-slot="field">
        <fieldset data-slot="options" aria-describedby={missing ? `${id}-error` : undefined}>
          <legend data-slot="label">{multiple ? labels.chooseAny : labels.chooseOne}</legend>
          {choices.map((choice, at) => (
            <label key={JSON.stringify(choice.value)} data-slot="option">
              <input
                type={multiple ? 'checkbox' : 'radio'}
                name={id}
                checked={chosen.includes(choice)}
                aria-labelledby={`${id}-${at}`}
                aria-describedby={choice.description && `${id}-${at}-more`}
                aria-invalid={missing || undefined}
                onChange={({ target }) => toggle(choice, target.checked)}
              />
              <span>
                <span id={`${id}-${at}`}>
                  <SafeText>{choice.label}</SafeText>
                </span>
                {choice.description !== undefined && (
                  <span data-slot="description" id={`${id}-${at}-more`}>
                    <SafeText>{choice.description}</SafeText>
                  </span>
                )}
              </span>
            </label>
          ))}
        </fieldset>
        {missing && (
          <p data-slot="error" id={`${id}-error`}>
            {labels.errorRequiredEnum}
          </p>
        )}
      </div>
    </div>
  )
}
