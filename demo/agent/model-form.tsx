import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { Endpoint } from './openai-model.js'
import { urlProblem } from './url-problem.js'

interface ModelFormProps {
  /** The endpoint in use; none while the scripted model speaks. */
  endpoint: Endpoint | undefined
  onUse: (endpoint: Endpoint | undefined) => void
}

export function ModelForm({ endpoint, onUse }: ModelFormProps): ReactNode {
  const [problem, setProblem] = useState<string>()
  const problemId = useId()

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const read = (name: string): string => String(data.get(name) ?? '').trim()
    const wrong = urlProblem(read('baseUrl'))
    setProblem(wrong)
    if (wrong) event.currentTarget.querySelector('input')?.focus()
    else onUse({ baseUrl: read('baseUrl'), model: read('model'), apiKey: read('apiKey') })
  }

  return (
    <details className="model">
      <summary>
        Model:{' '}
        <strong>
          {endpoint ? `${endpoint.model} at ${new URL(endpoint.baseUrl).host}` : 'scripted, no key, no network'}
        </strong>
      </summary>
      <form onSubmit={submit} noValidate aria-label="Endpoint">
        <p>
          Any endpoint that speaks OpenAI’s chat completions, streamed. The key stays in this page’s memory: it is never
          stored, and goes to this address only.
        </p>
        <label className="field">
          <span>Base URL</span>
          <input
            name="baseUrl"
            inputMode="url"
            placeholder="http://localhost:11434/v1"
            autoComplete="off"
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? problemId : undefined}
          />
        </label>
        {problem && (
          <p className="problem" id={problemId}>
            {problem}
          </p>
        )}
        <label className="field">
          <span>Model</span>
          <input name="model" autoComplete="off" />
        </label>
        <label className="field">
          <span>Key (if it needs one)</span>
          <input name="apiKey" type="password" autoComplete="off" />
        </label>
        <div className="buttons">
          <button type="submit" className="primary">
            Use this endpoint
          </button>
          <button type="button" aria-disabled={!endpoint} onClick={() => onUse(undefined)}>
            Use the scripted model
          </button>
        </div>
      </form>
    </details>
  )
}
