export { gated, questionTool } from '../core/internal.js'
export type { HistoryEntry, Permission, PolicyOptions, PolicyStorage, Remember, Rule } from './consent-types.js'
export { openIndexedDb } from './persist/indexed-db.js'
export { createMemoryStorage } from './persist/memory-storage.js'
export type { StorageProblem } from './persist/storage-problem.js'
export type { RunnerStorage, StoredCall, StoredRow, StoredStatus } from './persist/stored-row.js'
export { createToolRunner } from './tool-runner.js'
export type {
  Asker,
  CallInfo,
  EditCheck,
  FileInfo,
  PendingItem,
  PersistOptions,
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
