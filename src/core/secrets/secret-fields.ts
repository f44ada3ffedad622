import { isRecord } from '../plain-data.js'
import { isSecretName, isSecretText } from './is-secret.js'

/** A field, a question or a prompt: what may ask for a secret. */
export interface CredentialField {
  /** The property's name, or the question's header; empty where there is none. */
  readonly name: string
  /** The field's own schema; of a question or a prompt `{ type: 'string', title: <its text> }`. */
  readonly schema: unknown
}

/** Whether a field asks for a secret. `usual` is what the kit would say. */
export type CredentialTest = (field: CredentialField, usual: boolean) => boolean

type Node = Readonly<Record<string, unknown>>

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

/** Whether a field offers choices and takes nothing else: what is chosen is no secret. */
function isChoice(field: unknown): boolean {
  if (!isRecord(field) || field.type === 'object') return false
  const { type, enum: listed, items } = field
  if (type === 'array') return isRecord(items) && items.type !== 'array' && isChoice(items)
  if ([type].flat().every((name) => name === 'boolean' || name === 'null')) return true
  if (Array.isArray(listed)) return listed.every(isScalar)
  if ('const' in field) return isScalar(field.const)
  const several = [field.oneOf, field.anyOf].find(Array.isArray) ?? []
  return several.length > 0 && several.every((part) => Object(part).type === 'null' || isChoice(part))
}

/** What a reference to a place in the same schema means. */
function target(root: unknown, reference: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined
  let node = root
  for (const name of reference.split('/').slice(1)) {
    const key = name.replace(/~1/g, '/').replace(/~0/g, '~')
    node = isScalar(node) || !Object.hasOwn(Object(node), key) ? undefined : Object(node)[key]
  }
  return node
}

const MAX_REFERENCES = 16

/** A field with what it refers to. */
function whole(field: Node, root: unknown): Node {
  let node = field
  for (let hops = 0; '$ref' in node && hops < MAX_REFERENCES; hops++) {
    const { $ref, ...own } = node
    node = { ...Object(target(root, $ref)), ...own }
  }
  return node
}

const isNamed = (text: unknown): boolean => typeof text === 'string' && isSecretName(text)

function isSecretField(name: string, { format, writeOnly, title, description }: Node): boolean {
  if (format === 'password' || writeOnly === true) return true
  return [name, title, format].some(isNamed) || (typeof description === 'string' && isSecretText(description))
}

const BY_NAME = /^(properties|patternProperties|dependentSchemas|\$defs|definitions)$/
const PART = /^(items|prefixItems|contains|additional.*|unevaluated.*|not|if|then|else|anyOf|oneOf|allOf|\d+)$/

/** The schemas inside a schema, each with its name where it has one. */
function partsOf(node: Node, root: unknown): [name: string, part: unknown][] {
  return Object.entries(node).flatMap(([key, inner]): [string, unknown][] => {
    if (BY_NAME.test(key) && isRecord(inner)) return Object.entries(inner)
    if (PART.test(key)) return [['', inner]]
    return key === '$ref' ? [['', target(root, inner)]] : []
  })
}

export interface SecretFields {
  readonly asks: boolean
  /** Whether something is written in it, and not only chosen. */
  readonly isWritten: boolean
}

/** Whether a schema asks, at any depth, for a secret: those are never entered in a form (DESIGN 5.7). */
export function secretFields(schema: unknown, test?: CredentialTest): SecretFields {
  const seen = new Set<unknown>()
  const names = new Set<string>()
  const required: unknown[] = []
  let isWritten = false
  const asksAt = (name: string, part: Node): boolean => {
    const field = whole(part, schema)
    const isChosen = isChoice(field)
    if (name !== '' && !isChosen) isWritten = true
    const usual = (!isChosen || field.writeOnly === true) && isSecretField(name, field)
    return test ? test({ name, schema: part }, usual) : usual
  }
  const open: [name: string, part: unknown][] = [['', schema]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [name, part] = next
    names.add(name)
    if (typeof part !== 'object' || part === null || seen.has(part)) continue
    seen.add(part)
    const node = part as Node
    if (asksAt(name, node)) return { asks: true, isWritten: true }
    open.push(...partsOf(node, schema))
    if (Array.isArray(node.required)) required.push(...node.required)
  }
  // What is only required is asked for too.
  const asks = required.some((name) => typeof name === 'string' && !names.has(name) && asksAt(name, {}))
  return { asks, isWritten: isWritten || names.size === 1 }
}
