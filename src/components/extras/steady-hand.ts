import { type MouseEvent, type RefObject, useRef } from 'react'
import { useBrowserLayoutEffect } from '../../react/index.js'

const moved = new WeakMap<Element, number>()

/** Notes that the rows below the one of `ref` move up when it goes, or when it ends and gets smaller. */
export function useNotedMoves(ref: RefObject<Element | null>, isLive: boolean): void {
  useBrowserLayoutEffect(() => {
    const entry = ref.current?.closest('li')
    return () => {
      for (let below = entry?.nextElementSibling; below; below = below.nextElementSibling) {
        moved.set(below, performance.now())
      }
    }
  }, [isLive])
}

/**
 * A guard for clicks that were meant for something else: the second click of a double click on another button than the
 * first, and one on a row that moved up less than `delay` milliseconds ago. Keys go with their button and are let through.
 */
export function useSteadyHand(delay: number): (event: MouseEvent) => void {
  const last = useRef<Element | null>(null)
  return (event) => {
    const button = (event.target as Element).closest('button, summary')
    if (!button || event.detail === 0) return
    const isStray = event.detail > 1 && button !== last.current
    const movedAt = moved.get(button.closest('li') ?? button) ?? Number.NEGATIVE_INFINITY
    if (isStray || performance.now() - movedAt < delay) {
      event.preventDefault()
      event.stopPropagation()
    } else last.current = button
  }
}
