import type { Runner } from '../../store/index.js'
import type { FrameLabels } from '../labels.js'
import { watchAppBadge } from './app-badge.js'
import { watchTitle } from './title-badge.js'
import { type NotificationSettings, watchNotifications } from './watch-notifications.js'

/** How a page says that questions wait while nobody looks at it (DESIGN 5.9). */
export interface AttentionOptions {
  /** `(2) ` before the title of a hidden page; default true. */
  title?: boolean | undefined
  /** The count on the icon of an installed app; default true. */
  badge?: boolean | undefined
  /** Notifications, once the person allowed them (`askForNotifications`); default false. `showPrompt`: with the question's text. */
  notifications?: boolean | Pick<NotificationSettings, 'showPrompt'> | undefined
}

/**
 * Watches a runner's questions until the returned end is called, which leaves the page as it was. `name` is the runner's
 * `persist.name`, where it has one.
 */
export function watchAttention(
  runner: Runner,
  { title = true, badge = true, notifications = false }: AttentionOptions,
  words: FrameLabels,
  name?: string,
): () => void {
  const ends = [
    title && watchTitle(runner),
    badge && watchAppBadge(runner),
    notifications && watchNotifications(runner, { ...(notifications !== true && notifications), name }, words),
  ]
  return () => {
    for (const end of ends.splice(0)) if (end) end()
  }
}
