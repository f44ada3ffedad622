// @vitest-environment node
import { afterEach, describe, expect, it, vi } from 'vitest'
import { hasExpired, parseInstant } from '../../src/core/expiry.js'

const newYear = Date.UTC(2026, 0, 1)

describe('parseInstant', () => {
  it.each([
    '2026-01-01T00:00:00Z',
    '2026-01-01t00:00:00z',
    '2026-01-01T05:30:00+05:30',
    '2025-12-31T19:00:00-05:00',
    '2026-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00-00:00',
    '2025-12-31T23:59:60Z',
    '2026-01-01T23:59:00+23:59',
  ])('reads %s as the first moment of 2026', (text) => {
    expect(parseInstant(text)).toBe(newYear)
  })

  it.each([
    ['2026-01-01T00:00:00.5Z', newYear + 500],
    ['2026-01-01T00:00:00.123456789Z', newYear + 123],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['1969-12-31T23:59:59Z', -1000],
    ['0000-01-01T00:00:00Z', Date.parse('0000-01-01T00:00:00Z')],
    ['0099-06-01T12:00:00Z', Date.parse('0099-06-01T12:00:00Z')],
    ['9999-12-31T23:59:59Z', Date.parse('9999-12-31T23:59:59Z')],
  ])('reads %s', (text, instant) => {
    expect(parseInstant(text)).toBeCloseTo(instant, 3)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 1767225600000],
    ['an empty text', ''],
    ['a word', 'soon'],
    ['digits', '1767225600000'],
    ['a date alone', '2026-01-01'],
    ['no offset', '2026-01-01T00:00:00'],
    ['no seconds', '2026-01-01T00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['month 0', '2026-00-01T00:00:00Z'],
    ['day 0', '2026-01-00T00:00:00Z'],
    ['30 February', '2026-02-30T00:00:00Z'],
    ['29 February of a common year', '2026-02-29T00:00:00Z'],
    ['hour 24', '2026-01-01T24:00:00Z'],
    ['minute 60', '2026-01-01T00:60:00Z'],
    ['second 61', '2026-01-01T00:00:61Z'],
    ['an offset of 24 hours', '2026-01-01T00:00:00+24:00'],
    ['an offset of 60 minutes', '2026-01-01T00:00:00+00:60'],
    ['an offset without a colon', '2026-01-01T00:00:00+0530'],
    ['a space around it', ' 2026-01-01T00:00:00Z'],
    ['a line break after it', '2026-01-01T00:00:00Z\n'],
    ['other digits', '２０２６-01-01T00:00:00Z'],
    ['an object that turns into one', { toString: () => '2026-01-01T00:00:00Z' }],
  ])('does not read %s (K11)', (_what, text) => {
    expect(parseInstant(text)).toBeUndefined()
  })
})

describe('hasExpired', () => {
  afterEach(() => void vi.useRealTimers())

  const request = { id: 'r', kind: 'approval', prompt: 'P', expiresAt: '2026-01-01T00:00:00Z' }

  it.each([
    [newYear - 1, false],
    [newYear, true],
    [newYear + 1, true],
  ])('at %d it is %s (K10)', (now, expired) => {
    vi.useFakeTimers({ now })
    expect(hasExpired(request)).toBe(expired)
  })

  it.each([undefined, '', 'soon', '2026-02-30T00:00:00Z'])('never for expiresAt %j', (expiresAt) => {
    vi.useFakeTimers({ now: 8.64e15 })
    expect(hasExpired({ ...request, expiresAt })).toBe(false)
  })
})
