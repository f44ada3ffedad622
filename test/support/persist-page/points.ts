/** Where a page can be told to stop for good: in the storage, or in the tool. */
export type Point =
  | 'before the question'
  | 'before the answer'
  | 'before the claim'
  | 'after the claim'
  | 'before the effect'
  | 'after the effect'
  | 'before the end'
  | 'after the end'

/** `nth`: at which time it comes there, from 1. */
export interface Stop {
  readonly point: Point
  readonly nth: number
}

/** Told each point as the page comes there; never resolves at the one where the page is to stop. */
export type Passing = (point: Point) => Promise<void>

export function passing({ point, nth }: Stop, tell: () => Promise<unknown>): Passing {
  let times = 0
  return async (here) => {
    if (here !== point || ++times !== nth) return
    await tell()
    await new Promise(() => {})
  }
}
