import { useMemo } from 'react'
import type { Runner } from '../store/index.js'
import { useRunner } from './runner-context.js'

export interface ToolRunnerHandle extends Pick<Runner, 'run' | 'runAll' | 'waitFor' | 'abort'> {
  runner: Runner
}

/** What an app calls: `run` a tool, `waitFor` a question of its own, `abort`. Stable for the life of the runner. */
export function useToolRunner(): ToolRunnerHandle {
  const runner = useRunner()
  return useMemo(
    () => ({ run: runner.run, runAll: runner.runAll, waitFor: runner.waitFor, abort: runner.abort, runner }),
    [runner],
  )
}
