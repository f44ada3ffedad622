// @vitest-environment node
import 'fake-indexeddb/auto'
import { type PendingRequest, pending } from 'assent/core'
import { createMemoryStorage, createToolRunner, type RunnerStorage } from 'assent/runner'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { approveHead, asking, no, recorded, refusedAs, yes } from '../../support/asking.js'
import { createBrowser, openIds, quiet, statuses, type Tab } from '../../support/tabs.js'

const unhandled = vi.fn()
beforeEach(() => void process.on('unhandledRejection', unhandled))
afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  await quiet(2)
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
  unhandled.mockClear()
})

const request = (id: string, rest: Partial<PendingRequest> = {}): PendingRequest => ({
  id,
  kind: 'approval',
  prompt: `${id}?`,
  ...rest,
})
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
/** Answers the question shown first. */
const answerHead = ({ runner }: Tab, ok: boolean, data?: Record<string, unknown>): boolean => {
  const item = runner.head()
  if (!item) throw new Error('no question')
  const { id } = item.request
  return runner.answer(item.key, ok ? yes(id, data) : no(id))
}

describe('a question after a reload', () => {
  it('is deep-equal to the one that was asked, in its place, and marked', async () => {
    const asked: PendingRequest[] = [
      request('a', { data: { schema: { type: 'object' }, own: { deep: [null, 0, ''] } } }),
      request('b', { kind: 'authorization', url: 'https://example.com/in?x=1' }),
      request('c', { kind: 'weird', expiresAt: inMs(60_000) }),
    ]
    const browser = createBrowser()
    const one = await browser.open()
    for (const each of asked) void one.runner.waitFor(each)
    await quiet()
    one.crash()
    const two = await browser.open()
    const open = two.runner.getState().pending
    expect(open.map((item) => item.request)).toEqual(asked)
    expect(open.map(({ restored }) => restored)).toEqual(['reload', 'reload', 'reload'])
    expect(open[2]?.expiresAt).toBe(Date.parse(asked[2]?.expiresAt ?? ''))
  })

  it('keeps its place among twenty that were asked in the same millisecond, in IndexedDB too', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const ids = Array.from({ length: 20 }, (_, n) => `q${n}`)
    const one = createToolRunner({ persist: { name: 'order' } })
    await one.restore()
    for (const id of ids) void one.waitFor(request(id))
    await quiet(60)
    one.dispose()
    const two = createToolRunner({ persist: { name: 'order' } })
    await two.restore()
    expect(two.getState().pending.map(({ request: { id } }) => id)).toEqual(ids)
    two.dispose()
  })

  it('comes before one that was asked while the storage was read', async () => {
    const browser = createBrowser()
    const one = await browser.open()
    void one.runner.waitFor(request('old'))
    await quiet()
    one.crash()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1000 })
    const below = browser.storage
    let read = (): void => {}
    const slow: RunnerStorage = {
      ...below,
      all: () => new Promise<void>((resolve) => (read = resolve)).then(() => below.all()),
    }
    const two = createToolRunner({ persist: { storage: slow } })
    const answer = two.waitFor(request('new'))
    await quiet()
    expect(two.getState().pending.map(({ request: { id } }) => id)).toEqual(['new'])
    read()
    await quiet()
    read()
    await quiet()
    expect(two.getState().pending.map(({ request: { id } }) => id)).toEqual(['old', 'new'])
    expect(two.head()?.request.id).toBe('old')
    const added = two.getState().pending[1]
    two.answer(added?.key ?? '', yes('new'))
    expect(await answer).toEqual(yes('new'))
    two.dispose()
  })

  it('keeps a key of its own where its id is open already (K30)', async () => {
    const browser = createBrowser()
    const one = await browser.open()
    void one.runner.waitFor(request('same', { prompt: 'old?' }))
    await quiet()
    one.crash()
    const two = await browser.open()
    const own = two.runner.waitFor(request('same', { prompt: 'mine?' }))
    await quiet()
    const [old, mine] = two.runner.getState().pending
    expect([old, mine].map((item) => item?.request.prompt)).toEqual(['old?', 'mine?'])
    expect(old?.key).not.toBe(mine?.key)
    two.runner.answer(mine?.key ?? '', yes('same', { v: 1 }))
    expect(await own).toEqual(yes('same', { v: 1 }))
    expect([two.runner.getState().pending.map((item) => item.key), two.answers]).toEqual([[old?.key], []])
  })

  it.each([{ v: false }, { v: 0 }, { v: '' }, {}])('hands %j on to its tool as it was given', async (data) => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [asking('t', { kind: 'input' })] })
    void one.runner.run('t', { a: 1 })
    await quiet()
    one.crash()
    const tool = asking('t')
    const two = await browser.open({ tools: [tool] })
    const id = two.runner.head()?.request.id ?? ''
    expect(answerHead(two, true, data)).toBe(true)
    await quiet()
    expect(tool.attempts).toEqual([{ args: { a: 1 }, answer: { id, ok: true, data } }])
    expect(two.results).toEqual([{ output: 'done', status: 'done' }])
    expect(statuses(two)).toEqual(['done'])
  })

  it('gives no second answer, and is not shown again', async () => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [asking('t')] })
    void one.runner.run('t')
    await quiet()
    one.crash()
    const tool = asking('t')
    const two = await browser.open({ tools: [tool] })
    const item = two.runner.head()
    answerHead(two, true)
    expect(two.runner.answer(item?.key ?? '', yes(item?.request.id ?? ''))).toBe(false)
    await quiet()
    two.crash()
    const three = await browser.open({ tools: [tool] })
    expect([openIds(three), tool.attempts.length, statuses(three)]).toEqual([[], 1, ['done']])
  })

  it('ends with a refusal, and its tool does not run (K4)', async () => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [asking('t')] })
    void one.runner.run('t')
    await quiet()
    one.crash()
    const tool = asking('t')
    const two = await browser.open({ tools: [tool] })
    answerHead(two, false)
    await quiet()
    expect(tool.attempts).toHaveLength(0)
    expect(two.results).toEqual([{ output: 'declined/expired: t?', status: 'failed' }])
  })

  it('lets a tool hear a refusal that wants to', async () => {
    const rest = { onRefusal: 'retry' } as const
    const browser = createBrowser()
    const one = await browser.open({ tools: [asking('t', {}, rest)] })
    void one.runner.run('t')
    await quiet()
    one.crash()
    const tool = asking('t', {}, rest)
    const two = await browser.open({ tools: [tool] })
    answerHead(two, false)
    await quiet()
    expect(tool.attempts.map(({ answer }) => answer?.ok)).toEqual([false])
  })

  it('that no call asked tells its answer, once', async () => {
    const browser = createBrowser()
    const one = await browser.open()
    void one.runner.waitFor(request('a'))
    void one.runner.waitFor(request('b'))
    await quiet()
    one.crash()
    const two = await browser.open()
    answerHead(two, true, { v: 1 })
    answerHead(two, false)
    await quiet()
    expect(two.answers).toEqual([
      { id: 'a', ok: true },
      { id: 'b', ok: false },
    ])
    const three = await browser.open()
    expect([openIds(three), three.answers, two.results]).toEqual([[], [], []])
  })

  it('is not shown where nobody is asked, and stays', async () => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [asking('t')] })
    void one.runner.run('t')
    await quiet()
    one.crash()
    const two = await browser.open({ tools: [asking('t')], host: false })
    expect(openIds(two)).toEqual([])
    two.crash()
    const three = await browser.open({ tools: [asking('t')] })
    expect(openIds(three)).toHaveLength(1)
  })

  it('is there when restore() has resolved', async () => {
    const browser = createBrowser()
    const one = await browser.open()
    void one.runner.waitFor(request('a'))
    await quiet()
    one.crash()
    const two = createToolRunner({ persist: { storage: browser.storage } })
    await two.restore()
    expect(two.count()).toBe(1)
    two.dispose()
  })

  it('is shown once, however often the storage is read', async () => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [asking('t')] })
    void one.runner.run('t')
    await quiet()
    one.crash()
    const two = await browser.open({ tools: [asking('t')] })
    await Promise.all([two.runner.restore(), two.runner.restore()])
    expect(two.runner.count()).toBe(1)
  })
})

