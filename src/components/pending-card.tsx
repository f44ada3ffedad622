import { memo, type ReactNode, useReducer, useRef } from 'react'
import { type OpenQuestion, useBrowserLayoutEffect } from '../react/index.js'
import { guardKeys } from './guard-keys.js'
import { kindOf } from './kinds.js'
import { namedBy, RequestShell, useNewShell } from './request-shell.js'
import { useArming } from './use-arming.js'
import { useView } from './view-context.js'

let lastLeft = Number.NEGATIVE_INFINITY

/** Whether a card went less than `delay` milliseconds ago, so that another may have moved under the pointer. */
export const hasJustMoved = (delay: number): boolean => performance.now() - lastLeft < delay

/** One open question as a card in the page. */
export const PendingCard: (props: { item: OpenQuestion }) => ReactNode = memo(({ item }: { item: OpenQuestion }) => {
  const { armingDelay, frame } = useView()
  const ref = useRef<HTMLElement>(null)
  const [body, countBody] = useReducer((count: number) => count + 1, 0)
  const armed = useArming(armingDelay, ref, body)
  const shell = useNewShell('card', countBody)
  const kind = kindOf(item.request.kind)

  useBrowserLayoutEffect(() => {
    const card = ref.current
    if (!card) return undefined
    const release = guardKeys(card, false)
    return () => {
      release()
      lastLeft = performance.now()
      const { activeElement } = card.getRootNode() as Document | ShadowRoot
      if (card.contains(activeElement)) passFocus(card)
    }
  }, [])

  return (
    <article
      {...frame}
      ref={ref}
      aria-labelledby={namedBy(item, shell)}
      aria-describedby={shell.prompt}
      data-slot="card"
      data-kind={item.request.kind}
      data-danger={item.danger}
      data-state={armed ? 'armed' : 'arming'}
    >
      <RequestShell item={item} kind={kind} shell={shell} armed={armed} />
    </article>
  )
})

/** A card that goes while it has the focus hands it to its neighbour, or to the list when it was the last (K31). */
function passFocus(card: HTMLElement): void {
  const list = card.closest<HTMLElement>('section[data-slot="list"]')
  const entry = card.closest('li')
  const neighbour = entry?.nextElementSibling ?? entry?.previousElementSibling
  // After the commit: the card is still in the page now.
  queueMicrotask(() => {
    const title = neighbour?.isConnected ? neighbour.querySelector<HTMLElement>('[data-slot="title"]') : null
    const target = title ?? list
    if (!card.isConnected) target?.focus()
  })
}
