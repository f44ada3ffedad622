// @vitest-environment node
import { type Answer, type PendingRequest, pending, pendingOf, type ToolResult } from 'assent/core'
import { createToolRunner, type RunnerStorage, type ToolRunnerOptions } from 'assent/runner'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { asking, flush, no, recorded, refusedAs, yes } from '../../support/asking.js'
import { createBrowser, quiet, type TabOptions } from '../../support/tabs.js'

afterEach(() => void vi.unstubAllGlobals())

const suspended = (result: ToolResult): PendingRequest => {
  const request = pendingOf(result)
  if (!request) throw new Error(`not suspended: ${result.output}`)
  return request
}
const DONE = { output: 'done', isError: false }
const error = (output: string) => ({ output, isError: true })

/** A runner that asks nobody, in memory. */
const hostless = (options: ToolRunnerOptions = {}) => createToolRunner({ host: false, ...options })

describe('a suspension nobody was asked', () => {
  it('goes on with its answer in the same page, without persist', async () => {
    const tool = asking('t')
    const runner = hostless({ tools: [tool] })
    const request = suspended(await runner.run('t', { a: [1] }))
    expect(await runner.resume(request, yes(request.id, { v: false }))).toEqual(DONE)
    expect(tool.attempts).toEqual([
      { args: { a: [1] }, answer: undefined },
      { args: { a: [1] }, answer: yes(request.id, { v: false }) },
    ])
    expect(runner.getState().runs.map(({ status }) => status)).toEqual(['done'])
  })

  it.each([{ v: false }, { v: 0 }, { v: '' }, {}])('hands %j on as it was given', async (data) => {
    const tool = asking('t', { kind: 'input' })
    const runner = hostless({ tools: [tool] })
    const request = suspended(await runner.run('t'))
    await runner.resume(request, yes(request.id, data))
    expect(tool.attempts[1]?.answer).toEqual({ id: request.id, ok: true, data })
  })

  it('goes on in another process on the same storage, from the request as JSON said it', async () => {
    const browser = createBrowser()
    const options: TabOptions = { host: false, tools: [asking('t', { data: { choices: ['a'] } })] }
    const one = await browser.open(options)
    const request = suspended(await one.runner.run('t', { a: 1 }))
    one.crash()
    const tool = asking('t')
    const two = await browser.open({ host: false, tools: [tool] })
    const parsed: PendingRequest = JSON.parse(JSON.stringify(request))
    expect(await two.runner.resume(parsed, yes(request.id))).toEqual(DONE)
    expect(tool.attempts).toEqual([{ args: { a: 1 }, answer: yes(request.id) }])
    expect(two.results).toEqual([])
    expect(two.runner.getState().runs.map(({ status }) => status)).toEqual(['done'])
  })

  it('is stored before its caller has it', async () => {
    const browser = createBrowser()
    const one = await browser.open({ host: false, tools: [asking('t')] })
    const request = suspended(await one.runner.run('t'))
    expect(await browser.rows()).toMatchObject([{ status: 'pending', tab: '', item: { request } }])
  })

  it('refuses the answer to another request, and runs nothing', async () => {
    const tool = asking('t')
    const runner = hostless({ tools: [tool] })
    const request = suspended(await runner.run('t'))
    expect(await runner.resume(request, yes('other'))).toEqual(error(`the answer is not to request ${request.id}`))
    expect(tool.attempts).toHaveLength(1)
    expect(await runner.resume(request, yes(request.id))).toEqual(DONE)
  })

  it('refuses what is no request or no answer, and never rejects', async () => {
    const runner = hostless({ tools: [asking('t')] })
    const request = suspended(await runner.run('t'))
    const bad: [unknown, unknown][] = [
      [undefined, yes('x')],
      [null, null],
      ['text', yes('x')],
      [{}, yes('x')],
      [request, undefined],
      [request, { id: request.id, ok: 'yes' }],
    ]
    for (const [asked, answer] of bad) {
      const result = await runner.resume(asked as PendingRequest, answer as Answer)
      expect([result.isError, pendingOf(result)]).toEqual([true, undefined])
    }
    expect(await runner.resume(request, yes(request.id))).toEqual(DONE)
  })

  it('refuses a request that was written to since', async () => {
    const tool = asking('t')
    const runner = hostless({ tools: [tool] })
    const request = suspended(await runner.run('t'))
    const forged = { ...request, prompt: 'Something else?' }
    expect((await runner.resume(forged, yes(request.id))).isError).toBe(true)
    expect(tool.attempts).toHaveLength(1)
  })

  it('says that a second answer came too late', async () => {
    const tool = asking('t')
    const runner = hostless({ tools: [tool] })
    const request = suspended(await runner.run('t'))
    await runner.resume(request, yes(request.id))
    expect(await runner.resume(request, yes(request.id))).toEqual(error('answered already: t?'))
    expect(tool.attempts).toHaveLength(2)
  })

  it('goes on once for ten answers in the same instant (K1)', async () => {
    const tool = asking('t')
    const runner = hostless({ tools: [tool] })
    const request = suspended(await runner.run('t'))
    const results = await Promise.all(Array.from({ length: 10 }, () => runner.resume(request, yes(request.id))))
    expect(results.filter(({ isError }) => !isError)).toEqual([DONE])
    expect(tool.attempts).toHaveLength(2)
  })

  it('goes on once for answers in two processes in the same instant', async () => {
    const browser = createBrowser()
    const one = await browser.open({ host: false, tools: [asking('t')] })
    const request = suspended(await one.runner.run('t'))
    const tools = [asking('t'), asking('t')]
    const tabs = [
      await browser.open({ host: false, tools: tools.slice(0, 1) }),
      await browser.open({ host: false, tools: tools.slice(1) }),
    ]
    const results = await Promise.all(tabs.map(({ runner }) => runner.resume(request, yes(request.id))))
    expect(results.filter(({ isError }) => !isError)).toEqual([DONE])
    expect(tools.flatMap(({ attempts }) => attempts)).toHaveLength(1)
  })

  it('is unknown where it was never suspended', async () => {
    const runner = hostless({ tools: [asking('t')] })
    const request = { id: 'x', kind: 'approval', prompt: 'Never asked?' }
    expect(await runner.resume(request, yes('x'))).toEqual(error('no such suspension: Never asked?'))
  })

  it('is not used up while its tool is missing, or another one', async () => {
    const browser = createBrowser()
    const one = await browser.open({ host: false, tools: [asking('t')] })
    const request = suspended(await one.runner.run('t'))
    const two = await browser.open({ host: false })
    expect(await two.runner.resume(request, yes(request.id))).toEqual(error('Unknown tool: t'))
    const remove = two.runner.register(asking('t', {}, { description: 'another' }))
    expect(await two.runner.resume(request, yes(request.id))).toEqual(error('Unknown tool: t'))
    remove()
    const tool = asking('t')
    two.runner.register(tool)
    expect(await two.runner.resume(request, yes(request.id))).toEqual(DONE)
    expect(tool.attempts).toHaveLength(1)
  })

  it('ends with a refusal, and the tool does not run (K4)', async () => {
    const tool = asking('t')
    const runner = hostless({ tools: [tool] })
    const request = suspended(await runner.run('t'))
    expect(await runner.resume(request, no(request.id))).toEqual(refusedAs('t?'))
    expect(await runner.resume(request, yes(request.id))).toEqual(error('answered already: t?'))
    expect(tool.attempts).toHaveLength(1)
  })

  it('lets a tool that wants to hear it hear a refusal', async () => {
    const tool = asking('t', {}, { onRefusal: 'retry' })
    const runner = hostless({ tools: [tool] })
    const request = suspended(await runner.run('t'))
    expect(await runner.resume(request, no(request.id))).toEqual(DONE)
    expect(tool.attempts[1]?.answer).toEqual(no(request.id))
  })

  it('does not go on once it has expired (K10)', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const tool = asking('t', { expiresAt: new Date(Date.now() + 1000).toISOString() })
    const runner = hostless({ tools: [tool] })
    const request = suspended(await runner.run('t'))
    vi.setSystemTime(Date.now() + 1000)
    expect(await runner.resume(request, yes(request.id))).toEqual(refusedAs('t?', 'expired'))
    expect(tool.attempts).toHaveLength(1)
    vi.useRealTimers()
  })
})

