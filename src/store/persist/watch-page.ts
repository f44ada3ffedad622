/** Calls back when a page that slept or was out of sight is there again: it may have missed what the others said. Returns the end. */
export function watchPage(onBack: () => void): () => void {
  if (typeof document === 'undefined') return () => {}
  const over = new AbortController()
  const { signal } = over
  const look = (): void => {
    if (document.visibilityState === 'visible') onBack()
  }
  document.addEventListener('visibilitychange', look, { signal })
  document.addEventListener('resume', onBack, { signal })
  window.addEventListener('pageshow', onBack, { signal })
  return () => over.abort()
}
