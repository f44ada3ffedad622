import fc from 'fast-check'
import { vi } from 'vitest'
import { REPLIES } from './replies.js'
import { TOOLS } from './tools.js'
import { REENTRANT, World } from './world.js'

/** Lets so many microtasks run, so that the next step meets a call half way. */
async function flush(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await null
}

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
    if (this.turns >= 100) world.checkViews()
  }

  toString(): string {
    return `${this.name} +${this.turns}`
  }
}

const index = fc.nat({ max: 9 })
const pause = fc.constantFrom(0, 0, 1, 2, 3, 5, 8, 13, 100, 100, 100)
const usual = fc.constantFrom(...TOOLS)
const reply = fc.oneof(
  { arbitrary: fc.constant('yes' as const), weight: 3 },
  { arbitrary: fc.constantFrom(...REPLIES), weight: 4 },
)

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
  step('run', 10, [usual, fc.boolean(), fc.constantFrom(undefined, undefined, 100, 500)], (world, ...rest) =>
    world.run(...rest),
  ),
  step('runAndLeave', 3, [usual], (world, ...rest) => world.runAndLeave(...rest)),
  step('runAgain', 2, [index], (world, ...rest) => world.runAgain(...rest)),
  step('waitFor', 3, [fc.boolean(), fc.boolean()], (world, ...rest) => world.waitFor(...rest)),
  step('answer', 10, [index, reply, fc.constant(false)], (world, ...rest) => world.answer(...rest)),
  step('answerLate', 2, [index, reply, fc.constant(true)], (world, ...rest) => world.answer(...rest)),
  step('answerTwice', 2, [index, reply, reply], (world, ...rest) => world.answerTwice(...rest)),
  step('abort', 3, [index, fc.constantFrom('runId', 'toolCallId', 'signal', 'nobody')], (world, ...rest) =>
    world.abort(...rest),
  ),
  step('abortWait', 1, [index], (world, ...rest) => world.abortWait(...rest)),
  step('abortAll', 1, [], (world) => world.abortAll()),
  step('detach', 4, [index], (world, ...rest) => world.detach(...rest)),
  step('advance', 4, [fc.constantFrom(1, 200, 300, 1000)], (_world, ms) => vi.advanceTimersByTimeAsync(ms)),
  step('jump', 1, [fc.constantFrom(1000, 100_000)], (world, ms) => world.jump(ms)),
  step('unregister', 1, [usual], (world, name) => world.unregister(name)),
  step('reregister', 3, [usual, fc.boolean()], (world, ...rest) => world.reregister(...rest)),
  step('listen', 3, [fc.constantFrom(...REENTRANT), fc.integer({ min: 1, max: 3 })], (world, ...rest) =>
    world.listen(...rest),
  ),
  step('dispose', 1, [], (world) => world.dispose()),
)

/** Schedules of steps, how each ends, and how many calls run at once. */
export const schedules = (replayPath?: string) =>
  fc.tuple(
    fc.commands([steps], { maxCommands: 40, size: 'medium', ...(replayPath && { replayPath }) }),
    fc.constantFrom('answer' as const, 'answer' as const, 'abort' as const, 'dispose' as const),
    fc.constantFrom(undefined, undefined, 1, 2, 3),
  )

type Schedule = ReturnType<typeof schedules> extends fc.Arbitrary<infer T> ? T : never

/** Runs a schedule on a new runner, from the same instant each time. */
export async function play([commands, ending, concurrency]: Schedule): Promise<void> {
  vi.clearAllTimers()
  vi.setSystemTime(Date.UTC(2026, 0, 1))
  const world = new World(concurrency)
  await fc.asyncModelRun(() => ({ model: {}, real: world }), commands)
  await world.finish(ending, flush)
}
