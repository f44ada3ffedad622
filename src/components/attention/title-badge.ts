import { sumOfCounts } from './sum-of-counts.js'

/** The title element that bears the badge. */
interface Bearer {
  readonly element: HTMLTitleElement
  /** The app's newest title. */
  own: string
  /** What the element says with the badge, and the badge in it; `''` while it has none. */
  written: string
  badge: string
}

// Who writes the title each time it changes would go on with us for ever, and no task would come between.
const MOST_A_SECOND = 50

const titleElement = (): HTMLTitleElement =>
  document.head.querySelector('title') ?? document.head.appendChild(document.createElement('title'))

/**
 * Takes over what somebody else wrote since. It is the app's title as it stands, also where it looks like a badge; only
 * what was made from ours, `* (2) Inbox`, has the badge in it already.
 */
function adopt(bearer: Bearer, records: readonly MutationRecord[]): void {
  const { element, own, written, badge } = bearer
  const { text } = element
  if (text === written && !records.some(({ target }) => element.contains(target))) return
  const isMadeFromOurs = badge && own && text !== written && text.includes(written)
  bearer.own = isMadeFromOurs ? text.replace(written, () => own) : text
  bearer.written = text
  if (!isMadeFromOurs) bearer.badge = ''
}

function write(bearer: Bearer, badge: string): void {
  bearer.badge = badge
  bearer.written = badge + bearer.own
  bearer.element.text = bearer.written
}

/** Puts `(2) ` before the page's title while the page is hidden, on top of whatever the app makes of it meanwhile. */
function createTitleBadge(): (count: number) => void {
  let count = 0
  let bearer: Bearer | undefined
  let observer: MutationObserver | undefined
  let second = 0
  let written = 0

  const mayPutBack = (): boolean => {
    const now = Math.floor(performance.now() / 1000)
    written = now === second ? written + 1 : 1
    second = now
    return written <= MOST_A_SECOND
  }

  const giveBack = (records: readonly MutationRecord[]): void => {
    if (!bearer) return
    adopt(bearer, records)
    if (bearer.badge) write(bearer, '')
    bearer = undefined
  }

  const put = (records: readonly MutationRecord[], isAllowed: () => boolean): void => {
    const element = titleElement()
    if (bearer?.element !== element) giveBack(records)
    bearer ??= { element, own: element.text, written: element.text, badge: '' }
    adopt(bearer, records)
    const badge = `(${count}) `
    if (bearer.badge !== badge && isAllowed()) write(bearer, badge)
    // Our own writing is no news.
    observer?.takeRecords()
  }

  const watch = (): MutationObserver => {
    const watching = new MutationObserver((records) => put(records, mayPutBack))
    watching.observe(document.head, { childList: true, characterData: true, subtree: true })
    return watching
  }

  const refresh = (): void => {
    const records = observer?.takeRecords() ?? []
    if (count > 0 && document.visibilityState === 'hidden') {
      observer ??= watch()
      put(records, () => true)
    } else {
      observer?.disconnect()
      observer = undefined
      giveBack(records)
    }
  }

  return (now) => {
    count = now
    if (count > 0) document.addEventListener('visibilitychange', refresh)
    else document.removeEventListener('visibilitychange', refresh)
    refresh()
  }
}

/**
 * While questions wait and the page is hidden, its title says how many: `(2) Inbox` (DESIGN 5.9). Not while it is visible,
 * where the questions themselves are seen. All runners of a page share one badge. Returns the end.
 */
export const watchTitle: ReturnType<typeof sumOfCounts> = sumOfCounts(createTitleBadge())
