// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQuestions as create, type Questions } from '../../src/store/questions.js'
import type { PendingItem } from '../../src/store/types.js'
import { countListeners, flush, no, yes } from '../support/asking.js'

interface Asked extends Omit<Questions, 'ask' | 'answer'> {
  answer(key: string, answer: unknown): boolean
  ask(
    request: Parameters<Questions['ask']>[0],
    about: { signal?: AbortSignal; schema?: unknown; call?: object },
  ): ReturnType<Questions['ask']>
}

/** The store of questions as a runner makes it, with nothing known before and no limit. */
function createQuestions(onChange: (item: PendingItem, settled?: ReturnType<typeof yes>) => void): Asked {
  const questions = create({ limit: () => Number.POSITIVE_INFINITY, known: () => undefined, onChange })
  return {
    ...questions,
    answer: (key, answer) => questions.answer(key, answer) !== undefined,
    ask: (asked, { signal, call, ...about }) =>
      questions.ask(asked, { danger: 'medium', trusted: true, ...call, ...about }, signal),
  }
}

const request = (id: string, rest: object = {}) => ({ id, kind: 'approval', prompt: `${id}?`, ...rest })
const throwing = (): never => {
  throw new Error('no')
}

describe('createQuestions', () => {
  it('settles each question with its own answer, in any order (K6)', async () => {
    const questions = createQuestions(() => {})
    const answers = Promise.all(['a', 'b', 'c'].map((id) => questions.ask(request(id), {})))
    expect(['b', 'c', 'a'].map((id) => questions.answer(id, yes(id, { of: id })))).toEqual([true, true, true])
    expect(await answers).toEqual([yes('a', { of: 'a' }), yes('b', { of: 'b' }), yes('c', { of: 'c' })])
    expect(questions.count()).toBe(0)
  })

  it('lets the first settle win; the later ones return false and change nothing (K2)', async () => {
    const questions = createQuestions(() => {})
    const answer = questions.ask(request('a'), {})
    expect([questions.answer('a', yes('a')), questions.answer('a', no('a')), questions.answer('a', yes('a'))]).toEqual([
      true,
      false,
      false,
    ])
    expect(await answer).toEqual(yes('a'))
  })

  it.each<[string, unknown]>([
    ['another id', yes('b')],
    ['no id', { ok: true }],
    ['an ok that is no boolean', { id: 'a', ok: 1 }],
    ['no ok', { id: 'a' }],
    ['nothing', undefined],
    ['null', null],
    ['true', true],
    ['a list', [yes('a')]],
    [
      'a getter that throws',
      {
        id: 'a',
        get ok() {
          return throwing()
        },
      },
    ],
    ['a proxy that throws', new Proxy({}, { get: throwing, ownKeys: throwing })],
  ])('keeps the question open for an answer with %s (K3)', async (_what, answer) => {
    const questions = createQuestions(() => {})
    let settled = false
    void questions.ask(request('a'), {}).then(() => {
      settled = true
    })
    expect(questions.answer('a', answer)).toBe(false)
    await flush()
    expect([settled, questions.count()]).toEqual([false, 1])
  })

  it.each([{ v: false }, { v: 0 }, { v: '' }, {}, { v: null }])(
    'hands on the data %j unchanged (K34, BUG-015)',
    async (data) => {
      const questions = createQuestions(() => {})
      const answer = questions.ask(request('a'), {})
      questions.answer('a', { id: 'a', ok: true, data })
      expect(await answer).toEqual({ id: 'a', ok: true, data })
    },
  )

  it('hands on the answer as it was given, whoever writes to it later', async () => {
    const questions = createQuestions(() => {})
    const answer = questions.ask(request('a'), {})
    const given = yes('a', { env: 'staging' })
    questions.answer('a', given)
    given.ok = false
    if (given.data) given.data.env = 'production'
    expect(await answer).toEqual(yes('a', { env: 'staging' }))
  })

  it('drops a reason from a yes, and a reason outside the list', async () => {
    const questions = createQuestions(() => {})
    const answers = Promise.all([questions.ask(request('a'), {}), questions.ask(request('b'), {})])
    questions.answer('a', { id: 'a', ok: true, reason: 'declined' })
    questions.answer('b', { id: 'b', ok: false, reason: 'bored' })
    expect(await answers).toEqual([
      { id: 'a', ok: true },
      { id: 'b', ok: false },
    ])
  })

  it('gives a second request of an open id a key of its own (K30)', async () => {
    const questions = createQuestions(() => {})
    const first = questions.ask(request('a'), {})
    const second = questions.ask(request('a'), {})
    const [one, other] = questions.list()
    expect(one?.key).toBe('a')
    expect(other?.key).not.toBe('a')
    expect(other?.seq).not.toBe(one?.seq)
    expect(questions.answer(other?.key ?? '', yes('a', { which: 2 }))).toBe(true)
    expect(questions.answer('a', no('a'))).toBe(true)
    expect(await Promise.all([first, second])).toEqual([no('a'), yes('a', { which: 2 })])
  })

  it('takes an id again once its question is settled, under another key and without its old answer (BUG-178, DESIGN 8.14)', async () => {
    const questions = createQuestions(() => {})
    const first = questions.ask(request('Bash_0'), {})
    questions.answer('Bash_0', yes('Bash_0'))
    await first
    let settled = false
    void questions.ask(request('Bash_0'), {}).then(() => {
      settled = true
    })
    await flush()
    expect([settled, questions.count(), questions.answer('Bash_0', yes('Bash_0'))]).toEqual([false, 1, false])
  })

  it.each(['__proto__', 'constructor', '', 'a.b', '🙂'])('takes %j for an id (K19)', async (id) => {
    const questions = createQuestions(() => {})
    const answer = questions.ask(request(id), {})
    expect(questions.answer('toString', yes('toString'))).toBe(false)
    expect(questions.answer(id, yes(id))).toBe(true)
    expect(await answer).toEqual(yes(id))
  })

  it('knows the oldest, whatever was settled meanwhile', () => {
    const questions = createQuestions(() => {})
    const head = () => questions.head()?.key
    const ask = (id: string) => void questions.ask(request(id), {})
    const close = (id: string) => questions.answer(id, no(id))
    expect(head()).toBeUndefined()
    for (const id of ['a', 'b', 'c']) ask(id)
    expect(head()).toBe('a')
    close('b')
    expect(head()).toBe('a')
    close('a')
    expect(head()).toBe('c')
    ask('e')
    expect(head()).toBe('c')
    close('c')
    expect(head()).toBe('e')
    close('e')
    expect(head()).toBeUndefined()
    ask('d')
    expect(head()).toBe('d')
  })

  it('agrees with its list on the oldest through thousands of changes', () => {
    const questions = createQuestions(() => {})
    // A small generator of our own, so that every run asks and settles in the same order.
    let seed = 7
    const next = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31
      return seed % below
    }
    for (let step = 0; step < 3000; step++) {
      const open = questions.list()
      const one = open[next(open.length || 1)]
      if (one && next(2)) questions.answer(one.key, no(one.request.id))
      else void questions.ask(request(`q${next(40)}`), {})
      expect(questions.head()).toBe(questions.list()[0])
      expect(questions.count()).toBe(questions.list().length)
    }
  })

  it('settles the promise before it tells of the change (7.1)', async () => {
    const order: string[] = []
    const questions = createQuestions((_item, settled) => {
      if (settled) void Promise.resolve().then(() => order.push('told'))
    })
    const answer = questions.ask(request('a'), {}).then(() => order.push('settled'))
    questions.answer('a', yes('a'))
    await answer
    await flush()
    expect(order).toEqual(['settled', 'told'])
  })

  it('may be answered by whoever is told that it opened', async () => {
    const questions = createQuestions((item, settled) => {
      if (!settled) questions.answer(item.key, yes(item.request.id))
    })
    expect(await questions.ask(request('a'), {})).toEqual(yes('a'))
    expect(questions.count()).toBe(0)
  })

  it('keeps frozen items of plain data, the same object at each look (K15, 7.2)', () => {
    const questions = createQuestions(() => {})
    void questions.ask(Object.freeze(request('a')), { schema: { type: 'object' } })
    const [item] = questions.list()
    expect(Object.isFrozen(item)).toBe(true)
    expect(structuredClone(item)).toEqual(item)
    expect(questions.list()[0]).toBe(item)
    expect(questions.find('a')).toBe(item)
    expect(questions.head()).toBe(item)
  })
})

