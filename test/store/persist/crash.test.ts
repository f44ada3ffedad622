// @vitest-environment node
import { pending, type RunContext } from 'assent/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { no, recorded, yes } from '../../support/asking.js'
import { type Browser, createBrowser, openIds, quiet, type Step, statuses, type Tab } from '../../support/tabs.js'

// A page that ends at a point, for every kind of question. What a tool does is counted outside of the pages.

interface World {
  effects: string[]
  /** A tool that is stopped in the middle of its effect. */
  at?: 'before the effect' | 'after the effect' | undefined
  crash: () => void
}

interface Kind {
  name: string
  data?: Record<string, unknown>
  /** What the effect is, with the answer that was given. */
  effect: string
  tool: (world: World) => ReturnType<typeof recorded>
}

const never = (): Promise<never> => new Promise(() => {})

/** The effect of a tool, and the points in the middle of it. */
const act = (world: World, effect: string): unknown => {
  if (world.at === 'before the effect') {
    world.crash()
    return never()
  }
  world.effects.push(effect)
  if (world.at === 'after the effect') {
    world.crash()
    return never()
  }
  return 'done'
}

const asks =
  (kind: string, rest: object = {}) =>
  (world: World) =>
    recorded('t', (args, ctx) =>
      ctx.answer
        ? act(world, JSON.stringify([args, ctx.answer.data]))
        : pending({ kind, prompt: 't?', ...(kind === 'authorization' && { url: 'https://example.com' }), ...rest }),
    )
const gates = (world: World) =>
  recorded('t', (args, ctx: Partial<RunContext>) => act(world, JSON.stringify([args, ctx.approval?.ok])), {
    needsApproval: true,
    decisions: ['approve', 'edit'],
  })

const KINDS: Kind[] = [
  { name: 'approval', effect: '[{"a":1},null]', tool: asks('approval') },
  ...[{ v: false }, { v: 0 }, { v: '' }, {}].map((data) => ({
    name: `input ${JSON.stringify(data)}`,
    data,
    effect: JSON.stringify([{ a: 1 }, data]),
    tool: asks('input'),
  })),
  {
    name: 'question',
    data: { answers: ['x'] },
    effect: '[{"a":1},{"answers":["x"]}]',
    tool: asks('question', { data: { questions: [{ question: 'Which?' }] } }),
  },
  { name: 'authorization', effect: '[{"a":1},null]', tool: asks('authorization') },
  { name: 'gate', effect: '[{"a":1},true]', tool: gates },
  { name: 'gate with edited arguments', data: { args: { a: 2 } }, effect: '[{"a":2},true]', tool: gates },
]

interface Point {
  name: string
  /** Whether the page ends at this step of its storage. */
  step?: (step: Step) => boolean
  at?: World['at']
  /** What the next page finds. */
  finds: 'waiting' | 'interrupted' | 'done'
  effects: 0 | 1
}

const writes =
  (phase: Step['phase'], status: string) =>
  ({ method, row, phase: now }: Step): boolean =>
    method !== 'all' && now === phase && row?.status === status

const claims = (phase: Step['phase']) => (step: Step) => step.method === 'claim' && step.phase === phase

const POINTS: Point[] = [
  { name: 'before the answer', finds: 'waiting', effects: 0 },
  { name: 'after the answer, before it is written', step: claims('before'), finds: 'waiting', effects: 0 },
  { name: 'after the answer is written, before the run', step: claims('after'), finds: 'interrupted', effects: 0 },
  { name: 'during the run, before its effect', at: 'before the effect', finds: 'interrupted', effects: 0 },
  { name: 'during the run, after its effect', at: 'after the effect', finds: 'interrupted', effects: 1 },
  {
    name: 'after the run, before its result is stored',
    step: writes('before', 'done'),
    finds: 'interrupted',
    effects: 1,
  },
  { name: 'after the result is stored', step: writes('after', 'done'), finds: 'done', effects: 1 },
]

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => void vi.unstubAllGlobals())

const said = (tab: Tab, ok: boolean, data?: Record<string, unknown>): void => {
  const item = tab.runner.head()
  if (!item) throw new Error('no question')
  const { id } = item.request
  tab.runner.answer(item.key, ok ? yes(id, data) : no(id))
}

/** A page that ends at the point, on a browser that is left with what it wrote. */
async function crashAt(browser: Browser, point: Point, kind: Kind, keepAnswers: boolean): Promise<World> {
  const world: World = { effects: [], at: point.at, crash: () => {} }
  const tab = await browser.open({ tools: [kind.tool(world)], persist: { keepAnswers } })
  world.crash = tab.crash
  void tab.runner.run('t', { a: 1 })
  await quiet()
  if (point.step || point.at || point.finds !== 'waiting') {
    tab.onStep = (step) => point.step?.(step) && tab.crash()
    said(tab, true, kind.data)
    await quiet()
  }
  if (point.name !== 'before the answer') expect(tab.isDead()).toBe(true)
  tab.crash()
  world.at = undefined
  return world
}

