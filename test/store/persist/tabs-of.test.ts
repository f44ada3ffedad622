// @vitest-environment node
import { pending } from 'assent/core'
import { createToolRunner, type StoredRow } from 'assent/runner'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTabs } from '../../../src/store/persist/tabs.js'
import { asking, no, recorded, refusedAs, yes } from '../../support/asking.js'
import { createBrowser, openIds, quiet, statuses, type Tab } from '../../support/tabs.js'

const DONE = { output: 'done', isError: false }
const error = (output: string) => ({ output, isError: true })

const unhandled = vi.fn()
beforeEach(() => {
  process.on('unhandledRejection', unhandled)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  await quiet(2)
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
  unhandled.mockClear()
})

/** Seconds pass, and what they set off is done. */
const pass = async (seconds: number): Promise<void> => {
  for (let quarter = 0; quarter < seconds * 4; quarter++) {
    await vi.advanceTimersByTimeAsync(250)
    await quiet(4)
  }
}
const answerHead = ({ runner }: Tab, ok: boolean, data?: Record<string, unknown>): boolean => {
  const item = runner.head()
  if (!item) throw new Error('no question')
  const { id } = item.request
  return runner.answer(item.key, ok ? yes(id, data) : no(id))
}
const request = (id: string) => ({ id, kind: 'approval', prompt: `${id}?` })

/** Tabs with the same tool, which counts over all of them. */
const tabsOf = async (count: number, options: Parameters<typeof createBrowser>[0] = {}, rest = {}) => {
  const browser = createBrowser(options)
  const tool = asking('t', {}, rest)
  const tabs: Tab[] = []
  for (let n = 0; n < count; n++) tabs.push(await browser.open({ tools: [tool] }))
  const [owner, other] = tabs
  if (!owner || !other) throw new Error('two tabs')
  const ran = () => tool.attempts.filter(({ answer }) => answer?.ok).length
  return { browser, tool, tabs, owner, other, ran }
}

