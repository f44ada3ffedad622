import { createStore } from 'zustand/vanilla'

export interface Publisher {
  /** Counts changes; what was read at one version holds until the next. */
  version(): number
  /** Notes a change without telling anybody yet. */
  change(): void
  /** Tells the subscribers, if anything changed since the last time. */
  publish(): void
  subscribe(listener: () => void): () => void
}

/**
 * The zustand store holds a version and not the questions: a record that is copied at each change makes a question cost
 * as much as all that wait (measured: 817 µs a round trip at 1,000 open ones instead of 3 µs).
 */
export function createPublisher(): Publisher {
  const store = createStore<{ version: number }>(() => ({ version: 0 }))
  let version = 0
  return {
    version: () => version,
    change() {
      version++
    },
    publish() {
      if (store.getState().version !== version) store.setState({ version })
    },
    subscribe: (listener) =>
      store.subscribe(() => {
        try {
          listener()
        } catch (error) {
          // A view that fails must not take a call down with it.
          console.error('assent: a subscriber threw.', error)
        }
      }),
  }
}
