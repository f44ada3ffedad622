// @vitest-environment node
import { defineTool } from 'assent/core'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createRegistry, identityOf, isSameTool } from '../../src/store/registry.js'

const tool = (name: string, rest: object = {}) => ({ name, description: name, execute: () => '', ...rest })

describe('createRegistry', () => {
  it('finds a tool by its name, until it is removed', () => {
    const registry = createRegistry()
    const add = tool('add')
    const remove = registry.add(add)
    expect(registry.get('add')).toBe(add)
    remove()
    remove()
    expect(registry.get('add')).toBeUndefined()
  })

  it.each(['constructor', '__proto__', 'toString'])('has no tool named %s of its own (K19)', (name) => {
    const registry = createRegistry()
    expect(registry.get(name)).toBeUndefined()
    registry.add(tool(name))
    expect(registry.get(name)?.name).toBe(name)
  })

  it('asks a function for the newest tool (K9)', () => {
    const registry = createRegistry()
    let newest = tool('t')
    registry.add(() => newest)
    newest = tool('t')
    expect(registry.get('t')).toBe(newest)
  })

  it('takes a function that cannot give its tool any more for one that is gone', () => {
    const registry = createRegistry()
    let gone = false
    registry.add(() => {
      if (gone) throw new Error('unmounted')
      return tool('t')
    })
    gone = true
    expect(registry.get('t')).toBeUndefined()
  })

  it('is not robbed of a newer registration by an old removal', () => {
    const registry = createRegistry()
    const same = () => tool('t')
    const removeFirst = registry.add(same)
    removeFirst()
    registry.add(same)
    removeFirst()
    expect(registry.get('t')?.name).toBe('t')
  })

  it('refuses a second tool of a name and keeps the first', () => {
    const registry = createRegistry()
    const first = tool('t')
    registry.add(first)
    expect(() => registry.add(tool('t'))).toThrow(/^assent: .*"t".* already registered/)
    expect(registry.get('t')).toBe(first)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a function that gives nothing', () => undefined],
    ['no name', { execute: () => '' }],
    ['an empty name', tool('')],
    ['no execute', { name: 't' }],
    ['a broken inputSchema', tool('t', { inputSchema: { type: 'nonsense' } })],
    ['a schema without a JSON Schema', tool('t', { inputSchema: v.object({}) })],
    ['a broken jsonSchema', tool('t', { inputSchema: v.object({}), jsonSchema: { properties: 5 } })],
  ])('throws for %s and keeps nothing of it', (_what, unusable) => {
    const registry = createRegistry()
    expect(() => registry.add(unusable as never)).toThrow(/^assent: /)
    expect(registry.describe()).toEqual([])
  })

  it('tells a model name, description and JSON Schema of every tool', () => {
    const registry = createRegistry()
    registry.add({ name: 'bare', execute: () => '' })
    registry.add(tool('json', { inputSchema: { type: 'object', required: ['a'] } }))
    registry.add(
      defineTool({ name: 'zod', description: 'z', inputSchema: z.object({ n: z.number() }), execute: () => '' }),
    )
    expect(registry.describe()).toMatchObject([
      { name: 'bare', description: '', inputSchema: { type: 'object' } },
      { name: 'json', description: 'json', inputSchema: { type: 'object', required: ['a'] } },
      { name: 'zod', description: 'z', inputSchema: { type: 'object', properties: { n: { type: 'number' } } } },
    ])
  })
})

describe('the names a model is told', () => {
  /** How often a name is made fit for a model while `work` is done with a registry of so many tools. */
  function cleanings(count: number, work: (registry: ReturnType<typeof createRegistry>) => void): number {
    const registry = createRegistry()
    for (let n = 0; n < count; n++) registry.add(tool(`tool ${n}`))
    const replace = vi.spyOn(String.prototype, 'replace')
    try {
      work(registry)
      return replace.mock.calls.length
    } finally {
      replace.mockRestore()
    }
  }
  const everyName = (count: number) =>
    cleanings(count, (registry) => {
      for (let n = 0; n < count; n++) expect(registry.nameOf(`tool_${n}`)).toBe(`tool ${n}`)
    })

  it('are made once for all tools', () => {
    const told = (count: number) => cleanings(count, (registry) => void registry.describe('openai'))
    expect(told(400)).toBeLessThan(told(100) * 6)
  })

  it('are made once for all calls', () => {
    expect(everyName(400)).toBeLessThan(everyName(100) * 6)
  })

  it('are made again when a tool has come or gone', () => {
    const registry = createRegistry()
    const names = () => registry.describe('anthropic').map(({ name }) => name)
    registry.add(tool('a b'))
    expect([names(), registry.nameOf('a_b')]).toEqual([['a_b'], 'a b'])
    const remove = registry.add(tool('a_b'))
    expect(names()).toEqual(['a_b_2', 'a_b_3'])
    expect(['a_b', 'a_b_2', 'a_b_3'].map(registry.nameOf)).toEqual([undefined, 'a b', 'a_b'])
    remove()
    expect([names(), registry.nameOf('a_b_2')]).toEqual([['a_b_2'], 'a b'])
  })
})

describe('isSameTool (5.2)', () => {
  const shown = tool('t', { source: 'custom', inputSchema: { type: 'object', properties: { a: { type: 'string' } } } })

  it.each<[string, object, boolean]>([
    ['a newer closure', { execute: () => 'newer' }, true],
    ['an equal schema', { inputSchema: { properties: { a: { type: 'string' } }, type: 'object' } }, true],
    ['another schema', { inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }, false],
    ['no schema', { inputSchema: undefined }, false],
    ['another description', { description: 'Deletes everything' }, false],
    ['no description', { description: undefined }, false],
    ['another source', { source: 'mcp:evil' }, false],
    ['no source', { source: undefined }, false],
    ['another name', { name: 'u' }, false],
    ['another danger', { danger: 'low' }, false],
    ['another trust', { trusted: false }, false],
    ['odd trust', { trusted: null }, false],
    ['the same trust said out loud', { trusted: true }, true],
    ['a title', { annotations: { title: 'T' } }, false],
    ['annotations that say nothing', { annotations: {} }, false],
    ['another Standard Schema', { inputSchema: z.object({ a: z.number() }) }, false],
  ])('says of %s: %#', (_what, change, same) => {
    expect(isSameTool(identityOf(shown), { ...shown, ...change })).toBe(same)
  })

  it('is made of what was there when it was shown', () => {
    const changing = { ...shown }
    const identity = identityOf(changing)
    changing.description = 'Deletes everything'
    expect(isSameTool(identity, changing)).toBe(false)
  })
})
