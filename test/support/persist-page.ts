import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { extname, join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { policyFor } from '../../scripts/csp.mjs'

const src = (path: string): string => resolve('src', path)
const alias = [
  { find: /^assent$/, replacement: src('index.ts') },
  { find: /^assent\/core$/, replacement: src('core/index.ts') },
  { find: /^assent\/runner$/, replacement: src('store/index.ts') },
  { find: /^assent\/styles\.css$/, replacement: src('components/styles.css') },
]
// Pages that wait for ever would otherwise be waited for as long.
const PATIENCE = 15_000

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

export interface PersistSite {
  url: string
  /** What the pages of this name did to the world, oldest first. */
  effects(name: string): unknown[]
  /** Resolves when a page of this name came to where it stops. */
  stopped(name: string): Promise<void>
  /** Resolves when a page of this name waits for `/held/<name>`, which blocks it. */
  blocked(name: string): Promise<void>
  /** Gives what a page of this name waits for with `/held/<name>`. */
  release(name: string): void
  close(): Promise<void>
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

/** What pages say; kept here, where no crash of theirs takes it back. */
function createLog() {
  const told = new Map<string, unknown[]>()
  const waiting = new Map<string, () => void>()
  const of = (key: string): unknown[] => told.get(key) ?? []
  return {
    of,
    note(key: string, said: unknown): void {
      told.set(key, [...of(key), said])
      waiting.get(key)?.()
    },
    async next(key: string): Promise<void> {
      while (of(key).length === 0) {
        await new Promise<void>((wake, reject) => {
          waiting.set(key, wake)
          setTimeout(() => reject(new Error(`no page came to ${key}`)), PATIENCE).unref()
        })
      }
      told.delete(key)
    },
  }
}

/** Builds the test page and serves it as the demo is. */
export async function servePersistPage(): Promise<PersistSite> {
  const outDir = resolve(`.tmp/persist-page-${process.pid}-${Math.random().toString(36).slice(2)}`)
  // Vitest says `test`, for which Vite would build a page with React's development calls.
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  await build({
    configFile: false,
    root: resolve('test/support/persist-page'),
    base: './',
    mode: 'production',
    logLevel: 'error',
    resolve: { alias },
    plugins: [react()],
    build: { outDir, emptyOutDir: true, modulePreload: { polyfill: false } },
  }).finally(() => {
    process.env.NODE_ENV = NODE_ENV
  })
  const log = createLog()
  const held = new Map<string, () => void>()
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const [, place, what, name] = decodeURIComponent(pathname).split('/')
    if (place === 'told') {
      log.note(`${what} ${name}`, JSON.parse(await textOf(request)))
      return void response.writeHead(204).end()
    }
    if (place === 'held' && what) {
      held.set(what, () => response.writeHead(204).end())
      return log.note(`held ${what}`, true)
    }
    const file = place || 'index.html'
    response.setHeader('Content-Security-Policy', policyFor('/'))
    try {
      const text = readFileSync(join(outDir, file === 'assets' ? `assets/${what}` : file))
      if (file === 'assets') response.setHeader('Cache-Control', 'max-age=3600, immutable')
      response.setHeader('Content-Type', TYPES[extname(what ?? file)] ?? 'application/octet-stream')
      response.end(text)
    } catch {
      // A browser asks for an icon by itself.
      response.writeHead(204).end()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`,
    effects: (name) => log.of(`effect ${name}`),
    blocked: (name) => log.next(`held ${name}`),
    release: (name) => held.get(name)?.(),
    stopped: (name) => log.next(`stop ${name}`),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      rmSync(outDir, { recursive: true, force: true })
    },
  }
}
