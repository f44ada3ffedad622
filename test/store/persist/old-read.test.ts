// @vitest-environment node
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { asking, no, yes } from '../../support/asking.js'
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

/** Two tabs, one of which asks; the next look of the other at the storage sees what is there now, and comes back late. */
async function withOldRead() {
  const browser = createBrowser()
  const tool = asking('t')
  const owner = await browser.open({ tools: [tool] })
  const other = await browser.open({ tools: [tool] })
  const { storage } = browser
  const all = storage.all.bind(storage)
  let isNext = false
  let isRead = false
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  storage.all = async () => {
    const isHeld = isNext
    isNext = false
    // A copy, as a database gives one: rows that are written from here on are not in it.
    const rows = structuredClone(await all())
    if (isHeld) {
      isRead = true
      await held
    }
    return rows
  }
  /** Holds the next look of the other tab. */
  const hold = (): void => {
    other.onStep = ({ method, phase }) => {
      if (method !== 'all' || phase !== 'before') return
      isNext = true
      other.onStep = () => {}
    }
  }
  return { owner, other, tool, hold, release: () => release(), isRead: () => isRead }
}

const openPrompts = ({ runner }: Tab): string[] => runner.getState().pending.map(({ request }) => request.prompt)

it.each([true, false])('a question answered with %s while an old look is under way is not shown again', async (ok) => {
  const { owner, other, tool, hold, release, isRead } = await withOldRead()
  const result = owner.runner.run('t')
  await pass(1)
  const item = other.runner.head()
  if (!item) throw new Error('no question')
  hold()
  // What wakes the other tab.
  const aside = owner.runner.waitFor({ id: 'aside', kind: 'approval', prompt: 'Aside?' })
  await quiet()
  expect(isRead()).toBe(true)
  const { id } = item.request
  other.runner.answer(item.key, ok ? yes(id) : no(id))
  await pass(3)
  expect((await result).output).toBe(ok ? 'done' : 'declined/expired: t?')
  expect(openPrompts(other)).not.toContain('t?')
  const shown: string[][] = []
  other.runner.subscribe(() => shown.push(openPrompts(other)))
  release()
  await pass(3)
  expect(shown.filter((prompts) => prompts.includes('t?'))).toEqual([])
  // The look was not in vain: what nobody answered is there.
  expect(openPrompts(other)).toEqual(['Aside?'])
  expect(tool.attempts).toHaveLength(ok ? 2 : 1)
  owner.runner.abort()
  await aside
})