describe('the gate after a reload', () => {
  const gated = (rest = {}) => recorded('t', () => 'ran', { needsApproval: true, ...rest })
  const reopened = async (tool = gated(), first = gated()) => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [first] })
    void one.runner.run('t', { a: 1 })
    await quiet()
    one.crash()
    return { tool, two: await browser.open({ tools: [tool] }), browser }
  }

  it('runs its tool after a yes, with the approval and no answer (5.10)', async () => {
    const seen: unknown[] = []
    const tool = recorded('t', (args, ctx) => void seen.push([args, ctx.approval?.ok, ctx.answer]), {
      needsApproval: true,
    })
    const { two } = await reopened(tool)
    answerHead(two, true)
    await quiet()
    expect(seen).toEqual([[{ a: 1 }, true, undefined]])
  })

  it('runs the edited arguments', async () => {
    const rest = { decisions: ['approve', 'edit'] as const }
    const { two, tool } = await reopened(gated(rest), gated(rest))
    expect(two.runner.head()?.argsSchema).toBeDefined()
    answerHead(two, true, { args: { a: 2 } })
    await quiet()
    expect(tool.attempts.map(({ args }) => args)).toEqual([{ a: 2 }])
  })

  it('runs nothing after a no, also when the gate would not ask any more (K4)', async () => {
    const { two, tool } = await reopened(gated({ needsApproval: () => false }))
    answerHead(two, false)
    await quiet()
    expect(tool.attempts).toHaveLength(0)
    expect(two.results).toEqual([{ output: 'declined/expired: Allow t?', status: 'failed' }])
  })

  it('runs the edited arguments also when the gate would not ask any more', async () => {
    const rest = { decisions: ['approve', 'edit'] as const }
    const { two, tool } = await reopened(gated({ ...rest, needsApproval: undefined }), gated(rest))
    answerHead(two, true, { args: { a: 2 } })
    await quiet()
    expect(tool.attempts.map(({ args }) => args)).toEqual([{ a: 2 }])
  })

  it('lets the tool ask its own question after it, which is kept in its turn', async () => {
    const browser = createBrowser()
    const make = () => asking('t', {}, { needsApproval: true })
    const one = await browser.open({ tools: [make()] })
    void one.runner.run('t')
    await quiet()
    one.crash()
    const two = await browser.open({ tools: [make()] })
    answerHead(two, true)
    await quiet()
    expect(two.runner.head()?.request.prompt).toBe('t?')
    two.crash()
    const approvals: unknown[] = []
    const last = recorded('t', (_args, ctx) => [approvals.push(ctx.approval?.ok), 'done'][1], { needsApproval: true })
    const three = await browser.open({ tools: [last] })
    answerHead(three, true)
    await quiet()
    expect([three.results, approvals, last.attempts.length]).toEqual([[{ output: 'done', status: 'done' }], [true], 1])
  })

  it('is refused where a rule says no by now', async () => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [gated()] })
    void one.runner.run('t')
    await quiet()
    one.crash()
    const tool = gated()
    const two = await browser.open({ tools: [tool], policy: { rules: [{ tool: 't', decision: 'deny' }] } })
    answerHead(two, true)
    await quiet()
    expect([tool.attempts.length, two.results[0]?.output]).toEqual([0, 'not allowed by policy: t'])
  })
})

