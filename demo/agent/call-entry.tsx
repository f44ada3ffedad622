import { type ToolResult, useRuns } from 'assent'
import type { ReactNode } from 'react'
import type { ToolCall } from './messages.js'

interface CallEntryProps {
  call: ToolCall
  refused: boolean
  result?: ToolResult | undefined
}

/** A tool call in the conversation: how it stands, and what it ended with. */
export function CallEntry({ call, refused, result }: CallEntryProps): ReactNode {
  const run = useRuns(({ toolCallId }) => toolCallId === call.id).at(-1)
  const state = result ? endOf(result, refused) : run?.status === 'waiting' ? 'Waiting for you' : 'Running'
  return (
    <article className="call" aria-label={`Call of ${call.name}`} data-state={state}>
      <p>
        <code>{call.name}</code> <span className="status">{state}</span>
      </p>
      {call.arguments !== '{}' && <pre className="args">{call.arguments}</pre>}
      {result && <pre className="output">{result.output}</pre>}
    </article>
  )
}

function endOf(result: ToolResult, refused: boolean): string {
  if (!result.isError) return 'Done'
  return refused ? 'Refused' : 'Error'
}
