import { type FormEvent, type ReactNode, useCallback, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { SafeText } from '../safe-text.js'
import { coerce, readField } from './coerce.js'
import type { FormDraft } from './draft.js'
import { type Field, readFields } from './fields.js'
import type { FormLabels } from './form-labels.js'
import { SchemaField } from './schema-field.js'

export interface SchemaFormProps {
  /** The form's DOM id: a submit button anywhere in the document names it in its `form`. */
  id: string
  schema: unknown
  /** What was typed so far; it outlives the form, which shows it again when it comes back. */
  draft: FormDraft
  labels: FormLabels
  /** Called with a valid answer only. */
  onSubmit: (data: Record<string, unknown>) => void
}

const NO_ERRORS: ReadonlyMap<string, string> = new Map()

/** The fields a flat JSON Schema asks for, or a JSON box for any other. Has no buttons of its own. */
export function SchemaForm({ id, schema, draft, labels, onSubmit }: SchemaFormProps): ReactNode {
  const form = useMemo(() => readFields(schema), [schema])
  const [errors, setErrors] = useState(NO_ERRORS)

  const recheck = useCallback((field: Field) => setErrors((errors) => withRecheck(errors, field, draft)), [draft])

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    // A dialog may stand in a form of the app, whose submit this is not.
    event.stopPropagation()
    const element = event.currentTarget
    const { data, errors = NO_ERRORS } = coerce(form, draft.values)
    flushSync(() => setErrors(errors))
    if (data) onSubmit(data)
    else element.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }

  return (
    <form id={id} data-slot="form" noValidate autoComplete="off" onSubmit={submit}>
      {form.about.map((text) => (
        <p key={text} data-slot="description">
          <SafeText>{text}</SafeText>
        </p>
      ))}
      {form.fields.map((field, i) => (
        <SchemaField
          key={field.name}
          id={`${id}-${i}`}
          field={field}
          draft={draft}
          labels={labels}
          error={errors.get(field.name)}
          onEdit={recheck}
        />
      ))}
    </form>
  )
}

/** A field that was found wrong says so until it is right. */
function withRecheck(errors: ReadonlyMap<string, string>, field: Field, draft: FormDraft): ReadonlyMap<string, string> {
  if (!errors.has(field.name)) return errors
  const { error } = readField(field, draft.values.get(field.name))
  const next = new Map(errors)
  if (error === undefined) next.delete(field.name)
  else next.set(field.name, error)
  return next
}