describe('a tool that asks twice', () => {
  const twice = (seen: unknown[] = []) =>
    recorded(
      't',
      (_args, ctx) => {
        const answers = ctx.answers?.map(({ data }) => data?.v) ?? []
        seen.push(answers)
        return answers.length < 2 ? pending({ kind: 'input', prompt: `${answers.length + 1}?` }) : `done ${answers}`
      },
      { maxQuestions: 2 },
    )

  it('goes on from its first question after a reload', async () => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [twice()] })
    void one.runner.run('t')
    await quiet()
    one.crash()
    const two = await browser.open({ tools: [twice()] })
    answerHead(two, true, { v: 'a' })
    await quiet()
    answerHead(two, true, { v: 'b' })
    await quiet()
    expect(two.results).toEqual([{ output: 'done a,b', status: 'done' }])
  })

  it('cannot go on from its second where answers are not kept, and says so', async () => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [twice()] })
    void one.runner.run('t')
    await quiet()
    answerHead(one, true, { v: 'a' })
    await quiet()
    expect(openIds(one)).toHaveLength(1)
    one.crash()
    const seen: unknown[] = []
    const two = await browser.open({ tools: [twice(seen)] })
    await quiet()
    expect([openIds(two), statuses(two), two.results.length, seen]).toEqual([[], ['failed'], 1, []])
  })

  it('goes on from its second where they are', async () => {
    const browser = createBrowser()
    const persist = { keepAnswers: true }
    const one = await browser.open({ tools: [twice()], persist })
    void one.runner.run('t')
    await quiet()
    answerHead(one, true, { v: 'a' })
    await quiet()
    one.crash()
    const two = await browser.open({ tools: [twice()], persist })
    answerHead(two, true, { v: 'b' })
    await quiet()
    expect(two.results).toEqual([{ output: 'done a,b', status: 'done' }])
  })

  it.each([true, false])('has the answers of two pages or does not go on (keepAnswers %s)', async (keepAnswers) => {
    const browser = createBrowser()
    const persist = { keepAnswers }
    const one = await browser.open({ tools: [twice()], persist })
    void one.runner.run('t')
    await quiet()
    one.crash()
    const two = await browser.open({ tools: [twice()], persist })
    answerHead(two, true, { v: 'a' })
    await quiet()
    two.crash()
    const seen: unknown[] = []
    const three = await browser.open({ tools: [twice(seen)], persist })
    await quiet()
    if (three.runner.head()) answerHead(three, true, { v: 'b' })
    await quiet()
    expect([seen, three.results.map(({ status }) => status)]).toEqual(
      keepAnswers ? [[['a', 'b']], ['done']] : [[], ['failed']],
    )
  })
})

