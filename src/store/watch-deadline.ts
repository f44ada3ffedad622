import { callAt } from '../core/internal.js'

/**
 * Calls back once the clock says `end` (milliseconds since the epoch): by timer, and when a page that slept, or whose
 * timers were held in the background, is looked at again. Returns the end of the watch.
 */
export function watchDeadline(end: number, callback: () => void): () => void {
  const stopTimer = callAt(end, Date.now, callback)
  if (typeof document === 'undefined') return stopTimer
  const onWake = (): void => {
    if (Date.now() >= end) callback()
  }
  document.addEventListener('visibilitychange', onWake)
  return () => {
    stopTimer()
    document.removeEventListener('visibilitychange', onWake)
  }
}
