import { useRef } from 'react'
import type { AnyTool } from '../core/index.js'
import { useBrowserLayoutEffect } from './layout-effect.js'
import { useRunner } from './runner-context.js'

/**
 * Registers a tool while the component is mounted. The newest closure runs, so `execute` may read state. A second tool
 * of a name is reported in the console and the first stays.
 */
export function useTool(tool: AnyTool, { enabled = true }: { enabled?: boolean | undefined } = {}): void {
  const runner = useRunner()
  const latest = useRef(tool)
  useBrowserLayoutEffect(() => {
    latest.current = tool
  })
  useBrowserLayoutEffect(() => {
    if (!enabled) return undefined
    try {
      return runner.register(() => latest.current)
    } catch (error) {
      console.error(error)
      return undefined
    }
  }, [runner, tool.name, enabled])
}
