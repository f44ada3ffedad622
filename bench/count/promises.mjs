// Promises made for one call, by async_hooks: from `run` to its result, and afterwards until nothing is left to do.
import { createHook } from 'node:async_hooks'
import { eachCase, hear, start } from './one-call.mjs'

const counts = { kit: 0, tool: 0, caller: 0 }
let maker = 'kit'
const hook = createHook({
  init(_id, type) {
    if (type === 'PROMISE') counts[maker]++
  },
})

/** Whatever is made while `work` is on the stack is this maker's. */
function as(who, work) {
  const before = maker
  maker = who
  try {
    return work()
  } finally {
    maker = before
  }
}

/**
 * One call, in a task of its own so that no promise of the bench is made meanwhile. `later` is what the kit makes after the
 * result; the caller's own is the promise of its `then`.
 */
const countOne = (runner, id) =>
  new Promise((resolve) =>
    setImmediate(() => {
      Object.assign(counts, { kit: 0, tool: 0, caller: 0 })
      hook.enable()
      const running = start(runner, id)
      const onResult = () => {
        const untilResult = { ...counts }
        setTimeout(() => {
          hook.disable()
          resolve({ ...untilResult, later: counts.kit - untilResult.kit })
        }, 50)
      }
      as('caller', () => hear(running, id, onResult))
    }),
  )

/** The fewest of five calls, and the most the kit made in one of them: the same, where the count can be relied on. */
async function countFive(runner) {
  const all = []
  for (let n = 0; n < 5; n++) all.push(await countOne(runner, `counted-${n}`))
  const [fewest] = all.sort((a, b) => a.kit - b.kit)
  return { ...fewest, most: all.at(-1).kit }
}

export const promises = (kit) => eachCase(kit, countFive, (work) => as('tool', work))
