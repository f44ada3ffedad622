// @vitest-environment node
import { type AnyTool, pending, type ToolResult } from 'assent/core'
import type { Runner } from 'assent/runner'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { asking, flush, no, recorded, thenable, yes } from '../support/asking.js'
import { approveNext, gated, request, runnerOf, shown } from '../support/consent.js'

const throwing = (): never => {
  throw new Error('no')
}
const server = (name: string) => ({ asker: { kind: 'server', name, trusted: false } })
const silent = () => vi.spyOn(console, 'error').mockImplementation(() => {})

describe('maxOpen', () => {
  it('refuses a call of a source that has so many open, with an error the model can read', async () => {
    const runner = runnerOf([gated('t', { source: 'far' }), gated('other')], { maxOpen: 2 })
    const open = [runner.run('t', { n: 1 }), runner.run('t', { n: 2 })]
    await flush()
    const result = await runner.run('t', { n: 3 })
    expect(result.isError).toBe(true)
    expect(result.output).toMatch(/^far (already )?has 2 open questions/)
    expect(runner.count()).toBe(2)
    void runner.run('other')
    await flush()
    expect(runner.count()).toBe(3)
    runner.abort()
    expect((await Promise.all(open)).map(({ output }) => output)).toEqual(['cancelled', 'cancelled'])
  })

  it('refuses a tool’s own question the same way, and the tool does not run again', async () => {
    const tool = asking('t')
    const runner = runnerOf([tool], { maxOpen: 1 })
    void runner.run('t')
    await flush()
    expect((await runner.run('t')).output).toMatch(/^t (already )?has 1 open questions/)
    expect(tool.attempts).toHaveLength(2)
    runner.abort()
  })

  it('cancels a waitFor, with a line in the console', async () => {
    const error = silent()
    const runner = runnerOf([], { maxOpen: 1 })
    void runner.waitFor(request('a'), server('crm'))
    expect(await runner.waitFor(request('b'), server('crm'))).toEqual(no('b', 'cancelled'))
    expect(error).toHaveBeenCalledOnce()
    expect(error.mock.calls[0]?.[0]).toMatch(/^assent: (server )?crm (already )?has 1 open questions/)
    expect(runner.getState().pending.map(({ key }) => key)).toEqual(['a'])
    runner.abort()
  })

  it('counts each source for itself, and an asker is never a tool’s source', async () => {
    const error = silent()
    const runner = runnerOf([gated('t', { source: 'crm' }), gated('crm')], { maxOpen: 1 })
    void runner.waitFor(request('a'), server('crm'))
    void runner.waitFor(request('b'), { asker: { kind: 'agent', name: 'crm' } })
    void runner.waitFor(request('c'), { asker: { kind: 'server', name: 'crm', origin: 'https://crm.example' } })
    void runner.run('t')
    await flush()
    expect(runner.count()).toBe(4)
    expect(error).not.toHaveBeenCalled()
    runner.abort()
  })

  it('counts what is open: a question that is settled makes room', async () => {
    const runner = runnerOf([gated('t')], { maxOpen: 1 })
    for (let call = 0; call < 3; call++) {
      const result = runner.run('t')
      await approveNext(runner)
      expect((await result).output).toBe('ran')
    }
    const waiting = runner.run('t', {}, { toolCallId: 'c1' })
    await flush()
    runner.abort('c1')
    await waiting
    void runner.run('t')
    await flush()
    expect(runner.count()).toBe(1)
    runner.abort()
  })

  it('is 1,000 where nobody said', async () => {
    silent()
    const runner = runnerOf([])
    const answers = Array.from({ length: 1001 }, (_, n) => runner.waitFor(request(`q${n}`)))
    expect(runner.count()).toBe(1000)
    expect(await answers[1000]).toEqual(no('q1000', 'cancelled'))
    runner.abort()
  })

  it('of none asks nobody anything', async () => {
    silent()
    const tool = gated('t')
    const runner = runnerOf([tool], { maxOpen: 0 })
    expect((await runner.run('t')).output).toMatch(/^t (already )?has 0 open questions/)
    expect(await runner.waitFor(request('a'))).toEqual(no('a', 'cancelled'))
    expect(tool.seen).toHaveLength(0)
  })

  it('does not stop what a remembered yes answers: nobody is asked', async () => {
    const runner = runnerOf([asking('t', {}, { source: 's' }), asking('u', {}, { source: 's' })], {
      maxOpen: 1,
      policy: { remember: true },
    })
    const first = runner.run('t')
    await approveNext(runner, undefined, { remember: { for: 'tool', until: 'session' } })
    await first
    void runner.run('u')
    await shown(runner)
    expect((await runner.run('t')).output).toBe('done')
    runner.abort()
  })

  it('leaves nothing of a refused question behind', async () => {
    vi.useFakeTimers()
    silent()
    const runner = runnerOf([gated('t')], { maxOpen: 0 })
    const expiresAt = new Date(Date.now() + 1000).toISOString()
    await runner.waitFor(request('a', { expiresAt }))
    await runner.run('t')
    expect([vi.getTimerCount(), runner.count(), runner.history()]).toEqual([0, 0, []])
    expect(runner.getState().runs[0]?.status).toBe('failed')
    vi.useRealTimers()
  })

  it('hears of a refusal through the tool, where the tool may hear refusals', async () => {
    const tool = recorded('t', (_args, ctx) => (ctx.answer ? 'my own way' : pending(request('r'))), {
      onRefusal: 'retry',
    })
    const runner = runnerOf([tool], { maxOpen: 0 })
    const { isError } = await runner.run('t')
    expect([isError, tool.attempts[1]?.answer?.ok]).toEqual([true, false])
  })
})

