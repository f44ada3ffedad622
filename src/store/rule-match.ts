import { canonicalJson, frozenJson, isRecord } from '../core/internal.js'
import type { Rule } from './consent-types.js'

/** What is held against rules and permissions: the tool's name, its source and the arguments as they are shown. */
export interface Subject {
  readonly tool: string
  readonly source?: string | undefined
  readonly args: Readonly<Record<string, unknown>>
}

/** Whether two JSON values say the same; false for what is no JSON. */
export function same(a: unknown, b: unknown): boolean {
  try {
    return canonicalJson(a) === canonicalJson(b)
  } catch {
    return false
  }
}

/** Whether every member that `named` has is there and matches, at every depth; arrays exactly, whatever else is there. */
const includes = (value: unknown, named: unknown): boolean =>
  isRecord(named)
    ? isRecord(value) &&
      Object.keys(named).every((key) => Object.hasOwn(value, key) && includes(value[key], named[key]))
    : same(value, named)

/** Whether a member is there and undefined, at any depth: the value was looked up and not found. */
const isIncomplete = (value: unknown): boolean =>
  value === undefined || (isRecord(value) && Object.values(value).some(isIncomplete))

/** The arguments a rule names, as JSON; undefined for any, `unreadable` for what no arguments can be compared with. */
function namedArgs({ args }: Rule): Readonly<Record<string, unknown>> | undefined | 'unreadable' {
  if (args === undefined) return undefined
  try {
    const named: unknown = frozenJson(args)
    return isRecord(named) && !isIncomplete(args) ? named : 'unreadable'
  } catch {
    return 'unreadable'
  }
}

/**
 * Whether a rule speaks of these arguments (DESIGN 8.4): `allow` of exactly the arguments it names, `deny` and `ask` of all
 * that have the members it names. `{}` is exactly no arguments. Arguments that cannot be read allow nothing and deny all.
 */
function speaksOf(rule: Rule, args: Subject['args']): boolean {
  const named = namedArgs(rule)
  if (named === undefined) return true
  if (named === 'unreadable') return rule.decision !== 'allow'
  const isExact = rule.decision === 'allow' || Object.keys(named).length === 0
  return isExact ? same(named, args) : includes(args, named)
}

export const ruleMatches = (rule: Rule, { tool, source, args }: Subject): boolean =>
  rule.tool === tool && (rule.source === undefined || rule.source === source) && speaksOf(rule, args)