describe('a restored question whose tool', () => {
  const left = async () => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [asking('t', {}, { source: 's', inputSchema: { type: 'object' } })] })
    void one.runner.run('t')
    await quiet()
    one.crash()
    return browser
  }
  const refusesYes = (tab: Tab) => {
    const item = tab.runner.head()
    if (!item) throw new Error('no question')
    expect(tab.runner.isAnswerable(item)).toBe(false)
    expect(answerHead(tab, true)).toBe(false)
    expect(openIds(tab)).toHaveLength(1)
  }

  it('is missing takes no yes and stays', async () => {
    const browser = await left()
    refusesYes(await browser.open())
  })

  it.each([
    ['description', { source: 's', inputSchema: { type: 'object' }, description: 'other' }],
    ['schema', { source: 's', inputSchema: { type: 'object', required: ['x'] } }],
    ['source', { source: 'other', inputSchema: { type: 'object' } }],
  ] as const)('has another %s takes no yes and stays', async (_what, rest) => {
    const browser = await left()
    const tool = asking('t', {}, rest)
    refusesYes(await browser.open({ tools: [tool] }))
    expect(tool.attempts).toHaveLength(0)
  })

  it('is missing takes a no', async () => {
    const browser = await left()
    const two = await browser.open()
    expect(answerHead(two, false)).toBe(true)
    await quiet()
    expect([openIds(two), two.results.length]).toEqual([[], 1])
  })

  it('is registered later can be answered then, and the views hear of it', async () => {
    const browser = await left()
    const two = await browser.open()
    refusesYes(two)
    const told = vi.fn()
    two.runner.subscribe(told)
    const tool = asking('t', {}, { source: 's', inputSchema: { type: 'object' } })
    two.runner.register(tool)
    const item = two.runner.head()
    expect(item && two.runner.isAnswerable(item)).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(told).toHaveBeenCalled()
    expect(answerHead(two, true)).toBe(true)
    await quiet()
    expect([tool.attempts.length, two.results.length]).toEqual([1, 1])
  })

  it('is missing is not answered by what somebody remembers for another', async () => {
    const browser = createBrowser()
    const make = () => asking('t', { id: 'q' })
    const options = { policy: { remember: true } }
    const one = await browser.open({ ...options, tools: [make()] })
    void one.runner.run('t', { a: 1 })
    await quiet()
    one.crash()
    const tool = asking('t', {}, { description: 'other' })
    const two = await browser.open({ ...options, tools: [tool] })
    const [old] = two.runner.getState().pending
    void two.runner.run('t', { a: 1 })
    await quiet()
    const own = two.runner.getState().pending.find(({ key }) => key !== old?.key)
    two.runner.answer(own?.key ?? '', yes(own?.request.id ?? ''), { remember: { for: 'tool', until: 'session' } })
    await quiet()
    expect(two.runner.getState().pending.map(({ key }) => key)).toEqual([old?.key])
  })
})

