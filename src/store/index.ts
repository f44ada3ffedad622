export { gated, questionTool } from '../core/internal.js'
export type { HistoryEntry, Permission, PolicyOptions, PolicyStorage, Remember, Rule } from './consent-types.js'
export { createToolRunner } from './tool-runner.js'
export type {
  Asker,
  CallInfo,
  PendingItem,
  RunEvent,
  Runner,
  RunnerState,
  RunOptions,
  RunProgress,
  RunRecord,
  RunStatus,
  ToolDescription,
  ToolFormat,
  ToolRunnerOptions,
  TurnCall,
  TurnOptions,
  WaitForOptions,
} from './types.js'
