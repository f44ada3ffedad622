// Functions of the kit that one call enters, by V8's precise coverage.
import { Session } from 'node:inspector/promises'
import { pathToFileURL } from 'node:url'
import { eachCase, rest, runOnce } from './one-call.mjs'

const here = pathToFileURL(import.meta.dirname).href

/** How many functions were entered in these scripts, and how often all together. */
function sum(scripts) {
  const entered = scripts.flatMap(({ functions }) => functions).filter(({ ranges: [whole] }) => whole.count > 0)
  return { functions: entered.length, calls: entered.reduce((all, { ranges: [whole] }) => all + whole.count, 0) }
}

async function countOne(session, runner, dist) {
  // Taking the counts sets them to zero.
  await session.post('Profiler.takePreciseCoverage')
  await runOnce(runner, 'counted')
  await rest()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const files = result.filter(({ url }) => url.startsWith('file:') && !url.startsWith(here))
  const own = files.filter(({ url }) => url.startsWith(dist))
  return { ...sum(own), inDependencies: sum(files.filter((file) => !own.includes(file))).functions }
}

export async function functions(kit) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const cases = await eachCase(kit, (runner) => countOne(session, runner, kit.dist))
  session.disconnect()
  return cases
}
