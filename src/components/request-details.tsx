import type { ReactNode } from 'react'
import { isRecord } from '../core/internal.js'
import type { OpenQuestion } from '../react/index.js'
import type { FrameLabels } from './labels.js'
import { SafeText } from './safe-text.js'
import { useShell } from './shell-context.js'

// Shown elsewhere in the dialog, or not to be believed: who asks is said by the runner, never by the request.
const SHOWN_ELSEWHERE = new Set(['schema', 'questions', 'source', 'details', 'reason'])

// A string that would read like another value, or like nothing.
const AMBIGUOUS = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|\s*)$/i

/** A value as text, in full; an ambiguous string is quoted, so that `"5"` and `5` differ. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return AMBIGUOUS.test(value) ? JSON.stringify(value) : value
  try {
    return JSON.stringify(value, null, 2) ?? String(value)
  } catch {
    return String(value)
  }
}

function Entries({ record }: { record: Readonly<Record<string, unknown>> }): ReactNode {
  return (
    <dl data-slot="entries">
      {Object.entries(record).map(([name, value]) => (
        <div data-slot="entry" key={name}>
          <dt>
            <SafeText>{name}</SafeText>
          </dt>
          <dd>
            <SafeText>{textOf(value)}</SafeText>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }): ReactNode {
  const Heading = useShell().place === 'dialog' ? 'h3' : 'h4'
  return (
    <section data-slot="section">
      <Heading data-slot="heading">{title}</Heading>
      {children}
    </section>
  )
}

/** Who asks and with what: the tool, its source, its arguments and everything else that came, in full (K20, K22, K24). */
export function RequestDetails({ item, labels }: { item: OpenQuestion; labels: FrameLabels }): ReactNode {
  const { toolName, source, args } = item
  const data = isRecord(item.request.data) ? item.request.data : {}
  const rest = Object.fromEntries(Object.entries(data).filter(([key]) => !SHOWN_ELSEWHERE.has(key)))
  return (
    <div data-slot="details">
      {typeof data.reason === 'string' && (
        <Section title={labels.reason}>
          <p data-slot="text">
            <SafeText>{data.reason}</SafeText>
          </p>
        </Section>
      )}
      {toolName !== undefined && (
        <dl data-slot="asker">
          <dt>{labels.tool}</dt>
          <dd>
            <SafeText>{toolName}</SafeText>
          </dd>
          {source !== undefined && (
            <>
              <dt>{labels.source}</dt>
              <dd>
                <SafeText>{source}</SafeText>
              </dd>
            </>
          )}
        </dl>
      )}
      {args && Object.keys(args).length > 0 && (
        <Section title={labels.arguments}>
          <Entries record={args} />
        </Section>
      )}
      {typeof data.details === 'string' && (
        <Section title={labels.details}>
          <p data-slot="text">
            <SafeText>{data.details}</SafeText>
          </p>
        </Section>
      )}
      {Object.keys(rest).length > 0 && (
        <Section title={labels.data}>
          <Entries record={rest} />
        </Section>
      )}
    </div>
  )
}
