import { isRecord } from '../../core/plain-data.js'
import { humanise, isReadable } from './names.js'
import { type FieldOption, optionsOf } from './options.js'
import { type Node, resolve } from './resolve.js'

export { isCredentialSchema, isSecretName } from './credential.js'
export type { FieldOption } from './options.js'

export type FieldKind = 'string' | 'number' | 'integer' | 'boolean' | 'enum' | 'multi' | 'json'

export interface Field {
  readonly name: string
  readonly kind: FieldKind
  /** The title, else the name in words; empty for a name that is empty. */
  readonly label: string
  readonly description: string
  readonly required: boolean
  readonly nullable: boolean
  /** Undefined when there is none, or none of the right type. */
  readonly default: unknown
  readonly options: readonly FieldOption[]
  /** The field's own schema, references followed: what its value is checked against. */
  readonly schema: Readonly<Node>
}

export interface FormModel {
  /** Whether the fields are the properties of the answer, or one JSON box is the answer. */
  readonly root: 'fields' | 'json'
  readonly fields: readonly Field[]
  readonly schema: unknown
}

// A root with one of these is more than a list of fields.
const NOT_FLAT = /^(oneOf|anyOf|allOf|not|if|dependent.*|patternProperties|propertyNames|m(in|ax)Properties)$/

/** The fields that ask for what a schema describes. Total: any value is a schema, at worst one for a JSON box. */
export function readFields(schema: unknown): FormModel {
  const root = resolve(schema, schema)
  const { type, properties, required } = root
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  const isForm = type === 'object' || (type === undefined && isRecord(properties))
  if (!isForm || Object.keys(root).some((keyword) => NOT_FLAT.test(keyword))) {
    return { root: 'json', fields: [toField('', { type: 'object' }, true)], schema }
  }
  const parts = isRecord(properties) ? properties : {}
  const fields = [...new Set([...Object.keys(parts), ...names])].map((name) =>
    toField(name, resolve(Object.hasOwn(parts, name) && parts[name], schema), names.includes(name)),
  )
  return { root: 'fields', fields, schema }
}

function toField(name: string, resolved: Node, required: boolean): Field {
  const { nullable, ...schema } = resolved
  const single = optionsOf(schema)
  const several = schema.type === 'array' && isRecord(schema.items) ? optionsOf(schema.items) : undefined
  const kind = kindOf(schema.type, single, several)
  const { title, description } = schema
  const options = (kind === 'multi' ? several : single) ?? []
  return {
    name,
    kind,
    label: isReadable(title) ? title : humanise(name),
    description: isReadable(description) ? description : '',
    required,
    nullable: nullable === true || (kind === 'enum' && options.some(({ value }) => value === null)),
    default: defaultOf(kind, schema, options),
    options: options.filter(({ value }) => value !== null),
    schema,
  }
}

function kindOf(type: unknown, single?: unknown, several?: unknown): FieldKind {
  if (single && type !== 'array' && type !== 'object') return 'enum'
  if (type === 'string' || type === 'number' || type === 'integer' || type === 'boolean') return type
  return several ? 'multi' : 'json'
}

function defaultOf(kind: FieldKind, schema: Node, options: readonly FieldOption[]): unknown {
  const value = schema.default
  const isOption = (member: unknown): boolean => member !== null && options.some((option) => option.value === member)
  if (kind === 'enum') return isOption(value) ? value : undefined
  if (kind === 'multi') return Array.isArray(value) && value.every(isOption) ? value : undefined
  return hasType(kind === 'json' ? schema.type : kind, value) ? value : undefined
}

/** Whether a JSON value has a type, or one of several; anything has a type that is not given. */
export function hasType(type: unknown, value: unknown): boolean {
  if (Array.isArray(type)) return type.some((one) => hasType(one, value))
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'number') return Number.isFinite(value)
  const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return value !== undefined && (typeof type !== 'string' || type === found)
}
