export { gated, questionTool } from '../core/internal.js'
export { createToolRunner } from './tool-runner.js'
export type {
  Asker,
  CallInfo,
  HistoryEntry,
  PendingItem,
  Permission,
  PolicyOptions,
  PolicyStorage,
  Remember,
  Rule,
  Runner,
  RunnerState,
  RunOptions,
  RunRecord,
  RunStatus,
  ToolDescription,
  ToolRunnerOptions,
  WaitForOptions,
} from './types.js'
