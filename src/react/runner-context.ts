import { createContext, useContext } from 'react'
import type { Runner } from '../store/index.js'
import { missingRunner } from './missing-runner.js'

/** The runner of the nearest `<ToolRunner>`. */
export const RunnerContext: React.Context<Runner | null> = createContext<Runner | null>(null)

export const useRunner = (): Runner => useContext(RunnerContext) ?? missingRunner