describe('a signal', () => {
  it('settles its questions as cancelled when it aborts', async () => {
    const questions = createQuestions(() => {})
    const controller = new AbortController()
    const mine = questions.ask(request('a'), { signal: controller.signal })
    void questions.ask(request('b'), {})
    controller.abort()
    expect(await mine).toEqual(no('a', 'cancelled'))
    expect(questions.list().map(({ key }) => key)).toEqual(['b'])
    expect(questions.answer('a', yes('a'))).toBe(false)
  })

  it('that has aborted already opens nothing', async () => {
    const told = vi.fn()
    const questions = createQuestions(told)
    expect(await questions.ask(request('a'), { signal: AbortSignal.abort() })).toEqual(no('a', 'cancelled'))
    expect(told).not.toHaveBeenCalled()
  })

  it('is left without listeners, however a question ended (K37)', async () => {
    const questions = createQuestions(() => {})
    const controller = new AbortController()
    const listeners = countListeners(controller.signal)
    const soon = { expiresAt: new Date(Date.now() + 60_000).toISOString() }
    for (const id of ['a', 'b', 'c']) void questions.ask(request(id, soon), { signal: controller.signal })
    questions.answer('a', yes('a'))
    questions.cancel(() => true)
    void questions.ask(request('d'), { signal: controller.signal })
    controller.abort()
    expect([listeners.added(), listeners.live()]).toEqual([4, 0])
  })
})

