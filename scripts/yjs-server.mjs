// Starts the real y-websocket server on this machine alone: node scripts/yjs-server.mjs [port]
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const manifest = createRequire(import.meta.url).resolve('@y/websocket-server/package.json')
const port = process.argv[2] ?? process.env.PORT ?? '1234'

// It lets everybody in, so it must not be reached from elsewhere.
process.env.HOST = '127.0.0.1'
process.env.PORT = port
await import(pathToFileURL(join(dirname(manifest), 'src/server.js')).href)
console.log(
  `The demo over it: phone.html?as=desk&server=ws://127.0.0.1:${port} and phone.html?server=ws://127.0.0.1:${port}`,
)
