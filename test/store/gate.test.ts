// @vitest-environment node
import { type } from 'arktype'
import {
  type AnyTool,
  type GateContext,
  pending,
  pendingOf,
  type RefusalReason,
  runTool,
  type ToolEvent,
} from 'assent/core'
import { createToolRunner, type ToolRunnerOptions } from 'assent/runner'
import * as v from 'valibot'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { flush, no, recorded, refusedAs, row, yes } from '../support/asking.js'
import { approveNext, gated, request, runnerOf, shown } from '../support/consent.js'

const CANCELLED = { output: 'cancelled', isError: true }
const refusedGate = (name: string, reason: RefusalReason = 'declined', rest: object = {}) =>
  refusedAs(`Allow ${name}?`, reason, rest)
const throwing = (): never => {
  throw new Error('no')
}

/** Whether a call of this tool is asked about, and what it comes to once that is answered with a yes. */
async function isAsked(tool: AnyTool, options: ToolRunnerOptions = {}, args: unknown = {}): Promise<boolean> {
  const runner = runnerOf([tool], options)
  const result = runner.run(tool.name, args)
  await flush()
  const asked = runner.count() === 1
  if (asked) await approveNext(runner)
  expect((await result).isError).toBe(false)
  return asked
}

describe('needsApproval', () => {
  it('asks before the first run, and the tool has not run until the yes', async () => {
    const tool = gated('rm', { source: 'files' })
    const runner = runnerOf([tool])
    const result = runner.run('rm', { path: '/a' }, { toolCallId: 'c1' })
    const item = await shown(runner)
    expect(item).toMatchObject({
      request: { kind: 'approval', prompt: 'Allow rm?' },
      toolName: 'rm',
      toolCallId: 'c1',
      source: 'files',
      args: { path: '/a' },
      isGate: true,
      danger: 'medium',
      trusted: true,
    })
    expect([tool.seen.length, runner.getState().runs[0]?.status]).toEqual([0, 'waiting'])
    runner.answer(item.key, yes(item.request.id))
    expect([await result, tool.seen.length]).toEqual([{ output: 'ran', isError: false }, 1])
  })

  it.each<[AnyTool['needsApproval'], boolean]>([
    [undefined, false],
    [false, false],
    [true, true],
    [() => false, false],
    [() => true, true],
    [async () => false, false],
    [async () => true, true],
    [throwing, true],
    [async () => throwing(), true],
    [() => Promise.reject(new Error('no')), true],
    [({ path }) => path !== '/tmp', true],
    [({ path }) => path === '/tmp', false],
  ])('%# decides alike on the tool and on the runner: %s', async (needsApproval, asks) => {
    const args = { path: '/a' }
    expect(await isAsked(gated('t', { needsApproval }), {}, args)).toBe(asks)
    expect(await isAsked(gated('t', { needsApproval: undefined }), { needsApproval }, args)).toBe(asks)
  })

  it('asks when either the tool or the runner says so, and once when both do', async () => {
    expect(await isAsked(gated('t', { needsApproval: false }), { needsApproval: true })).toBe(true)
    expect(await isAsked(gated('t', { needsApproval: true }), { needsApproval: () => false })).toBe(true)
    expect(await isAsked(gated('t', { needsApproval: true }), { needsApproval: true })).toBe(true)
  })

  it('is told the arguments as they would run, the tool and the call', async () => {
    const calls: [unknown, GateContext][] = []
    const needsApproval = (args: Readonly<Record<string, unknown>>, ctx: GateContext) => {
      calls.push([args, ctx])
      return false
    }
    const tool = gated('t', { source: 's', needsApproval, inputSchema: z.object({ n: z.coerce.number() }) })
    const runner = runnerOf([tool], { context: { user: 7 } })
    await runner.run('t', { n: '5' }, { toolCallId: 'c1' })
    expect(calls).toMatchObject([[{ n: 5 }, { toolName: 't', source: 's', toolCallId: 'c1', context: { user: 7 } }]])
    expect(calls[0]?.[1].signal).toBeInstanceOf(AbortSignal)
  })

  it('gets arguments of its own, so what it writes to them is neither shown nor run', async () => {
    const needsApproval = (args: object) => Object.assign(args, { path: '/etc' }) !== undefined
    const tool = gated('t', { needsApproval })
    const runner = runnerOf([tool])
    const result = runner.run('t', { path: '/a' })
    expect((await approveNext(runner)).args).toEqual({ path: '/a' })
    await result
    expect(tool.seen[0]?.args).toEqual({ path: '/a' })
  })

  it('is the one of the newest options and of the tool that is registered when the call starts', async () => {
    const options: ToolRunnerOptions = { needsApproval: false }
    const runner = createToolRunner(options)
    runner.attach({}, 'dialog')
    const unregister = runner.register(gated('t', { needsApproval: false }))
    expect((await runner.run('t')).output).toBe('ran')
    options.needsApproval = true
    void runner.run('t')
    expect((await shown(runner)).isGate).toBe(true)
    options.needsApproval = false
    unregister()
    runner.register(gated('t'))
    void runner.run('t')
    await flush()
    expect(runner.count()).toBe(2)
  })

  it('says pending before the question is visible, and neither event is an error (K36)', async () => {
    const rows: string[] = []
    const tool = gated('t')
    const runner = runnerOf([tool], {
      onEvent: (event: ToolEvent) => rows.push(`${row(event)} ${runner.count()}`),
    })
    const result = runner.run('t')
    await approveNext(runner, { feedback: 'secret words' })
    await result
    expect(rows).toEqual(['tool_call 0', 'pending pending 0', 'answer 0', 'tool_result 0'])
  })

  it('runs the tool within microtasks of the yes', async () => {
    const tool = gated('t')
    const runner = runnerOf([tool])
    void runner.run('t')
    await approveNext(runner)
    await flush()
    expect(tool.seen).toHaveLength(1)
  })

  it('asks on behalf of a model that named its tool like a method of every object', async () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      const tool = gated(name)
      const runner = runnerOf([tool])
      const result = runner.run(name, JSON.parse('{"__proto__":{"a":1},"constructor":2}'))
      const item = await approveNext(runner)
      expect([item.toolName, Object.keys(item.args ?? {})]).toEqual([name, ['__proto__', 'constructor']])
      expect((await result).output).toBe('ran')
      expect(Object.keys(tool.seen[0]?.args ?? {})).toEqual(['__proto__', 'constructor'])
    }
  })
})

