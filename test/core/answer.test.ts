// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isAnswerTo, readAnswer } from '../../src/core/answer.js'

const request = { id: 'r1', kind: 'approval', prompt: 'P' }

describe('isAnswerTo', () => {
  it.each<[string, unknown, boolean]>([
    ['a yes', { id: 'r1', ok: true }, true],
    ['a no', { id: 'r1', ok: false }, true],
    ['nothing', undefined, false],
    ['true', true, false],
    ['a list', [{ id: 'r1', ok: true }], false],
    ['another id', { id: 'r2', ok: true }, false],
    ['no id', { ok: true }, false],
    ['an id that only prints the same', { id: ['r1'], ok: true }, false],
    ['ok: 1', { id: 'r1', ok: 1 }, false],
    ['ok: "true"', { id: 'r1', ok: 'true' }, false],
    ['no ok', { id: 'r1' }, false],
  ])('says of %s: %#', (_what, answer, expected) => {
    expect(isAnswerTo(request, answer)).toBe(expected)
  })
})

describe('readAnswer', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) }))
  afterEach(() => void vi.useRealTimers())

  const expiring = { ...request, expiresAt: '2026-01-01T00:00:00Z' }

  it.each<[string, unknown, unknown]>([
    ['a yes with data', { id: 'r1', ok: true, data: { v: false } }, { id: 'r1', ok: true, data: { v: false } }],
    ['a no with its reason', { id: 'r1', ok: false, reason: 'declined' }, { id: 'r1', ok: false, reason: 'declined' }],
    [
      'a no with data (K34)',
      { id: 'r1', ok: false, data: { feedback: 'x' } },
      { id: 'r1', ok: false, data: { feedback: 'x' } },
    ],
    ['a reason outside the list', { id: 'r1', ok: false, reason: 'bored' }, { id: 'r1', ok: false }],
    ['a yes with a reason (2.1)', { id: 'r1', ok: true, reason: 'declined' }, { id: 'r1', ok: true }],
    ['nothing', undefined, { id: 'r1', ok: false, reason: 'cancelled' }],
    ['another id', { id: 'r2', ok: true }, { id: 'r1', ok: false, reason: 'cancelled' }],
  ])('reads %s', (_what, answer, expected) => {
    expect(readAnswer(request, answer)).toEqual(expected)
  })

  it.each<[string, unknown, unknown]>([
    ['a yes as expired', { id: 'r1', ok: true }, { id: 'r1', ok: false, reason: 'expired' }],
    ['a no as what it says', { id: 'r1', ok: false, reason: 'declined' }, { id: 'r1', ok: false, reason: 'declined' }],
  ])('reads, past the end, %s (K10)', (_what, answer, expected) => {
    expect(readAnswer(expiring, answer)).toEqual(expected)
  })
})
