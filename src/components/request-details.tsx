import type { ReactNode } from 'react'
import { isRecord } from '../core/internal.js'
import type { OpenQuestion } from '../react/index.js'
import { alsoSent } from './also-sent.js'
import { type FrameLabels, fill } from './labels.js'
import { SafeText } from './safe-text.js'
import { useShell } from './shell-context.js'
import { textOf } from './text-of.js'

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

/** Name, size and type of each file that goes with the arguments (DESIGN 8.1). */
const filesAsText = (files: NonNullable<OpenQuestion['files']>, labels: FrameLabels): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([key, { name, size, type }]) => [
      key,
      [name, fill(labels.bytes, { count: size }), type].filter((part) => part !== '').join(', '),
    ]),
  )

export interface RequestDetailsProps {
  item: OpenQuestion
  labels: FrameLabels
  /** The tool calls under review, where a body can show them better than as data. */
  calls?: ReactNode
  /** The keys of the request's `data` that the body shows in full. */
  shown?: readonly string[] | undefined
}

/** Why, with what and everything else that came, in full (K20, K22, K24). */
export function RequestDetails({ item, labels, calls, shown }: RequestDetailsProps): ReactNode {
  const data = isRecord(item.request.data) ? item.request.data : {}
  const rest = alsoSent(item, shown)
  const text = (title: string, value: unknown): ReactNode =>
    typeof value === 'string' && (
      <Section title={title}>
        <p data-slot="text">
          <SafeText>{value}</SafeText>
        </p>
      </Section>
    )
  const entries = (title: string, record: Readonly<Record<string, unknown>> | undefined): ReactNode =>
    record &&
    Object.keys(record).length > 0 && (
      <Section title={title}>
        <Entries record={record} />
      </Section>
    )
  return (
    <div data-slot="details">
      {text(labels.reason, data.reason)}
      {entries(labels.arguments, item.args)}
      {entries(labels.files, item.files && filesAsText(item.files, labels))}
      {calls}
      {text(labels.details, data.details)}
      {entries(labels.data, rest)}
    </div>
  )
}
