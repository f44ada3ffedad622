// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { normaliseResult } from '../../src/core/normalise-result.js'
import { pendingOf } from '../../src/core/pending.js'

const cyclic = (): unknown => {
  const value: Record<string, unknown> = {}
  value.self = value
  return value
}

describe('normaliseResult', () => {
  it.each<[string, unknown, string]>([
    ['a text', 'hello', 'hello'],
    ['an empty text', '', ''],
    ['nothing', undefined, ''],
    ['null', null, 'null'],
    ['zero', 0, '0'],
    ['false', false, 'false'],
    ['NaN', Number.NaN, 'null'],
    ['a list', [1, 'a'], '[1,"a"]'],
    ['an object', { a: [1, 2] }, '{"a":[1,2]}'],
    ['an object that only looks like a result', { output: 'x' }, '{"output":"x"}'],
    ['an output that is no text', { output: 1, isError: false }, '{"output":1,"isError":false}'],
    ['an isError that is no boolean', { output: 'x', isError: 'no' }, '{"output":"x","isError":"no"}'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['a map', new Map(), '{}'],
  ])('writes %s', (_what, value, output) => {
    expect(normaliseResult('t', value)).toEqual({ output, isError: false })
  })

  it.each<[string, unknown]>([
    ['a bigint', 1n],
    ['a bigint inside', { n: 1n }],
    ['a function', () => {}],
    ['a symbol', Symbol('s')],
    ['a cycle', cyclic()],
    ['an object that hides itself', { toJSON: () => undefined }],
    [
      'an object whose toJSON throws',
      {
        toJSON() {
          throw new Error('no')
        },
      },
    ],
    [
      'a getter that throws',
      {
        get output() {
          throw new Error('no')
        },
      },
    ],
    [
      'a proxy that throws',
      new Proxy(
        {},
        {
          get() {
            throw new Error('no')
          },
        },
      ),
    ],
  ])('says that %s cannot be written', (_what, value) => {
    const result = normaliseResult('t', value)
    expect(result.isError).toBe(true)
    expect(result.output).toMatch(/^t: its result cannot be used \(.+\)$/s)
  })

  it.each([
    { output: 'raw', isError: false, metadata: { status: 200 } },
    { output: 'bad', isError: true },
  ])('passes a result as it is', (result) => {
    expect(normaliseResult('t', result)).toEqual(result)
  })

  it('takes a suspension whose result is incomplete for a suspension', () => {
    const request = { id: 'r', kind: 'approval', prompt: 'Sure?' }
    const result = normaliseResult('t', { metadata: { pending: request } })
    expect(result).toMatchObject({ output: 'Sure?', isError: true })
    expect(pendingOf(result)).toEqual(request)
  })
})
