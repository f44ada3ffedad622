/** A function that makes each of its results once. */
export function remembered<K, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>()
  return (key) => {
    const value = made.has(key) ? (made.get(key) as T) : make(key)
    made.set(key, value)
    return value
  }
}

/** A function that makes its one result at the first call. */
export function once<T>(make: () => T): () => T {
  const results = remembered<undefined, T>(make)
  return () => results(undefined)
}