describe('what is remembered', () => {
  it('does not answer restored questions that nobody has seen', async () => {
    const items = new Map<string, string>()
    const storage = {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
    }
    const policy = { remember: true, storage }
    const make = () => recorded('t', () => 'ran', { needsApproval: true })
    const browser = createBrowser()
    const one = await browser.open({ tools: [make()] })
    void one.runner.run('t')
    await quiet()
    one.crash()
    const other = createToolRunner({ tools: [make()], policy })
    void other.run('t')
    await quiet()
    const asked = other.head()
    other.answer(asked?.key ?? '', yes(asked?.request.id ?? ''), { remember: { for: 'tool', until: 'always' } })
    expect(other.permissions()).toHaveLength(1)
    const tool = make()
    const two = await browser.open({ tools: [tool], policy })
    await quiet()
    expect([openIds(two).length, tool.attempts.length]).toEqual([1, 0])
  })
})

describe('persist: true', () => {
  it('keeps questions and calls in IndexedDB under the name `assent`', async () => {
    const tool = asking('t', {}, { needsApproval: true })
    const one = createToolRunner({ tools: [asking('t', {}, { needsApproval: true })], persist: true })
    await one.restore()
    const alone = one.waitFor(request('alone'))
    void one.run('t', { a: 1 })
    await quiet(60)
    one.dispose()
    expect(await alone).toEqual(no('alone', 'cancelled'))
    const databases = (await indexedDB.databases()).map(({ name }) => name)
    expect(databases).toContain('assent-assent')
    const results: unknown[] = []
    const two = createToolRunner({ tools: [tool], persist: true, onResult: ({ output }) => results.push(output) })
    await two.restore()
    expect(two.getState().pending.map((item) => item.request.prompt)).toEqual(['alone?', 'Allow t?'])
    for (let turn = 0; turn < 3; turn++) {
      approveHead(two)
      await quiet(60)
    }
    expect([results, tool.attempts.length, two.count()]).toEqual([['done'], 2, 0])
    two.dispose()
  })

  it('goes on in memory where there is no IndexedDB, and says so once', async () => {
    vi.stubGlobal('indexedDB', undefined)
    const onProblem = vi.fn()
    const runner = createToolRunner({ tools: [asking('t')], persist: { name: 'none', onProblem } })
    await runner.restore()
    const result = runner.run('t')
    await quiet()
    approveHead(runner)
    expect(await result).toEqual({ output: 'done', isError: false })
    expect(onProblem.mock.calls.map(([{ kind }]) => kind)).toEqual(['open'])
    runner.dispose()
  })
})

describe('a question that expired while its page was gone', () => {
  const away = async (options = {}) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const browser = createBrowser()
    const one = await browser.open({ tools: [asking('t', { expiresAt: inMs(1000) })] })
    void one.runner.run('t')
    void one.runner.waitFor(request('alone', { expiresAt: inMs(1000) }))
    await quiet()
    one.crash()
    vi.setSystemTime(Date.now() + 1000)
    const seen = vi.fn()
    const tool = asking('t')
    const two = await browser.open({ tools: [tool], ...options })
    two.runner.subscribe(() => seen(two.runner.count()))
    await quiet()
    return { browser, two, tool, seen }
  }

  it('is not shown, has expired, and says so once', async () => {
    const { browser, two, tool, seen } = await away()
    expect([two.runner.count(), tool.attempts.length]).toEqual([0, 0])
    expect(seen).not.toHaveBeenCalledWith(1)
    expect(two.results).toEqual([{ output: 'declined/expired: t?', status: 'failed' }])
    const three = await browser.open({ tools: [tool] })
    await quiet()
    expect([three.results, three.runner.count(), statuses(three)]).toEqual([[], 0, ['failed']])
    expect((await browser.rows()).map(({ status }) => status)).toEqual(['done', 'done'])
  })

  it('that no call asked tells that it expired', async () => {
    const { two } = await away()
    expect(two.answers).toEqual([{ id: 'alone', ok: false }])
  })
})

