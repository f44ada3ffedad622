import {
  createToolRunner,
  type PersistOptions,
  type Runner,
  type RunnerStorage,
  type RunRecord,
  type StorageProblem,
  type StoredRow,
  type ToolRunnerOptions,
} from 'assent/runner'
import { vi } from 'vitest'
import { createMemoryStorage } from '../../src/store/persist/memory-storage.js'

// Tabs of one browser, in one process: each has a channel, a lock manager and a way to the storage of its own, and each
// can be frozen or crash. A crashed tab is cut off from everything at once; what its code still does has no effect.

export type Step = { method: 'all' | 'put' | 'claim' | 'delete'; phase: 'before' | 'after'; row?: Partial<StoredRow> }

const never = (): Promise<never> => new Promise(() => {})

/** Lets what waits now run, also what a storage hands to the event loop; no faked timer fires. */
export async function quiet(turns = 8): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
}

type Listener = (event: { data: unknown }) => void

class Channel {
  onmessage: Listener | null = null
  readonly hub: Set<Channel>
  readonly world: World
  readonly name: string
  constructor(hub: Set<Channel>, world: World, name: string) {
    this.hub = hub
    this.world = world
    this.name = name
    hub.add(this)
  }
  postMessage(data: unknown): void {
    if (!this.hub.has(this)) throw new DOMException('closed', 'InvalidStateError')
    if (this.world.isDead) return
    const copy: unknown = structuredClone(data)
    for (const other of this.hub) {
      if (other === this || other.name !== this.name) continue
      void this.world
        .gate()
        .then(() => other.world.gate())
        .then(() => {
          if (this.hub.has(other)) other.onmessage?.({ data: copy })
        })
    }
  }
  close(): void {
    this.hub.delete(this)
  }
}

interface Lock {
  name: string
  mode: 'exclusive' | 'shared'
  world: World
  grant: () => void
}

/** Web Locks of one browser. */
class Locks {
  held: Lock[] = []
  waiting: Lock[] = []

  request(world: World, name: string, given: LockOptions, work: () => unknown): Promise<unknown> {
    const { mode = 'exclusive', signal } = given
    if (signal?.aborted) return Promise.reject(signal.reason)
    return new Promise((resolve, reject) => {
      const lock: Lock = {
        name,
        mode,
        world,
        grant: () => {
          signal?.removeEventListener('abort', stop)
          const done = Promise.resolve().then(work)
          done.then(resolve, reject)
          done.finally(() => this.release(lock)).catch(() => {})
        },
      }
      const stop = (): void => {
        this.waiting = this.waiting.filter((other) => other !== lock)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', stop)
      this.waiting.push(lock)
      this.next()
    })
  }

  release(lock: Lock): void {
    this.held = this.held.filter((other) => other !== lock)
    this.next()
  }

  drop(world: World): void {
    this.held = this.held.filter((lock) => lock.world !== world)
    this.waiting = this.waiting.filter((lock) => lock.world !== world)
    this.next()
  }

  private next(): void {
    for (const lock of [...this.waiting]) {
      const rivals = this.held.filter(({ name }) => name === lock.name)
      const isFirst = this.waiting.find(({ name }) => name === lock.name) === lock
      const fits = rivals.length === 0 || (lock.mode === 'shared' && rivals.every(({ mode }) => mode === 'shared'))
      if (!isFirst || !fits) continue
      this.waiting = this.waiting.filter((other) => other !== lock)
      this.held.push(lock)
      lock.grant()
    }
  }
}

/** What a tab reaches the others through. */
class World {
  isDead = false
  hasRead = false
  private frozen: Promise<void> | undefined
  private wake = (): void => {}

