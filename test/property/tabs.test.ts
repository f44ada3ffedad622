// @vitest-environment node
import { type Answer, pending, type ToolResult } from 'assent/core'
import type { PendingItem } from 'assent/runner'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { recorded } from '../support/asking.js'
import { type Browser, createBrowser, type Tab } from '../support/tabs.js'
import { parameters, replayPath, seed } from './settings.js'
import { law } from './world.js'

const TOOLS = ['asks', 'gated', 'gatedAsks', 'twice', 'sameId', 'hears'] as const
type ToolName = (typeof TOOLS)[number]

const MOST = 4
// Longer than a tab has to say that it lives, shorter than a storage has to answer.
const LONGEST_FREEZE = 4000

async function flush(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await null
}
const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)]

interface Call {
  tag: string
  tab: Tab
  name: ToolName
  aborted?: true
  result?: ToolResult
}
interface Wait {
  id: string
  tab: Tab
  answer?: Answer
}
interface Slot {
  tab: Tab
  state: 'alive' | 'disposed' | 'crashed'
  frozenAt?: number | undefined
}

/** Two to four tabs on one storage, what was done to them, and what must never come of it. */
class World {
  readonly browser: Browser
  readonly keepAnswers: boolean
  readonly slots: Slot[] = []
  readonly calls: Call[] = []
  readonly waits: Wait[] = []
  /** Executions after a yes, and the yeses that were taken, by the call's tag and the step. */
  private readonly effects = new Map<string, number>()
  private readonly yeses = new Set<string>()
  private broken: Error | undefined

  constructor(locks: boolean, keepAnswers: boolean) {
    this.browser = createBrowser({ locks })
    this.keepAnswers = keepAnswers
  }

  private alive(): Slot[] {
    return this.slots.filter(({ state }) => state === 'alive')
  }
  private awake(): Slot[] {
    return this.alive().filter(({ frozenAt }) => frozenAt === undefined)
  }

  // ---- steps

  async open(most = MOST): Promise<void> {
    if (this.alive().length >= most) return
    const persist = { keepAnswers: this.keepAnswers }
    const tab = await this.browser.open({ tools: this.tools(() => tab), persist, isFresh: false })
    this.slots.push({ tab, state: 'alive' })
  }

  run(index: number, name: ToolName): void {
    const slot = pick(this.awake(), index)
    if (!slot) return
    const call: Call = { tag: `${name} ${this.calls.length}`, tab: slot.tab, name }
    this.calls.push(call)
    void slot.tab.runner.run(name, { tag: call.tag }).then((result) => {
      call.result = result
    })
  }

  waitFor(index: number): void {
    const slot = pick(this.awake(), index)
    if (!slot) return
    const wait: Wait = { id: `wait ${this.waits.length}`, tab: slot.tab }
    this.waits.push(wait)
    void slot.tab.runner.waitFor({ id: wait.id, kind: 'approval', prompt: `${wait.id}?` }).then((answer) => {
      wait.answer = answer
    })
  }

  answer(tabIndex: number, index: number, ok: boolean): void {
    const slot = pick(this.alive(), tabIndex)
    const item = slot && pick(slot.tab.runner.getState().pending, index)
    if (slot && item) this.reply(slot.tab, item, ok)
  }

  /** The same question in every tab in the same tick, with a yes and a no in turn. */
  answerAll(index: number, first: boolean): void {
    const [one] = this.alive()
    const item = one && pick(one.tab.runner.getState().pending, index)
    if (!item) return
    let ok = first
    for (const { tab } of this.alive()) {
      const mine = tab.runner.getState().pending.find((each) => nameOf(each) === nameOf(item))
      if (mine) this.reply(tab, mine, ok)
      ok = !ok
    }
  }

  abort(tabIndex: number, index: number): void {
    const slot = pick(this.awake(), tabIndex)
    const run = slot && pick(slot.tab.runner.getState().runs, index)
    if (slot && run) slot.tab.runner.abort(run.id)
  }

