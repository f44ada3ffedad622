// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { callAt } from '../../src/core/long-timer.js'

const DAY = 24 * 60 * 60 * 1000

describe('callAt', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it.each([1, 999, 60_000, 60_001, DAY, 2 ** 31, 30 * DAY])('calls back after %d ms and not before (K11)', (delay) => {
    const callback = vi.fn()
    callAt(Date.now() + delay, Date.now, callback)
    vi.advanceTimersByTime(delay - 1)
    expect(callback).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(callback).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('calls back by a timer when the end is already past, never at once', () => {
    const callback = vi.fn()
    callAt(Date.now() - 5, Date.now, callback)
    expect(callback).not.toHaveBeenCalled()
    vi.advanceTimersByTime(0)
    expect(callback).toHaveBeenCalledOnce()
  })

  it('notices within a minute that the clock jumped forward', () => {
    const callback = vi.fn()
    callAt(Date.now() + DAY, Date.now, callback)
    vi.setSystemTime(Date.now() + 2 * DAY)
    vi.advanceTimersByTime(60_000)
    expect(callback).toHaveBeenCalledOnce()
  })

  it('waits on when the clock was set back', () => {
    const callback = vi.fn()
    callAt(Date.now() + 1000, Date.now, callback)
    vi.setSystemTime(Date.now() - 5000)
    vi.advanceTimersByTime(1000)
    expect(callback).not.toHaveBeenCalled()
    vi.advanceTimersByTime(5000)
    expect(callback).toHaveBeenCalledOnce()
  })

  it.each([0, 60_000, 90_000])('is silent once it was cancelled, %d ms on', (after) => {
    const callback = vi.fn()
    const cancel = callAt(Date.now() + DAY, Date.now, callback)
    vi.advanceTimersByTime(after)
    cancel()
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(2 * DAY)
    expect(callback).not.toHaveBeenCalled()
  })
})
