import { isRecord, newId } from '../../core/internal.js'

// How long the page that holds a promise may take to say that it lives (DESIGN 7.5).
export const PATIENCE = 2000

/** What tabs say to each other. No more than a wake-up, except that an answer's data goes this way to the one who runs. */
export type Message =
  | { type: 'changed' }
  | { type: 'answer'; id: string; turn: number; to: string; answer: unknown }
  | { type: 'abort'; id: string }

export interface Tabs {
  /** This runner's own name among the tabs. */
  readonly id: string
  /** Resolves once the others can see that this one lives. */
  readonly ready: Promise<void>
  post(message: Message): void
  /** Whether the tab lives. Where Web Locks are missing it is asked, and has two seconds. */
  isAlive(tab: string): Promise<boolean>
  /** The same without asking: false where only asking could tell. */
  looksAlive(tab: string): Promise<boolean>
  /** Resolves when the tab has gone, or the signal aborts. */
  whenGone(tab: string, signal: AbortSignal): Promise<void>
  close(): void
}

// Runners of one page need not ask around.
const here = new Set<string>()
const gone = new Set<string>()

type Whisper = Message | { type: 'who' | 'here' | 'bye'; tab: string }

/** A Web Lock says which tab lives, and a BroadcastChannel wakes the others (DESIGN 5.5). Neither decides anything. */
export function createTabs(name: string, onMessage: (message: Message) => void): Tabs {
  const id = newId('tab')
  const channel = openChannel(`assent:${name}`)
  const listeners = new Set<(tab: string) => void>()
  const lockOf = (tab: string): string => `assent:${name}:${tab}`
  let locks = lockManager()
  let release = (): void => {}
  const life = new AbortController()
  here.add(id)

  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const ready = new Promise<void>((resolve) => {
    if (!locks) return resolve()
    const live = (): Promise<void> => {
      resolve()
      return held
    }
    locks.request(lockOf(id), live).catch(() => {
      // An origin without storage has none to lock either.
      locks = undefined
      resolve()
    })
  })

  const post = (message: Whisper): void => {
    try {
      channel?.postMessage(message)
    } catch {
      // Closed, or data that cannot be copied: the others read it in the storage.
    }
  }

  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (!isRecord(data)) return
      if (data.type === 'who' && data.tab === id) return post({ type: 'here', tab: id })
      if (data.type === 'bye') {
        gone.add(String(data.tab))
        onMessage({ type: 'changed' })
      }
      if (data.type === 'here') for (const listener of listeners) listener(String(data.tab))
      const message = readMessage(data)
      if (message) onMessage(message)
    }
  }

  const asks = (tab: string): Promise<boolean> =>
    new Promise((resolve) => {
      const over = new AbortController()
      const end = (): void => over.abort()
      let lives = false
      const listener = (who: string): void => {
        if (who !== tab) return
        lives = true
        end()
      }
      listeners.add(listener)
      life.signal.addEventListener('abort', end)
      void pause(PATIENCE, over.signal).then(() => {
        listeners.delete(listener)
        life.signal.removeEventListener('abort', end)
        resolve(lives)
      })
      post({ type: 'who', tab })
    })

  // Who asks for many rows at once asks each tab once.
  const asking = new Map<string, Promise<boolean>>()
  const askOnce = (tab: string): Promise<boolean> => {
    const asked = asking.get(tab) ?? asks(tab).finally(() => asking.delete(tab))
    asking.set(tab, asked)
    return asked
  }

  async function looksAlive(tab: string): Promise<boolean> {
    if (here.has(tab)) return true
    const { held: all = [] } = (await locks?.query()) ?? {}
    return all.some((lock) => lock.name === lockOf(tab))
  }

  async function isAlive(tab: string): Promise<boolean> {
    if (await looksAlive(tab)) return true
    if (locks || tab === '' || gone.has(tab)) return false
    // Where nobody can be asked nobody is taken for dead: what it runs is not called interrupted while it runs.
    return channel ? askOnce(tab) : true
  }

  async function whenGone(tab: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (here.has(tab) || (!locks && (await isAlive(tab))))) await pause(PATIENCE, signal)
    if (signal.aborted || !locks) return
    // Granted when the other has let go.
    await locks.request(lockOf(tab), { mode: 'shared', signal }, () => {}).catch(() => {})
  }

  return {
    id,
    ready,
    post,
    isAlive,
    looksAlive,
    whenGone,
    close() {
      life.abort()
      here.delete(id)
      gone.add(id)
      release()
      post({ type: 'bye', tab: id })
      channel?.close()
    },
  }
}

/** Resolves after so many milliseconds, or when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}

function readMessage({ type, id, turn, to, answer }: Record<string, unknown>): Message | undefined {
  if (type === 'changed') return { type }
  if (typeof id !== 'string') return undefined
  if (type === 'abort') return { type, id }
  const isAnswer = type === 'answer' && typeof to === 'string' && typeof turn === 'number'
  return isAnswer ? { type, id, turn, to, answer } : undefined
}

function openChannel(name: string): BroadcastChannel | undefined {
  try {
    const channel = new BroadcastChannel(name)
    // Node keeps a process alive for it.
    if ('unref' in channel && typeof channel.unref === 'function') channel.unref()
    return channel
  } catch {
    return undefined
  }
}

function lockManager(): LockManager | undefined {
  try {
    // Absent outside secure contexts, and in some servers.
    return globalThis.navigator?.locks
  } catch {
    return undefined
  }
}