  /** Passes at once, after the thaw, or never. */
  gate(): Promise<void> {
    return this.isDead ? never() : (this.frozen ?? Promise.resolve())
  }
  freeze(): void {
    this.frozen ??= new Promise((resolve) => {
      this.wake = () => (this.isDead ? undefined : resolve())
    })
  }
  thaw(): void {
    this.frozen = undefined
    this.wake()
  }
}

export interface Tab {
  readonly runner: Runner
  /** What `onResult` and `onAnswer` were told, and what went wrong with the storage. */
  readonly results: { output: string; status: RunRecord['status'] }[]
  /** The ids of the runs that `onResult` was told. */
  readonly told: string[]
  readonly answers: { ok: boolean; id: string }[]
  readonly problems: StorageProblem[]
  readonly isDead: () => boolean
  /** Called at each step of its storage. */
  onStep: (step: Step) => void
  /** Cuts it off, as the end of its process would. */
  crash(): void
  freeze(): void
  thaw(): void
}

export interface TabOptions extends ToolRunnerOptions {
  persist?: PersistOptions
  /** Modules of its own, so that it is no tab of this page. Default true; a browser has either such tabs or others. */
  isFresh?: boolean
}

export interface Browser {
  readonly storage: RunnerStorage
  /** Every row that was ever written, as it was then. */
  readonly written: Partial<StoredRow>[]
  readonly rows: () => Promise<StoredRow[]>
  readonly locks: Locks
  readonly channels: ReadonlySet<Channel>
  open(options?: TabOptions): Promise<Tab>
}

/** A browser on a storage. `locks: false`: one without Web Locks, which asks around instead. */
export function createBrowser({
  locks: hasLocks = true,
  storage = createMemoryStorage(),
  channel = true,
} = {}): Browser {
  const channels = new Set<Channel>()
  const locks = new Locks()
  const written: Partial<StoredRow>[] = []

  const storageOf = (world: World, tab: () => Tab): RunnerStorage => {
    const step = async <T>(method: Step['method'], row: Step['row'], work: () => Promise<T>): Promise<T> => {
      await world.gate()
      tab().onStep({ method, phase: 'before', ...(row && { row }) })
      await world.gate()
      const done = await work()
      await world.gate()
      tab().onStep({ method, phase: 'after', ...(row && { row }) })
      await world.gate()
      return done
    }
    return {
      all() {
        world.hasRead = true
        return step('all', undefined, () => storage.all())
      },
      put: (row) => {
        written.push(row)
        return step('put', row, () => storage.put(row))
      },
      claim: (...given) => {
        const [id, , change] = given
        written.push(change)
        return step('claim', { ...change, id }, () => storage.claim(...given))
      },
      delete: (id) => step('delete', { id }, () => storage.delete(id)),
    }
  }

  /** The globals as this tab sees them; its runner looks at them once. */
  const enter = (world: World): void => {
    vi.stubGlobal(
      'BroadcastChannel',
      channel
        ? class extends Channel {
            constructor(name: string) {
              super(channels, world, name)
            }
          }
        : undefined,
    )
    const manager = {
      request: (name: string, ...rest: [LockOptions | (() => unknown), (() => unknown)?]) => {
        const [given, work] = rest
        return typeof given === 'function'
          ? locks.request(world, name, {}, given)
          : locks.request(world, name, given, work ?? (() => {}))
      },
      query: async () => ({ held: locks.held.map(({ name, mode }) => ({ name, mode })) }),
    }
    vi.stubGlobal('navigator', hasLocks ? { locks: manager } : {})
  }

  return {
    storage,
    written,
    locks,
    channels,
    rows: async () => (await storage.all()) as StoredRow[],

    async open({ persist, isFresh = true, ...options } = {}) {
      const world = new World()
      if (isFresh) vi.resetModules()
      const make = isFresh ? (await import('assent/runner')).createToolRunner : createToolRunner
      enter(world)
      const tab: Tab = {
        results: [],
        told: [],
        answers: [],
        problems: [],
        isDead: () => world.isDead,
        onStep: () => {},
        crash() {
          world.isDead = true
          locks.drop(world)
          for (const one of channels) if (one.world === world) channels.delete(one)
          // Of a page that is this one the others are told that it is gone.
          if (!isFresh) tab.runner.dispose()
        },
        freeze: () => world.freeze(),
        thaw: () => world.thaw(),
        runner: make({
          onResult: ({ output }, { status, id }) => {
            if (world.isDead) return
            tab.results.push({ output, status })
            tab.told.push(id)
          },
          onAnswer: ({ ok, id }) => {
            if (!world.isDead) tab.answers.push({ ok, id })
          },
          ...options,
          persist: {
            storage: storageOf(world, () => tab),
            onProblem: (problem) => tab.problems.push(problem),
            ...persist,
          },
        }),
      }
      tab.runner.attach({}, 'dialog')
      // Once it reads it has its channel and its lock, and the globals may be another tab's.
      while (!world.hasRead) await quiet(1)
      await quiet()
      return tab
    },
  }
}

export const openIds = ({ runner }: Tab): string[] => runner.getState().pending.map(({ request }) => request.id)
export const statuses = ({ runner }: Tab): string[] => runner.getState().runs.map(({ status }) => status)
