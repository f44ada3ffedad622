// @vitest-environment node
import type { AnyTool, Danger } from 'assent/core'
import type { PolicyOptions, Remember, Rule, Runner, ToolRunnerOptions } from 'assent/runner'
import { describe, expect, it, vi } from 'vitest'
import { asking, flush, no, recorded, yes } from '../support/asking.js'
import { approveNext, gated, memoryStorage, request, runnerOf, shown } from '../support/consent.js'

const KEY = 'assent.permissions'
const REMEMBERS = { policy: { remember: true } }
const forArgs: Remember = { for: 'args', until: 'session' }
const forTool: Remember = { for: 'tool', until: 'session' }
const always: Remember = { for: 'args', until: 'always' }
const throwing = (): never => {
  throw new Error('no')
}
const answerOf = (remember?: Remember) => ({ remember })

/** Runs the call; whether it was asked about. What is asked is answered with a yes, remembered or not. */
async function asked(runner: Runner, name: string, args: unknown = {}, remember?: Remember): Promise<boolean> {
  const before = runner.count()
  const result = runner.run(name, args)
  await flush()
  const waits = runner.count() > before
  if (waits) {
    const item = runner.getState().pending.at(-1)
    if (item) runner.answer(item.key, yes(item.request.id), answerOf(remember))
  }
  await result
  return waits
}

describe('a rule', () => {
  const decided = async (rules: readonly Rule[], rest: Partial<AnyTool> = {}, args: unknown = { a: 1 }) => {
    const tool = gated('t', { source: 's', ...rest })
    const runner = runnerOf([tool], { policy: { rules } })
    const result = runner.run('t', args)
    await flush()
    const waits = runner.count() > 0
    if (waits) runner.abort()
    const { output } = await result
    return waits ? 'ask' : output === 'ran' ? 'allow' : output
  }
  const DENIED = 'not allowed by policy: t'
  const [deny, ask, allow] = (['deny', 'ask', 'allow'] as const).map((decision): Rule => ({ tool: 't', decision }))
  const some = (...rules: (Rule | undefined)[]) => rules.filter((rule) => rule !== undefined)

  it('decides, deny before ask before allow, in whatever order they stand', async () => {
    expect(await decided([])).toBe('ask')
    expect(await decided(some(allow))).toBe('allow')
    expect(await decided(some(ask), { needsApproval: false })).toBe('ask')
    expect(await decided(some(deny), { needsApproval: false })).toBe(DENIED)
    for (const rules of [some(allow, ask), some(ask, allow)]) expect(await decided(rules)).toBe('ask')
    for (const rules of [some(allow, deny), some(deny, allow), some(ask, deny), some(deny, ask, allow)]) {
      expect(await decided(rules)).toBe(DENIED)
    }
  })

  it('that allows keeps needsApproval from asking, the tool’s and the runner’s', async () => {
    const needsApproval = vi.fn(() => true)
    const runner = runnerOf([gated('t', { needsApproval })], { needsApproval, policy: { rules: some(allow) } })
    expect(await asked(runner, 't')).toBe(false)
    expect(needsApproval).not.toHaveBeenCalled()
  })

  it('that forbids asks nobody and runs nothing; the model reads why', async () => {
    const tool = gated('t')
    const onEvent = vi.fn()
    const runner = runnerOf([tool], { policy: { rules: some(deny) }, onEvent })
    expect(await runner.run('t')).toEqual({ output: DENIED, isError: true, metadata: { reason: 'denied' } })
    expect(tool.seen).toHaveLength(0)
    expect(onEvent.mock.calls.map(([{ type }]) => type)).toEqual(['tool_call', 'tool_result'])
  })

  it.each<[string, Omit<Rule, 'decision'>, boolean]>([
    ['the tool', { tool: 't' }, true],
    ['another tool', { tool: 'T' }, false],
    ['its source', { tool: 't', source: 's' }, true],
    ['another source', { tool: 't', source: 'S' }, false],
    ['an empty source', { tool: 't', source: '' }, false],
    ['these arguments', { tool: 't', args: { a: 1 } }, true],
    ['other arguments', { tool: 't', args: { a: 2 } }, false],
    ['arguments of another type', { tool: 't', args: { a: '1' } }, false],
    ['no arguments, which is not any', { tool: 't', args: {} }, false],
    ['more arguments', { tool: 't', args: { a: 1, b: 2 } }, false],
    ['a key that no rule knows', { tool: 't', args: { a: 1 }, source: 's' }, true],
  ])('about %s', async (_what, rule, speaks) => {
    expect(await decided([{ ...rule, decision: 'deny' }])).toBe(speaks ? DENIED : 'ask')
    expect(await decided([{ ...rule, decision: 'allow' }])).toBe(speaks ? 'allow' : 'ask')
  })

  it('about a source does not speak of a tool without one', async () => {
    expect(await decided([{ tool: 't', source: 's', decision: 'allow' }], { source: undefined })).toBe('ask')
  })

  it('is the newest: options whose rules change are heard at the next call', async () => {
    const policy: PolicyOptions = {}
    const runner = runnerOf([gated('t')], { policy })
    expect(await asked(runner, 't')).toBe(true)
    policy.rules = some(allow)
    expect(await asked(runner, 't')).toBe(false)
    policy.rules = some(deny)
    expect((await runner.run('t')).output).toBe(DENIED)
  })

  it('that allows speaks of the gate alone: the tool’s own question is asked', async () => {
    const runner = runnerOf([asking('t')], { policy: { rules: some(allow), remember: true } })
    expect(await asked(runner, 't')).toBe(true)
  })

  it('that asks goes before what is remembered, for what waits and for what comes', async () => {
    const policy: PolicyOptions = { remember: true }
    const runner = runnerOf([gated('t'), asking('own', { id: 'own' })], { policy })
    await asked(runner, 't', {}, forTool)
    await asked(runner, 'own', {}, forTool)
    expect([await asked(runner, 't'), await asked(runner, 'own')]).toEqual([false, false])
    policy.rules = [
      { tool: 't', decision: 'ask' },
      { tool: 'own', decision: 'ask' },
    ]
    expect(await asked(runner, 't')).toBe(true)
    const waiting = [runner.run('t'), runner.run('t')]
    await flush()
    const [first] = runner.getState().pending
    // Nothing to remember where a rule asks anyway: the label would promise what does not come.
    expect(first?.rememberable).toBeUndefined()
    runner.answer(first?.key ?? '', yes(first?.request.id ?? ''), answerOf(forArgs))
    expect(runner.count()).toBe(1)
    runner.abort()
    await Promise.all(waiting)
  })

  it('that forbids wins over what is remembered', async () => {
    const policy: PolicyOptions = { remember: true }
    const runner = runnerOf([gated('t')], { policy })
    await asked(runner, 't', {}, forTool)
    policy.rules = some(deny)
    expect((await runner.run('t')).output).toBe(DENIED)
  })

  it('whose arguments cannot be read matches nothing and breaks nothing', async () => {
    const args = {
      get a() {
        return throwing()
      },
    }
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    for (const broken of [args, cyclic, { a: 1n }]) {
      expect(await decided([{ tool: 't', args: broken, decision: 'allow' }])).toBe('ask')
    }
  })
})