describe('the answer to the gate', () => {
  it('is ctx.approval and never ctx.answer', async () => {
    const tool = gated('t')
    const runner = runnerOf([tool])
    const result = runner.run('t')
    const { request: asked } = await approveNext(runner, { note: 'fine' })
    await result
    expect(tool.seen).toEqual([{ args: {}, answer: undefined, approval: yes(asked.id, { note: 'fine' }) }])
  })

  it('leaves a tool that was not asked about without ctx.approval', async () => {
    let keys: string[] = []
    const runner = runnerOf([
      {
        name: 't',
        execute(_args, ctx) {
          keys = Object.keys(ctx)
        },
      },
    ])
    await runner.run('t')
    expect(keys).not.toContain('approval')
  })

  it('and the answer to the tool’s own question arrive each in its place (DESIGN 2.5)', async () => {
    const tool = gated('t', {}, (_args, ctx) => (ctx.answer ? 'done' : pending(request('own', { kind: 'input' }))))
    const runner = runnerOf([tool])
    const result = runner.run('t', { a: 1 })
    const gate = await approveNext(runner, { from: 'gate' })
    const own = await approveNext(runner, { from: 'own' })
    expect([gate.isGate, own.isGate]).toEqual([true, undefined])
    expect(await result).toEqual({ output: 'done', isError: false })
    const approval = yes(gate.request.id, { from: 'gate' })
    expect(tool.seen).toEqual([
      { args: { a: 1 }, answer: undefined, approval },
      { args: { a: 1 }, answer: yes('own', { from: 'own' }), approval },
    ])
  })

  it('is the same in each attempt, whatever the tool does to it', async () => {
    const tool = gated('t', {}, (_args, { answer, approval }) => {
      if (answer) return 'done'
      Object.assign(approval?.data ?? {}, { site: 'production' })
      return pending(request('own'))
    })
    const runner = runnerOf([tool])
    const result = runner.run('t')
    await approveNext(runner, { site: 'staging' })
    await approveNext(runner)
    await result
    expect(tool.seen[1]?.approval?.data).toEqual({ site: 'staging' })
  })

  it('is not one of the questions a tool may ask', async () => {
    const tool = gated('t', {}, () => pending(request('own')))
    const runner = runnerOf([tool])
    const result = runner.run('t')
    await approveNext(runner)
    await approveNext(runner)
    expect(await result).toEqual({ output: 'unresolved: own?', isError: true })
    expect(tool.seen).toHaveLength(2)
  })

  it('does not count for the tool’s own question, even with the same id', async () => {
    let id = ''
    const tool = gated('t', {}, (_args, ctx) => (ctx.answer ? 'done' : pending(request(id))))
    const runner = runnerOf([tool])
    const result = runner.run('t')
    const gate = await shown(runner)
    id = gate.request.id
    runner.answer(gate.key, yes(id))
    await flush()
    expect([tool.seen.length, runner.count(), runner.head()?.isGate]).toEqual([1, 1, undefined])
    await approveNext(runner)
    expect((await result).output).toBe('done')
  })

  it.each(['declined', 'cancelled', 'expired', undefined] as const)(
    'that is a no ends the call, and the tool never runs: %s (K4)',
    async (reason) => {
      const tool = gated('t')
      const runner = runnerOf([tool])
      const result = runner.run('t')
      const { key, request: asked } = await shown(runner)
      expect(runner.answer(key, no(asked.id, reason))).toBe(true)
      expect(await result).toEqual(refusedGate('t', reason))
      expect(tool.seen).toHaveLength(0)
      expect(runner.getState().runs[0]?.status).toBe('failed')
    },
  )

  it.each([{ onRefusal: 'retry' as const }, { maxQuestions: 9 }, { onRefusal: 'retry' as const, maxQuestions: 9 }])(
    'that is a no is not weakened by %j, on the tool or on the runner',
    async (switches) => {
      for (const [rest, options] of [
        [switches, {}],
        [{}, switches],
      ]) {
        const tool = gated('t', rest)
        const runner = runnerOf([tool], options)
        const result = runner.run('t')
        const { key, request: asked } = await shown(runner)
        runner.answer(key, no(asked.id))
        expect(await result).toEqual(refusedGate('t'))
        expect(tool.seen).toHaveLength(0)
      }
    },
  )

  it.each([undefined, null, true, 'yes', {}, { ok: true }, { id: 'other', ok: true }, { id: 'GATE', ok: 'true' }])(
    '%# that is none leaves the gate shut: %j (K3)',
    async (given) => {
      const tool = gated('t')
      const runner = runnerOf([tool])
      const result = runner.run('t')
      const { key, request: asked } = await shown(runner)
      const answer = JSON.parse((JSON.stringify(given) ?? 'null').replace('GATE', asked.id))
      expect(runner.answer(key, answer)).toBe(false)
      await flush()
      expect([tool.seen.length, runner.count()]).toEqual([0, 1])
      runner.abort()
      expect(await result).toEqual(CANCELLED)
    },
  )

  it.each(['args', 1, true, [['args', { path: '/etc' }]], null])(
    'whose data is no object never crashes and edits nothing: %j',
    async (data) => {
      const tool = gated('t')
      const runner = runnerOf([tool], { policy: { remember: true } })
      const result = runner.run('t', { path: '/a' })
      const { key, request: asked } = await shown(runner)
      const answer = JSON.parse(JSON.stringify({ id: asked.id, ok: true, data }))
      expect(() => runner.answer(key, answer, { remember: { for: 'args', until: 'session' } })).not.toThrow()
      await flush()
      if (runner.count() > 0) runner.abort()
      const { output } = await result
      expect(['ran', 'cancelled', 'declined/expired: Allow t?']).toContain(output)
      for (const { args } of tool.seen) expect(args).toEqual({ path: '/a' })
    },
  )
})

