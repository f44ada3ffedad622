import { type ClipboardEvent, type ComponentType, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useBrowserLayoutEffect } from '../../react/index.js'
import { FOR_BODIES } from '../also-sent.js'
import type { Labels } from '../labels.js'
import { useShell } from '../shell-context.js'
import type { DialogBodyProps } from '../view-context.js'
import { Actions, Content } from './body-parts.js'

/** What a body of the kit gets: all words. */
export interface LateBodyProps extends DialogBodyProps {
  labels: Labels
  /** The keys of the request's `data` that are shown in full beside the details. */
  shown?: readonly string[] | undefined
}

type LateModule = typeof import('./late-bodies.js')
export type LateName = 'ConsentBody' | 'InputBody' | 'QuestionBody' | 'AuthorizationBody' | 'GoneBody'

let loaded: LateModule | undefined
let loading: Promise<void> | undefined

/** Loads the bodies with forms, once; after a failure the next call tries again. */
export function loadLateBodies(): Promise<void> {
  loading ??= import('./late-bodies.js').then(
    (module) => {
      loaded = module
    },
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

/** A copy gives what came instead of the escapes that are shown for it, from when the late part is there. */
export const copyText = (event: ClipboardEvent): void => loaded?.copyText(event)

// When the page has settled, so that they are there before they are asked for.
const PRELOAD_AFTER = 1000

/** Loads them in the background. Returns the cancel. */
export function preloadLateBodies(): () => void {
  const timer = setTimeout(() => loadLateBodies().catch(() => {}), PRELOAD_AFTER)
  return () => clearTimeout(timer)
}

/** A body from the late part. Until it is there, and when it cannot be had, the question can be read and declined. */
export function LateBody({ name, ...props }: DialogBodyProps & { name: LateName }): ReactNode {
  const { onBodyReady } = useShell()
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>(loaded ? 'ready' : 'loading')
  const late = state === 'ready' ? loaded : undefined
  const labels = useMemo(() => late && { ...late.lateLabels, ...props.labels }, [late, props.labels])

  useEffect(() => {
    let live = true
    const set = (next: typeof state) => () => {
      if (live) setState(next)
    }
    if (state === 'loading') loadLateBodies().then(set('ready'), set('failed'))
    return () => {
      live = false
    }
  }, [state])

  const waited = useRef(state === 'loading')
  useBrowserLayoutEffect(() => {
    if (state === 'ready' && waited.current) onBodyReady()
  }, [state, onBodyReady])

  if (late && labels) {
    const Body: ComponentType<LateBodyProps> = late[name]
    return <Body {...props} labels={labels} />
  }
  return (
    <>
      {/* The form is on its way; until it has failed, its schema is nothing to read. */}
      <Content {...props} shown={state === 'failed' ? undefined : FOR_BODIES}>
        {state === 'failed' && (
          <div data-slot="notice" role="alert">
            <p>{props.labels.formMissing}</p>
            <button type="button" data-slot="retry" onClick={() => setState('loading')}>
              {props.labels.retry}
            </button>
          </div>
        )}
      </Content>
      <Actions {...props} />
    </>
  )
}
