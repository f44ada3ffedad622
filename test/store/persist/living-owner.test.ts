// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { asking, type RecordedTool, yes } from '../../support/asking.js'
import { createBrowser, quiet, type Tab } from '../../support/tabs.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const pass = async (seconds: number): Promise<void> => {
  for (let quarter = 0; quarter < seconds * 4; quarter++) {
    await vi.advanceTimersByTimeAsync(250)
    await quiet(4)
  }
}

const approveAll = ({ runner }: Tab): void => {
  for (const { key, request } of runner.getState().pending) runner.answer(key, yes(request.id, { by: 'person' }))
}

const ran = (tool: RecordedTool): number => tool.attempts.filter(({ answer }) => answer?.ok).length

/** A call that was answered in a second tab, which crashed before it said so; its own page lives. */
async function answeredByOneThatDied(locks: boolean, keepAnswers: boolean) {
  const browser = createBrowser({ locks })
  const persist = { keepAnswers }
  const tools = [asking('t'), asking('t'), asking('t')] as const
  const owner = await browser.open({ tools: [tools[0]], persist })
  const second = await browser.open({ tools: [tools[1]], persist })
  const result = owner.runner.run('t')
  await pass(3)
  second.onStep = ({ method, phase }) => method === 'claim' && phase === 'after' && second.crash()
  approveAll(second)
  await quiet()
  expect(second.isDead()).toBe(true)
  /** A third tab that comes and looks around. */
  const third = () => browser.open({ tools: [tools[2]], persist })
  return { browser, tools, owner, third, result }
}

describe.each([
  [true, true],
  [true, false],
  [false, true],
  [false, false],
])('a call whose answering tab died while its own page lives (Web Locks: %s, answers kept: %s)', (locks, kept) => {
  it('is run by its own page alone, when a third tab looks', async () => {
    const { tools, owner, third, result } = await answeredByOneThatDied(locks, kept)
    const late = await third()
    await pass(10)
    expect(tools.slice(1).map(ran)).toEqual([0, 0])
    // Where the answer went with the tab that died, the person says it again.
    approveAll(owner)
    await pass(5)
    expect(await result).toEqual({ output: 'done', isError: false })
    expect(tools.map(ran)).toEqual([1, 0, 0])
    expect([owner, late].map(({ runner }) => runner.count())).toEqual([0, 0])
    expect([...owner.results, ...late.results]).toEqual([])
  })
})

it.each([true, false])('a frozen page that holds its lock keeps its call, too (answers kept: %s)', async (kept) => {
  const { tools, owner, third, result } = await answeredByOneThatDied(true, kept)
  owner.freeze()
  const late = await third()
  await pass(30)
  expect(tools.map(ran)).toEqual([0, 0, 0])
  owner.thaw()
  await pass(5)
  approveAll(owner)
  await pass(5)
  expect(await result).toEqual({ output: 'done', isError: false })
  expect(tools.map(ran)).toEqual([1, 0, 0])
  expect([owner, late].map(({ runner }) => runner.count())).toEqual([0, 0])
})