describe('disposing', () => {
  it('leaves what waits as it waits, and its callers cancelled', async () => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [asking('t')] })
    const result = one.runner.run('t')
    const answer = one.runner.waitFor(request('a'))
    await quiet()
    one.runner.dispose()
    expect([(await result).output, await answer]).toEqual(['cancelled', no('a', 'cancelled')])
    await quiet()
    expect((await browser.rows()).map(({ status }) => status)).toEqual(['pending', 'pending'])
    const two = await browser.open({ tools: [asking('t')] })
    expect(two.runner.count()).toBe(2)
    answerHead(two, true)
    answerHead(two, true)
    await quiet()
    expect([two.results, two.answers]).toEqual([[{ output: 'done', status: 'done' }], [{ id: 'a', ok: true }]])
  })

  it('takes no answer any more: what was restored is still there for the next page', async () => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [asking('t')] })
    void one.runner.run('t')
    await quiet()
    one.crash()
    const two = await browser.open({ tools: [asking('t')] })
    two.runner.dispose()
    await quiet()
    expect((await browser.rows()).map(({ status }) => status)).toEqual(['pending'])
  })

  it('runs nothing of what was answered in the moment before', async () => {
    for (let turns = 0; turns < 30; turns++) {
      const browser = createBrowser()
      const one = await browser.open({ tools: [asking('t')], isFresh: false })
      void one.runner.run('t')
      await quiet()
      one.crash()
      const tool = asking('t')
      const two = await browser.open({ tools: [tool], isFresh: false })
      answerHead(two, true)
      for (let turn = 0; turn < turns; turn++) await null
      const ran = tool.attempts.length
      two.runner.dispose()
      await quiet()
      expect(tool.attempts).toHaveLength(ran)
      const three = await browser.open({ tools: [tool], isFresh: false })
      if (three.runner.head()) answerHead(three, true)
      await quiet()
      expect(tool.attempts.length).toBeLessThanOrEqual(1)
      three.runner.dispose()
    }
  })

  it('tells nobody the end of a restored call that only waits for the next page', async () => {
    const browser = createBrowser()
    const make = () => asking('t', {}, { needsApproval: true })
    const one = await browser.open({ tools: [make()] })
    void one.runner.run('t')
    await quiet()
    one.crash()
    const two = await browser.open({ tools: [make()] })
    answerHead(two, true)
    await quiet()
    expect(two.runner.head()?.request.prompt).toBe('t?')
    two.runner.dispose()
    await quiet()
    const three = await browser.open({ tools: [make()] })
    answerHead(three, true)
    await quiet()
    expect([two.results, three.results]).toEqual([[], [{ output: 'done', status: 'done' }]])
  })

  it('leaves no timer, lock or channel (K37)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    for (const locks of [true, false]) {
      const browser = createBrowser({ locks })
      const gone = await browser.open({ tools: [asking('t')] })
      void gone.runner.run('t')
      void gone.runner.waitFor(request('x'))
      await quiet()
      gone.crash()
      const one = await browser.open({ tools: [asking('t')] })
      const two = await browser.open({ tools: [asking('t')] })
      void one.runner.run('t')
      await quiet()
      answerHead(two, true)
      await quiet()
      answerHead(one, true)
      // A frame, after which the views have been told.
      await vi.advanceTimersByTimeAsync(50)
      one.runner.dispose()
      two.runner.dispose()
      // What is left to write is written first.
      await vi.advanceTimersByTimeAsync(1)
      await quiet()
      expect([browser.locks.held.length, browser.locks.waiting.length, browser.channels.size]).toEqual([0, 0, 0])
      expect(vi.getTimerCount()).toBe(0)
    }
  })
})

describe('aborting', () => {
  it('cancels in the storage: nothing comes back', async () => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [asking('t')] })
    const results = [one.runner.run('t'), one.runner.waitFor(request('a'))]
    await quiet()
    one.runner.abort()
    await Promise.all(results)
    await quiet()
    const two = await browser.open({ tools: [asking('t')] })
    expect([two.runner.count(), statuses(two), two.results]).toEqual([0, ['cancelled'], []])
  })

  it('cancels a restored call by its run id', async () => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [asking('t')] })
    void one.runner.run('t')
    await quiet()
    one.crash()
    const tool = asking('t')
    const two = await browser.open({ tools: [tool] })
    two.runner.abort(two.runner.getState().runs[0]?.id)
    await quiet()
    expect([two.runner.count(), tool.attempts.length]).toEqual([0, 0])
    expect(two.results).toEqual([{ output: 'cancelled', status: 'cancelled' }])
  })

  it('cancels a restored call by its toolCallId', async () => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [asking('t')] })
    void one.runner.run('t', {}, { toolCallId: 'call' })
    await quiet()
    one.crash()
    const two = await browser.open({ tools: [asking('t')] })
    two.runner.abort('call')
    await quiet()
    expect([two.runner.count(), (await browser.rows()).map(({ status }) => status)]).toEqual([0, ['done']])
  })
})

