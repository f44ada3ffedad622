import type { ReactNode } from 'react'
import { isRecord } from '../../core/internal.js'
import { Entries, Section } from '../request-details.js'
import { SafeText } from '../safe-text.js'
import { textOf } from '../text-of.js'
import { parsedArgs } from './read-call.js'

type Call = Readonly<Record<string, unknown>>

/** The tool calls under review (DESIGN 2.4): each with its name and all that it would be given. */
export function CallList({ title, calls }: { title: string; calls: readonly Call[] }): ReactNode {
  return (
    <Section title={title}>
      <ol data-slot="calls">
        {calls.map((call, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a call is known by its place, and the list never changes.
          <CallEntry key={at} call={call} />
        ))}
      </ol>
    </Section>
  )
}

function CallEntry({ call }: { call: Call }): ReactNode {
  const { id, name, description, input, arguments: given, ...rest } = call
  const args = parsedArgs(given ?? input)
  // Some send the same twice, once as text; when they differ, both are to be seen.
  const isTwice =
    given !== undefined && input !== undefined && JSON.stringify(args) !== JSON.stringify(parsedArgs(input))
  return (
    <li data-slot="call">
      <p data-slot="label">
        <SafeText>{textOf(name)}</SafeText>{' '}
        {id !== undefined && (
          <span data-slot="description">
            <SafeText>{textOf(id)}</SafeText>
          </span>
        )}
      </p>
      {description !== undefined && (
        <p data-slot="text">
          <SafeText>{textOf(description)}</SafeText>
        </p>
      )}
      {args !== undefined && <Entries record={isRecord(args) ? args : { arguments: args }} />}
      {(isTwice || Object.keys(rest).length > 0) && <Entries record={isTwice ? { input, ...rest } : rest} />}
    </li>
  )
}