describe('a remembered yes', () => {
  it('is offered only where the app says so, and for always only where it can last', async () => {
    const broken = { getItem: throwing, setItem: throwing }
    for (const [policy, offered] of [
      [undefined, undefined],
      [{}, undefined],
      [{ remember: false }, undefined],
      [{ storage: memoryStorage() }, undefined],
      [{ remember: true }, 'session'],
      [{ remember: true, storage: broken }, 'session'],
      [{ remember: true, storage: memoryStorage() }, 'always'],
    ] as const) {
      const runner = runnerOf([gated('t')], { policy })
      const result = runner.run('t')
      expect((await approveNext(runner, undefined, answerOf(forTool))).rememberable).toBe(offered)
      await result
      expect(runner.permissions()).toHaveLength(offered ? 1 : 0)
    }
  })

  it.each(['input', 'question', 'authorization', 'anything', 'Approval', ''])(
    'is never offered for a question of kind %j: its answer is data',
    async (kind) => {
      const tool = asking('t', { kind })
      const runner = runnerOf([tool], REMEMBERS)
      const result = runner.run('t')
      expect((await approveNext(runner, undefined, answerOf(forTool))).rememberable).toBeUndefined()
      await result
      expect(runner.permissions()).toEqual([])
    },
  )

  it('is never offered for a question no call asked', async () => {
    const runner = runnerOf([], REMEMBERS)
    const answer = runner.waitFor(request('alone'), { asker: { kind: 'server', name: 's' } })
    expect(runner.head()?.rememberable).toBeUndefined()
    runner.answer('alone', yes('alone'), answerOf(forTool))
    await answer
    expect(runner.permissions()).toEqual([])
  })

  it.each<[string, Partial<AnyTool>]>([
    ['says so', { danger: 'high' }],
    ['destroys', { annotations: { destructiveHint: true } }],
    ['destroys, says somebody not trusted', { annotations: { destructiveHint: true }, trusted: false }],
  ])('is never offered nor kept for danger high: a tool that %s (K21)', async (_what, rest) => {
    const runner = runnerOf([gated('t', rest)], REMEMBERS)
    const result = runner.run('t')
    expect((await approveNext(runner, undefined, answerOf(forTool))).rememberable).toBeUndefined()
    await result
    expect([runner.permissions(), await asked(runner, 't')]).toEqual([[], true])
  })

  it('for exact arguments covers these and no others (BUG-130)', async () => {
    const runner = runnerOf([gated('sh'), gated('sh2')], REMEMBERS)
    await asked(runner, 'sh', { cmd: 'ls', in: { b: [1, 2], a: null } }, forArgs)
    expect(await asked(runner, 'sh', { in: { a: null, b: [1, 2] }, cmd: 'ls' })).toBe(false)
    for (const args of [
      { cmd: 'rm -rf /', in: { b: [1, 2], a: null } },
      { cmd: 'ls' },
      { cmd: 'ls', in: { b: [2, 1], a: null } },
      { cmd: 'ls', in: { b: [1, 2] } },
      { cmd: 'ls', in: { b: ['1', 2], a: null } },
      { cmd: 'ls', in: { b: [1, 2], a: null }, force: true },
      { cmd: 'ls ', in: { b: [1, 2], a: null } },
      { cmd: 'LS', in: { b: [1, 2], a: null } },
      {},
    ]) {
      expect(await asked(runner, 'sh', args)).toBe(true)
    }
    expect(await asked(runner, 'sh2', { cmd: 'ls', in: { b: [1, 2], a: null } })).toBe(true)
  })

  it('for no arguments is not for any (BUG-131)', async () => {
    const runner = runnerOf([gated('t')], REMEMBERS)
    await asked(runner, 't', {}, forArgs)
    expect(runner.permissions()[0]).toMatchObject({ tool: 't', args: {} })
    expect(await asked(runner, 't', {})).toBe(false)
    expect(await asked(runner, 't')).toBe(false)
    expect(await asked(runner, 't', null)).toBe(false)
    expect(await asked(runner, 't', { x: 1 })).toBe(true)
    expect(await asked(runner, 't', { x: null })).toBe(true)
  })

  it.each<[string, string, string]>([
    ['own keys named like the prototype’s', '{"__proto__":{"a":1}}', '{}'],
    ['another value under __proto__', '{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'],
    ['constructor', '{"constructor":1}', '{"constructor":2}'],
    ['a key inside __proto__', '{"a":{"__proto__":1}}', '{"a":{}}'],
    ['no arguments and an own __proto__', '{}', '{"__proto__":null}'],
    ['an array and an object that looks like it', '{"a":[1]}', '{"a":{"0":1}}'],
    ['null and nothing', '{"a":null}', '{}'],
    ['a number and its text', '{"a":1}', '{"a":"1"}'],
    ['true and its text', '{"a":true}', '{"a":"true"}'],
    ['text that looks like JSON', '{"a":{"b":1}}', '{"a":"{\\"b\\":1}"}'],
    ['a text with another normal form', '{"a":"\\u00e9"}', '{"a":"e\\u0301"}'],
  ])('tells apart %s (K19, K21)', async (_what, one, other) => {
    const runner = runnerOf([gated('t')], REMEMBERS)
    await asked(runner, 't', JSON.parse(one), forArgs)
    expect(await asked(runner, 't', JSON.parse(one))).toBe(false)
    expect(await asked(runner, 't', JSON.parse(other))).toBe(true)
  })

  it.each<[string, unknown, unknown]>([
    ['sets', new Set(['a']), new Set(['b'])],
    ['maps', new Map([['cmd', 'ls']]), new Map([['cmd', 'rm']])],
    ['a set and no keys', new Set(['b']), {}],
    ['files', new Blob(['a']), new Blob(['b'])],
    ['patterns', /a/, /b/],
    ['null and a number that is none', null, Number.NaN],
    ['null and no end', null, Number.POSITIVE_INFINITY],
    ['no end, one way and the other', Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  ])('tells apart what JSON does not: %s (K21)', async (_what, one, other) => {
    const runner = runnerOf([gated('t')], REMEMBERS)
    const covered = async () => {
      const result = runner.run('t', { a: other })
      await flush()
      const ran = runner.count() === 0 && !(await result).isError
      runner.abort()
      return ran
    }
    await asked(runner, 't', { a: one }, forArgs)
    expect(await covered()).toBe(false)
  })

  it('takes a key without a value for no key, as JSON does', async () => {
    const runner = runnerOf([gated('t')], REMEMBERS)
    await asked(runner, 't', { a: undefined }, forArgs)
    expect(await asked(runner, 't', {})).toBe(false)
    expect(await asked(runner, 't', { a: null })).toBe(true)
  })

  it('for the tool covers any arguments of it, and of no other', async () => {
    const runner = runnerOf([gated('t'), gated('u')], REMEMBERS)
    await asked(runner, 't', { a: 1 }, forTool)
    expect(runner.permissions()[0]).not.toHaveProperty('args')
    expect([await asked(runner, 't', { b: 2 }), await asked(runner, 't'), await asked(runner, 'u')]).toEqual([
      false,
      false,
      true,
    ])
  })

  it.each<[string | undefined, string | undefined]>([
    ['a', 'b'],
    ['a', undefined],
    [undefined, 'a'],
    ['', undefined],
    [undefined, ''],
  ])('is bound to the source that was seen: %j is not %j (K21)', async (before, after) => {
    const runner = runnerOf([], REMEMBERS)
    for (const remember of [forArgs, forTool]) {
      const unregister = runner.register(gated('t', { source: before }))
      await asked(runner, 't', {}, remember)
      unregister()
      const unregisterOther = runner.register(gated('t', { source: after }))
      expect(await asked(runner, 't')).toBe(true)
      unregisterOther()
    }
  })

  it('does not last when the tool has become one of danger high', async () => {
    const runner = runnerOf([], REMEMBERS)
    const unregister = runner.register(gated('t'))
    await asked(runner, 't', {}, forTool)
    await asked(runner, 't', {}, forArgs)
    expect(await asked(runner, 't')).toBe(false)
    unregister()
    runner.register(gated('t', { danger: 'high' }))
    expect(await asked(runner, 't')).toBe(true)
  })

  it('of edited arguments is not kept: nobody saw which', async () => {
    const runner = runnerOf([gated('t', { decisions: ['approve', 'edit'] })], REMEMBERS)
    for (const args of [{ a: 2 }, {}, { a: 1 }]) {
      const result = runner.run('t', { a: 1 })
      await approveNext(runner, { args }, answerOf(forTool))
      await result
      expect(runner.permissions()).toEqual([])
    }
  })

  it.each(['declined', 'cancelled', 'expired', undefined] as const)('is not made of a no: %s (K21)', async (reason) => {
    const runner = runnerOf([gated('t')], REMEMBERS)
    const result = runner.run('t')
    const { key, request: one } = await shown(runner)
    runner.answer(key, no(one.id, reason), answerOf(forTool))
    await result
    expect([runner.permissions(), await asked(runner, 't')]).toEqual([[], true])
  })

  it('is not made of an answer that came too late, or that was none', async () => {
    const runner = runnerOf([gated('t')], REMEMBERS)
    const result = runner.run('t')
    const { key, request: one } = await shown(runner)
    expect(runner.answer(key, yes('another'), answerOf(forTool))).toBe(false)
    expect(runner.answer('another', yes(one.id), answerOf(forTool))).toBe(false)
    runner.abort()
    expect(runner.answer(key, yes(one.id), answerOf(forTool))).toBe(false)
    await result
    expect(runner.permissions()).toEqual([])
  })

  it('is not made of an answer that changes while it is read', async () => {
    const runner = runnerOf([gated('t')], REMEMBERS)
    const result = runner.run('t')
    const { key, request: one } = await shown(runner)
    let reads = 0
    const answer = {
      id: one.id,
      get ok() {
        return reads++ > 0
      },
    }
    runner.answer(key, answer, answerOf(forTool))
    expect((await result).output).toBe('declined/expired: Allow t?')
    expect(runner.permissions()).toEqual([])
  })

  it.each(['{}', '{"for":"everything","until":"session"}', '{"for":"args"}', '{"for":"tool","until":"forever"}', '7'])(
    'of a scope nobody knows is none: %s',
    async (remember) => {
      const runner = runnerOf([gated('t')], REMEMBERS)
      const result = runner.run('t', { a: 1 })
      await approveNext(runner, undefined, { remember: JSON.parse(remember) })
      expect((await result).output).toBe('ran')
      expect([runner.permissions(), await asked(runner, 't', { a: 2 })]).toEqual([[], true])
    },
  )

  it('may be for once: nothing is kept', async () => {
    const runner = runnerOf([gated('t')], REMEMBERS)
    expect([await asked(runner, 't'), await asked(runner, 't'), runner.permissions()]).toEqual([true, true, []])
  })

  it('ends with the runner unless it is for always', async () => {
    const storage = memoryStorage()
    const options = () => ({ policy: { remember: true, storage } })
    const first = runnerOf([gated('t')], options())
    await asked(first, 't', { a: 1 }, forArgs)
    await asked(first, 't', { a: 2 }, always)
    const second = runnerOf([gated('t')], options())
    expect([await asked(second, 't', { a: 1 }), await asked(second, 't', { a: 2 })]).toEqual([true, false])
  })

  it('is told in the permissions and to the views', async () => {
    const runner = runnerOf([gated('t', { source: 's' })], REMEMBERS)
    const seen: number[] = []
    runner.subscribe(() => seen.push(runner.permissions().length))
    await asked(runner, 't', { a: 1 }, forArgs)
    const [permission] = runner.permissions()
    expect(permission).toMatchObject({ tool: 't', source: 's', args: { a: 1 }, until: 'session' })
    expect([typeof permission?.id, typeof permission?.at, seen.at(-1)]).toEqual(['string', 'number', 1])
    expect(Object.isFrozen(permission) && Object.isFrozen(runner.permissions())).toBe(true)
  })

  it('taken back is asked again, at once and for what waits', async () => {
    const runner = runnerOf([gated('t')], REMEMBERS)
    const listener = vi.fn()
    await asked(runner, 't', { a: 1 }, forTool)
    await asked(runner, 't', { b: 1 }, forArgs)
    runner.subscribe(listener)
    runner.revoke('nobody has it')
    expect(runner.permissions()).toHaveLength(1)
    runner.revoke(runner.permissions()[0]?.id ?? '')
    expect([runner.permissions(), await asked(runner, 't', { a: 1 })]).toEqual([[], true])
    expect(listener).toHaveBeenCalled()
  })

  it('is not what turns the policy on: without remember nothing is taken from a storage', async () => {
    const row = { id: 'p', tool: 't', until: 'always', at: 1 }
    const storage = memoryStorage({ [KEY]: JSON.stringify({ version: 1, permissions: [row] }) })
    expect(await asked(runnerOf([gated('t')], { policy: { storage } }), 't')).toBe(true)
    expect(await asked(runnerOf([asking('t')], { policy: { storage } }), 't')).toBe(true)
  })
})

describe('a remembered yes to a tool’s own question', () => {
  const own = (prompt: () => string, rest: object = {}) =>
    recorded('t', (_args, ctx) =>
      ctx.answer
        ? 'done'
        : { output: '', isError: true, metadata: { pending: request('r', { prompt: prompt(), ...rest }) } },
    )

  it('answers the same question to the same arguments, with an answer of its own', async () => {
    const tool = own(() => 'Delete a?')
    const runner = runnerOf([tool], REMEMBERS)
    expect(await asked(runner, 't', { a: 1 }, forArgs)).toBe(true)
    expect(await asked(runner, 't', { a: 1 })).toBe(false)
    expect(tool.attempts.at(-1)).toEqual({ args: { a: 1 }, answer: { id: 'r', ok: true } })
  })

  it.each<[string, object]>([
    ['another prompt', { prompt: 'Delete b?' }],
    ['another page', { url: 'https://evil.example' }],
    ['other data', { data: { calls: [{ id: '1', name: 'rm', input: { all: true } }] } }],
    ['a graver danger', { data: { danger: 'high' } }],
    ['another kind', { kind: 'input' }],
  ])('for these arguments does not cover %s', async (_what, change) => {
    let rest = {}
    const runner = runnerOf(
      [recorded('t', (_args, ctx) => (ctx.answer ? 'done' : { metadata: { pending: request('r', rest) } }))],
      REMEMBERS,
    )
    await asked(runner, 't', { a: 1 }, forArgs)
    rest = change
    expect(await asked(runner, 't', { a: 1 })).toBe(true)
  })

  it('is none to the gate, and one to the gate is none to it', async () => {
    const both = () => gated('t', {}, (_args, ctx) => (ctx.answer ? 'done' : { metadata: { pending: request('own') } }))
    const calls = async (first: boolean) => {
      const runner = runnerOf([both()], REMEMBERS)
      const result = runner.run('t')
      await approveNext(runner, undefined, first ? answerOf(forArgs) : {})
      await approveNext(runner, undefined, first ? {} : answerOf(forArgs))
      await result
      const again = runner.run('t')
      const item = await approveNext(runner)
      await flush()
      expect(runner.count()).toBe(0)
      await again
      return item.isGate
    }
    expect(await calls(true)).toBeUndefined()
    expect(await calls(false)).toBe(true)
  })

  it('for the tool covers whatever it asks for a yes, but nothing of danger high', async () => {
    let rest: object = {}
    const runner = runnerOf(
      [recorded('t', (_args, ctx) => (ctx.answer ? 'done' : { metadata: { pending: request('r', rest) } }))],
      REMEMBERS,
    )
    await asked(runner, 't', { a: 1 }, forTool)
    rest = { prompt: 'Something else?' }
    expect(await asked(runner, 't', { a: 2 })).toBe(false)
    for (const data of [{ danger: 'high' }, { annotations: { destructiveHint: true } }]) {
      rest = { data }
      expect(await asked(runner, 't', { a: 1 })).toBe(true)
    }
    rest = { kind: 'input' }
    expect(await asked(runner, 't', { a: 1 })).toBe(true)
  })

  it('of a request that has ended is expired all the same (K10)', async () => {
    const ended = { expiresAt: new Date(Date.now() - 1).toISOString() }
    let rest = {}
    const tool = recorded('t', (_args, ctx) => (ctx.answer ? 'done' : { metadata: { pending: request('r', rest) } }))
    const runner = runnerOf([tool], REMEMBERS)
    await asked(runner, 't', {}, forTool)
    rest = ended
    expect((await runner.run('t')).output).toBe('declined/expired: r?')
  })

  it('of a call that was aborted runs nothing (K5)', async () => {
    const tool = asking('t')
    const runner = runnerOf([tool], REMEMBERS)
    await asked(runner, 't', {}, forTool)
    const result = runner.run('t', {}, { toolCallId: 'c1' })
    await null
    runner.abort('c1')
    expect((await result).output).toBe('cancelled')
    expect(tool.attempts.length).toBeLessThanOrEqual(3)
  })
})

describe('what already waits', () => {
  const cascade = async (remember: Remember, first: number, options: ToolRunnerOptions = REMEMBERS) => {
    const [t, u] = [gated('t'), gated('u')]
    const runner = runnerOf([t, u, gated('danger', { danger: 'high' })], options)
    const calls: [string, object][] = [
      ['t', { a: 1 }],
      ['t', { a: 2 }],
      ['u', { a: 1 }],
      ['t', { a: 1 }],
      ['danger', { a: 1 }],
      ['t', { a: 1 }],
    ]
    const results = calls.map(([name, args]) => runner.run(name, args))
    await flush()
    const items = runner.getState().pending
    const item = items[first]
    if (item) runner.answer(item.key, yes(item.request.id), { remember })
    const left = runner.getState().pending.map((open) => items.indexOf(open))
    await flush()
    return { runner, results, items, left, t, u }
  }

  it.each([0, 3, 5])('for the same arguments settles with call %i, and nothing else does (BUG-134)', async (first) => {
    const { left, t, u, results } = await cascade(forArgs, first)
    expect(left).toEqual([1, 2, 4])
    expect([t.seen.length, u.seen.length]).toEqual([3, 0])
    expect((await Promise.all([results[0], results[3], results[5]])).map((result) => result?.output)).toEqual(
      Array(3).fill('ran'),
    )
  })

  it('of the tool settles with any of its calls', async () => {
    const { left, t } = await cascade(forTool, 1)
    expect(left).toEqual([2, 4])
    expect(t.seen.map(({ args }) => args)).toHaveLength(4)
  })

  it('settles exactly once, each with an answer that carries its own id', async () => {
    const { runner, items, t } = await cascade(forArgs, 0)
    for (const { key, request: one } of items) runner.answer(key, no(one.id))
    await flush()
    expect(t.seen.map(({ approval }) => approval?.id)).toEqual([0, 3, 5].map((index) => items[index]?.request.id))
    expect(t.seen.every(({ approval }) => approval?.ok === true && !('data' in (approval ?? {})))).toBe(true)
  })

  it('is answered by a rule in the history, the first by a person', async () => {
    const { runner } = await cascade(forArgs, 3)
    expect(runner.history().map(({ by, decision }) => `${by} ${decision}`)).toEqual([
      'person approved',
      'rule approved',
      'rule approved',
    ])
  })

  it('stays when nothing was remembered: a once, a no, an edit', async () => {
    const runner = runnerOf([gated('t', { decisions: ['approve', 'edit', 'decline'] })], REMEMBERS)
    for (let call = 0; call < 5; call++) void runner.run('t')
    await flush()
    const [once, declined, edited] = runner.getState().pending
    runner.answer(once?.key ?? '', yes(once?.request.id ?? ''))
    runner.answer(declined?.key ?? '', no(declined?.request.id ?? ''), answerOf(forTool))
    runner.answer(edited?.key ?? '', yes(edited?.request.id ?? '', { args: {} }), answerOf(forTool))
    expect(runner.count()).toBe(2)
    runner.abort()
  })

  it('of the tool’s own questions settles where it says the same', async () => {
    const tool = recorded('t', (args, ctx) =>
      ctx.answer ? 'done' : { metadata: { pending: request('r', { prompt: `Delete ${args.say}?` }) } },
    )
    const runner = runnerOf([tool], REMEMBERS)
    const results = ['a', 'b', 'a'].map((say) => runner.run('t', { say }))
    await flush()
    const [first] = runner.getState().pending
    runner.answer(first?.key ?? '', yes('r'), answerOf(forArgs))
    expect(runner.getState().pending.map(({ args }) => args?.say)).toEqual(['b'])
    runner.abort()
    await Promise.all(results)
  })

  it('is left alone by a listener that answers or aborts while it settles', async () => {
    const tool = gated('t')
    const runner = runnerOf([tool], REMEMBERS)
    const results = [1, 2, 3, 4].map(() => runner.run('t'))
    await flush()
    let turns = 0
    runner.subscribe(() => {
      const last = runner.getState().pending.at(-1)
      if (last && turns++ < 2) runner.answer(last.key, no(last.request.id))
    })
    const [first] = runner.getState().pending
    runner.answer(first?.key ?? '', yes(first?.request.id ?? ''), answerOf(forArgs))
    await Promise.all(results)
    const no_ = (await Promise.all(results)).filter(({ isError }) => isError).length
    expect([runner.count(), tool.seen.length + no_, runner.history().length]).toEqual([0, 4, 4])
  })

  it('that has expired meanwhile is not approved', async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) })
    const expiresAt = new Date(Date.now() + 1000).toISOString()
    let rest = {}
    const tool = recorded('t', (_args, ctx) => (ctx.answer ? 'done' : { metadata: { pending: request('r', rest) } }))
    const runner = runnerOf([tool], REMEMBERS)
    void runner.run('t', { a: 1 })
    await flush()
    rest = { expiresAt }
    const second = runner.run('t', { a: 1 })
    await flush()
    vi.setSystemTime(Date.now() + 1000)
    const [first] = runner.getState().pending
    runner.answer(first?.key ?? '', yes('r'), answerOf(forTool))
    expect((await second).output).toBe('declined/expired: r?')
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })
})