describe('records after a reload', () => {
  it('say what ran, how it ended, and what was interrupted', async () => {
    const browser = createBrowser()
    const stuck = recorded('stuck', () => new Promise(() => {}))
    const make = () => [recorded('fine', () => 'ok'), recorded('bad', () => Promise.reject(new Error('no'))), stuck]
    const one = await browser.open({ tools: make() })
    await one.runner.run('fine', { a: 1 })
    await one.runner.run('bad')
    void one.runner.run('stuck')
    await quiet()
    one.crash()
    const two = await browser.open({ tools: make() })
    await quiet()
    const { runs } = two.runner.getState()
    expect(runs.map(({ toolName, status }) => [toolName, status])).toEqual([
      ['fine', 'done'],
      ['bad', 'failed'],
      ['stuck', 'interrupted'],
    ])
    expect(runs[0]).toMatchObject({ args: { a: 1 }, result: { output: 'ok', isError: false } })
    expect(two.results.map(({ status }) => status)).toEqual(['interrupted'])
    const three = await browser.open({ tools: make() })
    await quiet()
    expect([three.results, statuses(three), stuck.attempts.length]).toEqual([[], ['done', 'failed', 'interrupted'], 1])
  })

  it('are kept to a limit', async () => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [recorded('t', () => 'ok')] })
    for (let n = 0; n < 250; n++) await one.runner.run('t')
    await quiet()
    one.crash()
    await browser.open()
    await quiet()
    expect((await browser.rows()).length).toBeLessThanOrEqual(100)
  })
})

