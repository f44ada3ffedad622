// Heap of one open question: 10,000 questions and no view, after garbage collection, against a runner without any.
import { rest, start, toolThatAsks } from './one-call.mjs'

const COUNT = 10_000

function used() {
  for (let n = 0; n < 3; n++) globalThis.gc()
  return process.memoryUsage().heapUsed
}

/** A runner that somebody listens to, with so many open questions, and who waits for them. */
async function hold({ core, store }, count) {
  const runner = store.createToolRunner({ tools: [toolThatAsks('tool', core)], maxOpen: 1e6 })
  const ids = Array.from({ length: count }, (_, n) => `o${n}`)
  const stop = runner.subscribe(() => {})
  const wait = async (id) => (await start(runner, id)).output
  for (const id of ids) void wait(id)
  await rest()
  if (runner.count() !== count) throw new Error(`${runner.count()} of ${count} questions are open.`)
  const end = () => {
    stop()
    runner.dispose()
  }
  return { ids, end }
}

export async function heap(kit) {
  for (const count of [100, 0]) (await hold(kit, count)).end()
  await rest()
  const none = await hold(kit, 0)
  const before = used()
  none.end()
  const held = await hold(kit, COUNT)
  const bytes = Math.round((used() - before) / held.ids.length)
  held.end()
  return { questions: COUNT, bytesEach: bytes }
}
