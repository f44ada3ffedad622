import { copyOf, freezeDeep } from './plain-data.js'
import type { RunContext, ToolEvent } from './types.js'

type Payload<E = ToolEvent> = E extends ToolEvent
  ? Omit<E, 'runId' | 'toolCallId' | 'toolName' | 'at' | 'pending' | 'isError'> & {
      pending?: boolean
      isError?: boolean
    }
  : never

// A frame or so: what is batched is not waited for by anybody.
const FLUSH_AFTER = 16

/** What is told of one call, in order. */
export interface CallEvents {
  emit(payload: Payload): void
  emitCustomEvent: RunContext['emitCustomEvent']
  /** After its end nothing more is said of a call (K25), and no timer is left of it. */
  close(): void
}

/** The three that say which call it is. */
type Names = Pick<ToolEvent, 'runId' | 'toolCallId' | 'toolName'>

export function createCallEvents(names: Names, listener: ((event: ToolEvent) => void) | undefined): CallEvents {
  let onEvent = listener
  const eventOf = (payload: Payload): ToolEvent => ({
    ...names,
    at: Date.now(),
    isError: false,
    pending: false,
    ...payload,
  })
  const tell = (event: ToolEvent): void => {
    try {
      onEvent?.(event)
    } catch (error) {
      console.error('assent: onEvent threw.', error)
    }
  }
  let batch: ToolEvent[] = []
  let flushing: ReturnType<typeof setTimeout> | undefined
  // What waits goes first, so that the order holds.
  const flush = (): void => {
    clearTimeout(flushing)
    flushing = undefined
    const waiting = batch
    batch = []
    waiting.forEach(tell)
  }
  const emit = (payload: Payload): void => {
    flush()
    tell(eventOf(payload))
  }
  const close = (): void => {
    flush()
    onEvent = undefined
  }

  const emitCustomEvent: RunContext['emitCustomEvent'] = (name, given, how) => {
    if (!onEvent) return
    const waits = how?.batch
    try {
      // As it is now: a tool may write to the same object again.
      const event = eventOf({ type: 'custom', name, value: freezeDeep({ ...copyOf(given) }) })
      if (!waits) flush()
      batch.push(event)
      if (waits) flushing ??= setTimeout(flush, FLUSH_AFTER)
      else flush()
    } catch (error) {
      console.error(`assent: an event of ${names.toolName} cannot be copied.`, error)
    }
  }

  return { emit, emitCustomEvent, close }
}
