import { sumOfCounts } from './sum-of-counts.js'

/** A badge is a courtesy: where there is none, or it is not allowed, nothing is said. */
async function setBadge(count: number): Promise<void> {
  try {
    await (count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.())
  } catch {
    // A foreign frame, or an icon that shows no numbers.
  }
}

function createAppBadge(): (count: number) => void {
  let count = 0
  // A closed page would leave its number on the icon; one that comes back from the browser's cache waits again.
  const onHide = (): void => void setBadge(0)
  const onShow = (): void => void setBadge(count)
  return (now) => {
    count = now
    const change = count > 0 ? 'addEventListener' : 'removeEventListener'
    window[change]('pagehide', onHide)
    window[change]('pageshow', onShow)
    void setBadge(count)
  }
}

/**
 * The icon of an installed app says how many questions wait, where the browser can. An app has one icon for all its tabs
 * and a tab knows only its own count, so the icon shows the count of the tab that changed last. Returns the end.
 */
export const watchAppBadge: ReturnType<typeof sumOfCounts> = sumOfCounts(createAppBadge())
