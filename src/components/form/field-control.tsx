import type { ReactNode } from 'react'
import { escapeText, SafeText } from '../safe-text.js'
import { DatePicker } from './date-picker.js'
import type { Field, FieldOption } from './fields.js'
import type { FormLabels } from './form-labels.js'

export interface FieldControlProps {
  id: string
  field: Field
  shown: unknown
  labels: FormLabels
  error: string | undefined
  describedBy: string | undefined
  edit: (next: unknown) => void
}

/** The control of a field. Our own checks speak, so the browser's are not asked: hence text boxes for numbers and dates. */
export function FieldControl(props: FieldControlProps): ReactNode {
  const { kind } = props.field
  if (kind === 'boolean') return <Checkbox {...props} />
  if (kind === 'enum') return <Select {...props} />
  return kind === 'multi' ? <Checkboxes {...props} /> : <TextBox {...props} />
}

const common = ({ id, error, describedBy }: FieldControlProps) => ({
  id,
  'data-slot': 'control',
  'aria-invalid': error ? true : undefined,
  'aria-describedby': describedBy,
})

function Checkbox(props: FieldControlProps): ReactNode {
  const { shown, edit } = props
  return (
    <input
      {...common(props)}
      type="checkbox"
      checked={shown === true}
      onChange={({ target }) => edit(target.checked)}
    />
  )
}

// Two values may be the same text, so options are told apart by type too.
const keyOf = ({ value }: FieldOption): string => typeof value + String(value)

function Select(props: FieldControlProps): ReactNode {
  const { field, shown, labels, edit } = props
  const { options, required, nullable } = field
  const mustChoose = required && !nullable
  const chosen = options.findIndex(({ value }) => value === shown)
  return (
    <select
      {...common(props)}
      aria-required={mustChoose || undefined}
      // By index, because two options may have the same `value`; before the first one stands "none".
      ref={(element) => {
        if (element) element.selectedIndex = chosen + 1
      }}
      onChange={({ target }) => edit(options[target.selectedIndex - 1]?.value ?? null)}
    >
      <option disabled={mustChoose} value={options.some(({ value }) => value === '') ? undefined : ''}>
        {labels.choose}
      </option>
      {options.map((option) => (
        <option key={keyOf(option)} value={String(option.value)} dir="auto">
          {escapeText(visible(option.label, labels))}
        </option>
      ))}
    </select>
  )
}

function Checkboxes({ id, field, shown, labels, error, edit }: FieldControlProps): ReactNode {
  const chosen: readonly unknown[] = Array.isArray(shown) ? shown : []
  return field.options.map((option) => (
    <label key={keyOf(option)} data-slot="option">
      <input
        type="checkbox"
        data-slot="control"
        value={String(option.value)}
        checked={chosen.includes(option.value)}
        aria-invalid={error ? true : undefined}
        aria-describedby={error && `${id}-error`}
        onChange={({ target }) =>
          edit(target.checked ? [...chosen, option.value] : chosen.filter((value) => value !== option.value))
        }
      />
      <SafeText>{visible(option.label, labels)}</SafeText>
    </label>
  ))
}

/** Blanks at the ends or in a row would be swallowed, and the option look like another. */
const visible = (label: string, labels: FormLabels): string =>
  label === '' ? labels.emptyOption : /^\s|\s$|\s\s/.test(label) ? `"${label}"` : label

const modes = new Map<unknown, 'email' | 'url' | 'decimal' | 'numeric'>([
  ['email', 'email'],
  ['uri', 'url'],
  ['number', 'decimal'],
  ['integer', 'numeric'],
])

function TextBox(props: FieldControlProps): ReactNode {
  const { field, shown, labels, edit, id } = props
  const { kind, schema, required, nullable } = field
  const format = String(kind === 'string' ? schema.format : kind)
  const text = String(shown ?? '')
  const attributes = {
    ...common(props),
    value: text,
    'aria-required': (required && !nullable) || undefined,
    autoComplete: 'off',
    spellCheck: kind === 'string' && schema.format === undefined,
    onChange: ({ target }: { target: { value: string } }) => edit(target.value),
  }
  // A one-line box would drop the line breaks of a default without a word.
  if (kind === 'json' || Number(schema.maxLength) > 200 || /\n/.test(String(field.default))) {
    return <textarea {...attributes} rows={kind === 'json' ? 6 : 4} />
  }
  return (
    <>
      <input {...attributes} type="text" inputMode={isNegative(schema.minimum) ? 'text' : modes.get(format)} />
      {/^date(-time)?$/.test(format) && (
        <DatePicker
          withTime={format !== 'date'}
          text={text}
          label={labels.pickDate}
          describedBy={`${id}-label`}
          onPick={edit}
        />
      )}
    </>
  )
}

// The number keyboards of phones have no minus.
const isNegative = (minimum: unknown): boolean => Number(minimum) < 0
