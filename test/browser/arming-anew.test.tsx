import '../../src/components/styles.css'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { createToolRunner, PendingList } from '../../src/index.js'
import { ask, button, elementOf, eventually, Page, pause, typingIsOver } from '../support/page.js'

const DELAY = 600
// Timers and clocks are rounded differently.
const EPSILON = 5

beforeEach(typingIsOver)
afterEach(() => {
  Reflect.deleteProperty(document, 'visibilityState')
})

function look(visible: boolean): void {
  Object.defineProperty(document, 'visibilityState', {
    configurable: true,
    get: () => (visible ? 'visible' : 'hidden'),
  })
  document.dispatchEvent(new Event('visibilitychange'))
}

const stateOfYes = (): string | null => elementOf(button('Approve')).getAttribute('data-state')

/** When the yes was armed, each time. */
function watchArming(): { times: number[]; stop: () => void } {
  const times: number[] = []
  const observer = new MutationObserver(() => {
    if (stateOfYes() === 'armed') times.push(performance.now())
  })
  observer.observe(elementOf(button('Approve')), { attributes: true, attributeFilter: ['data-state'] })
  return { times, stop: () => observer.disconnect() }
}

describe.each(['dialog', 'inline'] as const)('a question that is arming (%s)', (presentation) => {
  async function open() {
    const runner = createToolRunner()
    await render(
      <Page runner={runner} armingDelay={DELAY} presentation={presentation}>
        {presentation === 'inline' && <PendingList />}
      </Page>,
    )
    const question = ask(runner)
    await eventually(button('Approve')).toBeVisible()
    const shownAt = performance.now()
    return { question, shownAt, ...watchArming() }
  }

  test('takes the full delay again after a look away at half of it', async () => {
    const { question, times, stop } = await open()
    await pause(DELAY / 2)
    look(false)
    look(true)
    const backAt = performance.now()
    const sinceBack = () => times.filter((at) => at > backAt)
    await expect.poll(() => sinceBack().length, { interval: 15, timeout: 5000 }).toBe(1)
    expect((sinceBack()[0] ?? 0) - backAt).toBeGreaterThanOrEqual(DELAY - EPSILON)
    stop()
    elementOf(button('Approve')).click()
    expect((await question.answer).ok).toBe(true)
  })

  test('is armed by none of the looks before the last one', async () => {
    const { times, stop } = await open()
    let backAt = 0
    for (let count = 0; count < 4; count++) {
      await pause(DELAY / 3)
      look(false)
      await pause(20)
      look(true)
      backAt = performance.now()
    }
    const sinceBack = () => times.filter((at) => at > backAt)
    await expect.poll(() => sinceBack().length, { interval: 15, timeout: 5000 }).toBe(1)
    expect((sinceBack()[0] ?? 0) - backAt).toBeGreaterThanOrEqual(DELAY - EPSILON)
    stop()
  })

  test('is not armed while nobody looks', async () => {
    const { question, times, stop } = await open()
    await pause(DELAY / 2)
    look(false)
    const awayAt = performance.now()
    await pause(2 * DELAY)
    expect(times.filter((at) => at > awayAt)).toEqual([])
    expect(stateOfYes()).toBe('arming')
    elementOf(button('Approve')).click()
    look(true)
    const backAt = performance.now()
    await expect.poll(stateOfYes, { interval: 15, timeout: 5000 }).toBe('armed')
    expect(performance.now() - backAt).toBeGreaterThanOrEqual(DELAY - EPSILON)
    expect(question.answers).toEqual([])
    stop()
  })
})
