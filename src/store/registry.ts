import { type AnyTool, assertTool, canonicalJson, isTrusted, jsonSchemaOf } from '../core/internal.js'
import { createToldNames, formatTools } from './tool-formats.js'
import type { ToolDescription, ToolFormat } from './types.js'

export interface Registry {
  add(tool: AnyTool | (() => AnyTool)): () => void
  get(name: string): AnyTool | undefined
  /** The tool's own name, also for the one a model was told; undefined where the two are of different tools. */
  nameOf(name: string): string | undefined
  describe(): ToolDescription[]
  describe(format: ToolFormat): Record<string, unknown>[]
}

/** The tools of a runner by name. A second tool of a name is refused: which one would run must never be a guess. */
export function createRegistry(onChange: () => void = () => {}): Registry {
  const tools = new Map<string, () => AnyTool>()
  const toldNames = createToldNames()
  let areTold = false
  // Whether somebody asked for names for a model, or used one.
  let isUsed = false
  const changed = (): void => {
    areTold = false
    onChange()
  }
  const namesForModels = (): ReadonlyMap<string, string> => {
    const names = toldNames.of(areTold ? [] : [...tools.keys()])
    areTold = isUsed = true
    return names
  }

  /** A model may have been told names in an earlier page. */
  const wouldBeTold = (name: string): boolean => {
    const draft = createToldNames()
    draft.of([...tools.keys()])
    return draft.ownOf(name) !== undefined
  }

  function describe(): ToolDescription[]
  function describe(format: ToolFormat): Record<string, unknown>[]
  function describe(format?: ToolFormat): ToolDescription[] | Record<string, unknown>[] {
    const all = [...tools.values()].map((get) => {
      const tool = get()
      return { name: tool.name, description: tool.description ?? '', inputSchema: jsonSchemaOf(tool) ?? {} }
    })
    if (format === undefined) return all
    const told = namesForModels()
    const named = all.map((tool) => ({ ...tool, name: told.get(tool.name) ?? tool.name }))
    return formatTools(named, format)
  }

  return {
    add(tool) {
      // A function of its own, so that an old removal never removes a newer registration.
      const get = (): AnyTool => (typeof tool === 'function' ? tool() : tool)
      const now = get()
      assertTool(now)
      const { name } = now
      if (tools.has(name)) {
        throw new Error(`assent: a tool named "${name}" is already registered: rename or remove one.`)
      }
      tools.set(name, get)
      changed()
      return () => {
        if (tools.get(name) !== get) return
        tools.delete(name)
        changed()
      }
    },
    get(name) {
      try {
        return tools.get(name)?.()
      } catch {
        // A function that cannot give its tool: the tool is gone.
        return undefined
      }
    },
    nameOf(name) {
      const own = toldNames.ownOf(name) ?? name
      if (tools.has(name)) return own === name ? name : undefined
      if (own !== name) return own
      if (!isUsed && !wouldBeTold(name)) return name
      namesForModels()
      return toldNames.ownOf(name) ?? name
    },
    describe,
  }
}

/** What a person is shown of a tool, or what decides how it is shown; another tool under the name differs in it (DESIGN 8.3). */
export interface ToolIdentity
  extends Pick<AnyTool, 'name' | 'description' | 'inputSchema' | 'jsonSchema' | 'source' | 'danger'> {
  readonly trusted: boolean
  /** The annotations as canonical text; empty for what cannot be shown. */
  readonly annotations: string
}

/** The identity as it is now, whatever becomes of the tool object. */
export const identityOf = (tool: AnyTool): ToolIdentity => {
  const { name, description, inputSchema, jsonSchema, source, danger, annotations } = tool
  const trusted = isTrusted(tool)
  return {
    name,
    description,
    inputSchema,
    jsonSchema,
    source,
    danger,
    trusted,
    annotations: textOf(annotations ?? null),
  }
}

/** Whether `now` is still the tool the person was shown: the newest closure is, another tool under its name is not (DESIGN 5.2). */
export function isSameTool(shown: ToolIdentity, now: AnyTool): boolean {
  const next = identityOf(now)
  const isAlike = (['name', 'description', 'source', 'danger', 'trusted', 'annotations'] as const).every(
    (member) => shown[member] === next[member],
  )
  return isAlike && (isSchema(shown, next) || sameSchema(shown, next))
}

const isSchema = (a: ToolIdentity, b: ToolIdentity): boolean =>
  a.inputSchema === b.inputSchema && a.jsonSchema === b.jsonSchema

/** The same as text, to be held against a tool of another page and against what is remembered; empty for a tool that cannot be told apart from others. */
export function identityText(shown: ToolIdentity): string {
  const { name, description = null, source = null, danger = null, annotations, trusted } = shown
  try {
    return canonicalJson([name, description, source, danger, annotations, trusted, jsonSchemaOf(shown) ?? null])
  } catch {
    return ''
  }
}

export const toolText = (tool: AnyTool): string => identityText(identityOf(tool))

/** Whether `now` is the tool a stored call was asked about. */
export const isToolText = (text: string, now: AnyTool): boolean => text !== '' && text === toolText(now)

function textOf(value: unknown): string {
  try {
    return canonicalJson(value)
  } catch {
    return ''
  }
}

function sameSchema(a: ToolIdentity, b: ToolIdentity): boolean {
  try {
    return canonicalJson(jsonSchemaOf(a)) === canonicalJson(jsonSchemaOf(b))
  } catch {
    return false
  }
}
