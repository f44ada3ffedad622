import type { SharedMaps } from './doc-maps.js'
import { type Awareness, ownersIn } from './presence.js'

/**
 * How long an owner that is not seen still counts as there, in milliseconds. A hidden tab's timers run once a minute, and
 * a device that lost its network sees nobody: neither may take a question out of somebody's hands.
 */
export const GRACE = 90_000

export interface Liveness {
  isLive(owner: string): boolean
  /** Looks at the awareness again; whether other owners are there than before. */
  update(): boolean
  stop(): void
}

/** Which owners live: those the awareness or a beat has shown within `grace`. Never compares two clocks. */
export function watchOwners(
  maps: SharedMaps,
  awareness: Awareness | undefined,
  grace: number,
  onChange: () => void,
): Liveness {
  const seen = new Map<string, number>()
  let present = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const isLive = (owner: string): boolean =>
    present.has(owner) || Date.now() - (seen.get(owner) ?? Number.NEGATIVE_INFINITY) < grace

  const forget = (): void => {
    for (const owner of seen.keys()) if (!isLive(owner)) seen.delete(owner)
    const next = Math.min(...[...seen.values()].map((at) => at + grace))
    clearTimeout(timer)
    if (seen.size === 0) return
    timer = setTimeout(() => {
      forget()
      onChange()
    }, next - Date.now())
  }

  const update = (): boolean => {
    const now = ownersIn(awareness)
    const isSame = now.size === present.size && [...now].every((owner) => present.has(owner))
    if (isSame) return false
    for (const owner of present) if (!now.has(owner)) seen.set(owner, Date.now())
    for (const owner of now) seen.delete(owner)
    present = now
    forget()
    return true
  }

  // The first beat that comes in may have lain in the document since long; one that changes it is of somebody who lives.
  const known = new Map<string, unknown>(maps.beats)
  const beat = ({ keysChanged }: { keysChanged: ReadonlySet<string> }): void => {
    for (const owner of keysChanged) {
      const at = maps.beats.get(owner)
      if (at !== undefined && known.has(owner) && known.get(owner) !== at) seen.set(owner, Date.now())
      if (at === undefined) known.delete(owner)
      else known.set(owner, at)
    }
    forget()
    onChange()
  }
  maps.beats.observe(beat)
  update()

  return {
    isLive,
    update,
    stop() {
      maps.beats.unobserve(beat)
      clearTimeout(timer)
    },
  }
}
