import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextFrame } from '../../src/store/next-frame.js'

describe('nextFrame', () => {
  beforeEach(
    () =>
      void vi.useFakeTimers({
        toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame'],
      }),
  )
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('calls back once, with the next frame', () => {
    const callback = vi.fn()
    nextFrame(callback)
    expect(callback).not.toHaveBeenCalled()
    vi.advanceTimersToNextFrame()
    expect(callback).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(1000)
    expect(callback).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('calls back soon, and once, in a page that has no frames because nobody sees it', () => {
    const cancel = vi.fn()
    vi.stubGlobal('requestAnimationFrame', () => 7)
    vi.stubGlobal('cancelAnimationFrame', cancel)
    const callback = vi.fn()
    nextFrame(callback)
    vi.advanceTimersByTime(1000)
    expect(callback).toHaveBeenCalledOnce()
    // The frame that comes when the page is seen again is not waited for any more.
    expect(cancel).toHaveBeenCalledWith(7)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('calls back once where nothing is painted at all', () => {
    vi.stubGlobal('requestAnimationFrame', undefined)
    const callback = vi.fn()
    nextFrame(callback)
    expect(callback).not.toHaveBeenCalled()
    vi.advanceTimersByTime(100)
    expect(callback).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('calls back once where a test’s stand-in gives the frame at once', () => {
    vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => {
      frame(0)
      return 1
    })
    const callback = vi.fn()
    nextFrame(callback)
    vi.advanceTimersByTime(1000)
    expect(callback).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  })
})
