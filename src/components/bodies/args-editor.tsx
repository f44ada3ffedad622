import { type ReactNode, useReducer, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { FormDraft } from '../form/draft.js'
import { SchemaField } from '../form/schema-field.js'
import { fill, type Labels } from '../labels.js'
import { escapeText, SafeText } from '../safe-text.js'
import { useShell } from '../shell-context.js'
import { type ArgsForm, type Change, type Edits, resetChange } from './edit-args.js'

interface ArgsEditorProps {
  form: ArgsForm
  draft: FormDraft
  edits: Edits
  /** Whether the person tried to send them: from then on errors are shown. */
  tried: boolean
  labels: Labels
  /** The draft has changed. */
  onEdit: () => void
}

/** The arguments of a call in fields, with what was changed beside what it was. Not a form: Enter in it answers nothing (K13). */
export function ArgsEditor({ form, draft, edits, tried, labels, onEdit }: ArgsEditorProps): ReactNode {
  const { form: id } = useShell()
  const element = useRef<HTMLFieldSetElement>(null)
  // A field keeps what is typed in it; after a reset it starts anew.
  const [resets, countReset] = useReducer((count: number) => count + 1, 0)
  const { root, fields } = form
  const error = tried && !fields.some(({ name }) => name === '') ? edits.errors.get('') : undefined

  const reset = (change?: Change): void => {
    if (change) resetChange(form, draft.values, edits, change.name)
    else draft.values.clear()
    flushSync(() => {
      countReset()
      onEdit()
    })
    // The button is gone; the focus goes to what it has reset.
    const name = root === 'json' ? '' : (change?.name ?? fields[0]?.name ?? '')
    const at = fields.findIndex((field) => field.name === name)
    element.current
      ?.querySelector<HTMLElement>(`[data-field="${CSS.escape(fields[at]?.name ?? '')}"] [data-slot=control]`)
      ?.focus()
  }

  return (
    <fieldset ref={element} data-slot="form">
      <legend data-slot="heading">{labels.editing}</legend>
      {fields.map((field, at) => (
        <SchemaField
          key={`${resets} ${field.name}`}
          id={`${id}-${at}`}
          field={field}
          draft={draft}
          labels={labels}
          error={tried ? edits.errors.get(field.name) : undefined}
          onEdit={onEdit}
        />
      ))}
      {tried && (error || edits.places.length > 0) && (
        <div data-slot="error" role="alert">
          {error && <p>{labels.errorOther}</p>}
          {edits.places.map((path) => (
            <p key={path}>{fill(labels.wrongAt, { path: escapeText(path) })}</p>
          ))}
        </div>
      )}
      <Changes edits={edits} labels={labels} onReset={reset} />
    </fieldset>
  )
}

interface ChangesProps {
  edits: Edits
  labels: Labels
  /** Without a change: all of them. */
  onReset: (change?: Change) => void
}

function Changes({ edits: { changes, errors }, labels, onReset }: ChangesProps): ReactNode {
  const { place } = useShell()
  const Heading = place === 'dialog' ? 'h3' : 'h4'
  const side = (title: string, text: string | undefined, Mark: 'del' | 'ins'): ReactNode => (
    <div data-slot={Mark === 'del' ? 'was' : 'now'}>
      <dt>{title}</dt>
      <dd>
        {text === undefined ? (
          labels.notSet
        ) : (
          <Mark>
            <SafeText>{text}</SafeText>
          </Mark>
        )}
      </dd>
    </div>
  )
  return (
    <section data-slot="changes" aria-label={labels.changes}>
      <Heading data-slot="heading">{labels.changes}</Heading>
      {changes.length === 0 && errors.size === 0 && <p>{labels.noChanges}</p>}
      {changes.map((change) => (
        <div key={change.name} data-slot="change">
          <p data-slot="label">
            <SafeText>{change.name}</SafeText>
          </p>
          <dl>
            {side(labels.was, change.was, 'del')}
            {side(labels.now, change.now, 'ins')}
          </dl>
          <button
            type="button"
            data-slot="reset"
            aria-label={fill(labels.resetOne, { name: escapeText(change.name) })}
            onClick={() => onReset(change)}
          >
            {labels.reset}
          </button>
        </div>
      ))}
      {(changes.length > 0 || errors.size > 0) && (
        <button type="button" data-slot="reset" onClick={() => onReset()}>
          {labels.resetAll}
        </button>
      )}
    </section>
  )
}