describe.each([true, false])('a question in several tabs (Web Locks: %s)', (locks) => {
  it('is open in all of them, and marked where it was not asked', async () => {
    const { tabs, owner } = await tabsOf(3, { locks })
    void owner.runner.run('t', { a: 1 })
    await pass(3)
    expect(tabs.map((tab) => tab.runner.head()?.restored === undefined)).toEqual([true, false, false])
    const items = tabs.map((tab) => tab.runner.head())
    expect(items.map((item) => item?.request)).toEqual(Array(3).fill(items[0]?.request))
    expect(items.map((item) => item?.args)).toEqual(Array(3).fill({ a: 1 }))
  })

  it('is open in a tab that is opened later', async () => {
    const { browser, owner } = await tabsOf(2, { locks })
    void owner.runner.run('t')
    await pass(1)
    const late = await browser.open({ tools: [asking('t')] })
    await pass(3)
    expect(openIds(late)).toEqual(openIds(owner))
  })

  it('answered where it was asked closes everywhere, and runs there', async () => {
    const { tabs, owner, ran } = await tabsOf(4, { locks })
    const result = owner.runner.run('t')
    await pass(1)
    answerHead(owner, true)
    await pass(1)
    expect([await result, ran(), tabs.map(({ runner }) => runner.count())]).toEqual([DONE, 1, [0, 0, 0, 0]])
    expect(tabs.flatMap(({ results }) => results)).toEqual([])
  })

  it.each([{ v: false }, { v: '' }, undefined])('answered with %j elsewhere runs where it was asked', async (data) => {
    const { tabs, owner, other, ran, tool } = await tabsOf(3, { locks })
    const result = owner.runner.run('t')
    await pass(1)
    expect(answerHead(other, true, data)).toBe(true)
    await pass(3)
    expect([await result, ran(), tabs.map(({ runner }) => runner.count())]).toEqual([DONE, 1, [0, 0, 0]])
    expect(tool.attempts[1]?.answer?.data).toEqual(data)
    expect(tabs.flatMap(({ results }) => results)).toEqual([])
  })

  it('declined elsewhere ends where it was asked, with the reason and the words of it (K34)', async () => {
    const { owner, other, ran, tool } = await tabsOf(2, { locks })
    const result = owner.runner.run('t')
    await pass(1)
    const item = other.runner.head()
    other.runner.answer(item?.key ?? '', { ...no(item?.request.id ?? ''), data: { feedback: 'not today' } })
    await pass(3)
    expect(await result).toEqual(refusedAs('t?', 'declined', { feedback: 'not today' }))
    expect([ran(), tool.attempts.length]).toEqual([0, 1])
  })

  it('of no call is answered to who asked it, from any tab', async () => {
    const { tabs, owner, other } = await tabsOf(3, { locks })
    const answer = owner.runner.waitFor(request('q'))
    await pass(1)
    answerHead(other, true, { v: 0 })
    await pass(3)
    expect([await answer, tabs.map(({ runner }) => runner.count())]).toEqual([yes('q', { v: 0 }), [0, 0, 0]])
    expect(tabs.flatMap(({ answers }) => answers)).toEqual([])
  })

  it('answered in all ten in the same instant has one outcome, runs once and closes everywhere (K26)', async () => {
    const { tabs, owner, ran } = await tabsOf(10, { locks })
    const result = owner.runner.run('t')
    await pass(1)
    for (const tab of tabs) expect(answerHead(tab, true)).toBe(true)
    await pass(5)
    expect([await result, ran(), tabs.map(({ runner }) => runner.count())]).toEqual([DONE, 1, Array(10).fill(0)])
    expect(tabs.flatMap(({ results }) => results)).toEqual([])
  })

  it.each([
    [true, false],
    [false, true],
  ])('answered %s where it was asked and %s elsewhere in the same instant has one of them', async (here, there) => {
    const { tabs, owner, other, ran } = await tabsOf(3, { locks })
    const result = owner.runner.run('t')
    await pass(1)
    answerHead(other, there)
    answerHead(owner, here)
    await pass(5)
    const { output } = await result
    expect(['done', 'declined/expired: t?']).toContain(output)
    expect(ran()).toBe(output === 'done' ? 1 : 0)
    expect(tabs.map(({ runner }) => runner.count())).toEqual([0, 0, 0])
  })

  it('whose tab crashed is answered in another, once, and told there', async () => {
    const { tabs, owner, other, ran } = await tabsOf(3, { locks })
    void owner.runner.run('t')
    await pass(1)
    owner.crash()
    await pass(5)
    answerHead(other, true)
    await pass(5)
    expect([ran(), tabs.slice(1).map(({ runner }) => runner.count())]).toEqual([1, [0, 0]])
    expect(tabs.flatMap(({ results }) => results)).toEqual([{ output: 'done', status: 'done' }])
  })

  it('whose tab crashed is answered in two others in the same instant, once', async () => {
    const { tabs, owner, ran } = await tabsOf(5, { locks })
    void owner.runner.run('t')
    await pass(1)
    owner.crash()
    for (const tab of tabs.slice(1)) answerHead(tab, true)
    await pass(8)
    expect([ran(), tabs.slice(1).map(({ runner }) => runner.count())]).toEqual([1, [0, 0, 0, 0]])
    expect(tabs.flatMap(({ results }) => results)).toHaveLength(1)
  })

  it('whose tab crashes after the answer and before it takes it runs where it was answered', async () => {
    const { tabs, owner, other, ran } = await tabsOf(2, { locks })
    void owner.runner.run('t')
    await pass(1)
    other.onStep = ({ method, phase }) => method === 'claim' && phase === 'after' && owner.crash()
    answerHead(other, true)
    await pass(5)
    expect([ran(), other.runner.count()]).toEqual([1, 0])
    expect(tabs.flatMap(({ results }) => results)).toEqual([{ output: 'done', status: 'done' }])
  })

  it('whose tab was disposed of is answered in another', async () => {
    const { owner, other, ran } = await tabsOf(2, { locks })
    const result = owner.runner.run('t')
    await pass(1)
    owner.runner.dispose()
    expect(await result).toEqual(error('cancelled'))
    await pass(5)
    answerHead(other, true)
    await pass(5)
    expect([ran(), other.results]).toEqual([1, [{ output: 'done', status: 'done' }]])
  })

  it('whose tab froze runs once where it was answered, and closes there when it wakes', async () => {
    const { tabs, owner, other, ran } = await tabsOf(3, { locks })
    const result = owner.runner.run('t')
    await pass(1)
    owner.freeze()
    answerHead(other, true)
    await pass(8)
    expect([ran(), other.results]).toEqual([1, [{ output: 'done', status: 'done' }]])
    owner.thaw()
    await pass(5)
    expect([ran(), tabs.map(({ runner }) => runner.count())]).toEqual([1, [0, 0, 0]])
    expect(await result).toEqual(DONE)
    expect(tabs.flatMap(({ results }) => results)).toHaveLength(1)
  })

  it('of no call whose tab froze closes there when it wakes, and its promise settles', async () => {
    const { tabs, owner, other } = await tabsOf(2, { locks })
    const settled = vi.fn()
    void owner.runner.waitFor(request('q')).then(settled)
    await pass(1)
    owner.freeze()
    answerHead(other, true)
    await pass(8)
    owner.thaw()
    await pass(5)
    expect(tabs.map(({ runner }) => runner.count())).toEqual([0, 0])
    expect(settled).toHaveBeenCalledOnce()
  })

  it('whose tab froze and was answered there too before it woke runs once', async () => {
    const { tabs, owner, other, ran } = await tabsOf(2, { locks })
    const result = owner.runner.run('t')
    await pass(1)
    owner.freeze()
    answerHead(other, true)
    answerHead(owner, true)
    await pass(8)
    owner.thaw()
    await pass(5)
    expect([ran(), await result, tabs.map(({ runner }) => runner.count())]).toEqual([1, DONE, [0, 0]])
  })

  it.each([true, false])(
    'whose answering tab crashes before it hands its answer over goes by what is said where it was asked (%s)',
    async (ok) => {
      const { browser, tabs, owner, other, ran } = await tabsOf(3, { locks })
      const result = owner.runner.run('t')
      const answer = owner.runner.waitFor(request('q'))
      await pass(1)
      other.onStep = ({ method, phase }) => method === 'claim' && phase === 'after' && other.crash()
      for (const item of other.runner.getState().pending) other.runner.answer(item.key, yes(item.request.id))
      await quiet()
      for (const item of owner.runner.getState().pending) {
        owner.runner.answer(item.key, ok ? yes(item.request.id) : no(item.request.id))
      }
      await pass(10)
      expect(ran()).toBe(ok ? 1 : 0)
      expect(await result).toEqual(ok ? DONE : refusedAs('t?'))
      expect(await answer).toEqual(ok ? yes('q') : no('q'))
      expect(tabs.filter((tab) => !tab.isDead()).map(({ runner }) => runner.count())).toEqual([0, 0])
      expect((await browser.rows()).filter(({ status }) => status !== 'done')).toEqual([])
    },
  )

  it('whose tabs all crash after the answer and before anybody took it is shown again', async () => {
    const { browser, owner, other, tool, ran } = await tabsOf(2, { locks })
    void owner.runner.run('t')
    await pass(1)
    other.onStep = ({ method, phase }) => {
      if (method !== 'claim' || phase !== 'after') return
      owner.crash()
      other.crash()
    }
    answerHead(other, true)
    await pass(1)
    expect((await browser.rows()).map(({ status }) => status)).toEqual(['answered'])
    const next = await browser.open({ tools: [tool] })
    await pass(8)
    expect([openIds(next).length, ran()]).toEqual([1, 0])
    answerHead(next, true)
    await pass(5)
    expect([ran(), next.results]).toEqual([1, [{ output: 'done', status: 'done' }]])
  })

  it('aborted where it was asked closes everywhere and comes back nowhere', async () => {
    const { browser, tabs, owner, ran } = await tabsOf(3, { locks })
    const result = owner.runner.run('t')
    await pass(1)
    owner.runner.abort()
    await pass(3)
    expect([await result, tabs.map(({ runner }) => runner.count())]).toEqual([error('cancelled'), [0, 0, 0]])
    const late = await browser.open()
    await pass(3)
    expect([late.runner.count(), ran()]).toEqual([0, 0])
  })

  it('aborted as soon as it is asked is open nowhere', async () => {
    for (let turns = 0; turns < 40; turns++) {
      const { tabs, owner, other } = await tabsOf(2, { locks })
      const result = owner.runner.run('t')
      void other.runner.waitFor(request('q'))
      for (let turn = 0; turn < turns; turn++) await null
      owner.runner.abort(owner.runner.getState().runs[0]?.id)
      await pass(3)
      expect([await result, tabs.map(openIds)]).toEqual([error('cancelled'), [['q'], ['q']]])
      for (const { runner } of tabs) runner.dispose()
    }
  }, 30_000)

  it('is aborted from another tab by run id and by toolCallId', async () => {
    const { tabs, owner, other, ran } = await tabsOf(2, { locks })
    for (const by of ['id', 'toolCallId'] as const) {
      const result = owner.runner.run('t', {}, { toolCallId: `call-${by}` })
      await pass(1)
      const record = other.runner.getState().runs.at(-1)
      other.runner.abort(record?.[by])
      await pass(5)
      expect([await result, tabs.map(({ runner }) => runner.count())]).toEqual([error('cancelled'), [0, 0]])
    }
    expect([ran(), tabs.flatMap(({ results }) => results)]).toEqual([0, []])
  })

  it('that only its own tab can go on with is left alone by others', async () => {
    const browser = createBrowser({ locks })
    const tool = asking('t')
    const redact = (row: StoredRow): StoredRow => ({ ...row, ...(row.call && { call: { ...row.call, args: {} } }) })
    const persist = { redact }
    const one = await browser.open({ tools: [tool], persist })
    const result = one.runner.run('t', { token: 'x' })
    await pass(1)
    const two = await browser.open({ tools: [tool], persist })
    await pass(5)
    expect([one.runner.count(), two.runner.count(), two.results]).toEqual([1, 0, []])
    answerHead(one, true)
    await pass(1)
    expect([await result, tool.attempts.length]).toEqual([DONE, 2])
  })

  it('in a tab without its tool can only be closed there, and still be answered where it was asked', async () => {
    const browser = createBrowser({ locks })
    const one = await browser.open({ tools: [asking('t')] })
    const two = await browser.open()
    const result = one.runner.run('t')
    await pass(3)
    expect(answerHead(two, true)).toBe(false)
    expect([one.runner.count(), two.runner.count()]).toEqual([1, 1])
    answerHead(one, true)
    await pass(1)
    expect([await result, two.runner.count()]).toEqual([DONE, 0])
  })
})

