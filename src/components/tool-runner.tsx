import {
  type ComponentType,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react'
import { createPortal } from 'react-dom'
import { RunnerContext, useOwnRunner, useStable } from '../react/index.js'
import type { Runner, ToolRunnerOptions } from '../store/index.js'
import type { AttentionOptions } from './attention/watch-attention.js'
import { copyText, preloadLateBodies } from './bodies/late-body.js'
import { watchTyping } from './guard-keys.js'
import { type AllLabels, defaultLabels, type FrameLabels } from './labels.js'
import { PendingDialogs } from './pending-dialogs.js'
import { useAttention } from './use-attention.js'
import { ARMING_DELAY, type DialogBodyProps, type View, ViewContext } from './view-context.js'

export interface ToolRunnerProps<C = unknown> extends ToolRunnerOptions<C> {
  children?: ReactNode
  /** A runner of the app's own; unmounting this component leaves it as it is. The options above are then its business. */
  runner?: Runner | undefined
  /** Bodies by kind, in place of the kit's; `other` for unknown kinds. */
  dialogs?: Readonly<Record<string, ComponentType<DialogBodyProps>>> | undefined
  /** Words in place of the English ones. */
  labels?: Partial<AllLabels> | undefined
  /** `dialog` (default): modal dialogs. `inline`: the app places `<PendingList>`. `none`: the app shows them itself. */
  presentation?: 'dialog' | 'inline' | 'none' | undefined
  /** Milliseconds from when a question became visible until a yes counts; default 500. */
  armingDelay?: number | undefined
  /** Whether a field or question asks for a secret, which is never entered in a form. `usual` is what the kit would say. */
  isCredential?: View['isCredential']
  /** Language of the words, direction of the dialogs and cards; both follow the document unless given. */
  locale?: string | undefined
  dir?: View['frame']['dir']
  /** How a hidden page says that questions wait; `false`: it does not. Default by its title and, where there is one, the app's badge. */
  attention?: AttentionOptions | false | undefined
  /** Where the dialogs are put in the page; default here. */
  container?: Element | null | undefined
}

// Written out where it is used: a bundler that knows its value leaves the words for developers out.
declare const process: { env: { NODE_ENV?: string } }

const NONE = {}
const DEFAULT: AttentionOptions = {}

/** Provider and dialogs: the thing people drop in (DESIGN 3). Tools run below it, and their questions come up. */
export function ToolRunner<C = unknown>(props: ToolRunnerProps<C>): ReactNode {
  const {
    children,
    runner: given,
    presentation = 'dialog',
    container,
    labels,
    dialogs,
    armingDelay = ARMING_DELAY,
    isCredential,
    locale: lang,
    dir,
    attention = DEFAULT,
    ...options
  } = props
  const anchor = useRef<Element>(undefined)
  // Remembered after React takes it back: an effect's cleanup asks whether it is still in the page.
  const keepAnchor = useCallback((element: Element | null) => {
    if (element) anchor.current = element
  }, [])
  const own = useOwnRunner(given ? NONE : options, anchor)
  const runner = given ?? own
  const view = useMergedView(labels ?? NONE, dialogs ?? NONE, armingDelay, isCredential, {
    lang,
    dir,
    onCopy: copyText,
  })
  const mounted = useMounted()
  useEffect(() => {
    try {
      if (process.env.NODE_ENV !== 'production') {
        const ignored = Object.entries(given ? options : NONE).filter(([, value]) => value !== undefined)
        if (ignored[0])
          tellOnce(`<ToolRunner runner> ignores ${ignored.map(([name]) => name)}: give it to createToolRunner().`)
        if (!isDelay(armingDelay))
          tellOnce(`armingDelay ${String(armingDelay)} is no number of milliseconds; ${ARMING_DELAY} is used.`)
      }
    } catch {
      // No bundler, no `process`: nobody is developing here.
    }
  })
  useEffect(preloadLateBodies, [])
  useEffect(watchTyping, [])
  useAttention(runner, attention, view.labels, typeof options.persist === 'object' ? options.persist.name : undefined)
  // The app shows the questions itself: that is a view too.
  useEffect(() => (presentation === 'none' ? runner.attach({}, 'list') : undefined), [runner, presentation])

  const host = presentation === 'dialog' && <PendingDialogs />
  return (
    <RunnerContext.Provider value={runner}>
      <ViewContext.Provider value={view}>
        {children}
        {container && mounted ? createPortal(host, container) : host}
        {mounted && <span ref={keepAnchor} hidden data-slot="anchor" />}
      </ViewContext.Provider>
    </RunnerContext.Provider>
  )
}

const isDelay = (delay: number): boolean => Number.isFinite(delay) && delay >= 0

function useMergedView(
  labels: Partial<AllLabels>,
  dialogs: View['dialogs'],
  delay: number,
  isCredential: View['isCredential'],
  place: View['frame'],
): View {
  // Objects written in place are new at each render and say the same. A word that is missing is no word.
  const given = Object.entries(labels).filter(([, word]) => typeof word === 'string')
  const words = useStable<FrameLabels>()({ ...defaultLabels, ...Object.fromEntries(given) })
  const bodies = useStable<View['dialogs']>()(dialogs)
  const frame = useStable<View['frame']>()(place)
  const armingDelay = isDelay(delay) ? delay : ARMING_DELAY
  return useMemo(
    () => ({ labels: words, dialogs: bodies, armingDelay, isCredential, frame }),
    [words, bodies, armingDelay, isCredential, frame],
  )
}

const never = (): (() => void) => () => {}
/** False on the server and while its markup is taken over. */
const useMounted = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

const told = new Set<string>()

/** A mistake in the props is the developer's: told once, also in StrictMode. */
function tellOnce(text: string): void {
  if (!told.has(text)) console.error(`assent: ${text}`)
  told.add(text)
}
