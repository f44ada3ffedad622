import { ToolRunner } from 'assent'
import { type ReactNode, useState } from 'react'
import { copyToClipboard } from './real-tools/copy-to-clipboard.js'
import { stories } from './stories/index.js'
import { PageTitle } from './ui/page-title.js'
import { RunButton } from './ui/run-button.js'

export function Overview(): ReactNode {
  return (
    <>
      <PageTitle>Tools that ask first</PageTitle>
      <p className="lead">
        assent is a React kit for tools that run in the browser. A tool can pause and ask the person in front of the
        screen: approve this, type that, sign in there. Then it runs again with the answer.
      </p>
      <p className="promise">What you saw is what ran, it ran at most once, and nothing was lost.</p>

      <section aria-labelledby="try">
        <h2 id="try">Try it on something real</h2>
        <p>This tool writes to your clipboard, and only after you said yes.</p>
        <ToolRunner tools={[copyToClipboard]}>
          <CopyForm />
        </ToolRunner>
      </section>

      <section aria-labelledby="whole">
        <h2 id="whole">See it whole</h2>
        <ul className="cards wide">
          <Card href="#/real-tools" title="Real tools">
            Files, clipboard, fetch, abort and timeout on real browser powers, with every event in view.
          </Card>
          <Card href="./agent.html" title="Agent">
            A chat whose tool calls ask you. Runs without a key; takes any OpenAI-compatible endpoint.
          </Card>
        </ul>
      </section>

      <section aria-labelledby="stories">
        <h2 id="stories">One question at a time</h2>
        <ul className="cards">
          {stories.map(({ meta }) => (
            <Card key={meta.id} href={`#/stories/${meta.id}`} title={meta.title}>
              {meta.summary}
            </Card>
          ))}
        </ul>
      </section>
    </>
  )
}

function Card({ href, title, children }: { href: string; title: string; children: ReactNode }): ReactNode {
  return (
    <li>
      <a href={href}>
        <strong>{title}</strong>
        <span>{children}</span>
      </a>
    </li>
  )
}

function CopyForm(): ReactNode {
  const [text, setText] = useState('Asked first, then copied.')
  return (
    <div className="stage">
      <label className="field">
        <span>Text to copy</span>
        <input value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <RunButton tool="copy_to_clipboard" args={{ text }}>
        Copy
      </RunButton>
    </div>
  )
}