describe('expiry', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) }))
  afterEach(() => void vi.useRealTimers())

  const at = (ms: number) => ({ expiresAt: new Date(Date.now() + ms).toISOString() })

  it('settles at the end, by a timer (BUG-061)', async () => {
    const questions = createQuestions(() => {})
    const answer = questions.ask(request('a', at(3000)), {})
    vi.advanceTimersByTime(2999)
    expect(questions.count()).toBe(1)
    vi.advanceTimersByTime(1)
    expect(questions.count()).toBe(0)
    expect(await answer).toEqual(no('a', 'expired'))
    expect(vi.getTimerCount()).toBe(0)
  })

  it('refuses a yes at the very end though no timer fired, and settles expired (K10)', async () => {
    const questions = createQuestions(() => {})
    const answer = questions.ask(request('a', at(3000)), {})
    vi.setSystemTime(Date.now() + 3000)
    expect(questions.answer('a', yes('a'))).toBe(false)
    expect(await answer).toEqual(no('a', 'expired'))
    expect(vi.getTimerCount()).toBe(0)
  })

  it('takes a no after the end for the no it is (K10)', async () => {
    const questions = createQuestions(() => {})
    const answer = questions.ask(request('a', at(3000)), {})
    vi.setSystemTime(Date.now() + 5000)
    expect(questions.answer('a', no('a', 'declined'))).toBe(true)
    expect(await answer).toEqual(no('a', 'declined'))
  })

  it.each([0, -1, -1e9])('opens nothing that has ended %d ms ago (BUG-062)', async (ms) => {
    const told = vi.fn()
    const questions = createQuestions(told)
    expect(await questions.ask(request('a', at(ms)), {})).toEqual(no('a', 'expired'))
    expect(told).not.toHaveBeenCalled()
  })

  it.each([undefined, null, '', 'soon', '2026-13-01T00:00:00Z', '1767225600000'])(
    'has no end for expiresAt %j (K11, BUG-065)',
    (expiresAt) => {
      const questions = createQuestions(() => {})
      void questions.ask(request('a', { expiresAt }), {})
      vi.advanceTimersByTime(10_000)
      expect([questions.count(), vi.getTimerCount(), questions.head()?.expiresAt]).toEqual([1, 0, undefined])
    },
  )

  it('waits beyond what one timer holds (K11)', () => {
    const questions = createQuestions(() => {})
    void questions.ask(request('a', at(2 ** 31 + 1000)), {})
    vi.advanceTimersByTime(2 ** 31)
    expect(questions.count()).toBe(1)
    vi.advanceTimersByTime(1000)
    expect(questions.count()).toBe(0)
  })
})