describe('a gate nobody was asked', () => {
  it('goes on with its answer, which is the approval and never the answer (5.10)', async () => {
    const seen: unknown[] = []
    const tool = recorded('t', (args, ctx) => [seen.push([args, ctx.approval?.ok, ctx.answer]), 'ran'][1], {
      needsApproval: true,
    })
    const runner = hostless({ tools: [tool] })
    const request = suspended(await runner.run('t', { a: 1 }))
    expect(await runner.resume(request, yes(request.id))).toEqual({ output: 'ran', isError: false })
    expect(seen).toEqual([[{ a: 1 }, true, undefined]])
  })

  it('runs the edited arguments, where edits were offered', async () => {
    const tool = recorded('t', () => 'ran', { needsApproval: true, decisions: ['approve', 'edit'] })
    const runner = hostless({ tools: [tool] })
    const request = suspended(await runner.run('t', { a: 1 }))
    await runner.resume(request, yes(request.id, { args: { a: 2 } }))
    expect(tool.attempts.map(({ args }) => args)).toEqual([{ a: 2 }])
  })

  it('asks its tool’s own question next, which goes on from the edited arguments', async () => {
    const tool = asking('t', {}, { needsApproval: true, decisions: ['approve', 'edit'] })
    const runner = hostless({ tools: [tool] })
    const gate = suspended(await runner.run('t', { a: 1 }))
    const own = suspended(await runner.resume(gate, yes(gate.id, { args: { a: 2 } })))
    expect(own.prompt).toBe('t?')
    expect(await runner.resume(own, yes(own.id))).toEqual(DONE)
    expect(tool.attempts.map(({ args }) => args)).toEqual([{ a: 2 }, { a: 2 }])
  })

  it('runs nothing after a refusal', async () => {
    const tool = recorded('t', () => 'ran', { needsApproval: true })
    const runner = hostless({ tools: [tool] })
    const request = suspended(await runner.run('t'))
    expect(await runner.resume(request, no(request.id))).toEqual(refusedAs('Allow t?'))
    expect(tool.attempts).toHaveLength(0)
  })

  it('runs nothing after a refusal where the gate would not ask any more', async () => {
    let asks = true
    const tool = recorded('t', () => 'ran', { needsApproval: () => asks })
    const runner = hostless({ tools: [tool] })
    const request = suspended(await runner.run('t'))
    asks = false
    expect(await runner.resume(request, no(request.id))).toEqual(refusedAs('Allow t?'))
    expect(tool.attempts).toHaveLength(0)
  })
})