describe('the storage', () => {
  const stored = (storage: ReturnType<typeof memoryStorage>) => JSON.parse(storage.rows.get(KEY) ?? 'null')

  it('keeps what is for always, and never what is for the session', async () => {
    const storage = memoryStorage()
    const runner = runnerOf([gated('t', { source: 's' })], { policy: { remember: true, storage } })
    await asked(runner, 't', { a: 1 }, forArgs)
    await asked(runner, 't', { a: 2 }, always)
    await asked(runner, 't', { a: 3 }, { for: 'tool', until: 'session' })
    expect(stored(storage)).toMatchObject({ version: 2, permissions: [{ tool: 't', source: 's', args: { a: 2 } }] })
    expect(runner.permissions()).toHaveLength(3)
  })

  it('is not written to by an answer that remembers nothing', async () => {
    const storage = memoryStorage()
    const runner = runnerOf([gated('t')], { policy: { remember: true, storage } })
    await asked(runner, 't')
    expect(storage.rows.size).toBe(0)
  })

  it('keeps no answer and no prompt of the gate', async () => {
    const storage = memoryStorage()
    const runner = runnerOf([gated('t')], { policy: { remember: true, storage } })
    const result = runner.run('t')
    await approveNext(runner, { feedback: 'hunter2' }, answerOf(always))
    await result
    expect([...storage.rows.values()].join()).not.toContain('hunter2')
  })

  it('loses what is revoked', async () => {
    const storage = memoryStorage()
    const policy = { remember: true, storage }
    const runner = runnerOf([gated('t')], { policy })
    await asked(runner, 't', { a: 1 }, always)
    await asked(runner, 't', { a: 2 }, always)
    runner.revoke(runner.permissions()[0]?.id ?? '')
    expect(stored(storage).permissions).toMatchObject([{ args: { a: 2 } }])
    const next = runnerOf([gated('t')], { policy })
    expect([await asked(next, 't', { a: 1 }), await asked(next, 't', { a: 2 })]).toEqual([true, false])
    next.revoke(next.permissions()[0]?.id ?? '')
    expect(stored(storage).permissions).toEqual([])
  })

  it('of two tabs keeps what either remembered, and nothing that either took back', async () => {
    const storage = memoryStorage()
    const tab = () => runnerOf([gated('t')], { policy: { remember: true, storage } })
    const [one, two] = [tab(), tab()]
    await asked(one, 't', { a: 1 }, always)
    two.permissions()
    await asked(two, 't', { a: 2 }, always)
    expect(stored(storage).permissions.map(({ args }: { args: unknown }) => args)).toEqual([{ a: 1 }, { a: 2 }])
    one.revoke(one.permissions().find(({ args }) => args?.a === 1)?.id ?? '')
    await asked(two, 't', { a: 3 }, always)
    expect(stored(storage).permissions.map(({ args }: { args: unknown }) => args)).toEqual([{ a: 2 }, { a: 3 }])
  })

  it('is used as an object with methods, as localStorage is', async () => {
    class Rows {
      rows = new Map<string, string>()
      getItem(key: string) {
        return this.rows.get(key) ?? null
      }
      setItem(key: string, value: string) {
        this.rows.set(key, value)
      }
    }
    const storage = new Rows()
    const policy = { remember: true, storage }
    await asked(runnerOf([gated('t')], { policy }), 't', {}, always)
    expect(await asked(runnerOf([gated('t')], { policy }), 't')).toBe(false)
  })

  it.each<[string, string]>([
    ['no JSON', '{"version":2,"permissions":[{'],
    ['an empty text', ''],
    ['null', 'null'],
    ['a list', '[{"id":"p","tool":"t","until":"always","at":1}]'],
    ['an older version', '{"version":1,"permissions":[{"id":"p","tool":"t","until":"always","at":1}]}'],
    ['a newer version', '{"version":3,"permissions":[{"id":"p","tool":"t","until":"always","at":1}]}'],
    ['no version', '{"permissions":[{"id":"p","tool":"t","until":"always","at":1}]}'],
    ['permissions that are no list', '{"version":2,"permissions":{"0":{"id":"p","tool":"t","until":"always","at":1}}}'],
    ['the version as a text', '{"version":"2","permissions":[{"id":"p","tool":"t","until":"always","at":1}]}'],
  ])('with %s holds nothing, and the person is asked', async (_what, text) => {
    const runner = runnerOf([gated('t')], { policy: { remember: true, storage: memoryStorage({ [KEY]: text }) } })
    expect([runner.permissions(), await asked(runner, 't')]).toEqual([[], true])
  })

  /** A permission for anything a tool of `gated` asks. */
  const goodFor = (name: string) => ({
    id: 'p',
    tool: name,
    until: 'always',
    at: 1,
    identity: `[${JSON.stringify(name)},${JSON.stringify(name)},null,null,"null",true,{"type":"object"}]`,
  })
  const good = goodFor('t')

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 't'],
    ['a list', [good]],
    ['no id', { ...good, id: undefined }],
    ['an id that is a number', { ...good, id: 1 }],
    ['no tool', { ...good, tool: undefined }],
    ['a tool that is a list', { ...good, tool: ['t'] }],
    ['no time', { ...good, at: undefined }],
    ['a session that is over', { ...good, until: 'session' }],
    ['no scope of time', { ...good, until: undefined }],
    ['arguments that are null', { ...good, args: null }],
    ['arguments that are a list', { ...good, args: [] }],
    ['arguments that are a text', { ...good, args: '{}' }],
    ['the words of a question and no arguments', { ...good, ask: '["p"]' }],
    ['a source that is null', { ...good, source: null }],
    ['another source', { ...good, source: 's' }],
    ['another tool', { ...good, tool: 'T' }],
    ['words that are no text', { ...good, args: {}, ask: 7 }],
    ['no identity', { ...good, identity: undefined }],
    ['an empty identity', { ...good, identity: '' }],
    ['another identity', { ...good, identity: good.identity.replace('true', 'false') }],
    ['an asker', { ...good, asker: { kind: 'server', name: 's' } }],
    ['an asker that is a text', { ...good, asker: 's' }],
  ])('with a row of %s does not let a call pass, and the good rows stand (K29)', async (_what, row) => {
    const rows = [row, { ...goodFor('u'), id: 'q' }]
    const storage = memoryStorage({ [KEY]: JSON.stringify({ version: 2, permissions: rows }) })
    const runner = runnerOf([gated('t'), gated('u')], { policy: { remember: true, storage } })
    expect([await asked(runner, 't'), await asked(runner, 'u')]).toEqual([true, false])
  })

  it('gives rows that nobody can widen', () => {
    const rows = [{ ...good, args: { a: { b: 1 } } }]
    const storage = memoryStorage({ [KEY]: JSON.stringify({ version: 2, permissions: rows }) })
    const runner = runnerOf([], { policy: { remember: true, storage } })
    const list = runner.permissions()
    expect(Object.isFrozen(list) && Object.isFrozen(list[0]) && Object.isFrozen(list[0]?.args)).toBe(true)
  })

  it('with a row 10,000 levels deep still keeps what people remember', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const deep = `{"id":"deep","tool":"t","until":"always","at":1,"args":${'{"a":'.repeat(1e4)}1${'}'.repeat(1e4)}}`
    const storage = memoryStorage({ [KEY]: `{"version":2,"permissions":[${deep}]}` })
    const policy = { remember: true, storage }
    await asked(runnerOf([gated('t')], { policy }), 't', { a: 1 }, always)
    expect(await asked(runnerOf([gated('t')], { policy }), 't', { a: 1 })).toBe(false)
  })

  it('that throws holds nothing, and what is remembered holds for the session', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const storage = { getItem: throwing, setItem: throwing }
    const runner = runnerOf([gated('t')], { policy: { remember: true, storage } })
    expect([await asked(runner, 't', {}, always), await asked(runner, 't')]).toEqual([true, false])
  })

  it('that is not there keeps nothing for always: the list of permissions says how long it holds', async () => {
    const runner = runnerOf([gated('t')], REMEMBERS)
    await asked(runner, 't', {}, always)
    expect([runner.permissions()[0]?.until, await asked(runner, 't')]).toEqual(['session', false])
  })

  it('that is full says so, and what was remembered holds until the page closes', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const storage = { getItem: () => null, setItem: throwing }
    const runner = runnerOf([gated('t')], { policy: { remember: true, storage } })
    await asked(runner, 't', { a: 1 }, always)
    expect(error).toHaveBeenCalledOnce()
    expect(error.mock.calls[0]?.[0]).toMatch(/^assent: permissions not stored/)
    expect([await asked(runner, 't', { a: 1 }), runner.permissions().length]).toEqual([false, 1])
    runner.revoke(runner.permissions()[0]?.id ?? '')
    expect([await asked(runner, 't', { a: 1 }), runner.permissions().length]).toEqual([true, 0])
  })

  it('with a row 10,000 levels deep keeps the other rows (K29)', async () => {
    const deep = `{"id":"deep","tool":"t","until":"always","at":1,"args":${'{"a":'.repeat(1e4)}1${'}'.repeat(1e4)}}`
    const rows = `{"version":2,"permissions":[${deep},${JSON.stringify(goodFor('u'))}]}`
    const runner = runnerOf([gated('t'), gated('u')], {
      policy: { remember: true, storage: memoryStorage({ [KEY]: rows }) },
    })
    expect([await asked(runner, 't', { a: 1 }), await asked(runner, 'u')]).toEqual([true, false])
  })

  it('that cannot even be reached breaks nothing', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const policy = {
      remember: true,
      get storage() {
        return throwing()
      },
    }
    const runner = runnerOf([gated('t')], { policy })
    expect(await asked(runner, 't', {}, always)).toBe(true)
    expect((await runner.run('t')).isError).toBe(false)
  })
})

describe('the danger of a question that may be remembered', () => {
  it.each<[Danger | undefined, Remember['until'] | undefined]>([
    ['low', 'session'],
    ['medium', 'session'],
    [undefined, 'session'],
    ['high', undefined],
  ])('%s', async (danger, offered) => {
    const runner = runnerOf([gated('t', { danger })], REMEMBERS)
    void runner.run('t')
    expect((await shown(runner)).rememberable).toBe(offered)
    runner.abort()
  })
})
