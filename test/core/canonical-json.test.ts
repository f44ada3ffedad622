// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../src/core/canonical-json.js'

describe('canonicalJson', () => {
  it.each<[string, unknown, unknown]>([
    ['the order of keys', { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }],
    ['keys with nothing in them', { a: 1, b: undefined }, { a: 1 }],
  ])('does not see %s', (_what, one, other) => {
    expect(canonicalJson(one)).toBe(canonicalJson(other))
  })

  it.each<[string, unknown, unknown]>([
    ['the order of a list', [1, 2], [2, 1]],
    ['a number and its text', { a: 1 }, { a: '1' }],
    ['null and a missing key', { a: null }, {}],
    ['__proto__ and a missing key', JSON.parse('{"__proto__":1}'), {}],
    ['{} and []', {}, []],
  ])('tells %s apart', (_what, one, other) => {
    expect(canonicalJson(one)).not.toBe(canonicalJson(other))
  })

  it.each<[string, unknown]>([
    ['a bigint', { a: 1n }],
    [
      'a cycle',
      (() => {
        const a: Record<string, unknown> = {}
        a.self = a
        return a
      })(),
    ],
  ])('throws for %s', (_what, value) => {
    expect(() => canonicalJson(value)).toThrow()
  })
})