describe('edited arguments', () => {
  const inputSchema = {
    type: 'object',
    properties: { path: { type: 'string' }, n: { type: 'integer' } },
    required: ['path'],
  }
  const editing = { decisions: ['approve', 'edit', 'decline'] as const, inputSchema }

  it('are the ones that run, also on the retry, and what is shown then', async () => {
    const ask = (_args: unknown, ctx: { answer?: unknown }) => (ctx.answer ? 'done' : pending(request('own')))
    const tool = gated('t', editing, ask)
    const runner = runnerOf([tool])
    const given = { path: '/a', n: 1 }
    const result = runner.run('t', given)
    const gate = await shown(runner)
    expect(gate.argsSchema).toEqual(inputSchema)
    const edited = { path: '/b' }
    runner.answer(gate.key, yes(gate.request.id, { args: edited }))
    edited.path = '/etc'
    given.path = '/etc'
    const own = await approveNext(runner)
    expect([gate.args, own.args, runner.getState().runs[0]?.args]).toEqual([
      { path: '/a', n: 1 },
      { path: '/b' },
      { path: '/b' },
    ])
    expect((await result).output).toBe('done')
    expect(tool.seen.map(({ args }) => args)).toEqual([{ path: '/b' }, { path: '/b' }])
  })

  it('are handed out afresh to each attempt (K20)', async () => {
    const tool = gated('t', { decisions: ['approve', 'edit'] }, (args, ctx) => {
      Object.assign(args, { meddled: true })
      return ctx.answer ? 'done' : pending(request('own'))
    })
    const runner = runnerOf([tool])
    const result = runner.run('t')
    await approveNext(runner, { args: { list: [{ x: 1 }] } })
    await approveNext(runner)
    await result
    expect(tool.seen.map(({ args }) => args)).toEqual([{ list: [{ x: 1 }] }, { list: [{ x: 1 }] }])
  })

  it.each([
    [{ path: 5 }, 'Invalid arguments for t: /path: expected string'],
    [{}, 'Invalid arguments for t: /path: expected '],
    ['/b', 'Invalid arguments for t: /: expected object, got string'],
    [[], 'Invalid arguments for t: /: expected object, got array'],
    [3, 'Invalid arguments for t: /: expected object, got number'],
  ])('that are invalid are an error the tool never sees: %j', async (args, output) => {
    const tool = gated('t', editing)
    const runner = runnerOf([tool])
    const result = runner.run('t', { path: '/a' })
    await approveNext(runner, { args })
    const { isError, output: said } = await result
    expect([isError, said.startsWith(output)]).toEqual([true, true])
    expect([tool.seen.length, runner.count()]).toEqual([0, 0])
  })

  it.each([[{ path: '' }], [{ path: '/a', extra: null }], [{ path: '/a', n: 0 }], [{ path: '', list: [] }]])(
    'keep what is empty, null or zero: %j',
    async (args) => {
      const tool = gated('t', editing)
      const runner = runnerOf([tool])
      const result = runner.run('t', { path: '/a', n: 1 })
      await approveNext(runner, { args })
      expect((await result).output).toBe('ran')
      expect(tool.seen[0]?.args).toEqual(args)
    },
  )

  it.each([null, {}])('that are %j are none, and not the ones that were shown', async (args) => {
    const tool = gated('t', { decisions: ['approve', 'edit'] })
    const runner = runnerOf([tool])
    const result = runner.run('t', { path: '/a' })
    await approveNext(runner, { args })
    // Nothing runs as {}, which was not typed, so it is shown once more (DESIGN 8.2).
    if (args === null) expect((await approveNext(runner)).args).toEqual({})
    expect((await result).output).toBe('ran')
    expect(tool.seen[0]?.args).toEqual({})
  })

  it.each<[string, AnyTool['inputSchema'], AnyTool['jsonSchema']]>([
    ['zod', z.object({ n: z.number().int() }), undefined],
    ['valibot', v.object({ n: v.pipe(v.number(), v.integer()) }), { type: 'object' }],
    ['arktype', type({ n: 'number.integer' }), undefined],
  ])('are checked by the Standard Schema the tool brings: %s', async (_library, schema, jsonSchema) => {
    for (const [n, output] of [
      [2, 'ran'],
      [2.5, 'Invalid arguments for t: /n: '],
    ] as const) {
      const tool = gated('t', { inputSchema: schema, jsonSchema, decisions: ['approve', 'edit'] })
      const runner = runnerOf([tool])
      const result = runner.run('t', { n: 1 })
      await approveNext(runner, { args: { n } })
      expect((await result).output).toContain(output)
      expect(tool.seen.map(({ args }) => args)).toEqual(n === 2 ? [{ n: 2 }] : [])
    }
  })

  it('run as the Standard Schema gives them back, which is checked once and also runs on the retry', async () => {
    const parse = vi.fn((text: string) => text.trim())
    const inputSchema = z.object({ q: z.string().transform(parse) })
    const ask = (_args: unknown, ctx: { answer?: unknown }) => (ctx.answer ? 'done' : pending(request('own')))
    const tool = gated('t', { inputSchema, jsonSchema: { type: 'object' }, decisions: ['approve', 'edit'] }, ask)
    const runner = runnerOf([tool])
    const result = runner.run('t', { q: ' a ' })
    expect(await shown(runner)).toMatchObject({ args: { q: 'a' }, raw: { q: ' a ' } })
    await approveNext(runner, { args: { q: ' b ' } })
    // They do not run as they were typed, so what would run is shown once more before it counts (DESIGN 8.2).
    expect(await shown(runner)).toMatchObject({ isGate: true, args: { q: 'b' }, raw: { q: ' b ' } })
    await approveNext(runner)
    expect(await shown(runner)).toMatchObject({ args: { q: 'b' }, request: { id: 'own' } })
    await approveNext(runner)
    await result
    expect(tool.seen.map(({ args }) => args)).toEqual([{ q: 'b' }, { q: 'b' }])
    expect(parse).toHaveBeenCalledTimes(2)
  })

  it('never change which tool runs', async () => {
    const [t, other] = [gated('t', { decisions: ['edit', 'approve'] }), gated('other')]
    const runner = runnerOf([t, other])
    const result = runner.run('t')
    await approveNext(runner, { args: {}, name: 'other', toolName: 'other', tool: 'other' })
    await result
    expect([t.seen.length, other.seen.length]).toEqual([1, 0])
  })

  it('that a rule forbids do not run', async () => {
    const tool = gated('sh', { decisions: ['approve', 'edit'] })
    const policy = { rules: [{ tool: 'sh', args: { cmd: 'rm -rf /' }, decision: 'deny' as const }] }
    const runner = runnerOf([tool], { policy })
    const result = runner.run('sh', { cmd: 'ls' })
    await approveNext(runner, { args: { cmd: 'rm -rf /' } })
    expect(await result).toMatchObject({
      output: 'not allowed by policy: sh',
      isError: true,
      metadata: { reason: 'denied' },
    })
    expect(tool.seen).toHaveLength(0)
  })

  it('of the tool’s own question ride in answer.data and change no arguments (K20)', async () => {
    const tool = recorded('t', (_args, ctx) =>
      ctx.answer ? 'done' : pending(request('own', { data: { decisions: ['approve', 'edit'] } })),
    )
    const runner = runnerOf([tool])
    const result = runner.run('t', { path: '/a' })
    expect((await shown(runner)).argsSchema).toEqual({ type: 'object' })
    await approveNext(runner, { args: { path: '/b' } })
    await result
    expect(tool.attempts[1]).toEqual({ args: { path: '/a' }, answer: yes('own', { args: { path: '/b' } }) })
  })

  it('are offered only where decisions says edit', async () => {
    for (const decisions of [undefined, [], ['approve', 'decline']] as const) {
      const runner = runnerOf([gated('t', { decisions })])
      void runner.run('t')
      expect(await shown(runner)).not.toHaveProperty('argsSchema')
    }
  })
})