  dispose(index: number): void {
    const slot = pick(this.awake(), index)
    if (!slot) return
    slot.state = 'disposed'
    slot.tab.runner.dispose()
  }

  crash(index: number): void {
    const slot = pick(this.alive(), index)
    if (!slot) return
    slot.state = 'crashed'
    slot.tab.crash()
  }

  freeze(index: number): void {
    const slot = pick(this.awake(), index)
    if (!slot) return
    slot.frozenAt = Date.now()
    slot.tab.freeze()
  }

  thaw(): void {
    for (const slot of this.slots) {
      if (slot.frozenAt !== undefined) slot.tab.thaw()
      slot.frozenAt = undefined
    }
  }

  async pass(ms: number): Promise<void> {
    for (const { frozenAt } of this.slots) {
      if (frozenAt !== undefined && Date.now() + ms > frozenAt + LONGEST_FREEZE) this.thaw()
    }
    await vi.advanceTimersByTimeAsync(ms)
    await flush(100)
  }

  // ---- what the tools do

  private tools(tab: () => Tab) {
    const ask = (name: ToolName, prompt: string, id?: string) =>
      pending({ kind: 'approval', prompt: `${name}: ${prompt}`, ...(id && { id }) })
    return TOOLS.map((name) =>
      recorded(
        name,
        (args, ctx) => {
          if (tab().isDead()) return new Promise(() => {})
          const tag = String(args.tag)
          const answers = ctx.answers ?? []
          const gates = name === 'gated' || name === 'gatedAsks'
          if (gates) this.guard(() => law(this.yeses.has(`Allow ${tag}`), 'K4: ran without a yes of the gate', tag))
          if (name === 'gated') return this.effect(tag, 0)
          const steps = name === 'twice' || name === 'sameId' ? 2 : 1
          if (answers.length > 0) this.onAnswer(name, tag, answers)
          if (answers.length < steps) {
            return ask(name, `${tag} step ${answers.length + 1}`, name === 'sameId' ? `same ${tag}` : undefined)
          }
          return 'done'
        },
        {
          needsApproval: name === 'gated' || name === 'gatedAsks',
          ...((name === 'twice' || name === 'sameId') && { maxQuestions: 2 }),
          ...(name === 'hears' && { onRefusal: 'retry' as const }),
        },
      ),
    )
  }

  /** A run after an answer: it was given to this very question, and it is the first run of this step. */
  private onAnswer(name: ToolName, tag: string, answers: readonly Answer[]): void {
    this.guard(() => {
      answers.forEach(({ ok, data }, step) => {
        const isMine = data?.on === `${name}: ${tag} step ${step + 1}`
        if (ok) law(isMine, 'K3: the answer to another question', tag, step, data)
        else law(name === 'hears', 'K4: ran after a no', tag)
      })
    })
    this.effect(tag, answers.length)
  }

  private effect(tag: string, step: number): string {
    const key = `${tag} ${step}`
    const count = (this.effects.get(key) ?? 0) + 1
    this.effects.set(key, count)
    this.guard(() => law(count === 1, 'K1/K26: a step ran twice', key))
    return 'done'
  }

  private reply(tab: Tab, item: PendingItem, ok: boolean): void {
    const { key, request } = item
    const data = { on: request.prompt }
    const taken = tab.runner.answer(key, ok ? { id: request.id, ok, data } : { id: request.id, ok, reason: 'declined' })
    law(taken, 'K2: an open question took no answer', nameOf(item))
    law(tab.runner.find(key) !== item, 'K2: open after its answer', nameOf(item))
    if (ok) this.yeses.add(item.isGate ? `Allow ${item.args?.tag}` : request.prompt)
  }

  private guard(step: () => void): void {
    try {
      step()
    } catch (error) {
      this.broken ??= error instanceof Error ? error : new Error(String(error))
    }
  }

  // ---- the laws

  check(): void {
    if (this.broken) throw this.broken
  }

