import { useRun, useToolRunner } from 'assent'
import { type ReactNode, useState } from 'react'
import { RunResult } from './run-result.js'

interface RunButtonProps {
  tool: string
  args?: Record<string, unknown>
  children: ReactNode
}

/** Runs a tool on a click, and shows how the call stands and what it ended with. */
export function RunButton({ tool, args = {}, children }: RunButtonProps): ReactNode {
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
      <RunResult run={call} />
    </>
  )
}
