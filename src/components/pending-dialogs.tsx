import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { openQuestion, useBrowserLayoutEffect, useRunner } from '../react/index.js'
import type { PendingItem } from '../store/index.js'
import { fill } from './labels.js'
import { giveFocusBack, keepOpener } from './modal-focus.js'
import { QueueNav } from './queue-nav.js'
import { RequestDialog } from './request-dialog.js'
import { useView } from './view-context.js'

/** The dialog host: shows the open questions one at a time, oldest first. Of several on one runner the first shows. */
export function PendingDialogs(): ReactNode {
  const runner = useRunner()
  const { labels } = useView()
  const [host] = useState(() => ({}))
  const [selected, setSelected] = useState<PendingItem>()
  const [minimised, setMinimised] = useState(false)

  useEffect(() => runner.attach(host, 'dialog'), [runner, host])

  // Selects one item and not the list: what queues behind it costs nothing.
  const item = useSyncExternalStore(
    runner.subscribe,
    () => {
      if (runner.leader() !== host) return undefined
      return selected && runner.find(selected.key) === selected ? selected : runner.head()
    },
    () => undefined,
  )

  const minimise = (): void => {
    keepOpener()
    setMinimised(true)
  }

  if (!item && minimised) setMinimised(false)
  if (!item) return null
  if (minimised) return <Bar onReopen={() => setMinimised(false)} />
  return (
    <RequestDialog key={item.seq} item={openQuestion(runner, item)} onMinimise={minimise}>
      <QueueNav item={item} labels={labels} onGo={setSelected} />
    </RequestDialog>
  )
}

/** What stays of a minimised dialog, so that the person can look at the page before answering. */
function Bar({ onReopen }: { onReopen: () => void }): ReactNode {
  const runner = useRunner()
  const { labels } = useView()
  const count = useSyncExternalStore(runner.subscribe, runner.count, () => 0)
  const bar = useRef<HTMLElement>(null)
  useBrowserLayoutEffect(() => {
    const element = bar.current
    return () => {
      if (element?.matches(':focus-within')) giveFocusBack()
    }
  }, [])
  return (
    <section ref={bar} data-slot="bar" aria-label={labels.list}>
      <span role="status">{fill(labels.waiting, { count })}</span>
      <button type="button" data-slot="reopen" onClick={onReopen}>
        {labels.reopen}
      </button>
    </section>
  )
}
