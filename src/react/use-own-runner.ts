import { type RefObject, useEffect, useState } from 'react'
import type { AnyTool } from '../core/index.js'
import { createToolRunner, type Runner, type ToolRunnerOptions } from '../store/index.js'
import { useBrowserLayoutEffect } from './layout-effect.js'

// Written out where it is used: a bundler that knows its value leaves the words for developers out.
declare const process: { env: { NODE_ENV?: string } }

/** A runner that belongs to a component: its options and tools follow the props, its end follows the unmount. */
interface OwnRunner {
  readonly runner: Runner
  update(options: ToolRunnerOptions): void
  disposal?: ReturnType<typeof setTimeout>
  disposed?: boolean
}

// How often a view that is hidden but still in the page is looked at again.
const RECHECK = 1000

/**
 * The runner of `<ToolRunner>` without a `runner` prop. `anchor` is the last element of that component: while it is in the
 * page, an effect's cleanup was StrictMode, Activity or Fast Refresh and no unmount (DESIGN 7.2).
 */
export function useOwnRunner(options: ToolRunnerOptions, anchor: RefObject<Element | undefined>): Runner {
  const [own, setOwn] = useState(() => createOwnRunner(options))
  useBrowserLayoutEffect(() => own.update(options))
  useEffect(() => {
    // Came back after all: the effect above fills the new one at its next run.
    if (own.disposed) setOwn(createOwnRunner({}))
    clearTimeout(own.disposal)
    return () => disposeWhenGone(own, anchor, 0)
  }, [own, anchor])
  const { persist } = options
  const name = typeof persist === 'object' ? persist.name : undefined
  const isKept = Boolean(persist)
  // Not before the page has taken it over: on the server, and in a render React throws away, nothing is stored.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another name is another storage.
  useEffect(() => {
    if (isKept) void own.runner.restore()
  }, [own, isKept, name])
  return own.runner
}

function disposeWhenGone(own: OwnRunner, anchor: RefObject<Element | undefined>, delay: number): void {
  own.disposal = setTimeout(() => {
    if (anchor.current?.isConnected) return disposeWhenGone(own, anchor, RECHECK)
    own.disposed = true
    own.runner.dispose()
  }, delay)
}

/** What is wrong with the `tools` prop, in words for its author. */
function faultsOf(tools: readonly AnyTool[]): string[] {
  if (!Array.isArray(tools)) return ['assent: <ToolRunner tools> is no array; it is ignored.']
  const names = tools.map((tool) => tool?.name)
  return names
    .filter((name, at) => name !== undefined && names.indexOf(name) < at)
    .map((name) => `assent: <ToolRunner tools> has two tools "${name}"; the first one stays.`)
}

function createOwnRunner(initial: ToolRunnerOptions): OwnRunner {
  const live: ToolRunnerOptions = {}
  const runner = createToolRunner(live)
  const held = new Map<string, { tool: AnyTool; pass: number; remove: () => void }>()
  const told = new Set<string>()
  let pass = 0

  // A mistake in the tools is the developer's: it is told once and takes neither the page nor the other tools down.
  const tell = (message: string): void => {
    if (!told.has(message)) console.error(message)
    told.add(message)
  }

  const add = (tool: AnyTool): void => {
    const entry = { tool, pass, remove: () => {} }
    try {
      entry.remove = runner.register(() => entry.tool)
      held.set(tool.name, entry)
    } catch (error) {
      tell(String(error))
    }
  }

  const setTools = (tools: readonly AnyTool[] = []): void => {
    try {
      if (process.env.NODE_ENV !== 'production') faultsOf(tools).forEach(tell)
    } catch {
      // No bundler, no `process`: nobody is developing here.
    }
    pass++
    for (const tool of Array.isArray(tools) ? tools : []) {
      const entry = held.get(tool?.name)
      if (!entry) add(tool)
      // A second one of a name: the first one stays.
      else if (entry.pass !== pass) Object.assign(entry, { tool, pass })
    }
    for (const [name, entry] of held) {
      if (entry.pass === pass) continue
      entry.remove()
      held.delete(name)
    }
  }

  const update = ({ tools, ...options }: ToolRunnerOptions): void => {
    // An option that is gone from the props is gone from the runner.
    Object.assign(live, Object.fromEntries(Object.keys(live).map((key) => [key, undefined])), options)
    setTools(tools)
  }

  update(initial)
  return { runner, update }
}