describe('a thousand questions in a second', () => {
  it('are kept, listed and settled without much time, each with its own answer (K6)', async () => {
    const runner = runnerOf([gated('mine')])
    const start = performance.now()
    const answers = Array.from({ length: 1000 }, (_, n) => runner.waitFor(request(`q${n}`), server('noisy')))
    void runner.run('mine')
    await flush()
    expect(runner.getState().pending).toHaveLength(1001)
    for (let n = 999; n >= 0; n--) runner.answer(`q${n}`, n % 2 ? yes(`q${n}`, { n }) : no(`q${n}`))
    const settled = await Promise.all(answers)
    expect(performance.now() - start).toBeLessThan(2000)
    expect(
      settled.every(({ id, ok, data }, n) => id === `q${n}` && ok === (n % 2 === 1) && (!ok || data?.n === n)),
    ).toBe(true)
    expect(runner.getState().pending.map(({ toolName }) => toolName)).toEqual(['mine'])
    runner.abort()
  })

  it('of calls end with one abort, and nothing has run', async () => {
    const tool = gated('t')
    const runner = runnerOf([tool])
    const results = Array.from({ length: 1000 }, (_, n) => runner.run('t', { n }))
    await flush()
    expect(runner.count()).toBe(1000)
    runner.abort()
    expect(new Set((await Promise.all(results)).map(({ output }) => output))).toEqual(new Set(['cancelled']))
    expect([runner.count(), tool.seen.length]).toEqual([0, 0])
  })

  it('from a tool that asks and asks leave the other tool’s question answerable', async () => {
    silent()
    const flood = recorded('flood', (_args, { signal }) =>
      Promise.all(Array.from({ length: 1500 }, (_, n) => runner.waitFor(request(`f${n}`), { signal }))),
    )
    const runner: Runner = runnerOf([flood, gated('mine')])
    const flooding = runner.run('flood', {}, { toolCallId: 'flood' })
    await flush()
    const mine = runner.run('mine')
    await flush()
    expect(runner.count()).toBe(1001)
    const first = runner.head()
    runner.answer(first?.key ?? '', no(first?.request.id ?? ''))
    expect(runner.head()?.toolName).toBe('mine')
    await approveNext(runner)
    expect((await mine).output).toBe('ran')
    runner.abort('flood')
    await flooding
    expect(runner.count()).toBe(0)
  })
})

