// Counts what one call costs the runner, in Node and on the built package. `--root` names another checkout, `--json` prints JSON.
import { execFileSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { functions } from './count/functions.mjs'
import { heap } from './count/heap.mjs'
import { lines } from './count/lines.mjs'
import { profile } from './count/profile.mjs'
import { promises } from './count/promises.mjs'
import { twoRunners } from './count/two-runners.mjs'

// As an app's build has it: no warnings for the developer.
process.env.NODE_ENV = 'production'

const option = (name) => process.argv.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3)
const root = resolve(option('root') ?? fileURLToPath(new URL('..', import.meta.url)))
const rounds = Number(option('rounds') ?? 5)
const PARTS = { promises, functions, heap, twoRunners: (kit) => twoRunners(kit, rounds) }

async function loadKit() {
  const dist = pathToFileURL(join(root, 'dist/')).href
  return { dist, core: await import(`${dist}core/index.js`), store: await import(`${dist}store/index.js`) }
}

/** A process for each part: hooks and coverage would weigh on the others. */
function measure(part) {
  const args = ['--expose-gc', fileURLToPath(import.meta.url), `--root=${root}`, `--rounds=${rounds}`, `--part=${part}`]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }))
}

function print({ machine, promises, functions, heap, twoRunners, lines }) {
  const rows = promises.map(({ asks, where, kit, tool, caller, later }, n) => {
    const { functions: entered, calls, inDependencies } = functions[n]
    const made = { promises: kit + tool + caller, "tool's": tool, "caller's": caller, later }
    return { asks, where, ...made, functions: entered, calls, inDependencies }
  })
  console.table(rows)
  console.table(twoRunners.milliseconds)
  const { untilShown, untilQuiet } = twoRunners.ratio
  console.log(
    `Two runners: 400 questions cost ${untilQuiet} times what 100 cost, until both show them ${untilShown} times.`,
  )
  console.log(`Heap: ${heap.bytesEach} bytes for each of ${heap.questions} open questions.`)
  console.log(`Code: ${lines.all} lines (store ${lines.store}, persistence ${lines.persistence}, core ${lines.core}).`)
  console.log(`${machine.date}, Node ${machine.node}, ${machine.cores} cores, load ${machine.load}.`)
}

async function printProfile(where) {
  const { microseconds, functions } = await profile(await loadKit(), where)
  console.log(`${microseconds} µs of CPU for one call that asks, in ${where}.`)
  console.table(functions)
}

function printAll() {
  const load = Math.round((loadavg()[0] ?? 0) * 10) / 10
  const machine = { date: new Date().toISOString().slice(0, 10), node: process.version, cores: cpus().length, load }
  const parts = Object.fromEntries(Object.keys(PARTS).map((name) => [name, measure(name)]))
  const counted = { machine, ...parts, lines: lines(root) }
  if (process.argv.includes('--json')) console.log(JSON.stringify(counted, null, 2))
  else print(counted)
}

const part = option('part')
const where = option('profile')
if (part) process.stdout.write(JSON.stringify(await PARTS[part](await loadKit())))
else if (where) await printProfile(where)
else printAll()
// A runner with a storage holds a channel open.
process.exit(0)
