import { StrictMode, useEffect } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { watchAttention } from '../../src/components/attention/watch-attention.js'
import { defaultLabels } from '../../src/components/labels.js'
import { createToolRunner, type Runner } from '../../src/index.js'
import { countListeners } from '../support/asking.js'
import { ask, settle } from '../support/page.js'

/** A runner whose questions the app shows itself. */
function newRunner(): Runner {
  const runner = createToolRunner()
  runner.attach({}, 'list')
  return runner
}

const ends: (() => void)[] = []
const watch = (runner: Runner, options: Parameters<typeof watchAttention>[1] = {}): (() => void) => {
  const end = watchAttention(runner, { badge: false, ...options }, defaultLabels)
  ends.push(end)
  return end
}

function show(visible: boolean): void {
  Object.defineProperty(document, 'visibilityState', {
    configurable: true,
    get: () => (visible ? 'visible' : 'hidden'),
  })
  document.dispatchEvent(new Event('visibilitychange'))
}

/** Its questions wait, nobody looks. */
function hiddenWith(questions: number): Runner {
  const runner = newRunner()
  for (let n = 0; n < questions; n++) ask(runner)
  watch(runner)
  show(false)
  return runner
}

const titleElement = (): HTMLTitleElement => {
  const element = document.head.querySelector('title')
  if (!element) throw new Error('no title')
  return element
}

let before = ''
beforeEach(() => {
  before = document.title
  document.title = 'Inbox'
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
  Reflect.deleteProperty(document, 'visibilityState')
  for (const left of document.querySelectorAll('title[data-left]')) left.remove()
  document.title = before
})

describe('the title of a hidden page', () => {
  test('says how many questions wait, and follows their number', async () => {
    const runner = hiddenWith(1)
    expect(document.title).toBe('(1) Inbox')
    ask(runner)
    expect(document.title).toBe('(2) Inbox')
    for (const { key, request } of runner.getState().pending) runner.answer(key, { id: request.id, ok: false })
    await expect.poll(() => document.title).toBe('Inbox')
    ask(runner)
    expect(document.title).toBe('(1) Inbox')
  })

  test('is the app’s own again as soon as the page is visible', () => {
    const runner = hiddenWith(2)
    expect(document.title).toBe('(2) Inbox')
    show(true)
    expect(document.title).toBe('Inbox')
    ask(runner)
    expect(document.title).toBe('Inbox')
    show(false)
    expect(document.title).toBe('(3) Inbox')
  })

  test('is left alone when the app turns the badge off', () => {
    const runner = newRunner()
    watch(runner, { title: false })
    ask(runner)
    show(false)
    expect(document.title).toBe('Inbox')
  })

  test('is clean after the runner is disposed and after the last watcher ends', () => {
    const disposed = hiddenWith(1)
    disposed.dispose()
    expect(document.title).toBe('Inbox')
    const runner = newRunner()
    ask(runner)
    const end = watch(runner)
    expect(document.title).toBe('(1) Inbox')
    end()
    end()
    expect(document.title).toBe('Inbox')
  })

  test('keeps a number that is the app’s own', () => {
    document.title = '(3) Inbox'
    hiddenWith(1)
    expect(document.title).toBe('(1) (3) Inbox')
    show(true)
    expect(document.title).toBe('(3) Inbox')
  })

  test('comes into being and is emptied again in a page that has none', () => {
    titleElement().remove()
    hiddenWith(1)
    expect(document.title).toBe('(1)')
    show(true)
    expect(document.title).toBe('')
  })

  test('has one badge for all runners, each counted once', () => {
    const runner = hiddenWith(2)
    const other = hiddenWith(1)
    expect(document.title).toBe('(3) Inbox')
    const again = watch(other)
    expect(document.title).toBe('(3) Inbox')
    again()
    expect(document.title).toBe('(3) Inbox')
    runner.dispose()
    expect(document.title).toBe('(1) Inbox')
  })
})

