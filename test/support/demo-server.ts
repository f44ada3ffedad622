import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the built demo is served under its policy; ends with a slash. */
    demoUrl: string
  }
}

// With VITEST set, vite.config.ts is the tests' configuration and not the demo's.
const { VITEST: _, ...env } = process.env

// A folder of its own, so that two runs, or a run and `npm run demo`, do not wipe each other's files.
const outDir = resolve(`.tmp/demo-${process.pid}`)

const vite = (...args: string[]): ChildProcess =>
  spawn(process.execPath, ['node_modules/vite/bin/vite.js', ...args, '--mode', 'demo', '--outDir', outDir], {
    env: { ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

async function build(): Promise<void> {
  const child = vite('build')
  let said = ''
  child.stdout?.on('data', (chunk) => (said += chunk))
  child.stderr?.on('data', (chunk) => (said += chunk))
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The demo does not build:\n${said}`)
}

async function serve(): Promise<{ url: string; child: ChildProcess }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const child = vite('preview', '--port', String(port), '--strictPort')
  const deadline = Date.now() + 20_000
  while (Date.now() < deadline && child.exitCode === null) {
    const up = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (up) return { url, child }
    await new Promise((next) => setTimeout(next, 50))
  }
  child.kill()
  throw new Error(`The demo is not served at ${url}`)
}

/** Builds the demo and serves it as its visitors get it, for all end-to-end tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await build()
  const { url, child } = await serve()
  project.provide('demoUrl', url)
  return async () => {
    const gone = once(child, 'exit')
    child.kill()
    await gone
    rmSync(outDir, { recursive: true, force: true })
  }
}
