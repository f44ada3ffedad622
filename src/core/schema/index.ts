import { isRecord } from '../plain-data.js'
import { type Compiled, compile } from './compile.js'
import type { Issue } from './place.js'
import type { OnBroken } from './read-schema.js'

export { readApprovalForm } from './approval-form.js'
export { fitsArgs, fitsForm } from './fits-form.js'
export type { Issue } from './place.js'

export type JsonSchema = boolean | { readonly [keyword: string]: unknown }

const strict = new WeakMap<object, Compiled>()
const lenient = new WeakMap<object, Compiled>()

/**
 * The check of a JSON Schema (draft 2020-12), made once per schema object. Throws an `Error` that says where the schema
 * is broken; the check itself never throws. It ends in bounded time: what it cannot decide within that it refuses.
 */
export function compileSchema(schema: unknown): (value: unknown) => Issue[] {
  return strictly(schema).check
}

/** The places of the patterns that cannot be checked safely: a value that meets one is refused. Throws as `compileSchema` does. */
export function uncheckable(schema: unknown): string[] {
  return strictly(schema).uncheckable()
}

// Written out where it is used: a bundler that knows its value leaves the words for developers out.
declare const process: { env: { NODE_ENV?: string } }

const told = new Set<string>()

/** Throws when a tool's schema is broken. In development it also tells, once, which patterns cannot be checked. */
export function assertSchema(schema: unknown, tool: string): void {
  compileSchema(schema)
  try {
    if (process.env.NODE_ENV !== 'production') warnOfPatterns(schema, tool)
  } catch {
    // No bundler, no `process`: nobody is developing here.
  }
}

function warnOfPatterns(schema: unknown, tool: string): void {
  for (const place of uncheckable(schema)) {
    const text = `assent: the tool "${tool}" has a pattern that cannot be checked safely, at ${place}. Values that meet it are refused. Write it without back references, and with smaller counts.`
    if (!told.has(text)) console.error(text)
    told.add(text)
  }
}

/** What is wrong with an answer. Never throws: what is malformed in the schema is ignored, keyword by keyword. */
export function validateAnswer(schema: unknown, value: unknown): Issue[] {
  try {
    return remember(lenient, schema).check(value)
  } catch {
    return []
  }
}

const strictly = (schema: unknown): Compiled =>
  remember(strict, schema, (at, value) => {
    throw new Error(`Broken JSON Schema: ${at} cannot be ${JSON.stringify(value)}`)
  })

function remember(cache: WeakMap<object, Compiled>, schema: unknown, broken?: OnBroken): Compiled {
  if (!isRecord(schema)) return compile(schema, broken)
  const compiled = cache.get(schema) ?? compile(schema, broken)
  cache.set(schema, compiled)
  return compiled
}
