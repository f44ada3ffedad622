import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchAttention } from '../../src/components/attention/watch-attention.js'
import { defaultLabels } from '../../src/components/labels.js'
import { createToolRunner, type Runner } from '../../src/index.js'
import { countListeners } from '../support/asking.js'
import { ask } from '../support/page.js'

/** A runner whose questions the app shows itself. */
function newRunner(): Runner {
  const runner = createToolRunner()
  runner.attach({}, 'list')
  return runner
}

const ends: (() => void)[] = []
const watch = (runner: Runner, badge?: boolean): (() => void) => {
  const end = watchAttention(runner, { badge }, defaultLabels)
  ends.push(end)
  return end
}

/** What the icon was told, oldest first; 0 when it was cleared. */
let icon: number[]
beforeEach(() => {
  icon = []
  const { setAppBadge, clearAppBadge } = navigator
  vi.spyOn(navigator, 'setAppBadge').mockImplementation((count) => {
    icon.push(count ?? -1)
    return setAppBadge.call(navigator, count)
  })
  vi.spyOn(navigator, 'clearAppBadge').mockImplementation(() => {
    icon.push(0)
    return clearAppBadge.call(navigator)
  })
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

test('the icon of the app counts what waits on the page, and is cleared at the end', () => {
  const runner = newRunner()
  const other = newRunner()
  const end = watch(runner)
  watch(other)
  // The number of another tab is not ours to clear.
  expect(icon).toEqual([])
  ask(runner)
  ask(other)
  expect(icon).toEqual([1, 2])
  other.dispose()
  expect(icon).toEqual([1, 2, 1])
  end()
  expect(icon).toEqual([1, 2, 1, 0])
})

test('the icon is left alone when the app says so', () => {
  const runner = newRunner()
  watch(runner, false)
  ask(runner)
  expect(icon).toEqual([])
})

test('a page that goes takes its number along, and brings it back from the cache', () => {
  const listeners = countListeners(window)
  const runner = newRunner()
  const end = watch(runner)
  ask(runner)
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  expect(icon).toEqual([1, 0, 1])
  end()
  expect(listeners.live()).toBe(0)
  Reflect.deleteProperty(window, 'addEventListener')
  Reflect.deleteProperty(window, 'removeEventListener')
})

test.each([
  [
    'throws',
    () => {
      throw new Error('no badge')
    },
  ],
  ['rejects', () => Promise.reject(new Error('no badge'))],
  ['is not there', undefined],
])('an icon that %s is not missed', async (_what, set) => {
  const unhandled: unknown[] = []
  const note = (event: PromiseRejectionEvent): void => void unhandled.push(event.reason)
  window.addEventListener('unhandledrejection', note)
  Object.defineProperty(navigator, 'setAppBadge', { configurable: true, value: set })
  Object.defineProperty(navigator, 'clearAppBadge', { configurable: true, value: set })
  const runner = newRunner()
  const end = watch(runner)
  const { id } = ask(runner)
  expect(runner.answer(id, { id, ok: true })).toBe(true)
  end()
  await new Promise((next) => setTimeout(next, 20))
  expect(unhandled).toEqual([])
  window.removeEventListener('unhandledrejection', note)
  Reflect.deleteProperty(navigator, 'setAppBadge')
  Reflect.deleteProperty(navigator, 'clearAppBadge')
})
