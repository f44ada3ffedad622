import { messageOf } from './messages.js'
import { assertSchema, type JsonSchema } from './schema/index.js'
import { isStandardSchema } from './standard-schema.js'
import type { AnyTool } from './types.js'

/**
 * The JSON Schema of a tool's arguments, for a model and for forms. A Standard Schema is asked for its own;
 * where it has none, the tool must bring `jsonSchema`. Undefined when neither does.
 */
export function jsonSchemaOf({
  inputSchema,
  jsonSchema,
}: Pick<AnyTool, 'inputSchema' | 'jsonSchema'>): JsonSchema | undefined {
  if (jsonSchema !== undefined) return jsonSchema
  if (!isStandardSchema(inputSchema)) return inputSchema ?? { type: 'object' }
  return inputSchema['~standard'].jsonSchema?.input({ target: 'draft-2020-12' })
}

/** Throws, in words for its author, when a tool cannot be used as it was written. */
export function assertTool(tool: AnyTool): void {
  const { name, execute, description, source } = tool ?? {}
  try {
    if (typeof name !== 'string' || !name) throw new Error('no name')
    if (typeof execute !== 'function') throw new Error('no execute()')
    for (const [key, text] of Object.entries({ description, source })) {
      if (text !== undefined && typeof text !== 'string') throw new Error(`its ${key} is no text`)
    }
    const schema = jsonSchemaOf(tool)
    if (schema === undefined) throw new Error('no jsonSchema')
    assertSchema(schema, name)
  } catch (error) {
    throw new Error(`assent: the tool "${name}" cannot be used: ${messageOf(error)}`)
  }
}
