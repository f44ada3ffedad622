// @vitest-environment node
import type { AnyTool, ToolResult } from 'assent/core'
import type { Runner, RunnerStorage } from 'assent/runner'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createMemoryStorage } from '../../../src/store/persist/memory-storage.js'
import { recorded, yes } from '../../support/asking.js'
import { gated } from '../../support/consent.js'
import { quiet } from '../../support/tabs.js'

/** The locks of one browser. A page's own is granted when the test says so. */
function createLocks() {
  const held = new Map<string, Promise<unknown>>()
  return (granted: Promise<void>) => {
    const request = vi.fn(async (name: string, ...rest: unknown[]) => {
      const work = rest.at(-1) as () => unknown
      await Promise.all([granted, held.get(name)])
      const done = Promise.resolve(work()).finally(() => held.delete(name))
      held.set(name, done)
      return done
    })
    const query = async () => ({ held: [...held.keys()].map((name) => ({ name, mode: 'exclusive' })) })
    return { request, query }
  }
}
type PageLocks = ReturnType<ReturnType<typeof createLocks>>

interface OpenPage {
  runner: Runner
  told: ToolResult[]
}

let disposals: (() => void)[] = []
beforeEach(() => vi.stubGlobal('BroadcastChannel', undefined))
afterEach(() => {
  for (const dispose of disposals) dispose()
  disposals = []
  vi.unstubAllGlobals()
})

/** A page with modules of its own, which reads the storage when it opens. */
async function open(storage: RunnerStorage, locks: PageLocks, tools: AnyTool[]): Promise<OpenPage> {
  vi.resetModules()
  vi.stubGlobal('navigator', { locks })
  const { createToolRunner } = await import('assent/runner')
  const told: ToolResult[] = []
  const runner = createToolRunner({ tools, persist: { storage }, onResult: (result) => told.push(result) })
  disposals.push(() => runner.dispose())
  runner.attach({}, 'dialog')
  // From then on the globals may be another page's.
  await vi.waitFor(() => expect(locks.request).toHaveBeenCalled())
  await quiet(20)
  return { runner, told }
}

async function twoPages(tool: AnyTool) {
  const storage = createMemoryStorage()
  const writes = [vi.spyOn(storage, 'put'), vi.spyOn(storage, 'claim'), vi.spyOn(storage, 'delete')]
  const locksOf = createLocks()
  let grant = (): void => {}
  const granted = new Promise<void>((resolve) => {
    grant = resolve
  })
  const first = await open(storage, locksOf(granted), [tool])
  const result = first.runner.run(tool.name, { n: 1 })
  await quiet(20)
  const second = () => open(storage, locksOf(Promise.resolve()), [])
  const count = (): number => writes.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  return { storage, first, second, result, grant, count }
}

it('a question whose page gets its lock late is written when it has it, and nobody takes it for a dead page’s', async () => {
  const tool = gated('t')
  const { storage, first, second, result, grant, count } = await twoPages(tool)
  expect(first.runner.count()).toBe(1)
  const { runner, told } = await second()
  expect([count(), runner.count(), runner.getState().runs, told]).toEqual([0, 0, [], []])
  grant()
  const rows = [{ status: 'pending', call: { toolName: 't', args: { n: 1 } } }]
  await vi.waitFor(async () => expect(await storage.all()).toMatchObject(rows))
  const late = await second()
  expect(late.runner.head()).toMatchObject({ restored: 'tab' })
  const item = first.runner.head()
  first.runner.answer(item?.key ?? '', yes(item?.request.id ?? ''))
  expect(await result).toEqual({ output: 'ran', isError: false })
  expect([tool.seen.length, told, late.told]).toEqual([1, [], []])
})

it('a running call whose page gets its lock late is not called interrupted', async () => {
  let end = (_output: string): void => {}
  const tool = recorded('t', () => new Promise<string>((resolve) => (end = resolve)))
  const { storage, second, result, grant, count } = await twoPages(tool)
  const { runner, told } = await second()
  expect([count(), runner.getState().runs, told]).toEqual([0, [], []])
  grant()
  await vi.waitFor(async () => expect(await storage.all()).toMatchObject([{ status: 'running' }]))
  const late = await second()
  expect(late.runner.getState().runs).toMatchObject([{ status: 'running' }])
  end('done')
  expect(await result).toEqual({ output: 'done', isError: false })
  await vi.waitFor(async () => expect(await storage.all()).toMatchObject([{ status: 'done', outcome: 'done' }]))
  expect([told, late.told]).toEqual([[], []])
})
