// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { createQueue } from '../../src/store/queue.js'
import { flush, no, yes } from '../support/asking.js'
import { gated, request, runnerOf } from '../support/consent.js'

interface Entry {
  source: string
  n: number
}

/** A queue with so many of each source, added source by source, and who is shown as they are settled one by one. */
function filled(counts: Record<string, number>) {
  const queue = createQueue<Entry>()
  const add = (source: string, n: number): Entry => {
    const entry = { source, n }
    queue.add(entry, source)
    return entry
  }
  for (const [source, count] of Object.entries(counts)) for (let n = 1; n <= count; n++) add(source, n)
  /** Settles the one that is shown; who it was. */
  const next = (): string => {
    const entry = queue.head()
    if (!entry) return ''
    queue.remove(entry, entry.source)
    return `${entry.source}${entry.n}`
  }
  const nextOf = (count: number): string => Array.from({ length: count }, next).join(' ')
  return { queue, add, next, nextOf }
}

describe('createQueue', () => {
  it('is empty until something waits, and again when nothing does', () => {
    const { queue, add, next } = filled({})
    expect([queue.head(), queue.size('a')]).toEqual([undefined, 0])
    add('a', 1)
    expect([queue.size('a'), next(), queue.head(), queue.size('a')]).toEqual([1, 'a1', undefined, 0])
  })

  it('goes by age where nobody crowds the others out', () => {
    const { nextOf, add } = filled({ a: 3, b: 2 })
    add('a', 4)
    expect(nextOf(7)).toBe('a1 a2 a3 b1 b2 a4 ')
  })

  it('lets one source with 500 waiting not bury another’s single question', () => {
    const { nextOf, add, queue } = filled({ noisy: 500 })
    expect(queue.head()).toEqual({ source: 'noisy', n: 1 })
    add('quiet', 1)
    expect(nextOf(4)).toBe('noisy1 quiet1 noisy2 noisy3')
  })

  it('lets two sources with 500 waiting each not bury a third’s', () => {
    const { nextOf } = filled({ a: 500, b: 500, c: 1 })
    expect(nextOf(6)).toBe('a1 b1 c1 a2 b2 a3')
  })

  it('gives everybody a turn within as many as there are sources', () => {
    const sources = Array.from({ length: 20 }, (_, index) => `s${index}-`)
    const { next, add } = filled(Object.fromEntries(sources.map((source) => [source, 50])))
    for (let turn = 0; turn < 7; turn++) next()
    add('late-', 1)
    const seen = Array.from({ length: sources.length + 1 }, next)
    expect(seen).toContain('late-1')
  })

  it('keeps each source in the order it asked, whoever else waits', () => {
    const { next } = filled({ a: 60, b: 40, c: 3, d: 12 })
    const seen: Record<string, number> = {}
    for (let entry = next(); entry; entry = next()) {
      const [source = '', ...digits] = entry
      expect(Number(digits.join(''))).toBe((seen[source] ?? 0) + 1)
      seen[source] = Number(digits.join(''))
    }
    expect(seen).toEqual({ a: 60, b: 40, c: 3, d: 12 })
  })

  it('keeps the one that is shown until it is settled, whatever comes and goes', () => {
    const { queue, add } = filled({ a: 500 })
    const shown = queue.head()
    const others = ['b', 'c', 'd'].map((source) => add(source, 1))
    expect(queue.head()).toBe(shown)
    for (const entry of others) queue.remove(entry, entry.source)
    expect(queue.head()).toBe(shown)
    if (shown) queue.remove(shown, 'a')
    expect(queue.head()).toEqual({ source: 'a', n: 2 })
  })

  it('is not thrown by what is settled out of its turn', () => {
    const { queue, nextOf, add } = filled({ a: 20, b: 20 })
    const late = add('c', 1)
    queue.remove(late, 'c')
    add('c', 2)
    expect(nextOf(4)).toBe('a1 b1 c2 a2')
    expect([queue.size('a'), queue.size('b'), queue.size('c')]).toEqual([18, 19, 0])
  })

  it('ends what it does not know without harm', () => {
    const { queue } = filled({ a: 1 })
    queue.remove({ source: 'a', n: 9 }, 'a')
    queue.remove({ source: 'x', n: 9 }, 'x')
    expect([queue.size('a'), queue.head()]).toEqual([1, { source: 'a', n: 1 }])
  })

  it.each(['__proto__', 'constructor', '', ' '])('takes %j for a source (K19)', (source) => {
    const { queue, nextOf } = filled({ a: 12 })
    queue.add({ source, n: 1 }, source)
    expect([queue.size(source), queue.size('toString')]).toEqual([1, 0])
    expect(nextOf(2)).toBe(`a1 ${source}1`)
  })

  it('loses none and shows none twice, through thousands of random steps', () => {
    const { queue, add } = filled({})
    let seed = 11
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31
      return seed % below
    }
    const open = new Set<Entry>()
    for (let step = 0; step < 5000; step++) {
      if (random(2) || open.size === 0) open.add(add(`s${random(4)}`, step))
      else {
        const entry = random(3) ? queue.head() : [...open][random(open.size)]
        if (!entry) throw new Error('lost')
        expect(open.delete(entry)).toBe(true)
        queue.remove(entry, entry.source)
      }
      const head = queue.head()
      expect(head === undefined ? open.size === 0 : open.has(head)).toBe(true)
      expect(queue.head()).toBe(head)
    }
    expect(['s0', 's1', 's2', 's3'].reduce((sum, source) => sum + queue.size(source), 0)).toBe(open.size)
  })

  it('costs the same to look at however many wait', () => {
    const cost = (count: number, looks: number): number => {
      const { queue, next } = filled({ a: count, b: count })
      const start = performance.now()
      for (let look = 0; look < looks; look++) {
        queue.head()
        next()
      }
      return performance.now() - start
    }
    cost(5000, 5000)
    // Ten times as many that wait and as many looks: far from the ten times a walk over all of them would take.
    const few = Math.min(...[1, 2, 3].map(() => cost(5000, 5000)))
    const many = Math.min(...[1, 2, 3].map(() => cost(50_000, 5000)))
    expect(many).toBeLessThan(few * 5 + 20)
  })
})