describe.each([false, true])('a crash (answers kept: %s)', (keepAnswers) => {
  describe.each(POINTS)('$name', (point) => {
    it.each(KINDS)(
      'of a call with a question of kind $name has at most one effect, and says the truth',
      async (kind) => {
        const browser = createBrowser()
        const world = await crashAt(browser, point, kind, keepAnswers)
        const next = await browser.open({ tools: [kind.tool(world)], persist: { keepAnswers } })
        expect(openIds(next)).toHaveLength(point.finds === 'waiting' ? 1 : 0)
        expect(statuses(next)).toEqual([point.finds === 'waiting' ? 'waiting' : point.finds])
        expect(world.effects).toHaveLength(point.effects)
        expect(next.results.map(({ status }) => status)).toEqual(point.finds === 'interrupted' ? ['interrupted'] : [])
        if (point.finds === 'waiting') {
          said(next, true, kind.data)
          await quiet()
          expect(world.effects).toEqual([kind.effect])
          expect(next.results).toEqual([{ output: 'done', status: 'done' }])
        }
        // Whoever comes after finds it as it ended, and is told nothing again.
        next.crash()
        const last = await browser.open({ tools: [kind.tool(world)], persist: { keepAnswers } })
        expect([openIds(last), last.results]).toEqual([[], []])
        expect(statuses(last)).toEqual([point.finds === 'waiting' ? 'done' : point.finds])
        expect(world.effects.length).toBeLessThanOrEqual(1)
      },
    )
  })
})

describe('a crash of a page that goes on with a restored call', () => {
  it.each(POINTS)('$name has at most one effect in three pages, and one result', async (point) => {
    const [first] = POINTS
    const [kind] = KINDS
    if (!first || !kind) throw new Error('a point and a kind')
    const browser = createBrowser()
    const world = await crashAt(browser, first, kind, false)
    world.at = point.at
    const two = await browser.open({ tools: [kind.tool(world)] })
    world.crash = two.crash
    if (point.step || point.at) {
      two.onStep = (step) => point.step?.(step) && two.crash()
      said(two, true)
      await quiet()
    }
    two.crash()
    world.at = undefined
    const three = await browser.open({ tools: [kind.tool(world)] })
    if (three.runner.head()) said(three, true)
    await quiet()
    expect(world.effects).toHaveLength(point.finds === 'waiting' ? 1 : point.effects)
    // What was told by a page that ended in the same moment is told again: nobody knows that it was heard.
    expect(three.results.length).toBeLessThanOrEqual(1)
    expect((await browser.rows()).map(({ status }) => status)).toEqual(['done'])
  })
})

describe('a crash after a no', () => {
  it.each([
    ['before it is written', claims('before'), 1],
    ['after it is written', claims('after'), 0],
  ] as const)('%s runs nothing', async (_when, step, open) => {
    const [kind] = KINDS
    if (!kind) throw new Error('a kind')
    const browser = createBrowser()
    const world: World = { effects: [], crash: () => {} }
    const tab = await browser.open({ tools: [kind.tool(world)] })
    void tab.runner.run('t')
    await quiet()
    tab.onStep = (now) => step(now) && tab.crash()
    said(tab, false)
    await quiet()
    const next = await browser.open({ tools: [kind.tool(world)] })
    expect([openIds(next).length, world.effects, next.results]).toEqual([open, [], []])
    expect(statuses(next)).toEqual([open ? 'waiting' : 'failed'])
  })
})

describe('a crash of a page with a question no call asked', () => {
  it.each([
    ['before the answer', undefined, 1],
    ['before the answer is written', claims('before'), 1],
    ['after the answer is written', claims('after'), 0],
  ] as const)('%s asks again or not at all', async (_when, step, open) => {
    const browser = createBrowser()
    const tab = await browser.open()
    void tab.runner.waitFor({ id: 'q', kind: 'input', prompt: 'q?' })
    await quiet()
    if (step) {
      tab.onStep = (now) => step(now) && tab.crash()
      said(tab, true, { v: 0 })
      await quiet()
    }
    tab.crash()
    const next = await browser.open()
    expect(openIds(next)).toHaveLength(open)
    if (open) {
      said(next, true, { v: 0 })
      await quiet()
      expect(next.answers).toEqual([{ id: 'q', ok: true }])
    }
  })
})

describe('a crash in the first run, before anything was asked', () => {
  it('is interrupted, and never run again', async () => {
    const browser = createBrowser()
    const stuck = recorded('t', never)
    const tab = await browser.open({ tools: [stuck] })
    void tab.runner.run('t')
    await quiet()
    tab.crash()
    const next = await browser.open({ tools: [stuck] })
    expect([statuses(next), next.results.length, stuck.attempts.length]).toEqual([['interrupted'], 1, 1])
  })

  it('of three pages that come at once only one is told', async () => {
    const browser = createBrowser()
    const stuck = recorded('t', never)
    const tab = await browser.open({ tools: [stuck] })
    void tab.runner.run('t')
    await quiet()
    tab.crash()
    const tabs = await Promise.all([1, 2, 3].map(() => browser.open({ tools: [stuck] })))
    await quiet()
    expect(tabs.flatMap(({ results }) => results).map(({ status }) => status)).toEqual(['interrupted'])
    expect(tabs.map(statuses)).toEqual([['interrupted'], ['interrupted'], ['interrupted']])
  })
})
