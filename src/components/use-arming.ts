import { type RefObject, useEffect, useState } from 'react'
import { ARMING_DELAY } from './view-context.js'

/**
 * Whether a yes counts already: `delay` milliseconds after the element was last seen to become visible, in a visible
 * document (K15). It is on top by then: of our dialogs only one is open.
 */
export function useArming(delay: number, element: RefObject<HTMLElement | null>): boolean {
  const wait = Number.isFinite(delay) && delay >= 0 ? delay : ARMING_DELAY
  const [armed, setArmed] = useState(wait === 0)

  useEffect(() => {
    if (wait === 0) return setArmed(true)
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
    restart()
    return () => {
      clearTimeout(timer)
      observer?.disconnect()
      document.removeEventListener('visibilitychange', restart)
    }
  }, [wait, element])

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
