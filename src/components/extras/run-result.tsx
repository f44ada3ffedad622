import { type ReactNode, useState } from 'react'
import type { RunRecord } from '../../store/index.js'
import { Fact, type RecordLabels, text } from './record-parts.js'

// Two lines or so; more is folded.
const SHORT = 160

/** What a call came to. Whether that is an error is said in a word. */
export function RunResult({ run, labels }: { run: RunRecord; labels: RecordLabels }): ReactNode {
  const { result, status } = run
  if (!result?.output || status === 'cancelled') return null
  const { output, isError } = result
  const name = isError ? labels.error : labels.result
  if (output.length <= SHORT && !output.includes('\n')) {
    return (
      <dl data-slot="facts">
        <Fact name={name}>{text(output)}</Fact>
      </dl>
    )
  }
  return <LongResult name={name} output={output} />
}

/** Written out when it is opened: it may be megabytes. */
function LongResult({ name, output }: { name: string; output: string }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <details data-slot="result" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{name}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
        <pre role="group" aria-label={name} tabIndex={0}>
          {text(output)}
        </pre>
      )}
    </details>
  )
}
