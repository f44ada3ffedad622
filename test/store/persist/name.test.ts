// @vitest-environment node
import { createMemoryStorage, createToolRunner, type RunnerStorage, type ToolRunnerOptions } from 'assent/runner'
import { expect, it, vi } from 'vitest'
import { asking } from '../../support/asking.js'
import { quiet } from '../../support/tabs.js'

const promptsOf = async (storage: RunnerStorage): Promise<unknown[]> =>
  (await storage.all()).map((row) => (row as { item?: { request: { prompt: string } } }).item?.request.prompt)

/** A storage in which a page that is gone left its open question. */
async function leftBehind(prompt: string): Promise<RunnerStorage> {
  const storage = createMemoryStorage()
  const runner = createToolRunner({ tools: [asking('t', { prompt })], persist: { storage, name: `left-${prompt}` } })
  void runner.run('t')
  await expect.poll(() => promptsOf(storage)).toEqual([prompt])
  runner.dispose()
  await quiet(60)
  return storage
}

it('another name is another storage at once: nothing of the first is shown or written from then on', async () => {
  const [ada, bob] = [await leftBehind('Ada’s?'), await leftBehind('Bob’s?')]
  const options: ToolRunnerOptions = {
    tools: [asking('t', { prompt: 'New?' })],
    persist: { name: 'ada', storage: ada },
  }
  const runner = createToolRunner(options)
  await runner.restore()
  expect(runner.getState().pending.map(({ request }) => request.prompt)).toEqual(['Ada’s?'])
  options.persist = { name: 'bob', storage: bob }
  await runner.restore()
  expect(runner.getState().pending.map(({ request }) => request.prompt)).toEqual(['Bob’s?'])
  void runner.run('t')
  await quiet(60)
  expect([await promptsOf(ada), await promptsOf(bob)]).toEqual([['Ada’s?'], ['Bob’s?', 'New?']])
  expect((await ada.all()).map((row) => (row as { status: string }).status)).toEqual(['pending'])
  runner.dispose()
})

it('a question that is open when the name changes ends here as at the end of a runner, and waits where it is stored', async () => {
  const [ada, bob] = [createMemoryStorage(), createMemoryStorage()]
  const tool = asking('t', { prompt: 'Ada’s?' })
  const options: ToolRunnerOptions = { tools: [tool], persist: { name: 'ada-2', storage: ada } }
  const runner = createToolRunner(options)
  const result = runner.run('t')
  await expect.poll(() => promptsOf(ada)).toEqual(['Ada’s?'])
  const item = runner.head()
  options.persist = { name: 'bob-2', storage: bob }
  await runner.restore()
  expect((await result).output).toBe('cancelled')
  expect(item && runner.answer(item.key, { id: item.request.id, ok: true })).toBe(false)
  await quiet(60)
  expect([tool.attempts.length, await promptsOf(ada), await promptsOf(bob)]).toEqual([1, ['Ada’s?'], []])
  expect((await ada.all()).map((row) => (row as { status: string }).status)).toEqual(['pending'])
  runner.dispose()
})

it('a call that runs when the name changes leaves nothing in the other storage', async () => {
  const [ada, bob] = [createMemoryStorage(), createMemoryStorage()]
  let end = (_output: string): void => {}
  const slow = { name: 'slow', execute: () => new Promise<string>((resolve) => (end = resolve)) }
  const options: ToolRunnerOptions = { tools: [slow], persist: { name: 'ada-3', storage: ada } }
  const runner = createToolRunner(options)
  const result = runner.run('slow', { secret: 'Ada’s' })
  await expect.poll(async () => (await ada.all()).length).toBe(1)
  options.persist = { name: 'bob-3', storage: bob }
  await runner.restore()
  end('done')
  expect((await result).output).toBe('done')
  await quiet(60)
  expect(await bob.all()).toEqual([])
  runner.dispose()
})

it('persistence that is turned on later shows what waits', async () => {
  const options: ToolRunnerOptions = { tools: [asking('t')] }
  const runner = createToolRunner(options)
  await runner.restore()
  expect(runner.count()).toBe(0)
  options.persist = { name: 'late', storage: await leftBehind('Late?') }
  await runner.restore()
  expect(runner.head()?.request.prompt).toBe('Late?')
  runner.dispose()
})

it('the end of one runner leaves the app’s storage open for the next', async () => {
  const storage = createMemoryStorage()
  let closed = 0
  const counted = { ...storage, close: () => closed++ }
  const runner = createToolRunner({ tools: [asking('t')], persist: { name: 'own', storage: counted } })
  await runner.restore()
  runner.dispose()
  await quiet(60)
  expect(closed).toBe(0)
})

it('a runner on a server reads nothing and says nothing', async () => {
  const warn = vi.spyOn(console, 'warn')
  const runner = createToolRunner({ tools: [asking('t')], persist: true })
  await quiet(60)
  expect(warn).not.toHaveBeenCalled()
  runner.dispose()
})