  /** Lets everything come to rest. */
  private async rest(): Promise<void> {
    this.thaw()
    for (let turn = 0; turn < 8; turn++) await this.pass(1000)
    this.check()
  }

  async finish(): Promise<void> {
    await this.rest()
    // A page that is loaded after a crash finds what the others were not told of.
    await this.open(MOST + 1)
    if (this.slots.some(({ state }) => state === 'crashed')) {
      for (const channel of this.browser.channels) channel.onmessage?.({ data: { type: 'changed' } })
    }
    await this.rest()
    await this.checkShown()
    for (let round = 0; round < 20; round++) {
      const open = this.alive().flatMap(({ tab }) => tab.runner.getState().pending.map((item) => ({ tab, item })))
      if (open.length === 0) break
      for (const { tab, item } of open) if (tab.runner.find(item.key) === item) this.reply(tab, item, round % 3 !== 2)
      await this.rest()
    }
    await this.checkTheEnd()
    for (const slot of this.alive()) slot.tab.runner.dispose()
    // Storages of tabs that crashed never answer; those that wait for them give up after a while.
    await vi.advanceTimersByTimeAsync(20_000)
    this.check()
    law(this.browser.channels.size === 0, 'K37: channels', this.browser.channels.size)
    law(this.browser.locks.held.length + this.browser.locks.waiting.length === 0, 'K37: locks')
    law(vi.getTimerCount() === 0, 'K37: timers', vi.getTimerCount())
  }

  /** Every open question is in every living tab, and none is there twice or after its end. */
  private async checkShown(): Promise<void> {
    const rows = await this.browser.rows()
    const waiting = rows.filter(({ status, isPartial }) => status === 'pending' && !isPartial)
    // What a tab answered that went before it said so is still open where it was asked.
    const all = rows.filter(({ status }) => status === 'pending' || status === 'answered')
    for (const { tab } of this.alive()) {
      const shown = tab.runner.getState().pending.map(nameOf)
      law(new Set(shown).size === shown.length, 'K26: a question shown twice', shown)
      for (const { item } of waiting) {
        // Another tab took the call over, and the one that began it waits for what comes of it.
        if (this.calls.some((call) => call.tab === tab && call.tag === item?.args?.tag && !call.result)) continue
        law(item !== undefined && shown.includes(nameOf(item)), 'K26: lost in a tab', item?.request.prompt, shown)
      }
      const names = all.map(({ item }) => item && nameOf(item))
      for (const name of shown) law(names.includes(name), 'K26: shown after its end', name, names)
    }
  }

  private async checkTheEnd(): Promise<void> {
    for (const { tab } of this.alive()) {
      const { pending: open, runs } = tab.runner.getState()
      law(open.length === 0, 'K26: open at the end', open.map(nameOf))
      const alive = runs
        .filter(({ endedAt }) => endedAt === undefined)
        .map(({ toolName, status }) => [toolName, status])
      law(alive.length === 0, 'K6: a call that never ends', alive)
    }
    const crashed = new Set(this.slots.filter(({ state }) => state === 'crashed').map(({ tab }) => tab))
    for (const { tab, tag, result } of this.calls) {
      law(crashed.has(tab) || result !== undefined, 'K6: a call that never settled', tag)
    }
    for (const { tab, id, answer } of this.waits) {
      law(crashed.has(tab) || answer !== undefined, 'K6: a question that never settled', id)
      law(!answer?.ok || this.yeses.has(`${id}?`), 'K4: a yes nobody gave', id)
    }
    const open = (await this.browser.rows()).filter(({ status }) => status !== 'done')
    law(open.length === 0, 'K26: a row that never ends', open)
    this.checkTold(crashed)
  }

  /** What no promise delivered was told, and once; a page that crashed may have told it in vain. */
  private checkTold(crashed: ReadonlySet<Tab>): void {
    const told = this.slots.filter(({ tab }) => !crashed.has(tab)).flatMap(({ tab }) => tab.told)
    law(new Set(told).size === told.length, 'onResult: told twice', told)
    const answered = this.slots.flatMap(({ tab }) => tab.answers.map(({ id }) => id))
    law(new Set(answered).size === answered.length, 'onAnswer: told twice', answered)
  }
}