describe('a title that the app changes meanwhile', () => {
  test('gets the badge, and stays when the page is seen', async () => {
    hiddenWith(1)
    document.title = 'Sent'
    await expect.poll(() => document.title).toBe('(1) Sent')
    const text = titleElement().firstChild
    if (text) text.nodeValue = 'Drafts'
    await expect.poll(() => document.title).toBe('(1) Drafts')
    document.title = 'Spam'
    // Before anybody could put the badge back.
    show(true)
    expect(document.title).toBe('Spam')
  })

  test('to what ours looks like is its own', async () => {
    hiddenWith(1)
    document.title = '(1) Inbox'
    await expect.poll(() => document.title).toBe('(1) (1) Inbox')
    show(true)
    expect(document.title).toBe('(1) Inbox')
  })

  test('to something made from ours has one badge, and loses it', async () => {
    const runner = hiddenWith(1)
    document.title = `* ${document.title}`
    await settle()
    expect(document.title).toBe('* (1) Inbox')
    ask(runner)
    expect(document.title).toBe('(2) * Inbox')
    show(true)
    expect(document.title).toBe('* Inbox')
  })

  test('by replacing, adding or removing the element bears the badge alone', async () => {
    hiddenWith(1)
    const first = titleElement()
    const second = document.createElement('title')
    second.dataset.left = ''
    second.textContent = 'Page'
    first.before(second)
    await expect.poll(() => document.title).toBe('(1) Page')
    expect(first.textContent).toBe('Inbox')
    second.remove()
    await expect.poll(() => document.title).toBe('(1) Inbox')
    expect(second.textContent).toBe('Page')
    first.replaceWith(second)
    await expect.poll(() => document.title).toBe('(1) Page')
    second.replaceWith(first)
    show(true)
    expect([first.textContent, second.textContent]).toEqual(['Inbox', 'Page'])
  })

  test.each([
    ['strips it', (): string => 'Inbox'],
    [
      'puts its own before ours',
      (): string => (document.title.startsWith('!') ? document.title : `! ${document.title}`),
    ],
    ['puts its own before and keeps the rest', (): string => `!${document.title.slice(0, 40)}`],
  ])('at once each time, by one who %s, does not go on for ever', async (_what, titleNow) => {
    let writes = 0
    const foreign = new MutationObserver(() => {
      const title = titleNow()
      if (title === document.title) return
      writes++
      // A loop of microtasks would hang the page, and this test with it.
      if (writes > 1000) foreign.disconnect()
      document.title = title
    })
    foreign.observe(document.head, { childList: true, characterData: true, subtree: true })
    hiddenWith(1)
    await settle()
    foreign.disconnect()
    expect(writes).toBeLessThan(1000)
  })

  test('is not written again for other changes in the head', async () => {
    hiddenWith(1)
    const seen: MutationRecord[] = []
    const observer = new MutationObserver((records) => seen.push(...records))
    observer.observe(titleElement(), { childList: true, characterData: true, subtree: true })
    const meta = document.head.appendChild(document.createElement('meta'))
    meta.remove()
    await settle()
    observer.disconnect()
    expect(seen).toEqual([])
    expect(document.title).toBe('(1) Inbox')
  })
})

describe('watching', () => {
  test('under StrictMode is one badge, and no listener or observer is left', async () => {
    const runner = newRunner()
    ask(runner)
    show(false)
    // React's own listeners on the document stay.
    await render(<p>Page</p>)
    const listeners = countListeners(document)
    const disconnect = vi.spyOn(MutationObserver.prototype, 'disconnect')
    const observe = vi.spyOn(MutationObserver.prototype, 'observe')
    const toTitle = () => observe.mock.calls.filter(([target]) => target === document.head).length
    function Watcher(): null {
      useEffect(() => watchAttention(runner, { badge: false, notifications: true }, defaultLabels), [])
      return null
    }
    const { unmount } = await render(
      <StrictMode>
        <Watcher />
      </StrictMode>,
    )
    expect(document.title).toBe('(1) Inbox')
    expect(toTitle()).toBe(2)
    await unmount()
    expect(document.title).toBe('Inbox')
    expect(listeners.added()).toBeGreaterThan(1)
    expect(listeners.live()).toBe(0)
    expect(disconnect.mock.calls.length).toBeGreaterThanOrEqual(toTitle())
    document.title = 'Sent'
    await settle()
    expect(document.title).toBe('Sent')
    Reflect.deleteProperty(document, 'addEventListener')
    Reflect.deleteProperty(document, 'removeEventListener')
  })
})
