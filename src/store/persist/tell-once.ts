import type { OnProblem, StorageProblem } from './storage-problem.js'

/** Passes on the first problem of each kind; of rows each, as they are about different ones. Never throws. */
export function tellOnce(onProblem: OnProblem): OnProblem {
  const told = new Set<StorageProblem['kind']>()
  return (problem) => {
    if (told.has(problem.kind)) return
    if (problem.kind !== 'row') told.add(problem.kind)
    try {
      onProblem(problem)
    } catch (error) {
      console.error('assent: a listener for storage problems threw.', error)
    }
  }
}
