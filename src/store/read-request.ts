import { frozenJson, isRecord, isRequest, type PendingRequest } from '../core/internal.js'
import { withoutPasswords } from '../core/secrets/without-secrets.js'
import type { ToolRunnerOptions } from './types.js'

/** A copy of a request that nobody else can change; undefined, with a word to the developer, when it is none. */
export function readRequest(request: unknown): PendingRequest | undefined {
  try {
    const copy: unknown = withoutPasswords(frozenJson(request))
    if (isRequest(copy)) return copy
  } catch {
    // Told below, like every other request that is none.
  }
  console.error('assent: waitFor() needs plain data with id, kind and prompt:', request)
  return undefined
}

/** The form of a question: its own schema, also a broken one, else the app's for a tool that asks without (DESIGN 7.1). */
export function formSchema(
  { kind, data }: PendingRequest,
  answerSchemas: ToolRunnerOptions['answerSchemas'] = {},
  toolName = '',
): unknown {
  if (isRecord(data) && 'schema' in data) return data.schema
  // By own properties only: a tool may be named "constructor".
  return kind === 'input' && Object.hasOwn(answerSchemas, toolName) ? answerSchemas[toolName] : undefined
}