describe('a tool that asks again when it is resumed', () => {
  const always = (rest = {}) =>
    recorded('t', (_args, _ctx, attempt) => pending({ kind: 'input', prompt: `${attempt}?` }), rest)

  it('is at its limit, and says so with its first question (2.2)', async () => {
    const tool = always()
    const runner = hostless({ tools: [tool] })
    const request = suspended(await runner.run('t'))
    expect(await runner.resume(request, yes(request.id))).toEqual(error('unresolved: 1?'))
    expect(tool.attempts).toHaveLength(2)
  })

  it('is suspended again where it may ask twice, and has both answers in order', async () => {
    const seen: unknown[] = []
    const tool = recorded(
      't',
      (_args, ctx, attempt) => {
        seen.push(ctx.answers?.map(({ data }) => data?.v))
        return attempt < 3 ? pending({ kind: 'input', prompt: `${attempt}?` }) : 'done'
      },
      { maxQuestions: 2 },
    )
    const runner = hostless({ tools: [tool] })
    const first = suspended(await runner.run('t'))
    const second = suspended(await runner.resume(first, yes(first.id, { v: 'a' })))
    expect(await runner.resume(second, yes(second.id, { v: 'b' }))).toEqual(DONE)
    expect(seen).toEqual([undefined, ['a'], ['a', 'b']])
  })

  it('asks no third question where it may ask two', async () => {
    const runner = hostless({ tools: [always({ maxQuestions: 2 })] })
    const first = suspended(await runner.run('t'))
    const second = suspended(await runner.resume(first, yes(first.id)))
    expect((await runner.resume(second, yes(second.id))).output).toMatch(/^unresolved: /)
  })
})