const nameOf = ({ request, isGate, args }: PendingItem): string =>
  isGate ? `Allow ${String(args?.tag)}` : `${request.prompt} ${request.id}`

/** A step of a schedule, and how many microtasks run before the next. */
class Step implements fc.AsyncCommand<object, World> {
  readonly name: string
  readonly does: (world: World) => unknown
  readonly turns: number
  constructor(name: string, does: (world: World) => unknown, turns: number) {
    this.name = name
    this.does = does
    this.turns = turns
  }
  check(): boolean {
    return true
  }
  async run(_model: object, world: World): Promise<void> {
    await this.does(world)
    world.check()
    await flush(this.turns)
    world.check()
  }
  toString(): string {
    return `${this.name} +${this.turns}`
  }
}

const index = fc.nat({ max: 9 })
const pause = fc.constantFrom(0, 1, 2, 3, 5, 8, 13, 21, 34, 100, 100, 100, 100)
const step = <T extends unknown[]>(
  name: string,
  weight: number,
  given: { [K in keyof T]: fc.Arbitrary<T[K]> },
  does: (world: World, ...values: T) => unknown,
): fc.WeightedArbitrary<Step> => ({
  weight,
  arbitrary: fc
    .tuple(pause, fc.tuple<T>(...given))
    .map(([turns, values]) => new Step(`${name}(${values.join(', ')})`, (world) => does(world, ...values), turns)),
})

const steps = fc.oneof(
  step('run', 10, [index, fc.constantFrom(...TOOLS)], (world, ...rest) => world.run(...rest)),
  step('waitFor', 3, [index], (world, ...rest) => world.waitFor(...rest)),
  step('answer', 12, [index, index, fc.boolean()], (world, ...rest) => world.answer(...rest)),
  step('answerAll', 5, [index, fc.boolean()], (world, ...rest) => world.answerAll(...rest)),
  step('abort', 2, [index, index], (world, ...rest) => world.abort(...rest)),
  step('pass', 6, [fc.constantFrom(1, 20, 500, 2500)], (world, ms) => world.pass(ms)),
  step('freeze', 2, [index], (world, at) => world.freeze(at)),
  step('thaw', 2, [], (world) => world.thaw()),
  step('open', 2, [], (world) => world.open()),
  step('dispose', 1, [index], (world, at) => world.dispose(at)),
  step('crash', 2, [index], (world, at) => world.crash(at)),
)

describe('tabs on one storage', () => {
  let played = 0
  beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
  afterEach(() => void vi.unstubAllGlobals())
  afterAll(() => {
    vi.useRealTimers()
    process.stdout.write(`property tests of tabs: ${played} schedules, seed ${seed}\n`)
  })

  it('break no law, whatever is asked, answered here and there, aborted, disposed, frozen and crashed (K1, K3, K4, K6, K26, K37)', async () => {
    for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
    const given = parameters(0.03)
    const schedules = fc.tuple(
      fc.commands([steps], { maxCommands: 30, size: 'medium', ...(replayPath && { replayPath }) }),
      fc.integer({ min: 2, max: MOST }),
      fc.boolean(),
      fc.boolean(),
    )
    await fc.assert(
      fc.asyncProperty(schedules, async ([commands, count, locks, keepAnswers]) => {
        played++
        vi.clearAllTimers()
        vi.setSystemTime(Date.UTC(2026, 0, 1))
        const world = new World(locks, keepAnswers)
        for (let n = 0; n < count; n++) await world.open()
        await fc.asyncModelRun(() => ({ model: {}, real: world }), commands)
        await world.finish()
      }),
      given,
    )
    expect(played).toBeGreaterThanOrEqual(given.path === undefined ? given.numRuns : 1)
  }, 300_000)
})
