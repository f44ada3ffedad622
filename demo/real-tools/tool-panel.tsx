import { useRun, useToolRunner } from 'assent'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { RunResult } from '../ui/run-result.js'
import type { Field, Panel } from './panels.js'

const timeoutField: Field = { name: 'timeout', label: 'Timeout in ms (none if empty)', initial: '', type: 'number' }

/** The arguments as typed: a number field left empty is no argument. */
function argsOf(form: FormData, fields: readonly Field[]): Record<string, unknown> {
  const entries = fields.map(({ name, type }): [string, unknown] => {
    const value = String(form.get(name) ?? '')
    return [name, type !== 'number' ? value : value === '' ? undefined : Number(value)]
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** A tool, called by hand. */
export function ToolPanel({ panel }: { panel: Panel }): ReactNode {
  const { tool, title, description, fields, timeout } = panel
  const { run, abort } = useToolRunner()
  const [id, setId] = useState<string>()
  const call = useRun(id)
  const titleId = useId()
  const live = call !== undefined && call.endedAt === undefined

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const ms = timeout ? argsOf(form, [timeoutField]).timeout : undefined
    void run(tool, argsOf(form, fields), {
      timeout: typeof ms === 'number' ? ms : undefined,
      onStart: (started) => setId(started.id),
    })
  }

  return (
    <form className="panel" onSubmit={submit} aria-labelledby={titleId}>
      <h3 id={titleId}>{title}</h3>
      <p>{description}</p>
      {fields.map((field) => (
        <PanelField key={field.name} field={field} />
      ))}
      {timeout && <PanelField field={timeoutField} />}
      <div className="buttons">
        <button type="submit" className="primary">
          Run
        </button>
        <button type="button" aria-disabled={!live} onClick={() => live && abort(call.id)}>
          Abort
        </button>
      </div>
      <RunResult run={call} />
    </form>
  )
}

function PanelField({ field: { name, label, initial, type } }: { field: Field }): ReactNode {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {type === 'multiline' ? (
        <textarea id={id} name={name} defaultValue={initial} rows={2} />
      ) : (
        <input
          id={id}
          name={name}
          defaultValue={initial}
          inputMode={type === 'number' ? 'numeric' : 'text'}
          autoComplete="off"
        />
      )}
    </div>
  )
}
