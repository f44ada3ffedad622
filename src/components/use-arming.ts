import { type RefObject, useEffect, useState } from 'react'
import { watchTop } from './modal-focus.js'

/**
 * Whether a yes counts already: `wait` milliseconds after the element was last seen to become visible, in a visible
 * document, on top of our own dialogs (K15).
 */
export function useArming(wait: number, element: RefObject<HTMLElement | null>, body: number): boolean {
  // For which body: one that had to be loaded starts unarmed with its first frame, since its yes stands where another
  // button was.
  const [armedBody, setArmedBody] = useState<number>()

  useEffect(() => {
    if (wait === 0) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const card = element.current instanceof HTMLDialogElement ? null : element.current
    // A modal dialog is always in view; a card may be below the fold, and counts as that until it was seen.
    let onScreen = !card || typeof IntersectionObserver === 'undefined'
    const restart = (): void => {
      clearTimeout(timer)
      setArmedBody(undefined)
      if (onScreen && document.visibilityState !== 'hidden') timer = setTimeout(() => setArmedBody(body), wait)
    }
    const observer = observeVisibility(card, (visible) => {
      if (visible === onScreen) return
      onScreen = visible
      restart()
    })
    document.addEventListener('visibilitychange', restart)
    const endWatch = element.current ? watchTop(element.current, restart) : undefined
    restart()
    return () => {
      clearTimeout(timer)
      observer?.disconnect()
      endWatch?.()
      document.removeEventListener('visibilitychange', restart)
    }
  }, [wait, element, body])

  return wait === 0 || armedBody === body
}

function observeVisibility(
  element: Element | null,
  onChange: (visible: boolean) => void,
): IntersectionObserver | undefined {
  if (!element || typeof IntersectionObserver === 'undefined') return undefined
  const observer = new IntersectionObserver((entries) => onChange(entries.at(-1)?.isIntersecting ?? true))
  observer.observe(element)
  return observer
}
