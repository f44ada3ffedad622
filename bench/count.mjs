// Counts what one call costs in the built package: `npm run build && node --expose-gc bench/count.mjs [--json] [--dist <folder>]`.
// Promises by async hooks, functions by V8's precise coverage, heap after a collection, CPU time of two runners on one storage,
// and lines of code. Nothing here is a test: the numbers belong to the machine they were taken on.
import { createHook } from 'node:async_hooks'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const flag = (name) => process.argv.includes(name)
const value = (name, usual) => (flag(name) ? process.argv[process.argv.indexOf(name) + 1] : usual)
const root = resolve(import.meta.dirname, '..')
const dist = resolve(value('--dist', join(root, 'dist')))
const { createToolRunner, createMemoryStorage } = await import(pathToFileURL(join(dist, 'store/index.js')))
const { pending } = await import(pathToFileURL(join(dist, 'core/index.js')))

const inputSchema = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] }
const pay = () => ({
  name: 'pay',
  description: 'Pays',
  inputSchema,
  execute: async (_args, { answer }) => (answer ? 'paid' : pending({ kind: 'approval', prompt: 'Pay?' })),
})
const turn = () => new Promise((done) => setImmediate(done))

function runnerOf(options) {
  const runner = createToolRunner({ tools: [pay()], ...options })
  runner.attach({}, 'dialog')
  return runner
}

/** One call that asks once and is answered yes. */
async function once(runner) {
  const result = runner.run('pay', { amount: 5 })
  while (!runner.head()) await turn()
  const { key, request } = runner.head()
  runner.answer(key, { id: request.id, ok: true })
  return result
}

/** The promises between the call and its result; the loop of `once` and the tool's own are counted apart. */
async function promises(options) {
  const runner = runnerOf(options)
  await runner.restore()
  for (let n = 0; n < 20; n++) await once(runner)
  await turn()
  let count = 0
  const hook = createHook({ init: (_id, type) => void (type === 'PROMISE' && count++) })
  hook.enable()
  const result = runner.run('pay', { amount: 5 })
  let turns = 0
  // Not `await`: a promise of this loop would be counted.
  await new Promise((done) => {
    const look = () => {
      if (runner.head()) return done()
      turns++
      setImmediate(look)
    }
    look()
  })
  const { key, request } = runner.head()
  runner.answer(key, { id: request.id, ok: true })
  await result
  hook.disable()
  runner.dispose()
  // Two executes of an async tool, the promise of the wait above, and what its and the result's `await` make.
  return { all: count, ofTheTool: 2, ofTheCaller: 3, turns }
}

async function functions(options) {
  const runner = runnerOf(options)
  await runner.restore()
  for (let n = 0; n < 20; n++) await once(runner)
  const session = new Session()
  session.connect()
  const post = (method, params) =>
    new Promise((done, fail) => session.post(method, params, (error, result) => (error ? fail(error) : done(result))))
  await post('Profiler.enable')
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await post('Profiler.takePreciseCoverage')
  await once(runner)
  const { result } = await post('Profiler.takePreciseCoverage')
  session.disconnect()
  runner.dispose()
  const entered = result
    .filter(({ url }) => url.startsWith(pathToFileURL(dist).href))
    .flatMap(({ url, functions: all }) => all.map((one) => ({ ...one, url })))
    .map(({ functionName, ranges, url }) => ({ functionName, url, count: ranges[0].count }))
    .filter(({ count, functionName }) => count > 0 && functionName !== '')
  if (flag('--list')) for (const one of entered) console.log(one.count, one.functionName, one.url.split('/dist/')[1])
  return { distinct: entered.length, calls: entered.reduce((sum, { count }) => sum + count, 0) }
}

function collect() {
  for (let n = 0; n < 4; n++) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** Heap of an open question without a view, in bytes; undefined without --expose-gc. */
async function heap(count = 10_000) {
  if (!globalThis.gc) return undefined
  const runner = runnerOf({ maxOpen: count + 10 })
  await once(runner)
  const before = collect()
  for (let n = 0; n < count; n++) void runner.run('pay', { amount: n })
  while (runner.count() < count) await turn()
  await turn()
  const after = collect()
  runner.dispose()
  return Math.round((after - before) / count)
}

/** CPU milliseconds until two runners on one storage both show so many questions, best of five. */
async function shared(count) {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round++) {
    const storage = createMemoryStorage()
    const options = { persist: { storage, name: `count-${count}-${round}` }, maxOpen: count + 10 }
    const [one, two] = [runnerOf(options), runnerOf(options)]
    await Promise.all([one.restore(), two.restore()])
    const start = process.cpuUsage()
    for (let n = 0; n < count; n++) void one.waitFor({ id: `q${n}`, kind: 'approval', prompt: `${n}?` })
    while (two.count() < count) await new Promise((done) => setTimeout(done, 5))
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / 1000)
    one.dispose()
    two.dispose()
    await new Promise((done) => setTimeout(done, 20))
  }
  return Math.round(best)
}

/** Lines that are neither blank nor a comment. */
function lines() {
  const files = readdirSync(join(root, 'src/store'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join('src/store', file))
  const core = ['call', 'attempt', 'run-tool']
    .map((name) => `src/core/${name}.ts`)
    .filter((file) => existsSync(join(root, file)))
  return [...files, ...core].reduce((sum, file) => {
    const text = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
    return sum + text.split('\n').filter((line) => !/^\s*(\/\/.*)?$/.test(line)).length
  }, 0)
}

const persist = () => ({ persist: { storage: createMemoryStorage() } })
const cpu = {}
for (const count of [100, 200, 400]) cpu[count] = await shared(count)
const counted = {
  node: process.version,
  promises: { inMemory: await promises({}), withPersist: await promises(persist()) },
  functions: { inMemory: await functions({}), withPersist: await functions(persist()) },
  heapPerOpenQuestion: await heap(),
  cpuOfTwoRunners: { ...cpu, ratio: Math.round((cpu[400] / cpu[100]) * 10) / 10 },
  codeLines: lines(),
}
console.log(flag('--json') ? JSON.stringify(counted, null, 2) : counted)
process.exit(0)
