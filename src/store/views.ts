import type { Publisher } from './publisher.js'

// Written out where it is used: a bundler that knows its value leaves the words for developers out.
declare const process: { env: { NODE_ENV?: string } }

const NOBODY =
  'assent: a question waits, and no view is mounted: render <ToolRunner>, or <PendingList> with presentation="inline".'

type ViewKind = 'dialog' | 'list' | 'tray'

export interface Views {
  attach(view: object, kind: ViewKind): () => void
  leader(): object | undefined
  /** Whether a tray shows the calls. */
  hasTray(): boolean
  /** Warns once in development when questions wait and nobody can see them. */
  warnIfNone(): void
}

/** Who shows the open questions. Of several dialog hosts only the first that came does, or there would be two dialogs for one question. */
export function createViews({ change, publish }: Publisher, count: () => number): Views {
  const views = new Map<object, ViewKind>()
  let warned = false
  const isUnseen = (): boolean => ![...views.values()].some((kind) => kind !== 'tray')

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

    hasTray: () => [...views.values()].includes('tray'),

    warnIfNone() {
      try {
        if (process.env.NODE_ENV !== 'production' && !warned && isUnseen()) {
          warned = true
          // One macrotask later: a view that mounts in the same commit is in time.
          setTimeout(() => {
            if (isUnseen() && count() > 0) console.warn(NOBODY)
          }, 0)
        }
      } catch {
        // No bundler, no `process`: nobody is developing here.
      }
    },
  }
}
