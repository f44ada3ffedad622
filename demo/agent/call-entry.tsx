import { type RunStatus, type ToolResult, useRuns } from 'assent'
import type { ReactNode } from 'react'
import type { ToolCall } from './messages.js'

interface CallEntryProps {
  call: ToolCall
  refused: boolean
  /** What the model was given: of a call in the background, the note. */
  result?: ToolResult | undefined
  /** What a call in the background came to. */
  ended?: ToolResult | undefined
}

const live: Partial<Record<RunStatus, string>> = {
  queued: 'Queued',
  running: 'Running',
  waiting: 'Waiting for you',
  background: 'In the background',
}

/** A tool call in the conversation: how it stands, and what it ended with. */
export function CallEntry({ call, refused, result, ended }: CallEntryProps): ReactNode {
  const run = useRuns(({ toolCallId }) => toolCallId === call.id).at(-1)
  const last = ended ?? result
  const state = (run && live[run.status]) ?? (last ? endOf(last, refused) : 'Running')
  return (
    <article className="call" aria-label={`Call of ${call.name}`} data-state={state}>
      <p>
        <code>{call.name}</code> <span className="status">{state}</span>
      </p>
      {call.arguments !== '{}' && <pre className="args">{call.arguments}</pre>}
      {result && <pre className="output">{result.output}</pre>}
      {ended && <pre className="output">{ended.output}</pre>}
    </article>
  )
}

function endOf(result: ToolResult, refused: boolean): string {
  if (!result.isError) return 'Done'
  return refused ? 'Refused' : 'Error'
}