describe('a plain yes', () => {
  it.each([[[]], [['edit', 'decline']], [['respond']], [['decline']]] as const)(
    'runs nothing where %j offers none: it is no consent to what was shown',
    async (decisions) => {
      const tool = gated('t', { decisions })
      const runner = runnerOf([tool])
      const result = runner.run('t')
      await approveNext(runner)
      expect(await result).toMatchObject({ output: 'declined/expired: Allow t?', isError: true })
      expect(tool.seen).toEqual([])
    },
  )
})

describe('what is shown', () => {
  it('is validated first: invalid arguments are never shown', async () => {
    const needsApproval = vi.fn(() => true)
    const inputSchema = { type: 'object', properties: { n: { type: 'number' } } }
    const runner = runnerOf([gated('t', { needsApproval, inputSchema })])
    const listener = vi.fn(() => expect(runner.count()).toBe(0))
    runner.subscribe(listener)
    expect(await runner.run('t', { n: 'x' })).toEqual({
      output: 'Invalid arguments for t: /n: expected number',
      isError: true,
    })
    expect(needsApproval).not.toHaveBeenCalled()
    expect(listener).toHaveBeenCalled()
  })

  it('carries what the tool says of itself, and the buttons it allows', async () => {
    const says = { danger: 'high', annotations: { destructiveHint: true }, decisions: ['approve', 'edit'] } as const
    const runner = runnerOf([gated('t', says)])
    void runner.run('t')
    expect((await shown(runner)).request.data).toEqual(says)
    const plain = runnerOf([gated('t')])
    void plain.run('t')
    expect((await shown(plain)).request).not.toHaveProperty('data')
  })

  it('cannot be changed any more (K15)', async () => {
    const annotations = { title: 'Delete', destructiveHint: true }
    const runner = runnerOf([gated('t', { annotations })])
    void runner.run('t')
    const { request: asked } = await shown(runner)
    annotations.title = 'Read'
    annotations.destructiveHint = false
    expect(asked.data).toEqual({ annotations: { title: 'Delete', destructiveHint: true } })
    expect(() => Object.assign(asked, { prompt: 'Allow read?' })).toThrow(TypeError)
    expect(() => Object.assign(asked.data ?? {}, { danger: 'low' })).toThrow(TypeError)
    expect(() => Object.assign(Object(asked.data?.annotations), { title: 'Read' })).toThrow(TypeError)
  })

  it('is plain data, with no tool, function or promise in it', async () => {
    const runner = runnerOf([gated('t', { decisions: ['approve', 'edit'], inputSchema: { type: 'object' } })])
    void runner.run('t', { a: [1] })
    const item = await shown(runner)
    expect(JSON.parse(JSON.stringify(item))).toEqual(structuredClone(item))
  })
})

