export { questionTool } from '../core/internal.js'
export { createToolRunner } from './tool-runner.js'
export type {
  CallInfo,
  PendingItem,
  Runner,
  RunnerState,
  RunOptions,
  RunRecord,
  RunStatus,
  ToolDescription,
  ToolRunnerOptions,
} from './types.js'
