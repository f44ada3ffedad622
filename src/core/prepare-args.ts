import { canonicalJson } from './canonical-json.js'
import { frozenJson, NotJson, pointerPart } from './json.js'
import { invalidArgs, messageOf } from './messages.js'
import { errorResult } from './normalise-result.js'
import { isRecord, typeName } from './plain-data.js'
import { compileSchema, type Issue } from './schema/index.js'
import { outputCopy, renderingOf } from './schema-output.js'
import { isStandardSchema, type StandardIssue, type StandardSchema } from './standard-schema.js'
import type { AnyTool, ToolResult } from './types.js'

export type Args = Readonly<Record<string, unknown>>

/** The arguments of a call in their three forms (DESIGN 8.1). */
export interface Prepared {
  /** As called or edited; frozen JSON. */
  readonly raw: Args
  /** As views, history and rules see them; frozen JSON. The same object as `raw` where the schema makes nothing else of them. */
  readonly args: Args
  /** What runs. Private: each attempt and each predicate gets a copy. */
  readonly value: Args
}

/** The arguments a call goes on with, or the result it ends with instead. */
export interface Passed {
  readonly prepared?: Prepared | undefined
  readonly result?: ToolResult | undefined
}

/** The same before it is a result: what is wrong, place by place. */
export type Checked =
  | { readonly prepared: Prepared; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] }

// A model mends what it can read; the rest of a very long list says nothing new.
const MAX_ISSUES = 20

// Not a keyword of JSON Schema: the words are a validator's own, of which those of an error say no place.
const CUSTOM = 'custom'
const ERROR = 'error'

const issueAt = (path: string, keyword: string, expected: string): Issue => ({ path, keyword, expected })

const notAnObject = (value: unknown): Issue[] => [issueAt('', 'type', `object, got ${typeName(value)}`)]

/** Validates arguments once, for showing and for running (K20). Never rejects: what cannot be checked has an issue. */
export async function checkArgs(
  { inputSchema = true }: Pick<AnyTool, 'inputSchema'>,
  given: unknown,
): Promise<Checked> {
  try {
    const input = given ?? {}
    if (!isRecord(input)) return { issues: notAnObject(input) }
    const raw = frozenJson(input)
    if (isStandardSchema(inputSchema)) return await validate(inputSchema, raw)
    const issues = compileSchema(inputSchema)(raw)
    return issues[0] ? { issues } : { prepared: { raw, args: raw, value: raw } }
  } catch (error) {
    // Arguments that cannot be read or checked are not run, whether the fault is theirs or the schema's.
    return {
      issues: [
        error instanceof NotJson ? issueAt(error.path, 'json', error.expected) : issueAt('', ERROR, messageOf(error)),
      ],
    }
  }
}

async function validate(schema: StandardSchema, raw: Args): Promise<Checked> {
  const result = await schema['~standard'].validate(outputCopy(raw))
  if (result.issues) return { issues: result.issues.map(toIssue) }
  const value: unknown = outputCopy(result.value)
  if (!isRecord(value)) return { issues: notAnObject(value) }
  const rendering = frozenJson(renderingOf(value)) as Args
  const isRaw = canonicalJson(rendering) === canonicalJson(raw)
  return { prepared: { raw, args: isRaw ? raw : rendering, value } }
}

const toIssue = (issue: StandardIssue): Issue => issueAt(pathOf(issue), CUSTOM, String(issue.message))

const pathOf = ({ path = [] }: StandardIssue): string =>
  path.map((part) => pointerPart(Object(part).key ?? part)).join('')

const textOf = ({ path, keyword, expected }: Issue): string =>
  keyword === ERROR ? expected : `${path || '/'}: ${keyword === CUSTOM ? '' : 'expected '}${expected}`

/** What a Standard Schema found, in words for a model. */
export const issuesOf = (issues: readonly StandardIssue[]): string[] => issues.map((issue) => textOf(toIssue(issue)))

/** The arguments as they are shown and run, or the error that says what is wrong in words a model can act on. */
export async function prepareArgs(tool: AnyTool, given: unknown): Promise<Passed> {
  const { issues, ...passed } = await checkArgs(tool, given)
  if (!issues) return passed
  const text = issues.slice(0, MAX_ISSUES).map(textOf).join('; ')
  return { result: errorResult(invalidArgs(tool.name, text)) }
}
