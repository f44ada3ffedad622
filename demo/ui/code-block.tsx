import type { ReactNode } from 'react'
import { highlight } from './highlight.js'

export function CodeBlock({ label, children }: { label: string; children: string }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard.
    <section className="code-block" aria-label={label} tabIndex={0}>
      <pre>
        {highlight(children).map(({ start, text, type }) =>
          type ? (
            <span key={start} className={`token-${type}`}>
              {text}
            </span>
          ) : (
            text
          ),
        )}
      </pre>
    </section>
  )
}
