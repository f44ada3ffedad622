import type { ToolDescription, ToolFormat } from './types.js'

// What the strictest of the three takes.
const NOT_IN_NAMES = /[^a-zA-Z0-9_-]/g
const LONGEST = 64

/** Names as a model's API takes them, one for each tool, kept also when the tool goes: a name never means another tool later. */
export function createToldNames(): { of(names: readonly string[]): ReadonlyMap<string, string> } {
  const told = new Map<string, string>()
  const taken = new Set<string>()
  const clean = (name: string): string => name.replace(NOT_IN_NAMES, '_').slice(0, LONGEST)

  const add = (name: string): void => {
    let as = clean(name)
    for (let count = 2; taken.has(as); count++) {
      const end = `_${count}`
      as = clean(name).slice(0, LONGEST - end.length) + end
    }
    told.set(name, as)
    taken.add(as)
  }

  return {
    of(names) {
      // What can be told as it is always is: `run` takes a tool's own name first, so no other tool may be told by it.
      const own = names.filter((name) => clean(name) === name && told.get(name) !== name)
      for (const name of own) {
        for (const [other, as] of told) if (as === name) told.delete(other)
        told.set(name, name)
        taken.add(name)
      }
      for (const name of names) if (!told.has(name)) add(name)
      return told
    },
  }
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