describe.each(['own ids', 'the same id'])('a tool that asks two questions with %s', (ids) => {
  /** Its first question is of the first step, its second of the second. */
  const steps = (seen: unknown[]) =>
    recorded(
      't',
      (_args, ctx) => {
        const count = ctx.answers?.length ?? 0
        seen.push(ctx.answer?.data?.step)
        if (count === 2) return 'done'
        return pending({ kind: 'approval', prompt: `step ${count + 1}?`, ...(ids === 'the same id' && { id: 'same' }) })
      },
      { maxQuestions: 2 },
    )

  it('shows the second one in every tab once the first is answered', async () => {
    const browser = createBrowser()
    const seen: unknown[] = []
    const tool = steps(seen)
    const one = await browser.open({ tools: [tool], persist: { keepAnswers: true } })
    const two = await browser.open({ tools: [tool], persist: { keepAnswers: true } })
    void one.runner.run('t')
    await pass(1)
    answerHead(one, true, { step: 1 })
    await pass(1)
    expect([one, two].map(({ runner }) => runner.getState().pending.map((item) => item.request.prompt))).toEqual([
      ['step 2?'],
      ['step 2?'],
    ])
  })

  it('takes an answer to the first one for no answer to the second (K3, K20)', async () => {
    const browser = createBrowser()
    const seen: unknown[] = []
    const tool = steps(seen)
    const one = await browser.open({ tools: [tool] })
    const two = await browser.open({ tools: [tool] })
    const result = one.runner.run('t')
    await pass(1)
    // The other tab has not heard of it yet: it still shows the first question, and its person says yes to that.
    two.freeze()
    answerHead(one, true, { step: 1 })
    await pass(1)
    expect(two.runner.head()?.request.prompt).toBe('step 1?')
    answerHead(two, true, { step: 'late 1' })
    two.thaw()
    await pass(8)
    expect(seen).toEqual([undefined, 1])
    expect(one.runner.head()?.request.prompt).toBe('step 2?')
    answerHead(one, true, { step: 2 })
    await pass(3)
    expect([(await result).output, seen, two.runner.count()]).toEqual(['done', [undefined, 1, 2], 0])
  })
})

