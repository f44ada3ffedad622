// CPU time of two runners on one storage while one of them asks: until both show it, and until both have come to rest.
import { start, toolThatAsks } from './one-call.mjs'

const SIZES = [100, 200, 400]
const TOO_LONG = 300_000

/** Milliseconds of CPU, of all threads. */
const cpu = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Until every runner shows so many questions. */
function untilShown(runners, count) {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (!runners.every((one) => one.count() === count)) return
      clearTimeout(tooLong)
      for (const stop of stops) stop()
      resolve()
    }
    const stops = runners.map((one) => one.subscribe(look))
    const tooLong = setTimeout(() => reject(new Error(`Open: ${runners.map((one) => one.count())}.`)), TOO_LONG)
  })
}

/** Until the event loop had nothing to do for more than half of 200 ms. */
async function untilQuiet() {
  let before
  do {
    before = performance.eventLoopUtilization()
    await new Promise((resolve) => setTimeout(resolve, 200))
  } while (performance.eventLoopUtilization(before).utilization > 0.5)
}

async function round({ core, store }, count, name) {
  const persist = { name, storage: store.createMemoryStorage() }
  const tools = [toolThatAsks('tool', core)]
  const runners = [0, 1].map(() => store.createToolRunner({ tools, persist }))
  await Promise.all(runners.map((one) => one.restore()))
  globalThis.gc()
  const before = cpu()
  const shown = untilShown(runners, count)
  for (let n = 0; n < count; n++) void start(runners[0], `o${n}`)
  await shown
  const untilShownIn = cpu() - before
  await untilQuiet()
  const untilQuietIn = cpu() - before
  for (const one of runners) one.dispose()
  await new Promise((resolve) => setTimeout(resolve, 500))
  return { untilShown: untilShownIn, untilQuiet: untilQuietIn }
}

/** Rounds of all sizes, in turn; the best of each is kept, since what else the machine does only ever adds. */
export async function twoRunners(kit, rounds) {
  await round(kit, 20, 'warm')
  const all = Object.fromEntries(SIZES.map((count) => [count, []]))
  for (let n = 0; n < rounds; n++)
    for (const count of SIZES) all[count].push(await round(kit, count, `two-${count}-${n}`))
  const best = (count, what) => Math.min(...all[count].map((one) => one[what]))
  const ratio = (what) => Math.round((best(400, what) / best(100, what)) * 10) / 10
  return {
    rounds,
    hasWebLocks: globalThis.navigator?.locks !== undefined,
    milliseconds: Object.fromEntries(
      SIZES.map((count) => [
        count,
        { untilShown: Math.round(best(count, 'untilShown')), untilQuiet: Math.round(best(count, 'untilQuiet')) },
      ]),
    ),
    ratio: { untilShown: ratio('untilShown'), untilQuiet: ratio('untilQuiet') },
  }
}
