/** What is left of the steps that one check may take. A step is some 20 to 50 ns. */
export interface Budget {
  left: number
}

export const TOO_COSTLY: Error = new Error('too many steps')

export function spend(budget: Budget, steps: number): void {
  budget.left -= steps
  if (budget.left < 0) throw TOO_COSTLY
}
