import { useRun, useToolRunner } from 'assent'
import { type ReactNode, useState } from 'react'
import { RunResult } from './run-result.js'

interface RunButtonProps {
  tool: string
  args?: Record<string, unknown>
  /** The name of what it ends with, where several stand side by side. */
  result?: string
  children: ReactNode
}

/** Runs a tool on a click, and shows how the call stands and what it ended with. */
export function RunButton({ tool, args = {}, result, children }: RunButtonProps): ReactNode {
  const { run } = useToolRunner()
  const [id, setId] = useState<string>()
  const call = useRun(id)
  return (
    <>
      <button
        type="button"
        className="primary"
        onClick={() => void run(tool, args, { onStart: (started) => setId(started.id) })}
      >
        {children}
      </button>
      <RunResult run={call} label={result} />
    </>
  )
}
