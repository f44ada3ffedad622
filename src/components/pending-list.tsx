import { type ReactNode, useEffect, useState } from 'react'
import { type OpenQuestion, usePending, useRunner } from '../react/index.js'
import type { PendingItem } from '../store/index.js'
import { fill } from './labels.js'
import { PendingCard } from './pending-card.js'
import { escapeText } from './safe-text.js'
import { useView } from './view-context.js'

// Enough to know what it is about; the card has all of it.
const ANNOUNCED = 200

/** The open questions as cards in the page: for a chat transcript or a side panel (`presentation="inline"`). */
export function PendingList({ filter }: { filter?: (item: PendingItem) => boolean }): ReactNode {
  const runner = useRunner()
  const { labels } = useView()
  const [view] = useState(() => ({}))
  const pending = usePending(filter)
  const newest = useNewest(pending)
  useEffect(() => runner.attach(view, 'list'), [runner, view])
  return (
    <section data-slot="list" aria-label={labels.list} tabIndex={-1}>
      <p role="status" data-slot="status">
        {newest && fill(labels.arrived, { prompt: escapeText(newest.request.prompt.slice(0, ANNOUNCED)) })}
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