describe('a storage', () => {
  type Method = 'all' | 'put' | 'claim' | 'delete'
  const METHODS: Method[] = ['all', 'put', 'claim', 'delete']
  const broken = (methods: readonly Method[], how: () => Promise<never>): RunnerStorage => {
    const below = createMemoryStorage()
    return { ...below, ...Object.fromEntries(methods.map((method) => [method, how])) }
  }
  const fails = async (): Promise<never> => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  const throws = (): never => {
    throw new Error('at once')
  }
  const combos: Method[][] = [...METHODS.map((method) => [method]), ['put', 'delete'], ['put', 'claim'], METHODS]

  for (const [what, how] of [
    ['rejects', fails],
    ['throws', throws],
  ] as const) {
    it.each(combos.map((methods) => [methods.join(', '), methods] as const))(
      `that ${what} at %s is one in memory: yes runs once, no runs nothing, every promise settles`,
      async (_name, methods) => {
        const tool = asking('t')
        const problems: unknown[] = []
        const persist = { storage: broken(methods, how), onProblem: (problem: unknown) => problems.push(problem) }
        const runner = createToolRunner({ tools: [tool], persist })
        await runner.restore()
        const settled: unknown[] = []
        const all = [
          runner.run('t').then((result) => settled.push(result.output)),
          runner.run('t').then((result) => settled.push(result.output)),
          runner.waitFor(request('a')).then((answer) => settled.push(answer.ok)),
          runner.waitFor(request('b')).then((answer) => settled.push(answer.ok)),
        ]
        await quiet()
        expect(runner.count()).toBe(4)
        const [one, two, three, four] = runner.getState().pending
        runner.answer(one?.key ?? '', yes(one?.request.id ?? ''))
        runner.answer(two?.key ?? '', no(two?.request.id ?? ''))
        runner.answer(three?.key ?? '', yes('a'))
        runner.answer(four?.key ?? '', no('b'))
        await quiet(20)
        // A question may be asked once more where nobody knows whose answer was first, not for ever.
        for (let round = 0; round < 3 && runner.count() > 0; round++) {
          for (const item of runner.getState().pending) runner.answer(item.key, no(item.request.id))
          await quiet(20)
        }
        expect([runner.count(), settled.length]).toEqual([0, 4])
        await Promise.all(all)
        expect(tool.attempts.length).toBeLessThanOrEqual(3)
        runner.dispose()
      },
    )
  }

  it('that fails at everything asks nobody twice, and a yes is a yes', async () => {
    const tool = asking('t')
    const runner = createToolRunner({ tools: [tool], persist: { storage: broken(METHODS, fails), onProblem() {} } })
    await runner.restore()
    const result = runner.run('t')
    await quiet()
    approveHead(runner)
    expect(await result).toEqual({ output: 'done', isError: false })
    runner.dispose()
  })

  it('that takes its time changes nothing', async () => {
    const below = createMemoryStorage()
    const late = <T>(value: Promise<T>): Promise<T> => quiet(3).then(() => value)
    const storage: RunnerStorage = {
      all: () => late(below.all()),
      put: (row) => quiet(3).then(() => below.put(row)),
      claim: (...rest) => quiet(3).then(() => below.claim(...rest)),
      delete: (id) => quiet(3).then(() => below.delete(id)),
    }
    const tool = asking('t')
    const runner = createToolRunner({ tools: [tool], persist: { storage } })
    const answer = runner.waitFor(request('a'))
    const result = runner.run('t')
    for (let round = 0; round < 30 && runner.count() < 2; round++) await quiet(1)
    // At once, while what was asked is still on its way to the storage.
    for (const item of runner.getState().pending) runner.answer(item.key, yes(item.request.id))
    expect([await answer, await result]).toEqual([yes('a'), { output: 'done', isError: false }])
    expect(tool.attempts).toHaveLength(2)
    runner.dispose()
  })

  it('that is slower than anybody waits runs nothing twice and says what was decided', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const below = createMemoryStorage()
    const storage: RunnerStorage = {
      ...below,
      claim: (...rest) => new Promise((resolve) => setTimeout(() => resolve(below.claim(...rest)), 7000)),
    }
    const tool = asking('t')
    const runner = createToolRunner({ tools: [tool], persist: { storage, onProblem() {} } })
    await runner.restore()
    const results = [runner.run('t'), runner.run('t')]
    await quiet()
    const [one, two] = runner.getState().pending
    runner.answer(one?.key ?? '', yes(one?.request.id ?? ''))
    runner.answer(two?.key ?? '', no(two?.request.id ?? ''))
    for (let second = 0; second < 30; second++) {
      await vi.advanceTimersByTimeAsync(1000)
      for (const item of runner.getState().pending)
        runner.answer(item.key, item.request.id === one?.request.id ? yes(item.request.id) : no(item.request.id))
    }
    expect(await Promise.all(results)).toEqual([{ output: 'done', isError: false }, refusedAs('t?')])
    expect(tool.attempts).toHaveLength(3)
    runner.dispose()
  })

  it('that is emptied under us wipes no live question, and a yes is a yes (K26)', async () => {
    const browser = createBrowser()
    const tool = asking('t')
    const one = await browser.open({ tools: [tool] })
    const two = await browser.open({ tools: [tool] })
    const result = one.runner.run('t')
    const answer = one.runner.waitFor(request('a'))
    await quiet()
    expect(two.runner.count()).toBe(2)
    for (const { id } of await browser.rows()) await browser.storage.delete(id)
    void two.runner.waitFor(request('other'))
    await quiet()
    expect(openIds(one)).toContain('a')
    answerHead(one, true)
    answerHead(one, true)
    await quiet()
    expect([await result, await answer]).toEqual([{ output: 'done', isError: false }, yes('a')])
    expect(tool.attempts).toHaveLength(2)
  })

  it.each(['{', null, [], 'x'.repeat(6_000_000), { version: 99, id: 'newer' }, { version: 1, id: 'half' }])(
    'with something else in it shows what it can and adds to it (%#)',
    async (value) => {
      const below = createMemoryStorage()
      const storage: RunnerStorage = { ...below, all: async () => [value, ...(await below.all())] }
      const runner = createToolRunner({ tools: [asking('t')], persist: { storage, onProblem() {} } })
      await runner.restore()
      void runner.run('t')
      await quiet()
      expect(runner.count()).toBe(1)
      runner.dispose()
      const next = createToolRunner({ tools: [asking('t')], persist: { storage, onProblem() {} } })
      await next.restore()
      expect(next.count()).toBe(1)
      next.dispose()
    },
  )

  it('holds nothing but plain data: no resolver, no controller, no signal (K29)', async () => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [asking('t', {}, { needsApproval: true })] })
    void one.runner.run('t', { a: 1 }, { signal: new AbortController().signal })
    void one.runner.waitFor(request('a'), { signal: new AbortController().signal })
    await quiet()
    answerHead(one, true)
    await quiet()
    answerHead(one, true)
    await quiet()
    expect(browser.written.length).toBeGreaterThan(4)
    for (const row of browser.written)
      expect(Object.values(row).some((value) => typeof value === 'function')).toBe(false)
    const rows = await browser.rows()
    expect(JSON.parse(JSON.stringify(rows))).toEqual(rows)
  })
})
