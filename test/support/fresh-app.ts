import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import { policyFor } from '../../scripts/csp.mjs'

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** A new Vite app with the built package in its `node_modules` and this `main.tsx`, served under `default-src 'self'`. */
export async function freshApp(main: string): Promise<{ url: string; close: () => void }> {
  const root = mkdtempSync(join(tmpdir(), 'assent-app-'))
  mkdirSync(join(root, 'node_modules/assent'), { recursive: true })
  cpSync('dist', join(root, 'node_modules/assent/dist'), { recursive: true })
  cpSync('package.json', join(root, 'node_modules/assent/package.json'))
  for (const name of ['react', 'react-dom', 'zustand', 'idb', '@cfworker', 'scheduler', 'vite', '@vitejs']) {
    symlinkSync(resolve('node_modules', name), join(root, 'node_modules', name))
  }
  writeFileSync(join(root, 'package.json'), '{ "type": "module", "private": true }')
  writeFileSync(join(root, 'main.tsx'), main)
  writeFileSync(
    join(root, 'index.html'),
    '<!doctype html><html lang="en"><title>Fresh app</title><body><script type="module" src="/main.tsx"></script></body></html>',
  )
  const { VITEST: _, ...env } = process.env
  execFileSync(process.execPath, [resolve('node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'], {
    cwd: root,
    env: { ...env, NODE_ENV: 'production' },
  })
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '')
    const file = join(root, 'dist', path)
    if (!existsSync(file)) return void response.writeHead(path === '/favicon.ico' ? 204 : 404).end()
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': policyFor('/'),
    })
    response.end(readFileSync(file))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