describe('cancel', () => {
  it('settles what one call asked, or everything', async () => {
    const questions = createQuestions(() => {})
    const call = { runId: 'r1', toolCallId: 'c1', toolName: 't', args: {} }
    const answers = Promise.all([questions.ask(request('a'), { call }), questions.ask(request('b'), {})])
    questions.cancel(({ runId }) => runId === 'r1')
    expect(questions.list().map(({ key }) => key)).toEqual(['b'])
    questions.cancel(() => true)
    expect(await answers).toEqual([no('a', 'cancelled'), no('b', 'cancelled')])
  })

  it('lets the questions asked meanwhile stay open', async () => {
    const questions = createQuestions(() => {})
    const second = questions.ask(request('a'), {}).then(() => questions.ask(request('b'), {}))
    questions.cancel(() => true)
    await flush()
    expect(questions.list().map(({ key }) => key)).toEqual(['b'])
    questions.answer('b', yes('b'))
    await second
  })
})

describe('reopen', () => {
  const asked = (id: string, askedAt: number): PendingItem =>
    Object.freeze({ key: id, request: request(id), seq: 0, askedAt, danger: 'medium', trusted: true })
  const keys = (questions: Asked) => questions.list().map(({ key }) => key)
  /** A store with nothing in it, and how often its questions were put in order. */
  const sorting = (work: (questions: Asked) => void): number => {
    const questions = createQuestions(() => {})
    const sort = vi.spyOn(Array.prototype, 'sort')
    try {
      work(questions)
      return sort.mock.calls.length
    } finally {
      sort.mockRestore()
    }
  }

  it('puts what was asked before this page in its place among the others, whatever comes first', () => {
    const questions = createQuestions(() => {})
    void questions.ask(request('now'), {})
    for (const [id, at] of [
      ['c', 3],
      ['a', 1],
      ['d', 4],
      ['b', 2],
    ] as const)
      questions.reopen(asked(id, at))
    expect([keys(questions), questions.head()?.key]).toEqual([['a', 'b', 'c', 'd', 'now'], 'a'])
    questions.answer('a', yes('a'))
    questions.reopen(asked('e', 5))
    expect([keys(questions), questions.head()?.key]).toEqual([['b', 'c', 'd', 'e', 'now'], 'b'])
  })

  it('has it in its place for whoever hears of it', () => {
    const seen: string[] = []
    const questions = createQuestions(() => seen.push(keys(questions).join('')))
    for (const [id, at] of [
      ['b', 2],
      ['a', 1],
      ['c', 3],
    ] as const)
      questions.reopen(asked(id, at))
    expect(seen).toEqual(['b', 'ab', 'abc'])
  })

  it('leaves the one that is shown where it is', () => {
    const questions = createQuestions(() => {})
    questions.reopen(asked('b', 2))
    expect(questions.head()?.key).toBe('b')
    questions.reopen(asked('a', 1))
    expect([questions.head()?.key, keys(questions)]).toEqual(['b', ['a', 'b']])
  })

  it('settles what was not put in order yet, and cancels in the order they were asked', async () => {
    const settled: string[] = []
    const questions = createQuestions(({ key }, answer) => void (answer && settled.push(key)))
    const answers = [3, 1, 2].map((at) => questions.reopen(asked(`q${at}`, at)).answer)
    expect([questions.answer('q1', yes('q1')), questions.drop('q1'), questions.count()]).toEqual([true, false, 2])
    questions.cancel(() => true)
    expect(await Promise.all(answers)).toEqual([no('q3', 'cancelled'), yes('q1'), no('q2', 'cancelled')])
    expect(settled).toEqual(['q1', 'q2', 'q3'])
  })

  it('sorts nothing that comes in its order, and the rest once', () => {
    const reopen = (questions: Asked, times: readonly number[]) => {
      for (const at of times) questions.reopen(asked(`q${at}`, at))
      questions.head()
      questions.list()
    }
    const times = Array.from({ length: 100 }, (_none, n) => n)
    expect(sorting((questions) => reopen(questions, times))).toBe(0)
    expect(sorting((questions) => reopen(questions, times.reverse()))).toBe(1)
  })

  it('does not hold the age of what has gone against what comes', () => {
    const count = sorting((questions) => {
      questions.reopen(asked('young', 9))
      questions.answer('young', yes('young'))
      questions.reopen(asked('old', 1))
      questions.reopen(asked('old too', 2))
      questions.head()
    })
    expect(count).toBe(0)
  })
})