describe('tabs without Web Locks', () => {
  it('do not wait for each row of a tab that is gone', async () => {
    const browser = createBrowser({ locks: false })
    const stuck = recorded('stuck', () => new Promise(() => {}))
    const one = await browser.open({ tools: [stuck, asking('t')] })
    for (let n = 0; n < 10; n++) void one.runner.run('stuck')
    await quiet()
    vi.setSystemTime(Date.now() + 1)
    void one.runner.run('t')
    await quiet()
    one.crash()
    const two = await browser.open({ tools: [asking('t')] })
    await pass(5)
    expect(openIds(two)).toHaveLength(1)
    expect(statuses(two).filter((status) => status === 'interrupted')).toHaveLength(10)
  })

  it('and without channels leave the running calls of another tab alone, or nobody hears its end', async () => {
    const browser = createBrowser({ locks: false, channel: false })
    let finish = (_value: string): void => {}
    const slow = recorded('slow', () => new Promise<string>((resolve) => (finish = resolve)))
    const one = await browser.open({ tools: [slow] })
    const result = one.runner.run('slow')
    await quiet()
    const two = await browser.open({ tools: [slow] })
    await pass(5)
    finish('fine')
    expect(await result).toEqual({ output: 'fine', isError: false })
    await pass(1)
    expect([slow.attempts.length, (await browser.rows()).map(({ outcome }) => outcome)]).toEqual([1, ['done']])
    expect(two.results.length).toBeLessThanOrEqual(1)
  })
})