describe('resuming', () => {
  it('is over with the runner', async () => {
    const runner = hostless({ tools: [asking('t')] })
    const request = suspended(await runner.run('t'))
    const started = runner.resume(request, yes(request.id))
    runner.dispose()
    expect(await started).toEqual(error('cancelled'))
    expect(await runner.resume(request, yes(request.id))).toEqual(error('cancelled'))
  })

  it('survives the crash between the answer and the run: nobody runs it again', async () => {
    const browser = createBrowser()
    const one = await browser.open({ host: false, tools: [asking('t')] })
    const request = suspended(await one.runner.run('t'))
    one.onStep = ({ method, phase }) => method === 'claim' && phase === 'after' && one.crash()
    void one.runner.resume(request, yes(request.id))
    await quiet()
    const tool = asking('t')
    const two = await browser.open({ host: false, tools: [tool] })
    await flush()
    expect(await two.runner.resume(request, yes(request.id))).toEqual(error('answered already: t?'))
    expect(two.results).toMatchObject([{ status: 'interrupted' }])
    expect(tool.attempts).toHaveLength(0)
  })

  it('resumes the calls of one turn each with its own answer', async () => {
    const tools = ['a', 'b'].map((name) => asking(name))
    const runner = hostless({ tools })
    const requests = (await runner.runAll([{ name: 'a' }, { name: 'b' }])).map(suspended)
    const [a, b] = requests
    if (!a || !b) throw new Error('two suspensions')
    expect(await Promise.all([runner.resume(b, no(b.id)), runner.resume(a, yes(a.id))])).toEqual([
      refusedAs('b?'),
      DONE,
    ])
    expect(tools.map(({ attempts }) => attempts.length)).toEqual([2, 1])
  })

  it('keeps no more than a limit of what is over, also in memory', async () => {
    const path = '../../../src/store/persist/memory-storage.js'
    const storages: RunnerStorage[] = []
    vi.doMock(path, async (original) => {
      const { createMemoryStorage } = await original<typeof import('../../../src/store/persist/memory-storage.js')>()
      return {
        createMemoryStorage() {
          const storage = createMemoryStorage()
          storages.push(storage)
          return storage
        },
      }
    })
    vi.resetModules()
    const fresh = await import('assent/runner')
    const runner = fresh.createToolRunner({ host: false, tools: [asking('t')] })
    for (let n = 0; n < 260; n++) {
      const request = suspended(await runner.run('t'))
      await runner.resume(request, yes(request.id))
    }
    expect(storages).toHaveLength(1)
    await vi.waitFor(async () => expect((await storages[0]?.all())?.length).toBeLessThanOrEqual(250))
    vi.doUnmock(path)
    vi.resetModules()
    // Each resume reads every row: some seconds on a busy machine.
  }, 60_000)

  it('takes two suspensions that are alike one after another, each once (K30)', async () => {
    const tool = asking('t', { id: 'same' })
    const runner = hostless({ tools: [tool] })
    const one = suspended(await runner.run('t', { n: 1 }))
    const two = suspended(await runner.run('t', { n: 2 }))
    const results = [await runner.resume(one, yes('same')), await runner.resume(two, yes('same'))]
    expect(results).toEqual([DONE, DONE])
    expect(tool.attempts.slice(2).map(({ args }) => args.n)).toEqual([1, 2])
  })
})
