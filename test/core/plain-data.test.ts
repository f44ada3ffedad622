// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { copyOf, freezeDeep, isRecord } from '../../src/core/plain-data.js'

const nested = (depth: number): unknown => {
  let value: unknown = 'leaf'
  for (let level = 0; level < depth; level++) value = { value }
  return value
}

describe('copyOf', () => {
  it.each<[string, unknown]>([
    ['a text', 'x'],
    ['a number', 0],
    ['minus zero', -0],
    ['NaN', Number.NaN],
    ['null', null],
    ['nothing', undefined],
    ['a bigint', 10n],
    ['an empty object', {}],
    ['an empty list', []],
    ['lists in objects in lists', [{ a: [1, { b: null }] }]],
    ['a key with nothing in it', { a: undefined }],
    ['names of Object.prototype', { constructor: 1, toString: 2, hasOwnProperty: 3, '': 4, 'a.b': 5 }],
    ['a date', new Date(0)],
    ['a map', new Map([['a', new Set([1])]])],
    ['bytes', new Uint8Array([1, 2, 3])],
    ['150 levels', nested(150)],
  ])('is equal to %s', (_what, value) => {
    expect(copyOf(value)).toStrictEqual(value)
  })

  it('shares no object with the original', () => {
    const value = { list: [{ deep: new Date(0) }] }
    const copy = copyOf(value)
    expect(copy).not.toBe(value)
    expect(copy.list).not.toBe(value.list)
    expect(copy.list[0]).not.toBe(value.list[0])
    expect(copy.list[0]?.deep).not.toBe(value.list[0]?.deep)
  })

  it('keeps __proto__ as a property and no prototype (K19)', () => {
    const copy = copyOf(JSON.parse('{"__proto__":{"admin":true}}') as Record<string, unknown>)
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    expect(Object.hasOwn(copy, '__proto__')).toBe(true)
    expect(copy.admin).toBeUndefined()
  })

  it('takes an object without a prototype', () => {
    expect(copyOf(Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: 1 })
  })

  it('reads a getter once, so that what is shown cannot change', () => {
    let reads = 0
    const copy = copyOf({
      get path() {
        return `/${++reads}`
      },
    })
    expect([copy.path, copy.path, reads]).toEqual(['/1', '/1', 1])
  })

  it.each<[string, unknown]>([
    ['a function', () => {}],
    ['a symbol', Symbol('s')],
    ['a function deep inside', { a: [{ b() {} }] }],
    ['a promise', { a: Promise.resolve() }],
    [
      'a getter that throws',
      {
        get a() {
          throw new Error('no')
        },
      },
    ],
    [
      'a proxy that throws',
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error('no')
          },
        },
      ),
    ],
  ])('throws for %s', (_what, value) => {
    expect(() => copyOf(value)).toThrow()
  })

  it.each<[string, () => unknown]>([
    [
      'a cycle',
      () => {
        const a: Record<string, unknown> = {}
        a.self = a
        return a
      },
    ],
    [
      'two cycles through one object',
      () => {
        const a: Record<string, unknown> = {}
        a.left = a
        a.right = a
        return a
      },
    ],
    [
      'a tree whose leaves know their parents',
      () => {
        const root: { children: unknown[] } = { children: [] }
        for (let index = 0; index < 5; index++) root.children.push({ index, parent: root })
        return root
      },
    ],
    [
      'one object shared 2^60 times',
      () => {
        let value: unknown = { leaf: true }
        for (let level = 0; level < 60; level++) value = { left: value, right: value }
        return value
      },
    ],
  ])('comes to an end for %s', (_what, make) => {
    const value = make()
    try {
      // Not toBe: on a mismatch it compares deeply, which is what must not happen here.
      expect(copyOf(value) === value).toBe(false)
    } catch (error) {
      // To refuse it is as good: the call ends with an error result.
      expect(error).toBeInstanceOf(Error)
    }
  })

  it('does not let a list decide what its copy is', () => {
    const live = ['live']
    const list = Object.assign(['shown'], { map: () => live })
    expect([...copyOf(list)]).toEqual(['shown'])
  })
})

describe('freezeDeep', () => {
  it('freezes all that hangs on a value and returns it', () => {
    const value = { list: [{ a: 1 }] }
    expect(freezeDeep(value)).toBe(value)
    expect(Object.isFrozen(value.list[0])).toBe(true)
  })

  it('leaves bytes alone', () => {
    const value = { bytes: new Uint8Array([1]) }
    expect(freezeDeep(value).bytes[0]).toBe(1)
    expect(Object.isFrozen(value)).toBe(true)
  })

  it('freezes below what is frozen already', () => {
    const value = Object.freeze({ open: { a: 1 } })
    expect(Object.isFrozen(freezeDeep(value).open)).toBe(true)
  })
})

describe('isRecord', () => {
  it.each<[unknown, boolean]>([
    [{}, true],
    [Object.create(null), true],
    [[], false],
    [null, false],
    ['x', false],
    [() => {}, false],
  ])('%# is %s', (value, expected) => {
    expect(isRecord(value)).toBe(expected)
  })
})
