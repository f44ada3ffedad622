/** What went wrong with a storage. The questions are still there; what cannot be stored is kept in memory. */
export interface StorageProblem {
  /**
   * `open`: there is no storage, or it was taken away. `read`, `write`: it failed at that. `row`: what rests there is no
   * row of ours, or part of a row cannot be written as JSON.
   */
  readonly kind: 'open' | 'read' | 'write' | 'row'
  readonly error: unknown
  /** Of the row it was about, where that can be said. */
  readonly id?: string | undefined
}

export type OnProblem = (problem: StorageProblem) => void
