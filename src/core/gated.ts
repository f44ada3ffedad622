import { defined } from './plain-data.js'
import { assertTool } from './tool-schema.js'
import type { AnyTool, Consent } from './types.js'

/**
 * A tool of somebody else's with the gate of your choice before it, the tool itself left as it is. What is given here
 * replaces what the tool says of its own consent. Throws an Error when the tool cannot be used.
 */
export function gated(tool: AnyTool, consent: Consent): AnyTool {
  assertTool(tool)
  const { name, description, inputSchema, jsonSchema, source, outputSchema, sequential } = tool
  const { onRefusal, maxQuestions, needsApproval, danger, annotations, decisions, trusted } = tool
  return {
    // Each read by its name: a tool may be an object of a class, whose members a spread leaves behind.
    ...defined({
      name,
      description,
      inputSchema,
      jsonSchema,
      source,
      outputSchema,
      sequential,
      onRefusal,
      maxQuestions,
    }),
    ...defined({ needsApproval, danger, annotations, decisions, trusted }),
    ...defined(consent),
    execute: (args, ctx) => tool.execute(args, ctx),
  }
}
