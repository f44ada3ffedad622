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
  /** What else is wrong with it, in words. */
  problem?: string | undefined
  /** What its value runs as where that is something else; null where it is not used. */
  runsAs?: string | null | undefined
  onEdit: (field: Field) => void
}

/** One field with its label, description and error. Typing renders this field alone. */
export const SchemaField: (props: SchemaFieldProps) => ReactNode = memo(function SchemaField(props: SchemaFieldProps) {
  const { id, field, draft, labels, error, problem, runsAs, onEdit } = props
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
  const message = error ? errorText(field, error, labels) : problem
  const notes = [
    description && 'description',
    kind === 'json' && 'hint',
    isHidden && 'as-text',
    isUnsetBox && 'unset',
    runsAs !== undefined && 'runs',
    message && 'error',
  ].flatMap((note) => (note ? `${id}-${note}` : []))
  const describedBy = notes.join(' ') || undefined
  const isGroup = kind === 'multi'
  const Wrapper = isGroup ? 'fieldset' : 'div'
  const label = field.label ? (
    <SafeText>{field.label}</SafeText>
  ) : (
    // Only a field that is the whole answer has a name and no label.
    labels[kind === 'json' ? 'jsonAnswer' : name === '' ? 'unnamedField' : 'answerLabel']
  )
  const control = (
    <FieldControl
      id={id}
      field={field}
      shown={shown}
      labels={labels}
      error={message}
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
      {runsAs !== undefined && (
        <p data-slot="hint" id={`${id}-runs`}>
          <RunsAs value={runsAs} labels={labels} />
        </p>
      )}
      {message && (
        <p data-slot="error" id={`${id}-error`}>
          <SafeText>{message}</SafeText>
        </p>
      )}
    </Wrapper>
  )
})

const capital = (text: string): string => text.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())

/** What a value runs as, or that it is not used. */
export function RunsAs({ value, labels }: { value: string | null; labels: FormLabels }): ReactNode {
  if (value === null) return labels.notUsed
  const [before, after] = labels.runsAs.split('{value}')
  return (
    <>
      {before}
      <strong>
        <SafeText>{value}</SafeText>
      </strong>
      {after}
    </>
  )
}

const errorText = (field: Field, keyword: string, labels: FormLabels): string =>
  wordsFor(field, keyword, labels) ?? labels.errorOther

/** The words for a failed keyword: for this kind of field or this format, else in general; undefined where there are none. */
export function wordsFor({ kind, schema }: Field, keyword: string, labels: FormLabels): string | undefined {
  const words: Readonly<Record<string, string | undefined>> = labels
  const general = `error${capital(keyword)}`
  const text = words[general + capital(String(keyword === 'format' ? schema.format : kind))] ?? words[general]
  return text?.replace('{limit}', () => String(schema[keyword]))
}
