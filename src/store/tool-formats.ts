import type { ToolDescription, ToolFormat } from './types.js'

// What the strictest of the three takes.
const NOT_IN_NAMES = /[^a-zA-Z0-9_-]/g
const LONGEST = 64

/** Each name as a model's API takes it, without two that are the same. */
export function wireNames(names: readonly string[]): Map<string, string> {
  const wire = new Map<string, string>()
  const taken = new Set<string>()
  const clean = (name: string): string => name.replace(NOT_IN_NAMES, '_').slice(0, LONGEST)
  const add = (name: string, as: string): void => {
    wire.set(name, as)
    taken.add(as)
  }
  const own = names.filter((name) => clean(name) === name)
  for (const name of own) add(name, name)
  for (const name of names) {
    if (wire.has(name)) continue
    let as = clean(name)
    for (let count = 2; taken.has(as); count++) as = `${clean(name).slice(0, LONGEST - 4)}_${count}`
    add(name, as)
  }
  return wire
}

/** The tools as a model's API wants to be told of them. */
export function formatTools(tools: readonly ToolDescription[], format: ToolFormat): Record<string, unknown>[] {
  if (format === 'openai') {
    return tools.map(({ inputSchema, ...rest }) => ({
      type: 'function',
      function: { ...rest, parameters: inputSchema },
    }))
  }
  if (format === 'anthropic') return tools.map(({ inputSchema, ...rest }) => ({ ...rest, input_schema: inputSchema }))
  return [{ functionDeclarations: tools.map(({ inputSchema, ...rest }) => ({ ...rest, parameters: inputSchema })) }]
}
