// @vitest-environment node
import { describe, expect, it, vi } from 'vitest'
import { createPublisher } from '../../src/store/publisher.js'

describe('createPublisher', () => {
  it('tells the subscribers once of all changes since the last time, and of none when there is none', () => {
    const { change, publish, subscribe } = createPublisher()
    const listener = vi.fn()
    subscribe(listener)
    publish()
    change()
    change()
    expect(listener).not.toHaveBeenCalled()
    publish()
    publish()
    expect(listener).toHaveBeenCalledOnce()
  })

  it('counts versions up', () => {
    const { change, version } = createPublisher()
    const before = version()
    change()
    expect(version()).toBeGreaterThan(before)
  })

  it('tells the others when one throws, and stops telling who left', () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { change, publish, subscribe } = createPublisher()
    const listener = vi.fn()
    subscribe(() => {
      throw new Error('view')
    })
    const unsubscribe = subscribe(listener)
    change()
    publish()
    expect(listener).toHaveBeenCalledOnce()
    expect(error).toHaveBeenCalledWith(expect.stringMatching(/^assent: a subscriber threw/), expect.any(Error))
    unsubscribe()
    change()
    publish()
    expect(listener).toHaveBeenCalledOnce()
  })
})
