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
import { preloadLateBodies } from './bodies/late-body.js'
import { watchTyping } from './guard-keys.js'
import { defaultLabels, type FrameLabels, type Labels } from './labels.js'
import { PendingDialogs } from './pending-dialogs.js'
import { ARMING_DELAY, type DialogBodyProps, type View, ViewContext } from './view-context.js'

export interface ToolRunnerProps extends ToolRunnerOptions {
  children?: ReactNode
  /** A runner of the app's own; unmounting this component leaves it as it is. The options above are then its business. */
  runner?: Runner | undefined
  /** Bodies by kind, in place of the kit's; `other` for unknown kinds. */
  dialogs?: Readonly<Record<string, ComponentType<DialogBodyProps>>> | undefined
  /** Words in place of the English ones. */
  labels?: Partial<Labels> | undefined
  /** `dialog` (default): modal dialogs. `inline`: the app places `<PendingList>`. `none`: the app shows them itself. */
  presentation?: 'dialog' | 'inline' | 'none' | undefined
  /** Milliseconds from when a question became visible until a yes counts; default 500. */
  armingDelay?: number | undefined
  /** Where the dialogs are put in the page; default here. */
  container?: Element | null | undefined
}

const NONE = {}

/** Provider and dialogs: the thing people drop in (DESIGN 3). Tools run below it, and their questions come up. */
export function ToolRunner(props: ToolRunnerProps): ReactNode {
  const {
    children,
    runner: given,
    presentation = 'dialog',
    container,
    labels,
    dialogs,
    armingDelay,
    ...options
  } = props
  const anchor = useRef<Element>(undefined)
  // Remembered after React takes it back: an effect's cleanup asks whether it is still in the page.
  const keepAnchor = useCallback((element: Element | null) => {
    if (element) anchor.current = element
  }, [])
  const own = useOwnRunner(given ? NONE : options, anchor)
  const runner = given ?? own
  const view = useMergedView(labels, dialogs, armingDelay)
  const mounted = useMounted()
  useIgnoredWarning(given ? Object.keys(options) : [])
  useEffect(preloadLateBodies, [])
  useEffect(watchTyping, [])
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

function useMergedView(
  labels: ToolRunnerProps['labels'],
  dialogs: View['dialogs'] = NONE,
  armingDelay: number = ARMING_DELAY,
): View {
  // Objects written in place are new at each render and say the same.
  const words = useStable<FrameLabels>()({ ...defaultLabels, ...labels })
  const bodies = useStable<View['dialogs']>()(dialogs)
  return useMemo(() => ({ labels: words, dialogs: bodies, armingDelay }), [words, bodies, armingDelay])
}

const never = (): (() => void) => () => {}
/** False on the server and while its markup is taken over. */
const useMounted = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

function useIgnoredWarning(options: readonly string[]): void {
  const ignored = options.join(', ')
  useEffect(() => {
    if (ignored) console.error(`assent: <ToolRunner runner> ignores ${ignored}: give them to createToolRunner().`)
  }, [ignored])
}
