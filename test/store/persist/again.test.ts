// @vitest-environment node
import { afterEach, describe, expect, it, vi } from 'vitest'
import { asking, no, recorded, yes } from '../../support/asking.js'
import { createBrowser, openIds, quiet, statuses, type Tab } from '../../support/tabs.js'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const answer = ({ runner }: Tab, ok: boolean, data?: Record<string, unknown>): boolean => {
  const item = runner.head()
  if (!item) throw new Error('no question')
  const { id } = item.request
  return runner.answer(item.key, ok ? yes(id, data) : { ...no(id), ...(data && { data }) })
}

/** A page that went while its tool ran, and the next ones. */
async function interrupted(pages: number, options: Parameters<ReturnType<typeof createBrowser>['open']>[0] = {}) {
  const browser = createBrowser()
  const stuck = recorded('t', () => new Promise(() => {}))
  const first = await browser.open({ ...options, tools: [stuck] })
  void first.runner.run('t', { n: 1, token: 'x' }, { toolCallId: 'call-1' })
  await quiet()
  first.crash()
  const tool = recorded('t', (args) => `did ${args.n} ${args.token}`)
  const tabs: Tab[] = []
  for (let page = 0; page < pages; page++) tabs.push(await browser.open({ ...options, tools: [tool] }))
  await quiet()
  const idOf = ({ runner }: Tab): string => runner.getState().runs[0]?.id ?? ''
  return { browser, tabs, tool, idOf, tab: tabs[0] as Tab }
}

describe('an interrupted call', () => {
  it('runs again from the start under its toolCallId, and its result is told', async () => {
    const { tab, tool, idOf } = await interrupted(1)
    tab.results.length = 0
    expect(await tab.runner.runAgain(idOf(tab))).toBe(true)
    await quiet()
    expect(tab.results).toEqual([{ output: 'did 1 x', status: 'done' }])
    expect(tool.attempts).toEqual([{ args: { n: 1, token: 'x' }, answer: undefined }])
    const [record] = tab.runner.getState().runs
    expect([record?.toolCallId, record?.status, record?.isRestored]).toEqual(['call-1', 'done', true])
  })

  it('runs again in one of two tabs, whoever presses when, and is gone from the other', async () => {
    const { tabs, tool, idOf } = await interrupted(2)
    const ids = tabs.map(idOf)
    const began = await Promise.all(tabs.map(({ runner }, at) => runner.runAgain(ids[at] ?? '')))
    await quiet()
    expect(began.filter(Boolean)).toHaveLength(1)
    expect(tool.attempts).toHaveLength(1)
    for (const [at, { runner }] of tabs.entries()) expect(await runner.runAgain(ids[at] ?? '')).toBe(false)
    expect(tabs.map((tab) => statuses(tab).includes('interrupted'))).toEqual([false, false])
  })

  it('is not run again with arguments that were left out, nor without its tool', async () => {
    const persist = {
      redact: (row: { call?: object | undefined }) =>
        ({ ...row, ...(row.call && { call: { ...row.call, args: { n: 1, token: '•••' } } }) }) as never,
    }
    const { tab, tool, idOf } = await interrupted(1, { persist })
    expect(tab.runner.getState().runs[0]?.isPartial).toBe(true)
    expect([await tab.runner.runAgain(idOf(tab)), tool.attempts.length]).toEqual([false, 0])
    const { browser } = await interrupted(0)
    const bare = await browser.open()
    await quiet()
    expect(await bare.runner.runAgain(idOf(bare))).toBe(false)
    expect(statuses(bare)).toEqual(['interrupted'])
  })

  it('that is put away in one tab is gone in the other, and with the next page', async () => {
    const { browser, tabs, tab, idOf } = await interrupted(2)
    tab.runner.forget(idOf(tab))
    await quiet()
    expect(tabs.map(statuses)).toEqual([[], []])
    const next = await browser.open()
    expect(statuses(next)).toEqual([])
  })
})

