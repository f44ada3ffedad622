import { deleteDB } from 'idb'
import { onTestFinished } from 'vitest'
import {
  type AnyTool,
  createToolRunner,
  type PendingRequest,
  type PersistOptions,
  pending,
  type Runner,
  type StoredRow,
} from '../../src/index.js'
import { openIndexedDb } from '../../src/store/persist/indexed-db.js'

let names = 0

/** A name for `persist` that no other test has; what is stored under it goes with the test. */
export function newName(): string {
  const name = `left-${++names}-${Math.random().toString(36).slice(2)}`
  onTestFinished(() => deleteDB(`assent-${name}`))
  return name
}

/** A tool that asks once and then says `done`; `ran` is told what it was answered. */
export const deploy = (rest: Partial<AnyTool> = {}, request: Partial<PendingRequest> = {}): AnyTool => ({
  name: 'deploy',
  description: 'Deploys a site',
  execute: (_args, ctx) => (ctx.answer ? 'done' : pending({ kind: 'approval', prompt: 'Deploy docs?', ...request })),
  ...rest,
})

/** What is stored under a name now. */
export async function rowsOf(name: string): Promise<StoredRow[]> {
  const storage = await openIndexedDb(name, { onProblem: () => {} })
  const rows = await storage.all()
  storage.close?.()
  return rows as StoredRow[]
}

const statuses = async (name: string): Promise<string> => (await rowsOf(name)).map(({ status }) => status).join(' ')

/** Waits until so much is stored. */
export async function stored(name: string, wanted: string): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if ((await statuses(name)) === wanted) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`stored is "${await statuses(name)}", not "${wanted}"`)
}

/** A page before this one, which has asked and still lives. */
export async function asked(name: string, tool: AnyTool, options: PersistOptions = {}): Promise<Runner> {
  const runner = createToolRunner({ tools: [tool], persist: { name, ...options } })
  runner.attach({}, 'list')
  onTestFinished(() => runner.dispose())
  void runner.run(tool.name, { site: 'docs' })
  await stored(name, 'pending')
  return runner
}

/** What a page that is gone left behind: a question nobody answered. */
export async function leftWaiting(name: string, tool: AnyTool): Promise<void> {
  const runner = await asked(name, tool)
  runner.dispose()
}

/** What a page that is gone left behind: a call that ran. */
export async function leftRunning(name: string): Promise<void> {
  const ask = pending({ kind: 'approval', prompt: 'Deploy docs?' })
  const runner = await asked(name, deploy({ execute: (_args, ctx) => (ctx.answer ? new Promise(() => {}) : ask) }))
  const item = runner.head()
  if (item) runner.answer(item.key, { id: item.request.id, ok: true })
  await stored(name, 'running')
  const rows = await rowsOf(name)
  // The end of a runner ends its calls; a page that is gone ends nothing, so its row stands as it stood.
  runner.dispose()
  await stored(name, 'done')
  const storage = await openIndexedDb(name)
  for (const row of rows) await storage.put(row)
  storage.close?.()
}
