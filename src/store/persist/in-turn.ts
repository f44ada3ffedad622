/** Runs steps that carry the same key one after another, those of different keys side by side. */
export function createTurns(): <T>(key: string, step: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (key, step) => {
    const result = (last.get(key) ?? Promise.resolve()).then(step)
    const turn = result
      .catch(() => {
        // Whoever asked for the step is told; the next one has its turn all the same.
      })
      .then(() => {
        if (last.get(key) === turn) last.delete(key)
      })
    last.set(key, turn)
    return result
  }
}
