import type { ReactNode } from 'react'
import { CodeBlock } from '../ui/code-block.js'
import { PageTitle } from '../ui/page-title.js'
import { stories } from './index.js'
import { sourceOf } from './source-of.js'
import type { Story } from './story-meta.js'

export function StoryPage({ story: { meta, Component } }: { story: Story }): ReactNode {
  const file = `${meta.id}.tsx`
  return (
    <>
      <p className="eyebrow">Story</p>
      <PageTitle>{meta.title}</PageTitle>
      <p className="lead">{meta.tryThis}</p>
      <section aria-labelledby="try">
        <h2 id="try">Try it</h2>
        <div className="stage">
          <Component />
        </div>
      </section>
      <section aria-labelledby="source">
        <h2 id="source">Source</h2>
        <p className="caption">
          From <code>demo/stories/{file}</code>
        </p>
        <CodeBlock label={`Source of ${file}`}>{sourceOf(file)}</CodeBlock>
      </section>
      <Neighbours id={meta.id} />
    </>
  )
}

function Neighbours({ id }: { id: string }): ReactNode {
  const at = stories.findIndex(({ meta }) => meta.id === id)
  const before = stories[at - 1]?.meta
  const after = stories[at + 1]?.meta
  return (
    <nav className="neighbours" aria-label="Other stories">
      {before && (
        <a href={`#/stories/${before.id}`}>
          <span>Previous</span> {before.title}
        </a>
      )}
      {after && (
        <a className="after" href={`#/stories/${after.id}`}>
          <span>Next</span> {after.title}
        </a>
      )}
    </nav>
  )
}
