import { isRecord } from '../../core/internal.js'
import { readJson } from '../form/read-json.js'
import { isSameJson } from '../form/same-json.js'

type Args = Readonly<Record<string, unknown>>

/** Arguments that came as JSON text, where it says an object and can be kept exactly; other values as they are. */
export function parsedArgs(args: unknown): unknown {
  const value = typeof args === 'string' ? readJson(args).value : undefined
  return isRecord(value) ? value : args
}

/** The arguments of a call under review: its `input`, or its `arguments` or `args`. Undefined where they cannot be told. */
export function readCallArgs(call: unknown): Args | undefined {
  if (!isRecord(call)) return undefined
  const [input, given] = [parsedArgs(call.input), parsedArgs(call.arguments ?? call.args)]
  const args = input ?? given
  const isOther = given !== undefined && given !== null && !isSameJson(given, args)
  return isRecord(args) && !isOther ? args : undefined
}
