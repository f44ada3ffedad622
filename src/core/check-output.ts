import { unusable } from './messages.js'
import { isToolResult } from './normalise-result.js'
import { pendingOf } from './pending.js'
import { issuesOf } from './prepare-args.js'
import { isStandardSchema } from './standard-schema.js'
import type { AnyTool } from './types.js'

/** What a tool returned, as its `outputSchema` gives it back (DESIGN 2.3). Throws, in words for a model, where that does not take it. */
export async function checkOutput(
  { name, outputSchema }: Pick<AnyTool, 'name' | 'outputSchema'>,
  value: unknown,
): Promise<unknown> {
  // A result is already in the contract's own shape, and a question is no output.
  if (!isStandardSchema(outputSchema) || isToolResult(value) || pendingOf(value)) return value
  const result = await outputSchema['~standard'].validate(value)
  if (result.issues) throw new Error(unusable(name, issuesOf(result.issues).join('; ')))
  return result.value
}
