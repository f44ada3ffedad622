import { createToolRunner } from 'assent/runner'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { countListeners, no, yes } from '../support/asking.js'

const HOUR = 3_600_000

describe('the end of a question in a page', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) }))
  afterEach(() => void vi.useRealTimers())

  const asked = (ms: number) => {
    const runner = createToolRunner()
    runner.attach({}, 'dialog')
    const expiresAt = new Date(Date.now() + ms).toISOString()
    return { runner, answer: runner.waitFor({ id: 'a', kind: 'approval', prompt: 'P', expiresAt }) }
  }
  const wake = () => document.dispatchEvent(new Event('visibilitychange'))

  it('comes when a page that slept is looked at again', async () => {
    const { runner, answer } = asked(HOUR)
    vi.setSystemTime(Date.now() + 2 * HOUR)
    expect(runner.count()).toBe(1)
    wake()
    expect(runner.count()).toBe(0)
    expect(await answer).toEqual(no('a', 'expired'))
  })

  it('does not come before its time', () => {
    const { runner } = asked(HOUR)
    vi.setSystemTime(Date.now() + HOUR - 1)
    wake()
    expect(runner.count()).toBe(1)
  })

  it('leaves no timer and no listener, however the question ended (K37)', async () => {
    const listeners = countListeners(document)
    const endings = [
      ({ runner }: ReturnType<typeof asked>) => void runner.answer('a', yes('a')),
      ({ runner }: ReturnType<typeof asked>) => void runner.answer('a', no('a')),
      ({ runner }: ReturnType<typeof asked>) => runner.abort(),
      ({ runner }: ReturnType<typeof asked>) => runner.dispose(),
      () => void vi.advanceTimersByTime(HOUR),
      () => {
        vi.setSystemTime(Date.now() + HOUR)
        wake()
      },
    ]
    for (const end of endings) {
      const question = asked(HOUR)
      end(question)
      await question.answer
      expect(vi.getTimerCount()).toBe(0)
    }
    expect([listeners.added(), listeners.live()]).toEqual([endings.length, 0])
  })
})
