import { invalidArgs, messageOf } from './messages.js'
import { errorResult } from './normalise-result.js'
import { copyOf, freezeDeep, frozenJson, isRecord, typeName } from './plain-data.js'
import { compileSchema, type JsonSchema } from './schema/index.js'
import { isStandardSchema, type StandardIssue, type StandardSchema } from './standard-schema.js'
import type { AnyTool, ToolResult } from './types.js'

export type Args = Readonly<Record<string, unknown>>
/** The arguments a call goes on with, or the result it ends with instead. */
export interface Passed {
  args?: Args
  result?: ToolResult
}
type Checked = { value?: unknown; issues?: readonly string[] }

// A model mends what it can read; the rest of a very long list says nothing new.
const MAX_ISSUES = 20

/** The arguments as they are shown and run: copied, validated, frozen (K20). What is wrong is a text a model can act on. */
export async function prepareArgs({ name, inputSchema = true }: AnyTool, raw: unknown): Promise<Passed> {
  try {
    const given = frozenJson(raw ?? {})
    const { value, issues }: Checked = isRecord(given) ? await check(inputSchema, given) : { value: given }
    if (isRecord(value)) return { args: value }
    const wrong = issues ?? [`/: expected object, got ${typeName(value)}`]
    return { result: errorResult(invalidArgs(name, wrong.slice(0, MAX_ISSUES).join('; '))) }
  } catch (error) {
    // What cannot be checked, for its own fault or the schema's, is not run.
    return { result: errorResult(invalidArgs(name, messageOf(error))) }
  }
}

async function check(schema: JsonSchema | StandardSchema, value: Args): Promise<Checked> {
  if (isStandardSchema(schema)) {
    const result = await schema['~standard'].validate(copyOf(value))
    if (!result.issues) return { value: freezeDeep(copyOf(result.value)) }
    return { issues: issuesOf(result.issues) }
  }
  const issues = compileSchema(schema)(value).map(({ path, expected }) => `${path || '/'}: expected ${expected}`)
  return issues[0] ? { issues } : { value }
}

/** What a Standard Schema found, in words for a model. */
export const issuesOf = (issues: readonly StandardIssue[]): string[] =>
  issues.map((issue) => `${pathOf(issue)}: ${issue.message}`)

const pathOf = ({ path = [] }: StandardIssue): string =>
  path.map((part) => `/${String(Object(part).key ?? part)}`).join('') || '/'
