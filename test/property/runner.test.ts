// @vitest-environment node
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { play, schedules } from './schedule.js'
import { parameters, replayPath, seed } from './settings.js'

describe('a runner', () => {
  let played = 0
  beforeAll(() => void vi.useFakeTimers())
  afterAll(() => {
    vi.useRealTimers()
    process.stdout.write(`property tests: ${played} schedules, seed ${seed}\n`)
  })

  it('breaks no law, whatever is asked, answered, aborted, expired, disposed and registered anew (K1, K2, K5, K6, K20, K37)', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const given = parameters()
    await fc.assert(
      fc.asyncProperty(schedules(replayPath), async (schedule) => {
        played++
        await play(schedule)
      }),
      given,
    )
    expect(played).toBeGreaterThanOrEqual(given.path === undefined ? given.numRuns : 1)
  }, 300_000)
})