describe('what is read of the storage', () => {
  it('does not wait for a call that goes on from a kept answer: other questions are shown meanwhile', async () => {
    const persist = { keepAnswers: true }
    const browser = createBrowser()
    const make = () => [asking('t'), recorded('u', (_args, ctx) => (ctx.answer ? 'u' : pending(request('u'))))]
    const one = await browser.open({ tools: make(), persist })
    const two = await browser.open({ tools: make(), persist })
    void one.runner.run('t')
    await pass(1)
    void one.runner.run('u')
    await pass(1)
    two.onStep = ({ method, phase }) => {
      if (method !== 'claim' || phase !== 'after') return
      one.crash()
      two.crash()
    }
    const asked = two.runner.getState().pending.find(({ toolName }) => toolName === 't')
    two.runner.answer(asked?.key ?? '', yes(asked?.request.id ?? ''))
    await pass(1)
    let finish = (_value: string): void => {}
    const slow = recorded('t', () => new Promise<string>((resolve) => (finish = resolve)))
    const three = await browser.open({ tools: [slow, ...make().slice(1)], persist })
    await pass(5)
    expect([slow.attempts.length, openIds(three)]).toEqual([1, ['u']])
    finish('done')
    await pass(1)
    expect(three.results).toEqual([{ output: 'done', status: 'done' }])
  })
})

