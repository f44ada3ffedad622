import { memo, type ReactNode, useState } from 'react'
import { hasUnsafe, SafeText } from '../safe-text.js'
import { shownOf } from './coerce.js'
import type { FormDraft } from './draft.js'
import { FieldControl } from './field-control.js'
import type { Field } from './fields.js'
import type { FormLabels } from './form-labels.js'

export interface SchemaFieldProps {
  id: string
  field: Field
  draft: FormDraft
  labels: FormLabels
  /** The keyword the field fails. */
  error: string | undefined
  onEdit: (field: Field) => void
}

/** One field with its label, description and error. Typing renders this field alone. */
export const SchemaField: (props: SchemaFieldProps) => ReactNode = memo(function SchemaField(props: SchemaFieldProps) {
  const { id, field, draft, labels, error, onEdit } = props
  const [raw, setRaw] = useState(draft.values.get(field.name))
  const { kind, name, description, required, nullable } = field
  const shown = shownOf(field, raw)

  const edit = (next: unknown): void => {
    draft.values.set(name, next)
    setRaw(next)
    onEdit(field)
  }

  const isOptional = nullable || !required
  const isUnset = shown === undefined || shown === null
  // A box cannot show them: what a default or a paste brings is written out below it.
  const isHidden = typeof shown === 'string' && kind !== 'enum' && hasUnsafe(shown)
  const isUnsetBox = kind === 'boolean' && isOptional && isUnset
  const canClear = isOptional && !isUnset && (kind === 'enum' || (kind === 'boolean' && field.default === undefined))
  const notes = [
    description && 'description',
    kind === 'json' && 'hint',
    isHidden && 'as-text',
    isUnsetBox && 'unset',
    error && 'error',
  ].flatMap((note) => (note ? `${id}-${note}` : []))
  const describedBy = notes.join(' ') || undefined
  const isGroup = kind === 'multi'
  const Wrapper = isGroup ? 'fieldset' : 'div'
  const label = field.label ? (
    <SafeText>{field.label}</SafeText>
  ) : (
    labels[kind === 'json' ? 'jsonAnswer' : 'unnamedField']
  )
  const control = (
    <FieldControl
      id={id}
      field={field}
      shown={shown}
      labels={labels}
      error={error}
      describedBy={describedBy}
      edit={edit}
    />
  )

  return (
    <Wrapper data-slot="field" data-field={name} data-kind={kind} aria-describedby={isGroup ? describedBy : undefined}>
      {kind === 'boolean' && control}
      {isGroup ? (
        <legend data-slot="label">{label}</legend>
      ) : (
        <label data-slot="label" id={`${id}-label`} htmlFor={id}>
          {label}
        </label>
      )}
      {required && kind !== 'boolean' && (
        <span data-slot="required" aria-hidden="true">
          *
        </span>
      )}
      {description && (
        <p data-slot="description" id={`${id}-description`}>
          <SafeText>{description}</SafeText>
        </p>
      )}
      {kind === 'json' && (
        <p data-slot="hint" id={`${id}-hint`}>
          {labels.jsonHint}
        </p>
      )}
      {kind !== 'boolean' && control}
      {isHidden && (
        <p data-slot="hint" id={`${id}-as-text`}>
          <SafeText>{shown}</SafeText>
        </p>
      )}
      {isUnsetBox && (
        <span data-slot="unset" id={`${id}-unset`}>
          {labels.notSet}
        </span>
      )}
      {canClear && (
        <button
          type="button"
          data-slot="clear"
          aria-describedby={`${id}-label`}
          onClick={({ currentTarget }) => {
            edit(kind === 'enum' ? null : undefined)
            // The button goes away, and must not take the focus with it.
            currentTarget.parentElement?.querySelector<HTMLElement>('[data-slot=control]')?.focus()
          }}
        >
          {labels.clear}
        </button>
      )}
      {error && (
        <p data-slot="error" id={`${id}-error`}>
          <SafeText>{errorText(field, error, labels)}</SafeText>
        </p>
      )}
    </Wrapper>
  )
})

const capital = (text: string): string => text.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())

/** The words for a failed keyword: for this kind of field or this format, else in general. */
function errorText({ kind, schema }: Field, keyword: string, labels: FormLabels): string {
  const words: Readonly<Record<string, string | undefined>> = labels
  const general = `error${capital(keyword)}`
  const text = words[general + capital(String(keyword === 'format' ? schema.format : kind))] ?? words[general]
  return (text ?? labels.errorOther).replace('{limit}', () => String(schema[keyword]))
}
