import { PATIENCE, pause } from './tabs.js'

/** Waiting for what another tab says. */
export interface Words {
  /** Resolves at the next word of another tab, or after two seconds, to look around. */
  next(): Promise<unknown>
  heard(): void
}

export function createWords(life: AbortSignal): Words {
  let wakers: (() => void)[] = []
  return {
    next() {
      let wake = (): void => {}
      const word = new Promise<void>((resolve) => {
        wake = resolve
        wakers.push(resolve)
      })
      const over = pause(PATIENCE, life).then(() => {
        wakers = wakers.filter((other) => other !== wake)
      })
      return Promise.race([word, over])
    },
    heard() {
      const now = wakers
      wakers = []
      for (const go of now) go()
    },
  }
}
