import { newId } from '../../core/internal.js'
import type { PendingItem, Runner } from '../../store/index.js'
import type { FrameLabels } from '../labels.js'
import { mayNotify } from './ask-for-notifications.js'
import { notificationText } from './notification-text.js'
import { showNotification } from './show-notification.js'

export interface NotificationSettings {
  /** Whether the question's text is in it, where others may read it; default false. */
  showPrompt?: boolean | undefined
  /** The runner's `persist.name`, so that its tabs name their notifications alike. */
  name?: string | undefined
}

// A tool that asks without end must not fill the screen; the title counts on.
const MOST_AT_ONCE = 10

// What the person saw or was told of. Beside the watchers, which come and go with the views.
const known = new WeakSet<PendingItem>()

const names = new WeakMap<Runner, string>()
const nameOf = (runner: Runner): string => {
  const name = names.get(runner) ?? newId('runner')
  names.set(runner, name)
  return name
}

// From storage or from another tab. Only the tab that asked notifies, so tabs need no lock to agree on who does; the tag,
// the same in every tab, is for the case that two of them think they asked.
const isRestored = ({ restored }: PendingItem): boolean => restored !== undefined

const isHidden = (): boolean => document.visibilityState === 'hidden'

/**
 * One notification for each question that comes up while the page is hidden, if the person allowed them (DESIGN 5.9). It
 * goes when the question is settled or the page is seen, and is never answered. Returns the end.
 */
export function watchNotifications(
  runner: Runner,
  { showPrompt = false, name = nameOf(runner) }: NotificationSettings,
  words: FrameLabels,
): () => void {
  const open = new Map<PendingItem, () => void>()
  const close = (item: PendingItem): void => {
    open.get(item)?.()
    open.delete(item)
  }
  const closeAll = (): void => {
    for (const item of [...open.keys()]) close(item)
  }
  const tell = (item: PendingItem): void => {
    if (isRestored(item) || open.size >= MOST_AT_ONCE) return
    const tag = `assent ${name} ${item.key}`
    open.set(item, showNotification({ ...notificationText(item, words, showPrompt), tag }))
  }
  const update = (): void => {
    for (const item of [...open.keys()]) if (runner.find(item.key) !== item) close(item)
    if (!isHidden() || !mayNotify()) return
    for (const item of runner.getState().pending) {
      if (known.has(item)) continue
      known.add(item)
      tell(item)
    }
  }
  const onVisibility = (): void => {
    if (isHidden()) for (const item of runner.getState().pending) known.add(item)
    else closeAll()
  }
  const unsubscribe = runner.subscribe(update)
  document.addEventListener('visibilitychange', onVisibility)
  // Nothing would close them afterwards.
  window.addEventListener('pagehide', closeAll)
  update()
  return () => {
    unsubscribe()
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('pagehide', closeAll)
    // Nobody may have looked yet: who watches next, as StrictMode does at once, tells them again.
    for (const item of open.keys()) known.delete(item)
    closeAll()
  }
}