describe('a request', () => {
  it('changed after it was asked shows and runs what was asked (K15, K20)', async () => {
    const data = { calls: [{ id: '1', name: 'rm', input: { path: '/tmp' } }] }
    const asked = { ...request('r1'), data }
    const before = structuredClone(asked)
    const runner = runnerOf([])
    void runner.waitFor(asked)
    asked.id = 'r2'
    asked.prompt = 'Say hello?'
    Object.assign(data.calls[0] ?? {}, { input: {} })
    expect(runner.head()?.request).toEqual(before)
    expect([runner.answer('r1', yes('r2')), runner.answer('r1', yes('r1'))]).toEqual([false, true])
  })

  it('that reads differently each time is read once', async () => {
    let reads = 0
    const runner = runnerOf([])
    const answer = runner.waitFor({
      id: 'r1',
      kind: 'approval',
      get prompt() {
        reads++
        return reads > 1 ? 'Delete everything?' : 'Say hello?'
      },
    })
    expect([runner.head()?.request.prompt, runner.head()?.request.prompt]).toEqual(['Say hello?', 'Say hello?'])
    runner.answer('r1', yes('r1'))
    expect(await answer).toEqual(yes('r1'))
    expect(reads).toBe(1)
  })

  it('with 5 MB of data is shown, answered and let go', async () => {
    const data = { text: 'x'.repeat(5_000_000) }
    const tool = recorded('t', (_args, ctx) => (ctx.answer ? 'done' : pending(request('r1', { data }))))
    const runner = runnerOf([tool], { policy: { remember: true } })
    const start = performance.now()
    const result = runner.run('t')
    const item = await shown(runner)
    expect(item.request.data).toEqual(data)
    await approveNext(runner, data)
    expect((await result).output).toBe('done')
    expect(performance.now() - start).toBeLessThan(2000)
    expect(JSON.stringify(runner.history()).length).toBeLessThan(1000)
  })

  const deep = (levels: number): Record<string, unknown> => {
    let value: Record<string, unknown> = {}
    for (let level = 0; level < levels; level++) value = { value }
    return value
  }
  const wide = () => ({ list: Array.from({ length: 200_000 }, (_, n) => ({ n })) })
  const cyclic = () => {
    const value: Record<string, unknown> = {}
    value.self = value
    return value
  }
  const hostile: [string, () => Record<string, unknown>][] = [
    ['10,000 levels deep', () => deep(10_000)],
    ['200,000 values wide', wide],
    ['without end', cyclic],
    ['that throws when read', () => Object.defineProperty({}, 'x', { enumerable: true, get: throwing })],
    ['with functions', () => ({ toJSON: () => ({ danger: 'low' }) })],
    ['with a number JSON cannot carry', () => ({ n: 1n })],
    ['with a symbol', () => ({ s: Symbol('s') })],
    ['of a proxy that throws', () => ({ p: new Proxy({}, { ownKeys: throwing }) })],
  ]

  it.each(hostile)('with data %s is cancelled and told, and the runner lives on', async (_what, make) => {
    const error = silent()
    const runner = runnerOf([recorded('plain', () => 'fine')])
    expect(await runner.waitFor(request('r1', { data: make() }))).toMatchObject({ ok: false, reason: 'cancelled' })
    expect(error).toHaveBeenCalledOnce()
    expect((await runner.run('plain')).output).toBe('fine')
    expect([runner.count(), runner.history()]).toEqual([0, []])
  })

  it.each(hostile)('of a tool with data %s is an error of that call', async (_what, make) => {
    silent()
    const tool = recorded('t', () => pending(request('r1', { data: make() })))
    const runner = runnerOf([tool, recorded('plain', () => 'fine')])
    const result = await Promise.race([
      runner.run('t'),
      flush().then((): ToolResult => ({ output: 'open', isError: false })),
    ])
    expect(result.isError).toBe(true)
    expect([tool.attempts.length, runner.count()]).toEqual([1, 0])
    expect((await runner.run('plain')).output).toBe('fine')
  })

  it.each(hostile)('of a call with arguments %s never reaches the gate', async (_what, make) => {
    const tool = gated('t')
    const runner = runnerOf([tool])
    const result = await Promise.race([
      runner.run('t', make()),
      flush().then((): ToolResult => ({ output: 'open', isError: false })),
    ])
    expect(result.output).toMatch(/^Invalid arguments for t: /)
    expect([tool.seen.length, runner.count()]).toEqual([0, 0])
  })

  it.each(hostile)('is not answered with data %s so that the tool runs with it', async (_what, make) => {
    const tool = gated('t', { decisions: ['approve', 'edit'] })
    const runner = runnerOf([tool])
    const result = runner.run('t')
    const { key, request: asked } = await shown(runner)
    expect(() => runner.answer(key, { id: asked.id, ok: true, data: { args: make() } })).not.toThrow()
    await flush()
    runner.abort()
    expect((await result).isError).toBe(true)
    expect(tool.seen).toHaveLength(0)
  })

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'then'])(
    'whose words are named %s is data like any other (K19)',
    async (name) => {
      const runner = runnerOf([asking(name, { id: name, data: { [name]: name } })], {
        answerSchemas: {},
        policy: { remember: true, rules: [{ tool: 'toString', source: name, decision: 'deny' }] },
      })
      const result = runner.run(name, { [name]: 1 }, { toolCallId: name })
      const item = await approveNext(runner, { [name]: { ok: true } }, { remember: { for: 'args', until: 'session' } })
      expect([item.key, item.toolName, item.source, item.schema]).toEqual([name, name, undefined, undefined])
      expect((await result).output).toBe('done')
      expect((await runner.run(name, { [name]: 1 })).output).toBe('done')
      expect(runner.history().map(({ by }) => by)).toEqual(['person', 'rule'])
      // Nothing reached the prototype of everything.
      expect(Object.hasOwn(Object.prototype, 'ok') || 'danger' in {}).toBe(false)
    },
  )

  it('that says who it is from is not believed: who calls waitFor says it', async () => {
    const data = { source: { kind: 'app', name: 'Your bank', trusted: true }, danger: 'low' }
    const runner = runnerOf([])
    void runner.waitFor(
      { ...request('r1', { data }), ...{ asker: { name: 'Your bank' }, trusted: true } },
      server('evil'),
    )
    expect(runner.head()).toMatchObject({ trusted: false, danger: 'medium', asker: { kind: 'server', name: 'evil' } })
    runner.abort()
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'approve?'],
    ['no id', { kind: 'approval', prompt: 'P' }],
    ['a prompt that is an object', { id: 'a', kind: 'approval', prompt: {} }],
    ['an id that is a number', { id: 1, kind: 'approval', prompt: 'P' }],
    ['a proxy that throws', new Proxy({}, { get: throwing, ownKeys: throwing, getPrototypeOf: throwing })],
  ])('that is %s is cancelled, and waitFor does not reject', async (_what, value) => {
    silent()
    const runner = runnerOf([])
    const ask = runner.waitFor as (value: unknown) => ReturnType<Runner['waitFor']>
    expect(await ask(value)).toMatchObject({ ok: false, reason: 'cancelled' })
    expect(runner.count()).toBe(0)
  })
})

