import { inDevelopment } from './development.js'
import type { Publisher } from './publisher.js'

type ViewKind = 'dialog' | 'list'

export interface Views {
  attach(view: object, kind: ViewKind): () => void
  leader(): object | undefined
  /** Warns once in development when questions wait and nobody can see them. */
  warnIfNone(): void
}

/** Who shows the open questions. Of several dialog hosts only the first that came does, or there would be two dialogs for one question. */
export function createViews({ change, publish }: Publisher, count: () => number): Views {
  const views = new Map<object, ViewKind>()
  let warned = false

  const notify = (): void => {
    change()
    publish()
  }

  return {
    attach(view, kind) {
      warned = false
      views.set(view, kind)
      notify()
      return () => {
        views.delete(view)
        notify()
      }
    },

    leader() {
      for (const [view, kind] of views) if (kind === 'dialog') return view
      return undefined
    },

    warnIfNone() {
      if (warned || views.size > 0 || !inDevelopment()) return
      warned = true
      // One macrotask later: a view that mounts in the same commit is in time.
      setTimeout(() => {
        if (views.size > 0 || count() === 0) return
        console.warn('assent: a question waits, and no view is mounted: render <ToolRunner> or <PendingList>.')
      }, 0)
    },
  }
}
