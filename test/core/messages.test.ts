// @vitest-environment node
import { describe, expect, it } from 'vitest'
import * as messages from '../../src/core/messages.js'

describe('the texts a model reads', () => {
  it.each([
    [messages.CANCELLED, 'cancelled'],
    [messages.refused('Delete 3 files?'), 'declined/expired: Delete 3 files?'],
    [messages.refused(''), 'declined/expired: '],
    [messages.unresolved('Step 1?'), 'unresolved: Step 1?'],
    [messages.unknownTool('nope'), 'Unknown tool: nope'],
    [
      messages.ambiguous('a_b'),
      'Ambiguous tool name: a_b: it was told for another tool before; list the tools again and use the names listed then',
    ],
    [messages.timedOut(50), 'timed out after 50 ms'],
    [messages.invalidArgs('add', '/a: expected number'), 'Invalid arguments for add: /a: expected number'],
  ])('says %j', (text, expected) => {
    expect(text).toBe(expected)
  })
})

describe('messageOf', () => {
  it.each<[string, unknown, string]>([
    ['an error', new Error('boom'), 'boom'],
    ['an error without a message', new RangeError(), 'RangeError'],
    ['a string', 'boom', 'boom'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a plain object', {}, '[object Object]'],
    ['an object without a prototype', Object.create(null), 'unknown error'],
    [
      'an error whose message throws',
      Object.defineProperty(new Error(), 'message', {
        get() {
          throw new Error('again')
        },
      }),
      'unknown error',
    ],
  ])('reads %s', (_what, thrown, text) => {
    expect(messages.messageOf(thrown)).toBe(text)
  })

  it.each<[string, unknown]>([
    ['a number as the message', Object.assign(new Error(), { message: 5 })],
    ['no message and no name', Object.assign(new Error(), { message: undefined, name: undefined })],
  ])('is a string for an error with %s', (_what, thrown) => {
    expect(typeof messages.messageOf(thrown)).toBe('string')
  })
})
