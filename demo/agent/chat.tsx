import { RunTray } from 'assent'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import type { Agent } from './agent.js'
import { ChatEntry } from './chat-entry.js'
import type { ChatState } from './chat-state.js'

const suggestions = [
  'List the files',
  'Write notes.txt: buy milk',
  'Delete notes.txt',
  'Deploy',
  'Copy hello',
  'Crunch 20',
  'Import 200 rows',
]

interface ChatProps {
  agent: Agent
  state: ChatState
}

export function Chat({ agent, state: { entries, busy } }: ChatProps): ReactNode {
  const log = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (entries.length > 0) log.current?.scrollTo(0, log.current.scrollHeight)
  }, [entries])

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const text = String(new FormData(form).get('message') ?? '').trim()
    if (!text || busy) return
    form.reset()
    agent.send(text)
  }

  return (
    <section className="chat" aria-labelledby="conversation">
      <h2 id="conversation">Conversation</h2>
      <div
        className="log"
        ref={log}
        role="log"
        aria-labelledby="conversation"
        aria-busy={busy}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a log that scrolls must be reachable by keyboard.
        tabIndex={0}
      >
        {entries.length === 0 && <p className="empty">Say what you want done, or start with one of these.</p>}
        {entries.map((entry) => (
          <ChatEntry key={entry.id} entry={entry} />
        ))}
      </div>
      <RunTray />
      <ul className="suggestions" aria-label="Suggestions">
        {suggestions.map((text) => (
          <li key={text}>
            <button type="button" aria-disabled={busy} onClick={() => !busy && agent.send(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
      <form className="composer" onSubmit={submit}>
        <label className="field">
          <span>Message</span>
          <input name="message" autoComplete="off" />
        </label>
        <button type="submit" className="primary" aria-disabled={busy}>
          Send
        </button>
        <button type="button" aria-disabled={!busy} onClick={agent.stop}>
          Stop
        </button>
      </form>
    </section>
  )
}
