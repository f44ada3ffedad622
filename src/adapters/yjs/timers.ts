/** Works again and again; errors go to the console. Returns the end of it. */
export function every(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms)
  return () => clearInterval(timer)
}

/** Told when the page is left, or comes back from the browser's cache. Returns the removal. */
export function onPage(name: 'pagehide' | 'pageshow', listener: () => void): () => void {
  if (typeof globalThis.addEventListener !== 'function') return () => {}
  globalThis.addEventListener(name, listener)
  return () => globalThis.removeEventListener(name, listener)
}

/** The same work, never throwing into who calls it. */
export const guarded =
  (work: () => void): (() => void) =>
  () => {
    try {
      work()
    } catch (error) {
      console.error('assent: the shared document could not be used.', error)
    }
  }

/** Works in a microtask, once for many calls, until it is stopped. */
export function coalesce(work: () => void): { call: () => void; stop: () => void } {
  const safe = guarded(work)
  let waits = false
  let stopped = false
  return {
    call() {
      if (waits || stopped) return
      waits = true
      queueMicrotask(() => {
        waits = false
        if (!stopped) safe()
      })
    },
    stop() {
      stopped = true
    },
  }
}