describe('while the gate waits', () => {
  afterEach(() => void vi.useRealTimers())

  const waiting = async (rest: Partial<AnyTool> = {}, timeout?: number) => {
    const tool = gated('t', rest)
    const runner = runnerOf([])
    const unregister = runner.register(tool)
    const controller = new AbortController()
    const result = runner.run('t', { a: 1 }, { toolCallId: 'c1', signal: controller.signal, timeout })
    const item = await shown(runner)
    return {
      tool,
      runner,
      unregister,
      controller,
      result,
      item,
      ok: () => runner.answer(item.key, yes(item.request.id)),
    }
  }

  it.each<[string, (all: Awaited<ReturnType<typeof waiting>>) => void]>([
    ['the call by its toolCallId', ({ runner }) => runner.abort('c1')],
    ['the call by its run id', ({ runner, item }) => runner.abort(item.runId)],
    ['everything', ({ runner }) => runner.abort()],
    ['the caller’s signal', ({ controller }) => controller.abort()],
    ['the runner, for good', ({ runner }) => runner.dispose()],
  ])('an abort of %s takes it away, and nothing runs (K5)', async (_what, stop) => {
    const all = await waiting()
    stop(all)
    expect([all.runner.count(), all.ok()]).toEqual([0, false])
    expect(await all.result).toEqual(CANCELLED)
    await flush()
    expect([all.tool.seen.length, all.runner.getState().runs[0]?.status]).toEqual([0, 'cancelled'])
  })

  it('an abort after the yes and before the tool wins', async () => {
    const all = await waiting()
    expect(all.ok()).toBe(true)
    all.runner.abort('c1')
    expect(await all.result).toEqual(CANCELLED)
    await flush()
    expect(all.tool.seen).toHaveLength(0)
  })

  it('an abort while edited arguments are checked wins', async () => {
    let release: (value: boolean) => void = () => {}
    const slow = () =>
      new Promise<boolean>((resolve) => {
        release = resolve
      })
    const inputSchema = z.object({ a: z.number() }).refine(({ a }) => a !== 2 || slow())
    const all = await waiting({ inputSchema, jsonSchema: { type: 'object' }, decisions: ['approve', 'edit'] })
    all.runner.answer(all.item.key, yes(all.item.request.id, { args: { a: 2 } }))
    await flush()
    all.runner.abort('c1')
    expect(await all.result).toEqual(CANCELLED)
    const record = all.runner.getState().runs[0]
    release(true)
    await flush()
    // What comes of it later is dropped, also from the record of the call.
    expect(all.runner.getState().runs[0]).toEqual(record)
    expect(all.tool.seen).toHaveLength(0)
  })

  it('an abort while the predicate decides ends the call at once, and nothing is asked later', async () => {
    let decide: (value: boolean) => void = () => {}
    const tool = gated('t', {
      needsApproval: () =>
        new Promise<boolean>((resolve) => {
          decide = resolve
        }),
    })
    const runner = runnerOf([tool])
    const result = runner.run('t', {}, { toolCallId: 'c1' })
    await flush()
    runner.abort('c1')
    expect(await result).toEqual(CANCELLED)
    decide(true)
    await flush()
    expect([runner.count(), tool.seen.length, runner.history()]).toEqual([0, 0, []])
  })

  it('no time is charged to the tool (K12)', async () => {
    vi.useFakeTimers()
    const all = await waiting({}, 100)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(all.runner.count()).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
    all.ok()
    expect((await all.result).output).toBe('ran')
  })

  it('a tool that is gone is unknown when the yes comes (DESIGN 5.2)', async () => {
    const all = await waiting()
    all.unregister()
    all.ok()
    expect(await all.result).toEqual({ output: 'Unknown tool: t', isError: true })
    expect(all.tool.seen).toHaveLength(0)
  })

  it.each<[string, Partial<AnyTool>]>([
    ['the same that is shown', {}],
    ['an equal schema', { inputSchema: { type: 'object' } }],
    ['annotations that are not there', { annotations: undefined }],
  ])('a tool registered anew with %s runs, and the newest closure hears of the yes', async (_what, rest) => {
    const all = await waiting({ inputSchema: { type: 'object' } })
    all.unregister()
    const newest = gated('t', { inputSchema: { type: 'object' }, ...rest })
    all.runner.register(newest)
    all.ok()
    expect((await all.result).output).toBe('ran')
    expect([all.tool.seen.length, newest.seen.length]).toEqual([0, 1])
    expect(newest.seen[0]?.approval?.ok).toBe(true)
  })

  const OTHERS: [string, Partial<AnyTool>][] = [
    ['another description', { description: 'Sends all your mail' }],
    ['another source', { source: 'elsewhere' }],
    ['another schema', { inputSchema: { type: 'object', properties: { b: { type: 'string' } } } }],
    ['another danger', { danger: 'high' }],
    ['a trust it had not lost', { trusted: false }],
    ['a trust that is no trust', { trusted: 'yes' as never }],
    ['another title', { annotations: { title: 'Tidy up' } }],
    ['another hint', { annotations: { destructiveHint: true } }],
  ]

  it.each(OTHERS)(
    'a tool registered anew with %s is asked about again, as it is now (DESIGN 8.3)',
    async (_what, rest) => {
      const all = await waiting({ inputSchema: { type: 'object' } })
      const [before] = all.runner.getState().pending
      all.unregister()
      const newest = gated('t', { inputSchema: { type: 'object' }, ...rest })
      all.runner.register(newest)
      expect(all.runner.answer(before?.key ?? '', yes(before?.request.id ?? ''))).toBe(false)
      const again = await shown(all.runner)
      expect(again).toMatchObject({ isGate: true, args: before?.args })
      expect([again.key === before?.key, all.tool.seen.length, newest.seen.length]).toEqual([false, 0, 0])
      expect(all.runner.history()).toMatchObject([{ decision: 'cancelled', by: 'code' }])
      await approveNext(all.runner)
      expect([(await all.result).output, all.tool.seen.length, newest.seen.length]).toEqual(['ran', 0, 1])
    },
  )

  it('a tool that changes each time is unknown the fourth time', async () => {
    const all = await waiting()
    let { unregister } = all
    for (let change = 1; change <= 4; change++) {
      unregister()
      unregister = all.runner.register(gated('t', { description: `Number ${change}` }))
      const item = await shown(all.runner)
      expect(all.runner.answer(item.key, yes(item.request.id))).toBe(false)
      await flush()
    }
    expect(await all.result).toEqual({ output: 'Unknown tool: t', isError: true })
    expect(all.runner.count()).toBe(0)
  })

  it('a no is a no, whatever became of the tool', async () => {
    const all = await waiting()
    all.unregister()
    all.runner.register(gated('t', { danger: 'high' }))
    const item = await shown(all.runner)
    expect(all.runner.answer(item.key, no(item.request.id))).toBe(true)
    expect(await all.result).toEqual(refusedGate('t'))
  })

  it('the same call again joins it and asks nothing anew', async () => {
    const all = await waiting()
    const again = all.runner.run('t', { a: 1 }, { toolCallId: 'c1' })
    await flush()
    expect(all.runner.count()).toBe(1)
    all.ok()
    expect(await again).toEqual(await all.result)
    expect(all.tool.seen).toHaveLength(1)
  })

  it('other calls of the tool have gates of their own, answered in any order (K6)', async () => {
    const tool = gated('t')
    const runner = runnerOf([tool])
    const results = [1, 2, 3].map((n) => runner.run('t', { n }))
    await flush()
    const items = runner.getState().pending
    expect(items.map(({ args }) => args?.n)).toEqual([1, 2, 3])
    for (const index of [1, 2, 0]) {
      const item = items[index]
      if (item) runner.answer(item.key, index === 1 ? no(item.request.id) : yes(item.request.id))
    }
    expect((await Promise.all(results)).map(({ isError }) => isError)).toEqual([false, true, false])
    expect(tool.seen.map(({ args }) => args.n)).toEqual([3, 1])
  })
})

