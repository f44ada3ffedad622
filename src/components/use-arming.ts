import { type RefObject, useEffect, useState } from 'react'
import { watchTop } from './modal-focus.js'

/**
 * Whether a yes counts already: `wait` milliseconds after the element was last seen to become visible, in a visible
 * document, on top of our own dialogs (K15).
 */
export function useArming(wait: number, element: RefObject<HTMLElement | null>, body: number): boolean {
  const [armed, setArmed] = useState(wait === 0)

  useEffect(() => {
    if (wait === 0) return setArmed(true)
    // A body that had to be loaded starts it anew: its yes stands where another button was.
    void body
    let timer: ReturnType<typeof setTimeout> | undefined
    let onScreen = true
    const restart = (): void => {
      clearTimeout(timer)
      setArmed(false)
      if (onScreen && document.visibilityState !== 'hidden') timer = setTimeout(() => setArmed(true), wait)
    }
    const observer = observeVisibility(element.current, (visible) => {
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

  return armed
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
