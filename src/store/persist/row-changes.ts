// What a claim writes over a row, said once for all who claim.

/** It is over; what people said is kept no longer. */
export const OVER = {
  status: 'done',
  answer: undefined,
  answers: undefined,
  approval: undefined,
  by: undefined,
} as const

/** Its answer was never handed over: it waits again. */
export const AGAIN = { status: 'pending', by: undefined, answer: undefined } as const