describe('without a person', () => {
  it('the gate of a runner without a host is the result, and the tool does not run', async () => {
    const tool = gated('t', { danger: 'high' })
    const runner = runnerOf([tool], { host: false })
    const result = await runner.run('t', { a: 1 })
    expect(pendingOf(result)).toMatchObject({ kind: 'approval', prompt: 'Allow t?', data: { danger: 'high' } })
    expect([result.isError, tool.seen.length, runner.count()]).toEqual([true, 0, 0])
    expect(runner.getState().runs[0]?.status).toBe('done')
  })

  it.each<AnyTool['needsApproval']>([true, () => true, () => false, throwing])(
    'runTool refuses a tool that needs approval, since nobody decides: %s',
    async (needsApproval) => {
      const waitFor = vi.fn(async ({ id }: { id: string }) => yes(id))
      const tool = gated('t', { needsApproval })
      const refused = { output: 'declined/expired: Allow t?', isError: true }
      expect(await runTool(tool, {}, { waitFor })).toEqual(refused)
      expect(await runTool(tool, {})).toEqual(refused)
      expect([tool.seen.length, waitFor.mock.calls.length]).toEqual([0, 0])
    },
  )

  it('runTool still says first what is wrong with the arguments', async () => {
    const tool = gated('t', { inputSchema: { type: 'object', required: ['a'] } })
    expect((await runTool(tool, {})).output).toMatch(/^Invalid arguments for t: /)
  })
})

