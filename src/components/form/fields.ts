import { isRecord } from '../../core/plain-data.js'
import { type Node, resolve } from '../../core/schema/resolve.js'
import { humanise, isReadable } from './names.js'
import { type FieldOption, optionsOf } from './options.js'

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
  /** Whether the fields are the properties of the answer, or one control holds the whole answer, as a value or as JSON. */
  readonly root: 'fields' | 'value' | 'json'
  /** What the schema says of the form as a whole. */
  readonly about: readonly string[]
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
  if (!isForm) return wholeForm(root, schema)
  if (Object.keys(root).some((keyword) => NOT_FLAT.test(keyword))) return wholeForm({ ...root, type: 'object' }, schema)
  const parts = isRecord(properties) ? properties : {}
  const fields = [...new Set([...Object.keys(parts), ...names])].map((name) =>
    toField(name, resolve(Object.hasOwn(parts, name) && parts[name], schema), names.includes(name)),
  )
  return { root: 'fields', about: [root.title, root.description].filter(isReadable), fields, schema }
}

/** One field for the whole answer: a control of its own for what a property could have one for, else a JSON box. */
function wholeForm(root: Node, schema: unknown): FormModel {
  const field = toField('value', root, true)
  const isBox = field.kind === 'json'
  // The name in words would say nothing; without a title the form has words of its own.
  const whole = { ...field, name: isBox ? '' : field.name, label: isReadable(root.title) ? root.title : '' }
  return { root: isBox ? 'json' : 'value', about: [], fields: [whole], schema }
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

const TYPES: readonly unknown[] = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']

/** Whether a JSON value has a type, or one of several. Anything has a type that is not given, or that JSON Schema does not know. */
export function hasType(type: unknown, value: unknown): boolean {
  if (value === undefined) return false
  const types: unknown[] = [type].flat()
  return types.length === 0 || types.some((one) => isOfType(one, value))
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'number') return Number.isFinite(value)
  const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return type === found || !TYPES.includes(type)
}
