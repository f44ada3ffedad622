import { geminiSchema } from './gemini-schema.js'
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

  const add = (name: string, own: ReadonlySet<string>): void => {
    const start = name.replace(NOT_IN_NAMES, '_').slice(0, LONGEST)
    // `run` would take it for the tool whose own name it is.
    const isTaken = (as: string): boolean => owners.has(as) || (own.has(as) && as !== name)
    let as = start
    let count = counts.get(start) ?? 2
    for (; isTaken(as); count++) {
      const end = `_${count}`
      as = start.slice(0, LONGEST - end.length) + end
    }
    counts.set(start, count)
    told.set(name, as)
    owners.set(as, name)
  }

  return {
    of(names) {
      const own = new Set(names)
      for (const name of names) {
        const as = told.get(name)
        // A name that another tool has as its own by now reaches neither of them.
        if (as === undefined || (as !== name && own.has(as))) add(name, own)
      }
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
  return [
    {
      functionDeclarations: tools.map(({ inputSchema, ...rest }) => ({
        ...rest,
        parameters: geminiSchema(inputSchema),
      })),
    },
  ]
}
