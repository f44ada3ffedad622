// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCallClock, pauseClock } from '../../src/core/call-clock.js'

describe('createCallClock', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const clockOf = (budget: number | undefined) => {
    const { signal } = new AbortController()
    const onTimeout = vi.fn()
    return { signal, onTimeout, clock: createCallClock(signal, budget, onTimeout) }
  }

  it('says so when an attempt has used up its budget', () => {
    const { clock, onTimeout } = clockOf(100)
    clock.start()
    vi.advanceTimersByTime(99)
    expect(onTimeout).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(onTimeout).toHaveBeenCalledOnce()
  })

  it('is silent before the start and after the stop', () => {
    const { clock, onTimeout } = clockOf(100)
    vi.advanceTimersByTime(1000)
    clock.start()
    vi.advanceTimersByTime(99)
    clock.stop()
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(1000)
    expect(onTimeout).not.toHaveBeenCalled()
  })

  it('gives every attempt the whole budget', () => {
    const { clock, onTimeout } = clockOf(100)
    for (let attempt = 0; attempt < 3; attempt++) {
      clock.start()
      vi.advanceTimersByTime(99)
      clock.stop()
    }
    expect(onTimeout).not.toHaveBeenCalled()
    clock.start()
    vi.advanceTimersByTime(100)
    expect(onTimeout).toHaveBeenCalledOnce()
  })

  it('charges no pause and goes on with what is left (K12)', () => {
    const { clock, onTimeout } = clockOf(100)
    clock.start()
    vi.advanceTimersByTime(60)
    const resume = clock.pause()
    vi.advanceTimersByTime(60_000)
    resume()
    vi.advanceTimersByTime(39)
    expect(onTimeout).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(onTimeout).toHaveBeenCalledOnce()
  })

  it('stays paused until every pause has ended, in whatever order (BUG-069)', () => {
    const { clock, onTimeout } = clockOf(100)
    clock.start()
    const first = clock.pause()
    const second = clock.pause()
    first()
    first()
    vi.advanceTimersByTime(60_000)
    expect(onTimeout).not.toHaveBeenCalled()
    second()
    vi.advanceTimersByTime(100)
    expect(onTimeout).toHaveBeenCalledOnce()
  })

  it('does not start an attempt while a pause lasts', () => {
    const { clock, onTimeout } = clockOf(100)
    clock.start()
    const resume = clock.pause()
    clock.stop()
    clock.start()
    vi.advanceTimersByTime(1000)
    expect(onTimeout).not.toHaveBeenCalled()
    resume()
    vi.advanceTimersByTime(100)
    expect(onTimeout).toHaveBeenCalledOnce()
  })

  it('does not run after the stop when a pause ends late', () => {
    const { clock, onTimeout } = clockOf(100)
    clock.start()
    const resume = clock.pause()
    clock.stop()
    resume()
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(1000)
    expect(onTimeout).not.toHaveBeenCalled()
  })

  it('still ends an attempt that blocked past its budget and paused then', () => {
    const { clock, onTimeout } = clockOf(100)
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    clock.start()
    now = 150
    const resume = clock.pause()
    resume()
    vi.advanceTimersByTime(1)
    expect(onTimeout).toHaveBeenCalledOnce()
  })

  it.each([undefined, Number.NaN])('has no end for a budget of %s: the kit invents none', (budget) => {
    const { clock, onTimeout } = clockOf(budget)
    clock.start()
    clock.pause()()
    expect(vi.getTimerCount()).toBe(0)
    expect(onTimeout).not.toHaveBeenCalled()
  })

  it('takes a budget beyond what a timer holds (K11)', () => {
    const { clock, onTimeout } = clockOf(2 ** 31 + 5)
    clock.start()
    vi.advanceTimersByTime(2 ** 31)
    expect(onTimeout).not.toHaveBeenCalled()
    vi.advanceTimersByTime(5)
    expect(onTimeout).toHaveBeenCalledOnce()
  })

  it.each([0, -5])('ends an attempt with a budget of %d at the next timer', (budget) => {
    const { clock, onTimeout } = clockOf(budget)
    clock.start()
    vi.advanceTimersByTime(0)
    expect(onTimeout).toHaveBeenCalledOnce()
  })
})

describe('pauseClock', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('finds the clock by the signal of its call', () => {
    const { signal } = new AbortController()
    const onTimeout = vi.fn()
    createCallClock(signal, 100, onTimeout).start()
    const resume = pauseClock(signal)
    vi.advanceTimersByTime(1000)
    expect(onTimeout).not.toHaveBeenCalled()
    resume()
    vi.advanceTimersByTime(100)
    expect(onTimeout).toHaveBeenCalledOnce()
  })

  it.each([undefined, new AbortController().signal])('does nothing for a signal that is of no call', (signal) => {
    expect(() => pauseClock(signal)()).not.toThrow()
  })
})
