import { type MouseEvent, type ReactNode, useEffect, useState } from 'react'
import { type OpenQuestion, usePending, useRunner } from '../react/index.js'
import type { PendingItem } from '../store/index.js'
import { fill } from './labels.js'
import { hasJustMoved, PendingCard } from './pending-card.js'
import { escapeText } from './safe-text.js'
import { useView } from './view-context.js'

// Enough to know what it is about; the card has all of it.
const ANNOUNCED = 200

/** The open questions as cards in the page: for a chat transcript or a side panel (`presentation="inline"`). */
export function PendingList({ filter }: { filter?: (item: PendingItem) => boolean }): ReactNode {
  const runner = useRunner()
  const { labels, armingDelay } = useView()
  const [view] = useState(() => ({}))
  const pending = usePending(filter)
  const newest = useNewest(pending)
  useEffect(() => runner.attach(view, 'list'), [runner, view])

  // The second click of a double click must not answer the card that moved up. Here and not by arming the cards again,
  // which would render each of them.
  const guard = (event: MouseEvent): void => {
    const isYes = (event.target as Element).closest(
      '[data-slot="approve"], [data-slot="choice"], [data-slot="send"], [data-slot="body"]',
    )
    if (!isYes || !hasJustMoved(armingDelay)) return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <section data-slot="list" aria-label={labels.list} tabIndex={-1} onClickCapture={guard}>
      <p role="status" data-slot="status">
        {newest && (
          // New each time: the same words again are an announcement too.
          <span key={newest.seq}>
            {fill(labels.arrived, { prompt: escapeText(newest.request.prompt.slice(0, ANNOUNCED)) })}
          </span>
        )}
      </p>
      {pending.length > 0 && (
        <ol>
          {pending.map((item) => (
            <li key={item.seq}>
              <PendingCard item={item} />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** The question that came last, also after it was settled: an older one must not be announced again. */
function useNewest(pending: readonly OpenQuestion[]): OpenQuestion | undefined {
  const [newest, setNewest] = useState<OpenQuestion>()
  const last = pending.at(-1)
  if (last && last.seq > (newest?.seq ?? 0)) setNewest(last)
  return newest
}
