import type { ReactNode } from 'react'
import { CallEntry } from './call-entry.js'
import type { Entry } from './chat-state.js'

export function ChatEntry({ entry }: { entry: Entry }): ReactNode {
  if (entry.type === 'call') return <CallEntry {...entry} />
  if (entry.type === 'notice') return <p className="notice">{entry.text}</p>
  return (
    <div className={`bubble ${entry.type}`}>
      <span className="speaker">{entry.type === 'user' ? 'You' : 'Agent'}</span>
      <p>{entry.text}</p>
    </div>
  )
}