describe('the head of a runner', () => {
  const shownBy = (runner: ReturnType<typeof runnerOf>) => runner.head()?.asker?.name ?? runner.head()?.toolName

  it('goes round the servers that ask', async () => {
    const runner = runnerOf([gated('mine')])
    const ask = (name: string, n: number) =>
      void runner.waitFor(request(`${name}${n}`), { asker: { kind: 'server', name, trusted: false } })
    for (let n = 0; n < 500; n++) ask('noisy', n)
    expect(shownBy(runner)).toBe('noisy')
    void runner.run('mine')
    await flush()
    ask('quiet', 0)
    const seen: unknown[] = []
    for (let turn = 0; turn < 4; turn++) {
      seen.push(shownBy(runner))
      const item = runner.head()
      if (item) runner.answer(item.key, no(item.request.id))
    }
    expect(seen).toEqual(['noisy', 'mine', 'quiet', 'noisy'])
    runner.abort()
  })

  it('takes the tools of one source for one', async () => {
    const runner = runnerOf([gated('a', { source: 'far' }), gated('b', { source: 'far' }), gated('mine')])
    for (let call = 0; call < 20; call++) void runner.run(call % 2 ? 'a' : 'b')
    void runner.run('mine')
    await flush()
    const first = runner.head()
    runner.answer(first?.key ?? '', yes(first?.request.id ?? ''))
    expect(shownBy(runner)).toBe('mine')
    runner.abort()
  })

  it('does not let an asker take the turns of a source whose name it bears', async () => {
    const runner = runnerOf([gated('t', { source: 'github' })])
    const asker = { kind: 'server', name: 'github', trusted: false }
    for (let n = 0; n < 100; n++) void runner.waitFor(request(`q${n}`), { asker })
    void runner.run('t')
    await flush()
    const first = runner.head()
    runner.answer(first?.key ?? '', no(first?.request.id ?? ''))
    expect(runner.head()?.toolName).toBe('t')
    runner.abort()
  })
})