describe('the record of a call', () => {
  it('that has ended is not said to run again by an older row', async () => {
    for (let turns = 0; turns < 30; turns++) {
      const { tabs, owner, other } = await tabsOf(2)
      void owner.runner.run('t')
      await quiet()
      answerHead(owner, true)
      for (let turn = 0; turn < turns; turn++) await null
      void other.runner.waitFor(request('q'))
      await pass(1)
      expect(tabs.map(statuses)).toEqual([['done'], ['done']])
      for (const { runner } of tabs) runner.dispose()
    }
  }, 30_000)
})

describe('two runners of one page', () => {
  it('show each other’s questions, and the one that asked runs', async () => {
    const browser = createBrowser()
    const tool = asking('t')
    const one = await browser.open({ tools: [tool], isFresh: false })
    const two = await browser.open({ tools: [tool], isFresh: false })
    const result = one.runner.run('t')
    await pass(1)
    answerHead(two, true)
    await pass(3)
    expect([await result, tool.attempts.length, one.runner.count()]).toEqual([DONE, 2, 0])
  })

  it('with other names do not know of each other', async () => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [asking('t')] })
    const two = createToolRunner({ persist: { name: 'other', storage: createBrowser().storage } })
    void one.runner.run('t')
    await pass(1)
    expect(two.count()).toBe(0)
    two.dispose()
  })
})

describe('a word from another tab', () => {
  it('that is none of ours changes nothing', async () => {
    const { browser, owner, ran } = await tabsOf(2)
    void owner.runner.run('t')
    await pass(1)
    const id = owner.runner.getState().runs[0]?.id
    const words = [null, 'changed', 1, [], {}, { type: 'answer' }, { type: 'abort' }]
    const answers = ['x', undefined, owner.runner.head()?.request.id].map((to) => ({ id: to, ok: true }))
    for (const data of [...words, ...answers.map((answer) => ({ type: 'answer', id, to: 'nobody', answer }))]) {
      for (const channel of browser.channels) channel.onmessage?.({ data })
    }
    await pass(3)
    expect([owner.runner.count(), ran()]).toEqual([1, 0])
  })
})

describe('createTabs', () => {
  it('knows tabs of this page without asking, also when they are closed', async () => {
    vi.stubGlobal('BroadcastChannel', undefined)
    vi.stubGlobal('navigator', {})
    const one = createTabs('x', () => {})
    const two = createTabs('x', () => {})
    await one.ready
    expect(await two.isAlive(one.id)).toBe(true)
    const gone = vi.fn()
    void two.whenGone(one.id, new AbortController().signal).then(gone)
    one.close()
    expect(await two.isAlive(one.id)).toBe(false)
    await pass(3)
    expect(gone).toHaveBeenCalledOnce()
    two.close()
  })

  it('leaves no timer of a question whether a tab lives', async () => {
    vi.stubGlobal('navigator', {})
    const posted: unknown[] = []
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        onmessage = null
        postMessage = (data: unknown) => posted.push(data)
        close() {}
      },
    )
    const one = createTabs('x', () => {})
    const answer = one.isAlive('tab-elsewhere')
    await quiet()
    expect(posted).toEqual([{ type: 'who', tab: 'tab-elsewhere' }])
    one.close()
    expect(await answer).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('takes nobody for dead where locks are refused and nobody can be asked', async () => {
    const manager = {
      request: () => Promise.reject(new DOMException('no', 'SecurityError')),
      query: () => Promise.reject(new DOMException('no', 'SecurityError')),
    }
    vi.stubGlobal('navigator', { locks: manager })
    vi.stubGlobal('BroadcastChannel', undefined)
    const one = createTabs('x', () => {})
    await one.ready
    expect(await one.isAlive('tab-elsewhere')).toBe(true)
    one.close()
  })
})
