// @vitest-environment node
import { createMemoryStorage, createToolRunner, type Runner } from 'assent/runner'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { joinQuestions, shareQuestions } from '../../src/adapters/yjs.js'
import { asking, flush, no, yes } from '../support/asking.js'
import { createBrowser, quiet } from '../support/tabs.js'
import { type Network, network } from '../support/yjs-link.js'

let net: Network
const ends: (() => void)[] = []
beforeEach(() => {
  net = network()
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
  net.destroy()
})

const share = (runner: Runner): void => void ends.push(shareQuestions(runner, net.peer()).dispose)

function phone(runner = createToolRunner({})): Runner {
  runner.attach({}, 'dialog')
  ends.push(joinQuestions(runner, net.peer()).dispose)
  return runner
}

/** Lets everything run that storages and tabs wait for. */
async function soon(): Promise<void> {
  await quiet(30)
  await flush()
}

it('two tabs that share show one question elsewhere, and the tab that asked runs it', async () => {
  const browser = createBrowser()
  const tool = asking('deploy')
  const [one, two] = [await browser.open({ tools: [tool] }), await browser.open({ tools: [tool] })]
  for (const { runner } of [one, two]) share(runner)
  const there = phone()
  const result = one.runner.run('deploy')
  await soon()
  expect([one, two].map(({ runner }) => runner.count())).toEqual([1, 1])
  expect(there.count()).toBe(1)
  there.answer(there.head()?.key ?? '', yes(there.head()?.request.id ?? ''))
  expect((await result).output).toBe('done')
  await soon()
  expect([there.count(), two.runner.count(), tool.attempts.length]).toEqual([0, 0, 2])
})

it('what was asked before the page was loaded is shared by the page that has it now', async () => {
  const browser = createBrowser()
  const tool = asking('deploy')
  const first = await browser.open({ tools: [tool] })
  void first.runner.run('deploy')
  await soon()
  first.crash()
  const second = await browser.open({ tools: [tool] })
  share(second.runner)
  const there = phone()
  await soon()
  expect(there.count()).toBe(1)
})

it('a joined question is not stored, so a reload shows it once and its no reaches the owner', async () => {
  const storage = createMemoryStorage()
  const owner = createToolRunner({ tools: [asking('deploy')] })
  owner.attach({}, 'dialog')
  share(owner)
  const open = async (): Promise<Runner> => {
    const runner = createToolRunner({ persist: { storage } })
    await runner.restore()
    return phone(runner)
  }
  const before = await open()
  const result = owner.run('deploy')
  await soon()
  expect([before.count(), await storage.all()]).toEqual([1, []])
  before.dispose()
  await soon()
  const after = await open()
  await soon()
  expect(after.count()).toBe(1)
  after.answer(after.head()?.key ?? '', no(after.head()?.request.id ?? ''))
  expect((await result).output).toBe('declined/expired: deploy?')
})
