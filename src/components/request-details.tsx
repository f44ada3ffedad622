import type { ReactNode } from 'react'
import { isRecord } from '../core/internal.js'
import type { OpenQuestion } from '../react/index.js'
import type { FrameLabels } from './labels.js'
import { SafeText } from './safe-text.js'
import { useShell } from './shell-context.js'
import { textOf } from './text-of.js'

// Shown elsewhere in the dialog, or not to be believed: who asks and how grave it is, is said by the runner.
const SHOWN_ELSEWHERE = /^(schema|questions|source|details|reason|danger|annotations|choices|multiple|decisions)$/

export function Entries({ record }: { record: Readonly<Record<string, unknown>> }): ReactNode {
  return (
    <dl data-slot="entries">
      {Object.entries(record).map(([name, value]) => (
        <div data-slot="entry" key={name}>
          <dt>
            <SafeText>{name}</SafeText>
            {Array.isArray(value) && ` (${value.length})`}
          </dt>
          <dd>
            <SafeText>{textOf(value)}</SafeText>
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function Section({ title, children }: { title: string; children: ReactNode }): ReactNode {
  const Heading = useShell().place === 'dialog' ? 'h3' : 'h4'
  return (
    <section data-slot="section">
      <Heading data-slot="heading">{title}</Heading>
      {children}
    </section>
  )
}

export interface RequestDetailsProps {
  item: OpenQuestion
  labels: FrameLabels
  /** The tool calls under review, where a body can show them better than as data. */
  calls?: ReactNode
}

/** Why, with what and everything else that came, in full (K20, K22, K24). */
export function RequestDetails({ item, labels, calls }: RequestDetailsProps): ReactNode {
  const { args } = item
  const data = isRecord(item.request.data) ? item.request.data : {}
  const isShown = (key: string): boolean => SHOWN_ELSEWHERE.test(key) || (key === 'calls' && calls !== undefined)
  const rest = Object.fromEntries(Object.entries(data).filter(([key]) => !isShown(key)))
  return (
    <div data-slot="details">
      {typeof data.reason === 'string' && (
        <Section title={labels.reason}>
          <p data-slot="text">
            <SafeText>{data.reason}</SafeText>
          </p>
        </Section>
      )}
      {args && Object.keys(args).length > 0 && (
        <Section title={labels.arguments}>
          <Entries record={args} />
        </Section>
      )}
      {calls}
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
