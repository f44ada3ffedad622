import { type RefObject, useRef } from 'react'
import { useBrowserLayoutEffect } from '../../react/index.js'

const ROW = '[data-slot="run"]'

/** A part of the tray that hands the focus on when it goes: to its row, else to the row's neighbour, else to the tray (K31). */
export function usePassingFocus<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null)
  useBrowserLayoutEffect(() => {
    const element = ref.current
    return () => {
      if (element) passFocus(element)
    }
  }, [])
  return ref
}

function passFocus(gone: HTMLElement): void {
  const { activeElement } = gone.getRootNode() as Document | ShadowRoot
  if (!gone.contains(activeElement)) return
  const row = gone.closest<HTMLElement>(ROW)
  const entry = row?.closest('li')
  const heirs = [
    row,
    entry?.nextElementSibling?.querySelector<HTMLElement>(ROW),
    entry?.previousElementSibling?.querySelector<HTMLElement>(ROW),
    gone.closest('section'),
  ]
  // After the commit: it is still in the page now.
  queueMicrotask(() => {
    if (!gone.isConnected) heirs.find((heir) => heir?.isConnected)?.focus()
  })
}
