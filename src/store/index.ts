export { gated, questionTool } from '../core/internal.js'
export type { HistoryEntry, Permission, PolicyOptions, PolicyStorage, Remember, Rule } from './consent-types.js'
export { createToolRunner } from './tool-runner.js'
export type {
  Asker,
  CallInfo,
  PendingItem,
  Runner,
  RunnerState,
  RunOptions,
  RunRecord,
  RunStatus,
  ToolDescription,
  ToolRunnerOptions,
  WaitForOptions,
} from './types.js'
