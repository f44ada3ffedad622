import { type ReactNode, useEffect, useRef } from 'react'
import { NotFound } from './not-found.js'
import { Overview } from './overview.js'
import { RealTools } from './real-tools/real-tools.js'
import { stories } from './stories/index.js'
import { StoryPage } from './stories/story-page.js'
import { Layout } from './ui/layout.js'
import { useRoute } from './ui/use-route.js'

interface Page {
  title: string
  content: ReactNode
}

function pageOf(route: string): Page {
  if (route === '/') return { title: 'assent: tools that ask first', content: <Overview /> }
  if (route === '/real-tools') return { title: 'Real tools · assent', content: <RealTools /> }
  const story = stories.find(({ meta }) => route === `/stories/${meta.id}`)
  if (!story) return { title: 'Not found · assent', content: <NotFound route={route} /> }
  return { title: `${story.meta.title} · assent`, content: <StoryPage key={story.meta.id} story={story} /> }
}

export function App(): ReactNode {
  const route = useRoute()
  const { title, content } = pageOf(route)
  const shown = useRef(route)

  useEffect(() => {
    document.title = title
    if (shown.current === route) return
    shown.current = route
    // The page has changed without a load, so a screen reader must be told: its heading takes the focus.
    document.querySelector('h1')?.focus()
    scrollTo(0, 0)
  }, [route, title])

  return (
    <Layout home="" current={`#${route}`}>
      {content}
    </Layout>
  )
}
