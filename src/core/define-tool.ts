import { checkOutput } from './check-output.js'
import type { FromJsonSchema } from './from-json-schema.js'
import { newId } from './ids.js'
import { messageOf } from './messages.js'
import { errorResult, normaliseResult } from './normalise-result.js'
import type { JsonSchema } from './schema/index.js'
import type { InferOutput, StandardSchema } from './standard-schema.js'
import { assertTool } from './tool-schema.js'
import type { AnyTool, Consent, LoopSwitches, RunContext, ToolContext, ToolResult } from './types.js'

interface Definition<S, Args> extends LoopSwitches, Consent<Args> {
  name: string
  description: string
  inputSchema?: S | undefined
  /** The JSON Schema of a Standard Schema that cannot tell it itself (`~standard.jsonSchema`). */
  jsonSchema?: JsonSchema | undefined
  source?: string | undefined
  outputSchema?: JsonSchema | StandardSchema | undefined
  sequential?: boolean | undefined
  execute(args: Args, ctx: RunContext): unknown
}

/** A tool made by `defineTool`: may be called without a context, and always comes back with a result. */
export interface DefinedTool<S = JsonSchema | StandardSchema> extends AnyTool {
  description: string
  inputSchema: (S & (JsonSchema | StandardSchema)) | { readonly type: 'object' }
  execute(args: Record<string, unknown>, ctx?: ToolContext): Promise<ToolResult>
}

/**
 * Defines a tool with typed arguments, from a JSON Schema or any Standard Schema (DESIGN 3). Whatever `execute` returns
 * becomes a result: a string as it is, nothing as `""`, other values as JSON; a throw becomes an error result.
 * Throws an Error when the definition cannot be used.
 */
export function defineTool<S extends StandardSchema>(
  definition: Definition<S, InferOutput<S>> & { inputSchema: S },
): DefinedTool<S>
export function defineTool<const S extends JsonSchema>(definition: Definition<S, FromJsonSchema<S>>): DefinedTool<S>
export function defineTool(definition: Definition<JsonSchema | StandardSchema, never>): DefinedTool {
  const tool: AnyTool = definition
  assertTool(tool)
  return {
    ...definition,
    inputSchema: definition.inputSchema ?? { type: 'object' },
    async execute(args, ctx) {
      try {
        const notes = new Set<unknown>()
        const value = await tool.execute(args, completeContext(ctx, notes))
        return normaliseResult(tool.name, notes.has(value) ? value : await checkOutput(tool, value))
      } catch (error) {
        return errorResult(messageOf(error))
      }
    },
  }
}

/** The context `execute` is typed with, also where somebody calls the tool directly and gives half of it or none. */
function completeContext(ctx: ToolContext = {}, notes: Set<unknown>): RunContext {
  const signal = ctx.signal ?? ctx.abortSignal ?? new AbortController().signal
  const { toolCallId = newId('call'), emitCustomEvent = () => {}, detach } = ctx
  // The note of a host that moved the call is for the model, and no output.
  const noted = async (work: Promise<unknown>): Promise<string> => {
    const note = (await detach?.(work)) ?? ''
    notes.add(note)
    return note
  }
  return { ...ctx, signal, abortSignal: signal, toolCallId, emitCustomEvent, ...(detach && { detach: noted }) }
}
