import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { useRunner } from '../react/index.js'
import { LateList } from './late-list.js'
import { loadExtras } from './load-extras.js'

/**
 * What runs now and what finished in the background, oldest first: progress, time, Cancel, Move to background, result. While
 * it is mounted, tools are given `ctx.detach` (DESIGN 7.1). Takes no room while there is nothing to show.
 */
export function RunTray(): ReactNode {
  const runner = useRunner()
  const [view] = useState(() => ({}))
  useEffect(() => runner.attach(view, 'tray'), [runner, view])
  // Ahead of the first call; one that fails is said, and tried again, when there is a call that nobody can see.
  useEffect(() => void loadExtras().catch(() => {}), [])
  const isNeeded = useSyncExternalStore(
    runner.subscribe,
    () => runner.getState().runs.length > 0,
    () => false,
  )
  return isNeeded ? <LateList name="RunList" /> : null
}
