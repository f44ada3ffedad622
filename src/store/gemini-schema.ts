import { defined, isRecord } from '../core/internal.js'

type Node = Record<string, unknown>

// The fields of Gemini's Schema that JSON Schema has too, with the same meaning.
const SAME = /^(title|description|pattern|m(in|ax)(imum|Items|Length|Properties))$/
// References can double what is written out at each level.
const MAX_NODES = 1000
const OPEN: Node = { type: 'object' }

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const mapOf = (value: unknown): Node => (isRecord(value) ? value : {})

/** What a reference names: local ones only. */
const pointed = (root: unknown, $ref: string): unknown =>
  $ref
    .split('/')
    .slice(1)
    .reduce((node, part) => Object(node)[part.replaceAll('~1', '/').replaceAll('~0', '~')], root)

/** A JSON Schema as the `parameters` of a Gemini function: a subset of OpenAPI 3.0 without references. */
export function geminiSchema(root: unknown): Node {
  let nodes = 0

  /** A schema and what it refers to, with what stands beside it, as one. `seen` are the references that led here. */
  const open = (schema: unknown, beside: Node, seen: Set<unknown>): Node => {
    const { $ref, allOf, ...own } = mapOf(schema)
    const parts = [...listOf(allOf)]
    if ($ref !== undefined) parts.push(seen.has($ref) ? OPEN : pointed(root, String($ref)))
    seen.add($ref)
    const merged: Node = {
      ...beside,
      ...own,
      properties: { ...mapOf(beside.properties), ...mapOf(own.properties) },
      required: [...listOf(beside.required), ...listOf(own.required)],
    }
    return parts.reduce<Node>((all, part) => open(all, open(part, {}, seen), seen), merged)
  }

  const read = (schema: unknown, path: Iterable<unknown>, beside: Node): Node => {
    const seen = new Set(path)
    const { anyOf, oneOf = anyOf, ...node } = ++nodes > MAX_NODES ? OPEN : open(schema, beside, seen)
    const { type } = node
    const list = Array.isArray(type) ? type.map((one) => ({ type: one, oneOf })) : listOf(oneOf)
    if (list.length === 0) return leaf(node, seen)
    const others = list.filter((one) => mapOf(one).type !== 'null')
    const nullable = node.nullable || others.length < list.length
    const parts = others.map((one) => read(one, seen, { ...node, nullable }))
    // Nothing else may stand beside `anyOf`.
    return parts.length > 1 ? { anyOf: parts } : mapOf(parts[0])
  }

  const leaf = (node: Node, seen: Set<unknown>): Node => {
    const values = 'const' in node ? [node.const] : listOf(node.enum)
    const texts = values.filter((value) => value && typeof value === 'string')
    const properties = Object.entries(mapOf(node.properties))
    const usual = properties.length > 0 ? 'object' : typeof (values[0] ?? '')
    const { type = usual, format, prefixItems } = node
    const some = (list: unknown): unknown => (listOf(list).length > 0 ? list : undefined)
    return defined({
      ...Object.fromEntries(Object.entries(node).filter(([keyword]) => SAME.test(keyword))),
      type,
      format: format === 'date-time' ? format : undefined,
      nullable: node.nullable || values.includes(null) ? true : undefined,
      // Only texts can be listed, and no empty ones.
      enum: type === 'string' ? some(texts) : undefined,
      properties:
        some(properties) && Object.fromEntries(properties.map(([name, part]) => [name, read(part, seen, {})])),
      // A name that is no property is refused.
      required: some(properties.map(([name]) => name).filter((name) => listOf(node.required).includes(name))),
      items: type === 'array' ? read(prefixItems ? { anyOf: prefixItems } : node.items, seen, {}) : undefined,
    })
  }

  return read(root, ['#'], OPEN)
}
