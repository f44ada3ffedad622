// Where the time of 20,000 calls goes that ask and are answered, by V8's sampling profiler.
import { Session } from 'node:inspector/promises'
import { eachCase, runOnce } from './one-call.mjs'

const ROUNDS = 20_000
const SHOWN = 15

/** Self time of each function in percent of what was not idle, most first. */
function selfTimes({ nodes, samples, timeDeltas }) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const times = new Map()
  let all = 0
  for (const [n, id] of samples.entries()) {
    const { functionName, url, lineNumber } = frames.get(id)
    if (functionName === '(idle)') continue
    const place = url.replace(/.*\/(dist|node_modules|bench)\//, '$1/')
    const name = `${functionName || '(anonymous)'} ${place && `${place}:${lineNumber + 1}`}`.trim()
    times.set(name, (times.get(name) ?? 0) + timeDeltas[n])
    all += timeDeltas[n]
  }
  const percent = (time) => Math.round((time / all) * 1000) / 10
  return [...times].sort(([, a], [, b]) => b - a).map(([name, time]) => ({ name, percent: percent(time) }))
}

/** `where` is `memory` or `storage`; the tool asks by itself. */
export async function profile(kit, where) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  const cases = await eachCase(kit, async (runner, one) => {
    if (one.asks !== 'tool' || one.where !== where) return {}
    await session.post('Profiler.start')
    const { user, system } = process.cpuUsage()
    for (let n = 0; n < ROUNDS; n++) await runOnce(runner, `counted-${n}`)
    const spent = process.cpuUsage()
    const { profile } = await session.post('Profiler.stop')
    const microseconds = Math.round((spent.user - user + spent.system - system) / ROUNDS)
    return { microseconds, functions: selfTimes(profile).slice(0, SHOWN) }
  })
  session.disconnect()
  return cases.find(({ functions }) => functions)
}
