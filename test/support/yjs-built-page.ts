import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, resolve } from 'node:path'

// As strict as the demo, save for the socket.
const POLICY = "default-src 'self'; connect-src 'self' ws://127.0.0.1:*"
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

export interface BuiltPage {
  url: string
  close(): Promise<void>
}

// A process of its own: in the tests' one, JSX is built for development.
async function build(outDir: string): Promise<void> {
  const args = ['node_modules/vite/bin/vite.js', 'build', '--config', 'test/support/yjs-page/vite.config.ts']
  const { VITEST: _, ...env } = process.env
  const child = spawn(process.execPath, [...args, '--outDir', outDir], {
    env: { ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The test page does not build:\n${said}`)
}

/** Builds the test page and serves it under a strict policy. */
export async function serveBuiltPage(): Promise<BuiltPage> {
  const outDir = resolve(`.tmp/yjs-page-${process.pid}`)
  await build(outDir)
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = pathname === '/' ? 'index.html' : pathname.slice(1)
    response.setHeader('Content-Security-Policy', POLICY)
    try {
      const text = readFileSync(join(outDir, file))
      response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream')
      response.end(text)
    } catch {
      // A browser asks for an icon by itself.
      response.statusCode = 204
      response.end()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      rmSync(outDir, { recursive: true, force: true })
    },
  }
}
