export { type DefinedTool, defineTool } from './define-tool.js'
export type { FromJsonSchema } from './from-json-schema.js'
export { type OfferedItem, offered } from './offered.js'
export { authRequired, pending, pendingOf } from './pending.js'
export { type RunToolOptions, runTool } from './run-tool.js'
export { type Issue, type JsonSchema, validateAnswer } from './schema/index.js'
export type { InferOutput, StandardSchema } from './standard-schema.js'
export type {
  Answer,
  AnyTool,
  Consent,
  Danger,
  Decision,
  EmitCustomEvent,
  GateContext,
  InputResponse,
  LoopSwitches,
  NeedsApproval,
  PendingRequest,
  RefusalReason,
  RunContext,
  Tool,
  ToolAnnotations,
  ToolContext,
  ToolEvent,
  ToolResult,
  WaitFor,
} from './types.js'