describe('what the person writes with a no', () => {
  const refuse = async (data: unknown, rest: Partial<AnyTool> = {}, options: ToolRunnerOptions = {}) => {
    const events: ToolEvent[] = []
    const tool = gated('t', rest)
    const runner = runnerOf([tool], { onEvent: (event) => events.push(event), ...options })
    const result = runner.run('t')
    const { key, request: asked } = await shown(runner)
    runner.answer(key, JSON.parse(JSON.stringify({ id: asked.id, ok: false, reason: 'declined', data })))
    return { runner, events, result: await result }
  }

  it('reaches the result’s metadata, and the text stays as it is (K4)', async () => {
    const { result, runner } = await refuse({ feedback: 'Use the staging site.', other: 'x' })
    expect(result).toEqual(refusedGate('t', 'declined', { feedback: 'Use the staging site.' }))
    expect(runner.getState().runs[0]?.result).toEqual(result)
  })

  it('is nowhere else: not in the history and not in an answer event', async () => {
    const { runner, events } = await refuse({ feedback: 'hunter2' })
    expect(JSON.stringify(runner.history())).not.toContain('hunter2')
    expect(JSON.stringify(events.filter(({ type }) => type !== 'tool_result'))).not.toContain('hunter2')
  })

  it.each([undefined, {}, { feedback: 7 }, { feedback: null }, { feedback: { a: 1 } }])(
    'is not there where nothing was written: %j',
    async (data) => {
      expect((await refuse(data)).result).toEqual(refusedGate('t'))
    },
  )

  it('is kept, empty or not', async () => {
    expect((await refuse({ feedback: '' })).result.metadata).toEqual({ reason: 'declined', feedback: '' })
  })

  it('of the tool’s own question comes the same way, and to the tool that hears refusals', async () => {
    const own = recorded('own', (_args, ctx) => (ctx.answer ? 'heard' : pending(request('r1'))))
    const declined = async (options: ToolRunnerOptions) => {
      const runner = runnerOf([own], options)
      const result = runner.run('own')
      await flush()
      runner.answer('r1', { id: 'r1', ok: false, reason: 'declined', data: { feedback: 'no!' } })
      return result
    }
    expect(await declined({})).toEqual(refusedAs('r1?', 'declined', { feedback: 'no!' }))
    expect(await declined({ onRefusal: 'retry' })).toEqual({ output: 'heard', isError: false })
    expect(own.attempts.at(-1)?.answer?.data).toEqual({ feedback: 'no!' })
  })

  it('is forgotten when the next question was answered with a yes', async () => {
    const tool = recorded('t', (_args, ctx, attempt) => {
      if (attempt < 3) return pending(request(`r${attempt}`))
      throw new Error(ctx.answer?.ok ? 'failed after the yes' : 'failed')
    })
    const runner = runnerOf([tool], { onRefusal: 'retry', maxQuestions: 2 })
    const result = runner.run('t')
    await flush()
    runner.answer('r1', { id: 'r1', ok: false, data: { feedback: 'no' } })
    await flush()
    runner.answer('r2', yes('r2'))
    expect(await result).toEqual({ output: 'failed after the yes', isError: true })
  })

  it('with a yes goes to the tool alone', async () => {
    const tool = gated('t')
    const runner = runnerOf([tool])
    const result = runner.run('t')
    await approveNext(runner, { feedback: 'be quick' })
    expect(await result).toEqual({ output: 'ran', isError: false })
    expect(tool.seen[0]?.approval?.data).toEqual({ feedback: 'be quick' })
  })
})
