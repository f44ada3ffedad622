import { createToolRunner } from 'assent/runner'
import { afterEach, expect, it, vi } from 'vitest'
import { joinQuestions, shareQuestions } from '../../src/adapters/yjs.js'
import { asking, flush, yes } from '../support/asking.js'
import { network } from '../support/yjs-link.js'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

async function deskAndPhone() {
  const net = network()
  const [desk, phone] = [net.peer(), net.peer()]
  const tool = asking('t', { id: 'q' })
  const [here, there] = [createToolRunner({ tools: [tool] }), createToolRunner({})]
  for (const runner of [here, there]) runner.attach({}, 'dialog')
  const shared = shareQuestions(here, desk)
  const joined = joinQuestions(there, phone)
  ends.push(net.destroy, joined.dispose, shared.dispose)
  const result = here.run('t')
  await flush()
  return { here, there, shared, result, tool, user: phone.awareness }
}

it('takes the questions along when the page is left, and brings them again from the browser’s cache', async () => {
  const { here, there, result } = await deskAndPhone()
  window.dispatchEvent(new Event('pagehide'))
  await flush()
  expect([here.count(), there.count()]).toEqual([1, 0])
  window.dispatchEvent(new Event('pageshow'))
  await flush()
  const head = there.head()
  there.answer(head?.key ?? '', yes(head?.request.id ?? ''))
  expect((await result).isError).toBe(false)
})

it('says what is looked at only while the page is visible', async () => {
  const { shared, user } = await deskAndPhone()
  expect(shared.lookers('q')).toEqual([{ clientId: user.clientID, name: '' }])
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  expect(shared.lookers('q')).toEqual([])
  visibility.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  expect(shared.lookers('q')).toHaveLength(1)
})

it('leaves no listener behind', async () => {
  const added = vi.spyOn(globalThis, 'addEventListener')
  const removed = vi.spyOn(globalThis, 'removeEventListener')
  const net = network()
  const runner = createToolRunner({})
  const peer = net.peer()
  const shared = shareQuestions(runner, peer)
  const joined = joinQuestions(runner, peer)
  shared.dispose()
  joined.dispose()
  net.destroy()
  expect(removed.mock.calls.length).toBe(added.mock.calls.length)
  expect(added.mock.calls.length).toBeGreaterThan(0)
})
