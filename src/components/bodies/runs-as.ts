import { isSameJson } from '../form/same-json.js'
import { textOf } from '../text-of.js'

type Args = Readonly<Record<string, unknown>>

/** What an argument runs as, as text; null where it is not used at all. */
export type RunsAs = string | null

/** The arguments that would run as something else than they say, by name. */
export function runsAs(args: Args, runs: Args | undefined): ReadonlyMap<string, RunsAs> {
  const different = new Map<string, RunsAs>()
  if (!runs) return different
  for (const name of new Set([...Object.keys(args), ...Object.keys(runs)])) {
    if (!Object.hasOwn(runs, name)) different.set(name, null)
    else if (!Object.hasOwn(args, name) || !isSameJson(args[name], runs[name])) different.set(name, textOf(runs[name]))
  }
  return different
}
