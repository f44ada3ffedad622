import { isRecord } from '../plain-data.js'

const UNITS: Record<string, string> = { Length: ' characters', Items: ' items', Properties: ' properties' }

/** What a failed keyword asked for, in a few English words. */
export function expectation(keyword: string, value: unknown): string {
  const [, bound, unit = ''] = /^m(in|ax)(.+)$/.exec(keyword) ?? []
  if (bound) return `at ${bound === 'in' ? 'least' : 'most'} ${value}${UNITS[unit] ?? ''}`
  if (keyword === 'type') return [value].flat().join(' or ')
  if (/^(enum|oneOf|anyOf)$/.test(keyword)) return `one of ${[value].flat().map(summary).join(', ')}`
  if (keyword === 'false') return 'nothing'
  if (keyword === 'required') return 'a value (required)'
  return keyword === 'const' ? summary(value) : `${keyword} ${summary(value)}`
}

const summary = (part: unknown): string => {
  const { const: only, type } = isRecord(part) ? part : {}
  return type === undefined ? JSON.stringify(only ?? part) : expectation('type', type)
}
