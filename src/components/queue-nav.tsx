import { type ReactNode, useEffect, useRef } from 'react'
import { useRunner } from '../react/index.js'
import type { PendingItem } from '../store/index.js'
import { type FrameLabels, fill } from './labels.js'
import { loadExtras } from './load-extras.js'
import { useView } from './view-context.js'

interface QueueNavProps {
  item: PendingItem
  labels: FrameLabels
  onGo: (item: PendingItem) => void
}

/**
 * "1 of 3", previous and next. Written to the page by hand: a question that queues behind an open dialog changes this
 * line and nothing else, so it must not cost a React commit (DESIGN 7.2).
 */
export function QueueNav({ item, labels, onGo }: QueueNavProps): ReactNode {
  const runner = useRunner()
  const nav = useRef<HTMLElement>(null)
  const position = useRef<HTMLSpanElement>(null)
  const previous = useRef<HTMLButtonElement>(null)
  const next = useRef<HTMLButtonElement>(null)
  const { armingDelay, dialogs } = useView()
  // A body of the app's own may want more than a yes.
  const mayBatch = !dialogs.approval

  useEffect(() => {
    let isLoading = false
    let isOver = false
    let endBatch = (): void => {}

    const write = (): void => {
      if (!nav.current || !position.current) return
      const count = runner.count()
      const index = runner.head()?.seq === item.seq ? 0 : places(runner.getState().pending, item)
      const text = count > 1 ? fill(labels.position, { index: index + 1, count }) : ''
      nav.current.hidden = count < 2
      // The line is announced when it changes, and only then.
      if (position.current.textContent !== text) position.current.textContent = text
      previous.current?.setAttribute('aria-disabled', String(index === 0))
      next.current?.setAttribute('aria-disabled', String(index === count - 1))
      if (count > 1 && mayBatch && !isLoading) loadBatch()
    }

    const loadBatch = (): void => {
      isLoading = true
      loadExtras().then(
        ({ watchBatch }) => {
          if (!isOver && nav.current) endBatch = watchBatch(nav.current, { runner, item, armingDelay, labels })
        },
        () => {},
      )
    }

    write()
    const unsubscribe = runner.subscribe(write)
    return () => {
      isOver = true
      endBatch()
      unsubscribe()
    }
  }, [runner, item, armingDelay, labels, mayBatch])

  const go = (step: number): void => {
    const { pending } = runner.getState()
    const other = pending[places(pending, item) + step]
    if (other) onGo(other)
  }

  return (
    <nav ref={nav} data-slot="queue" hidden aria-label={labels.list}>
      <button type="button" ref={previous} data-slot="previous" onClick={() => go(-1)}>
        {labels.previous}
      </button>
      <span ref={position} data-slot="position" role="status" />
      <button type="button" ref={next} data-slot="next" onClick={() => go(1)}>
        {labels.next}
      </button>
    </nav>
  )
}

const places = (pending: readonly PendingItem[], { seq }: PendingItem): number =>
  pending.findIndex((other) => other.seq === seq)
