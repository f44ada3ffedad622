import { isRecord } from '../plain-data.js'

export type Node = Record<string, unknown>

const MAX_DEPTH = 16

/** One schema out of local references, a lone `allOf` and "this or null"; `nullable` says that null is allowed. */
export function resolve(schema: unknown, root: unknown, depth = 0): Node {
  if (!isRecord(schema) || depth > MAX_DEPTH) return {}
  const { nullable: _, ...own } = schema
  const inner = (part: unknown, keyword: string): Node => {
    const { [keyword]: _, ...siblings } = own
    return { ...resolve(part, root, depth + 1), ...siblings }
  }
  if (typeof own.$ref === 'string') return inner(pointed(root, own.$ref), '$ref')
  if (Array.isArray(own.allOf) && own.allOf.length === 1) return inner(own.allOf[0], 'allOf')
  for (const keyword of ['anyOf', 'oneOf', 'type']) {
    const list = own[keyword]
    if (!Array.isArray(list)) continue
    const [other, ...others] = list.filter((part) => part !== 'null' && !(isRecord(part) && part.type === 'null'))
    if (other === undefined || others.length > 0 || list.length < 2) continue
    return { ...inner(keyword === 'type' ? { type: other } : other, keyword), nullable: true }
  }
  const items = own.type === 'array' && isRecord(own.items) ? { items: resolve(own.items, root, depth + 1) } : {}
  return { ...own, ...items }
}

function pointed(root: unknown, reference: string): unknown {
  let node = root
  if (!/^#(\/|$)/.test(reference)) return undefined
  for (const part of reference.split('/').slice(1)) {
    const name = part.replace(/~1/g, '/').replace(/~0/g, '~')
    node = typeof node === 'object' && node !== null && Object.hasOwn(node, name) ? (node as Node)[name] : undefined
  }
  return node
}
