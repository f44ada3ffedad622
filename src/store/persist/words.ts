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
    next: () => Promise.race([new Promise<void>((resolve) => wakers.push(resolve)), pause(PATIENCE, life)]),
    heard() {
      const now = wakers
      wakers = []
      for (const go of now) go()
    },
  }
}