describe('a call that is asked for again after a reload', () => {
  async function reloaded() {
    const browser = createBrowser()
    const first = await browser.open({ tools: [asking('t')] })
    void first.runner.run('t', { n: 1 }, { toolCallId: 'call-1' })
    await quiet()
    first.crash()
    const tool = asking('t')
    const tab = await browser.open({ tools: [tool] })
    return { browser, tool, tab }
  }

  it('is the one that waits, and its promise is settled by that one’s end', async () => {
    const { tool, tab } = await reloaded()
    const again = tab.runner.run('t', { n: 1 }, { toolCallId: 'call-1' })
    await quiet()
    expect(openIds(tab)).toHaveLength(1)
    answer(tab, true)
    expect(await again).toEqual({ output: 'done', isError: false })
    expect([tool.attempts.length, tab.results]).toEqual([1, []])
  })

  it('is known also when it is asked for before the storage was read', async () => {
    const { browser, tab: other } = await reloaded()
    other.crash()
    const tool = asking('t')
    const tab = await browser.open({ tools: [tool] })
    const again = tab.runner.run('t', { n: 1 }, { toolCallId: 'call-1' })
    await quiet()
    expect(openIds(tab)).toHaveLength(1)
    answer(tab, false)
    expect((await again).output).toBe('declined/expired: t?')
    expect(tool.attempts).toHaveLength(0)
  })

  it.each([
    ['with other arguments', { n: 2 }, 'call-1'],
    ['under another id', { n: 1 }, 'call-2'],
    ['without one', { n: 1 }, undefined],
  ])('%s is another call', async (_how, args, toolCallId) => {
    const { tab } = await reloaded()
    void tab.runner.run('t', args, { toolCallId })
    await quiet()
    expect(openIds(tab)).toHaveLength(2)
  })

  it('ends its wait with its own signal, and the question stays', async () => {
    const { tab } = await reloaded()
    const controller = new AbortController()
    const again = tab.runner.run('t', { n: 1 }, { toolCallId: 'call-1', signal: controller.signal })
    await quiet()
    controller.abort()
    expect((await again).output).toBe('cancelled')
    expect(openIds(tab)).toHaveLength(1)
  })

  it('leaves its result to onResult when who asked again has given up', async () => {
    const { tab } = await reloaded()
    const controller = new AbortController()
    void tab.runner.run('t', { n: 1 }, { toolCallId: 'call-1', signal: controller.signal })
    await quiet()
    controller.abort()
    answer(tab, true)
    await quiet()
    expect(tab.results).toEqual([{ output: 'done', status: 'done' }])
  })

  it.each(['dispose', 'abort'] as const)('is not begun where the storage is read until after %s', async (how) => {
    const browser = createBrowser()
    const first = await browser.open({ tools: [recorded('t', () => 'ran')] })
    first.runner.dispose()
    const tool = recorded('t', () => 'ran')
    const tab = await browser.open()
    tab.runner.register(tool)
    const result = tab.runner.run('t', {}, { toolCallId: 'call-1' })
    tab.runner[how]()
    expect((await result).output).toBe('cancelled')
    await quiet(60)
    expect(tool.attempts).toHaveLength(0)
  })

  it('is settled when the runner goes, and when the call is answered in another tab', async () => {
    const { browser, tab } = await reloaded()
    const tool = asking('t')
    const other = await browser.open({ tools: [tool] })
    const again = tab.runner.run('t', { n: 1 }, { toolCallId: 'call-1' })
    await quiet()
    answer(other, true)
    expect((await again).output).toBe('done')
    const { tab: lone } = await reloaded()
    const left = lone.runner.run('t', { n: 1 }, { toolCallId: 'call-1' })
    await quiet()
    lone.runner.dispose()
    expect((await left).output).toBe('cancelled')
  })
})

describe('what a person wrote with a no', () => {
  it.each([
    ['the tool’s own question', {}],
    ['the gate', { needsApproval: true }],
  ])('at %s is heard after a reload, and in the history its call has an end', async (_where, rest) => {
    const browser = createBrowser()
    const first = await browser.open({ tools: [asking('t', {}, rest)] })
    void first.runner.run('t')
    await quiet()
    first.crash()
    const told: unknown[] = []
    const tab = await browser.open({ tools: [asking('t', {}, rest)], onDecision: (entry) => told.push(entry.decision) })
    answer(tab, false, { feedback: 'use staging' })
    await quiet()
    expect(tab.runner.getState().runs[0]?.result?.isError).toBe(true)
    expect([told, tab.runner.history().map(({ outcome }) => outcome)]).toEqual([['declined'], ['failed']])
    const { runner } = await browser.open({ tools: [asking('u')], host: false, persist: { name: 'other' } })
    const { metadata } = await runner.run('u')
    const request = metadata?.pending as { id: string }
    const refused = await runner.resume(request as never, { ...no(request.id), data: { feedback: 'not now' } })
    expect(refused.metadata).toEqual({ reason: 'declined', feedback: 'not now' })
  })
})

describe('the history of two tabs', () => {
  it('says what counted, once, in the tab that has the call', async () => {
    const browser = createBrowser()
    const tabs = [await browser.open({ tools: [asking('t')] }), await browser.open({ tools: [asking('t')] })]
    const [owner, other] = tabs as [Tab, Tab]
    const result = owner.runner.run('t')
    await quiet()
    answer(owner, true)
    answer(other, false)
    await result
    await quiet()
    expect(tabs.map(({ runner }) => runner.history().map(({ decision }) => decision))).toEqual([['approved'], []])
  })
})

describe('a restored question', () => {
  it('is as grave as its tool is now, and nothing is remembered that the app no longer offers', async () => {
    const browser = createBrowser()
    const policy = { remember: true }
    const first = await browser.open({ tools: [asking('t', {}, { danger: 'low' })], policy })
    void first.runner.run('t')
    await quiet()
    expect([first.runner.head()?.danger, first.runner.head()?.rememberable]).toEqual(['low', 'session'])
    first.crash()
    const tab = await browser.open({ tools: [asking('t', {}, { danger: 'high' })] })
    expect([tab.runner.head()?.danger, tab.runner.head()?.rememberable]).toEqual(['high', undefined])
  })

  it('does not run its tool where a rule says no by now', async () => {
    const browser = createBrowser()
    const first = await browser.open({ tools: [asking('t')] })
    void first.runner.run('t')
    await quiet()
    first.crash()
    const tool = asking('t')
    const tab = await browser.open({ tools: [tool], policy: { rules: [{ tool: 't', decision: 'deny' }] } })
    answer(tab, true)
    await quiet()
    expect([tool.attempts.length, tab.results[0]?.output]).toEqual([0, 'not allowed by policy: t'])
  })
})

describe('a call that runs when its runner ends', () => {
  it('ends once, as cancelled, also for the next page', async () => {
    const browser = createBrowser()
    const first = await browser.open({ tools: [recorded('t', () => new Promise(() => {}))] })
    const result = first.runner.run('t')
    await quiet()
    first.runner.dispose()
    expect((await result).output).toBe('cancelled')
    await expect
      .poll(async () => (await browser.rows()).map(({ status, outcome }) => [status, outcome]))
      .toEqual([['done', 'cancelled']])
    const next = await browser.open()
    await quiet()
    expect([statuses(next), next.results]).toEqual([['cancelled'], []])
  })
})
