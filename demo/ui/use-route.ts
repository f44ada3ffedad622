import { useSyncExternalStore } from 'react'

const read = (): string => (location.hash.startsWith('#/') ? location.hash.slice(1) : '/')

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

/** The page's path after the `#`: `/`, `/real-tools`, `/stories/approve`. */
export const useRoute = (): string => useSyncExternalStore(subscribe, read, () => '/')
