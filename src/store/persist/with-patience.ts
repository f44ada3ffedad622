/** It may still happen, so nobody may count on it that it did not. */
export class OutOfPatience extends Error {}

/** Settles as `work` does; rejects with `OutOfPatience` when that takes longer than `ms` milliseconds. */
export function withPatience<T>(work: Promise<T>, ms: number, what: () => string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new OutOfPatience(what())), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