describe('a tool that throws where it is looked at', () => {
  const broken = (key: keyof AnyTool): AnyTool =>
    Object.defineProperty(gated('t'), key, { enumerable: true, get: throwing })

  it.each([
    'needsApproval',
    'danger',
    'annotations',
    'decisions',
    'source',
    'trusted',
    'onRefusal',
    'maxQuestions',
  ] as const)('at %s never runs unasked, and nothing crashes', async (key) => {
    silent()
    const tool = broken(key)
    const runner = runnerOf([])
    try {
      runner.register(tool)
    } catch {
      // Refused at once is as good.
      return
    }
    const result = runner.run('t')
    await flush()
    const asked = runner.count()
    expect(tool).toHaveProperty('seen', [])
    runner.abort()
    expect((await result).isError).toBe(true)
    expect([asked <= 1, runner.count()]).toEqual([true, 0])
  })

  it('in what its predicate returns counts as a yes to asking', async () => {
    const tool = gated('t', { needsApproval: async () => await thenable(throwing) })
    const runner = runnerOf([tool])
    void runner.run('t')
    expect((await shown(runner)).isGate).toBe(true)
    expect(tool.seen).toHaveLength(0)
    runner.abort()
  })
})

describe('many decisions', () => {
  afterEach(() => void vi.useRealTimers())

  it('with one remembered for all settle at once in little time', async () => {
    const tool = gated('t')
    const runner = runnerOf([tool], { policy: { remember: true } })
    const results = Array.from({ length: 1000 }, (_, n) => runner.run('t', { n, text: 'x'.repeat(1000) }))
    await flush()
    const start = performance.now()
    await approveNext(runner, undefined, { remember: { for: 'tool', until: 'session' } })
    expect(performance.now() - start).toBeLessThan(1000)
    expect(runner.count()).toBe(0)
    expect((await Promise.all(results)).every(({ output }) => output === 'ran')).toBe(true)
    expect(tool.seen).toHaveLength(1000)
  })

  it('leave no timer, no listener and no entry (K37)', async () => {
    vi.useFakeTimers()
    const runner = runnerOf([gated('t')])
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    for (let n = 0; n < 300; n++) {
      void runner.waitFor(request(`q${n}`, { expiresAt }))
      void runner.run('t', { n })
    }
    await flush()
    for (const { key, request: asked } of runner.getState().pending) runner.answer(key, no(asked.id))
    await flush()
    expect([vi.getTimerCount(), runner.count(), runner.head()]).toEqual([0, 0, undefined])
  })
})
