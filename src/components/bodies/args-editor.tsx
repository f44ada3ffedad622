import { type ReactNode, useReducer, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { FormDraft } from '../form/draft.js'
import { RunsAs, SchemaField } from '../form/schema-field.js'
import { fill, type Labels } from '../labels.js'
import { escapeText, SafeText } from '../safe-text.js'
import { useShell } from '../shell-context.js'
import type { Problems } from './check-problems.js'
import { type ArgsForm, type Change, type Edits, resetChange } from './edit-args.js'
import type { RunsAs as RunsAsText } from './runs-as.js'

interface ArgsEditorProps {
  form: ArgsForm
  draft: FormDraft
  edits: Edits
  /** What runs as something else than it says. */
  runs: ReadonlyMap<string, RunsAsText>
  /** Whether the person tried to send them: from then on errors are shown. */
  tried: boolean
  /** What a check found wrong with what was sent. */
  problems: Problems | undefined
  labels: Labels
  /** The draft has changed. */
  onEdit: () => void
}

/** The arguments of a call in fields, with what was changed beside what it was. Not a form: Enter in it answers nothing (K13). */
export function ArgsEditor(props: ArgsEditorProps): ReactNode {
  const { form, draft, edits, runs, tried, problems, labels, onEdit } = props
  const { form: id } = useShell()
  const element = useRef<HTMLFieldSetElement>(null)
  // A field keeps what is typed in it; after a reset it starts anew.
  const [resets, countReset] = useReducer((count: number) => count + 1, 0)
  const { root, fields } = form
  const isField = (name: string): boolean => fields.some((field) => field.name === name)
  const others = [
    ...(tried && !isField('') && edits.errors.has('') ? [labels.errorOther] : []),
    ...(tried ? edits.places.map((path) => fill(labels.wrongAt, { path: escapeText(path) })) : []),
    ...(problems?.others ?? []),
  ]

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
          problem={problems?.fields.get(field.name)}
          runsAs={root === 'json' ? undefined : runs.get(field.name)}
          onEdit={onEdit}
        />
      ))}
      {[...runs].map(
        ([name, value]) =>
          (root === 'json' || !isField(name)) && (
            <p key={name} data-slot="hint">
              <SafeText>{name}</SafeText> <RunsAs value={value} labels={labels} />
            </p>
          ),
      )}
      {others.length > 0 && (
        <div data-slot="error" role="alert">
          {others.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      )}
      <Changes edits={edits} isKnown={form.isKnown} labels={labels} onReset={reset} />
    </fieldset>
  )
}

interface ChangesProps {
  edits: Edits
  /** Whether it is known what was there before. */
  isKnown: boolean
  labels: Labels
  /** Without a change: all of them. */
  onReset: (change?: Change) => void
}

function Changes({ edits: { changes, errors }, isKnown, labels, onReset }: ChangesProps): ReactNode {
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
            {isKnown && side(labels.was, change.was, 'del')}
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
