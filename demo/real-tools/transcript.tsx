import type { ToolEvent } from 'assent'
import { type ReactNode, useEffect, useRef } from 'react'

function detailOf(event: ToolEvent): string {
  switch (event.type) {
    case 'tool_call':
    case 'detached':
      return ''
    case 'pending':
      return event.request.prompt
    case 'answer':
      return event.ok ? 'yes' : `no: ${event.reason ?? 'no reason'}`
    case 'custom':
      return `${event.name} ${JSON.stringify(event.value)}`
    case 'tool_result':
      return event.result.output
  }
}

const words: Record<ToolEvent['type'], string> = {
  tool_call: 'called',
  pending: 'asks',
  answer: 'answered',
  custom: 'says',
  detached: 'moved to the background',
  tool_result: 'ended',
}

export interface TranscriptEntry {
  seq: number
  event: ToolEvent
}

/** What `onEvent` told, newest last. */
export function Transcript({ entries }: { entries: readonly TranscriptEntry[] }): ReactNode {
  const log = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (entries.length > 0) log.current?.scrollTo(0, log.current.scrollHeight)
  }, [entries])
  return (
    <section aria-labelledby="transcript">
      <h2 id="transcript">Transcript</h2>
      <div
        className="transcript"
        ref={log}
        role="log"
        aria-labelledby="transcript"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a log that scrolls must be reachable by keyboard.
        tabIndex={0}
      >
        {entries.length === 0 && <p>Nothing yet. Run a tool.</p>}
        <ol>
          {entries.map(({ seq, event }) => (
            <li key={seq} data-error={event.isError} data-pending={event.pending}>
              <time dateTime={new Date(event.at).toISOString()}>{new Date(event.at).toLocaleTimeString()}</time>
              <span>
                <strong>{event.toolName}</strong> {words[event.type]}
              </span>
              <span className="detail">{detailOf(event)}</span>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}
