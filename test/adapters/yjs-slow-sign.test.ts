// @vitest-environment node
import { createToolRunner } from 'assent/runner'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { joinQuestions, shareQuestions } from '../../src/adapters/yjs.js'
import { asking, flush, yes } from '../support/asking.js'
import { type Network, network, type Peer } from '../support/yjs-link.js'

let net: Network
beforeEach(() => {
  net = network()
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => net.destroy())

const MAPS = ['assent', 'assent/answers', 'assent/refused', 'assent/owners']
const answersIn = ({ doc }: Peer) => [...doc.getMap<string>('assent/answers').keys()]
const questionsIn = ({ doc }: Peer) => doc.getMap<string>('assent')

/** A phone that has said yes, and whose signature is still being made. */
async function signing() {
  const tool = asking('t')
  const home = net.peer()
  const owner = createToolRunner({ tools: [tool] })
  owner.attach({}, 'dialog')
  const shared = shareQuestions(owner, { ...home, onEvent: () => {} })
  const away = net.peer()
  const phone = createToolRunner({})
  phone.attach({}, 'dialog')
  let finish = (_proof: string): void => {}
  const sign = vi.fn(() => new Promise<string>((resolve) => (finish = resolve)))
  const joined = joinQuestions(phone, { ...away, sign })
  void owner.run('t')
  await flush()
  const item = phone.head()
  expect(phone.answer(item?.key ?? '', yes(item?.request.id ?? ''))).toBe(true)
  await flush()
  expect([sign.mock.calls.length, answersIn(away)]).toEqual([1, []])
  const ran = (): number => tool.attempts.filter(({ answer }) => answer?.ok).length
  return { home, away, owner, phone, shared, joined, sign, ran, finish: () => finish('signed') }
}

describe('an approval whose signature takes its time', () => {
  it('is written when it is signed, and runs', async () => {
    const { finish, ran, shared, joined } = await signing()
    finish()
    await flush()
    expect(ran()).toBe(1)
    joined.dispose()
    shared.dispose()
  })

  it('is not written once the phone has left', async () => {
    const { home, away, joined, shared, finish, ran, owner } = await signing()
    joined.dispose()
    finish()
    await flush()
    expect([answersIn(home), answersIn(away), ran(), owner.count()]).toEqual([[], [], 0, 1])
    shared.dispose()
  })

  it('is not written to a document without its owner', async () => {
    const { away, joined, shared, finish, ran } = await signing()
    shared.dispose()
    await flush()
    finish()
    await flush()
    expect([answersIn(away), ran()]).toEqual([[], 0])
    joined.dispose()
  })

  it('is not written to a question that says something else by now; that one is asked', async () => {
    const { home, away, owner, phone, joined, shared, finish, sign, ran } = await signing()
    // Its owner goes, and somebody who can write to the document puts another text under the same key.
    const [[key = '', text = ''] = []] = [...questionsIn(home)]
    net.cut(home)
    questionsIn(away).set(key, text.replaceAll('t?', 'Wipe the disk?'))
    await flush()
    finish()
    await flush()
    expect(answersIn(away)).toEqual([])
    net.join(home)
    await flush()
    expect([ran(), owner.count(), sign.mock.calls.length]).toEqual([0, 1, 1])
    // Put right by its owner, it can be answered.
    const item = phone.head()
    expect(item?.request.prompt).toBe('t?')
    phone.answer(item?.key ?? '', yes(item?.request.id ?? ''))
    await flush()
    finish()
    joined.dispose()
    shared.dispose()
  })

  it('is not written once its call was answered at home', async () => {
    const { home, away, owner, joined, shared, finish, ran } = await signing()
    const item = owner.head()
    owner.answer(item?.key ?? '', { id: item?.request.id ?? '', ok: false, reason: 'declined' })
    await flush()
    finish()
    await flush()
    expect([answersIn(home), answersIn(away), ran()]).toEqual([[], [], 0])
    joined.dispose()
    shared.dispose()
  })
})

type Observed = Record<'observe' | 'unobserve', (listener: never) => void>

/** How many listen to a document's maps and to the awareness now. */
function countObservers({ doc, awareness }: Peer): () => number {
  const live = new Set<string>()
  const ids = new Map<unknown, number>()
  const token = (at: string, listener: unknown): string => {
    if (!ids.has(listener)) ids.set(listener, ids.size)
    return `${at} ${ids.get(listener)}`
  }
  for (const name of MAPS) {
    const map: Observed = doc.getMap(name)
    const { observe, unobserve } = map
    map.observe = (listener) => {
      live.add(token(name, listener))
      observe.call(map, listener)
    }
    map.unobserve = (listener) => {
      live.delete(token(name, listener))
      unobserve.call(map, listener)
    }
  }
  const on = awareness.on.bind(awareness)
  const off = awareness.off.bind(awareness)
  awareness.on = (name, listener) => {
    live.add(token(String(name), listener))
    return on(name, listener)
  }
  awareness.off = (name, listener) => {
    live.delete(token(String(name), listener))
    return off(name, listener)
  }
  return () => live.size
}

describe('a document that was left', () => {
  it.each(['share', 'join'] as const)('keeps no observer of ours (%s)', (role) => {
    const peer = net.peer()
    const count = countObservers(peer)
    const runner = createToolRunner({})
    const handle = role === 'share' ? shareQuestions(runner, peer) : joinQuestions(runner, peer)
    expect(count()).toBeGreaterThan(2)
    handle.dispose()
    expect(count()).toBe(0)
  })

  it('keeps none either where an approval was being signed', async () => {
    const { away, joined, finish, shared } = await signing()
    joined.dispose()
    const heard = vi.spyOn(console, 'error')
    finish()
    await flush()
    questionsIn(away).set('own-x/1', 'nonsense')
    await flush()
    expect(heard).not.toHaveBeenCalled()
    expect(answersIn(away)).toEqual([])
    shared.dispose()
  })
})
