import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

const HOST = '127.0.0.1'

async function listen(server: Server): Promise<number> {
  server.listen(0, HOST)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  server.close()
  await once(server, 'close')
  return port
}

/** The real server, started as the script starts it. */
export interface YjsServer {
  port: number
  url: string
  stop(): Promise<void>
}

export async function startYjsServer(port?: number): Promise<YjsServer> {
  const own = port ?? (await freePort())
  const child: ChildProcess = spawn(process.execPath, ['scripts/yjs-server.mjs', String(own)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr?.on('data', (chunk) => (said += chunk))
  await new Promise<void>((resolve, fail) => {
    child.stdout?.on('data', (chunk) => /running at/.test(String(chunk)) && resolve())
    child.once('exit', () => fail(new Error(`The server does not start:\n${said}`)))
  })
  return {
    port: own,
    url: `ws://${HOST}:${own}`,
    async stop() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}

/** A line between a page and the server that can be cut. */
export interface Line {
  url: string
  cut(): void
  mend(): void
  close(): Promise<void>
}

export async function lineTo(target: number): Promise<Line> {
  const sockets = new Set<Socket>()
  let isCut = false
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    keep(near)
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(target, HOST)
    keep(far)
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  const port = await listen(server)
  const cut = (): void => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `ws://${HOST}:${port}`,
    cut,
    mend() {
      isCut = false
    },
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
