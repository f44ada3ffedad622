// @vitest-environment node
import { isDeepStrictEqual } from 'node:util'
import { afterEach, expect, it, vi } from 'vitest'
import { flush, yes } from '../../support/asking.js'
import { gated } from '../../support/consent.js'
import { createBrowser, quiet, type Tab } from '../../support/tabs.js'

afterEach(() => vi.unstubAllGlobals())

const decisions = ['approve', 'edit', 'decline'] as const

const approve = ({ runner }: Tab, data?: Record<string, unknown>): boolean => {
  const item = runner.head()
  if (!item) throw new Error('no question')
  return runner.answer(item.key, yes(item.request.id, data))
}

/** A call whose arguments a person edited at the gate, and whose page goes while its tool runs with them. */
async function interruptedAfterEdit() {
  const browser = createBrowser()
  const stuck = gated('pay', { decisions }, () => new Promise(() => {}))
  const first = await browser.open({ tools: [stuck] })
  void first.runner.run('pay', { to: 'ada', euro: 900 })
  await quiet()
  approve(first, { args: { to: 'ada', euro: 9 } })
  await quiet()
  expect(stuck.seen.map(({ args }) => args)).toEqual([{ to: 'ada', euro: 9 }])
  first.crash()
  const tool = gated('pay', { decisions })
  const next = await browser.open({ tools: [tool] })
  await quiet()
  return { browser, next, tool }
}

it('an interrupted call has the edited arguments in its record', async () => {
  const { browser, next } = await interruptedAfterEdit()
  const [record] = next.runner.getState().runs
  expect([record?.status, record?.args]).toEqual(['interrupted', { to: 'ada', euro: 9 }])
  expect((await browser.rows()).map(({ call }) => call?.args)).toEqual([{ to: 'ada', euro: 9 }])
})

it('an interrupted call runs again with the edited arguments', async () => {
  const { next, tool } = await interruptedAfterEdit()
  const [record] = next.runner.getState().runs
  expect(await next.runner.runAgain(record?.id ?? '')).toBe(true)
  await quiet()
  expect(next.runner.head()?.args).toEqual({ to: 'ada', euro: 9 })
  approve(next)
  await quiet()
  expect(tool.seen.map(({ args }) => args)).toEqual([{ to: 'ada', euro: 9 }])
})

it('a call runs with its edits only after they are in the storage', async () => {
  const browser = createBrowser()
  const tool = gated('pay', { decisions })
  const tab = await browser.open({ tools: [tool] })
  const result = tab.runner.run('pay', { euro: 900 })
  await quiet()
  const stored: unknown[] = []
  const { put, claim } = browser.storage
  // Slow from here on, so that a tool that does not wait is seen to run.
  let release = (): void => {}
  const slow = new Promise<void>((resolve) => {
    release = resolve
  })
  browser.storage.put = async (row) => {
    await slow
    stored.push(row.call?.args)
    return put.call(browser.storage, row)
  }
  browser.storage.claim = async (...step) => {
    const isMine = await claim.apply(browser.storage, step)
    if (step[2].call) stored.push(step[2].call.args)
    return isMine
  }
  approve(tab, { args: { euro: 9 } })
  await quiet()
  await flush()
  const isWritten = stored.some((args) => isDeepStrictEqual(args, { euro: 9 }))
  expect(tool.seen.length === 0 || isWritten).toBe(true)
  release()
  expect((await result).output).toBe('ran')
  expect(tool.seen.map(({ args }) => args)).toEqual([{ euro: 9 }])
})
