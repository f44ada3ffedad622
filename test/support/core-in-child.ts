import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'

const entry = fileURLToPath(new URL('../../src/core/index.ts', import.meta.url))

/** The sources of `assent/core` as one module without imports. */
async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: { ssr: entry, write: false, minify: false, rolldownOptions: { output: { codeSplitting: false } } },
  })
  const [{ output }] = [built].flat() as [Rolldown.RolldownOutput]
  return output[0].code
}

export interface CoreInChild {
  /**
   * Runs a module in a process of its own, which is ended after `limit` milliseconds whatever it does. `core` is there
   * under this name. Gives the lines it wrote, also where it did not come to its end.
   */
  run(script: string, limit: number): Promise<{ lines: string[]; isOver: boolean }>
  dispose(): Promise<void>
}

/** `assent/core` as it is now, for what may never end. */
export async function coreInChild(): Promise<CoreInChild> {
  const folder = await mkdtemp(join(tmpdir(), 'assent-core-'))
  await writeFile(join(folder, 'core.mjs'), await bundle())
  return {
    async run(script, limit) {
      const file = join(folder, 'script.mjs')
      await writeFile(file, `import * as core from './core.mjs'\n${script}`)
      return new Promise((resolve) => {
        execFile(process.execPath, [file], { timeout: limit, killSignal: 'SIGKILL' }, (error, stdout) => {
          resolve({ lines: stdout.split('\n').filter(Boolean), isOver: !error })
        })
      })
    },
    dispose: () => rm(folder, { recursive: true }),
  }
}
