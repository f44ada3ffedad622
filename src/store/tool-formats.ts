import type { ToolDescription, ToolFormat } from './types.js'

// What the strictest of the three takes.
const NOT_IN_NAMES = /[^a-zA-Z0-9_-]/g
const LONGEST = 64

export interface ToldNames {
  /** The names as a model is told them, by the tools' own. */
  of(names: readonly string[]): ReadonlyMap<string, string>
  /** The own name of the tool that a model was told of by this one. */
  ownOf(told: string): string | undefined
}

/** Names as a model's API takes them, one for each tool, kept also when the tool goes: a name never means another tool later. */
export function createToldNames(): ToldNames {
  const told = new Map<string, string>()
  const owners = new Map<string, string>()
  // By the name without its end: what is taken stays so, and nobody tries it again.
  const counts = new Map<string, number>()
  const clean = (name: string): string => name.replace(NOT_IN_NAMES, '_').slice(0, LONGEST)

  const set = (name: string, as: string): void => {
    told.set(name, as)
    owners.set(as, name)
  }
  const add = (name: string): void => {
    const start = clean(name)
    let as = start
    let count = counts.get(start) ?? 2
    for (; owners.has(as); count++) {
      const end = `_${count}`
      as = start.slice(0, LONGEST - end.length) + end
    }
    counts.set(start, count)
    set(name, as)
  }

  return {
    of(names) {
      // What can be told as it is always is: `run` takes a tool's own name first, so no other tool may be told by it.
      const own = names.filter((name) => clean(name) === name && told.get(name) !== name)
      for (const name of own) {
        const other = owners.get(name)
        if (other !== undefined) told.delete(other)
        set(name, name)
      }
      for (const name of names) if (!told.has(name)) add(name)
      return told
    },
    ownOf: (name) => owners.get(name),
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
