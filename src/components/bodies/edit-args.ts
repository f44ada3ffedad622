import { validateAnswer } from '../../core/schema/index.js'
import { readField, shownOf } from '../form/coerce.js'
import type { CredentialTest } from '../form/credential.js'
import { type Field, isCredentialSchema, readFields } from '../form/fields.js'
import { humanise } from '../form/names.js'
import { isSameJson } from '../form/same-json.js'
import { textOf } from '../text-of.js'

type Args = Readonly<Record<string, unknown>>

/** The fields in which the arguments of a call can be changed; each has the argument as it is for its default. */
export interface ArgsForm {
  readonly root: 'fields' | 'json'
  readonly fields: readonly Field[]
  readonly schema: unknown
  readonly args: Args
  /** False where nobody knows what the arguments were; `args` is empty then. */
  readonly isKnown: boolean
}

/** One argument that is no longer what it was, as text; without one side, it was or is not there. */
export interface Change {
  readonly name: string
  readonly was: string | undefined
  readonly now: string | undefined
}

export interface Edits {
  readonly args: Record<string, unknown>
  readonly changes: readonly Change[]
  /** By field, the keyword it fails; under `''` what belongs to no field. */
  readonly errors: ReadonlyMap<string, string>
  /** JSON Pointers of what is wrong inside a field. */
  readonly places: readonly string[]
}

/** Secrets are not entered here (DESIGN 5.7): a field that asks for one is left out, and its argument stays as it is. */
export function createArgsForm(
  schema: unknown,
  given: Args | undefined,
  jsonLabel: string,
  test?: CredentialTest,
): ArgsForm | undefined {
  const form = readFields(schema)
  const args = given ?? {}
  const all = { schema, args, isKnown: given !== undefined }
  const asked = form.root === 'fields' ? form.fields : []
  const others = Object.keys(args).filter((name) => !asked.some((field) => field.name === name))
  const fields = form.root !== 'fields' ? [] : [...asked, ...others.map((name) => newField(name, humanise(name)))]
  const editable = fields.filter(
    ({ name, schema: part }) => !isCredentialSchema({ properties: { [name]: part } }, test),
  )
  if (editable.length > 0) return { ...all, root: 'fields', fields: editable.map((field) => holding(field, args)) }
  if (fields.length > 0 || isCredentialSchema(schema, test)) return undefined
  // What a form has no fields for is written as JSON.
  const whole: Field = {
    ...newField('', jsonLabel),
    kind: 'json',
    required: true,
    default: args,
    schema: { type: 'object' },
  }
  return { ...all, root: 'json', fields: [whole] }
}

/** For what the schema does not speak of. */
const newField = (name: string, label: string): Field => ({
  name,
  kind: 'string',
  label,
  description: '',
  required: false,
  nullable: false,
  default: undefined,
  options: [],
  schema: {},
})

/** The field with the argument in it. Where its control would send something else than it was given, a JSON box. */
function holding(field: Field, args: Args): Field {
  const value = Object.hasOwn(args, field.name) ? args[field.name] : undefined
  // An emptied text is an empty text, unless the schema says otherwise.
  const schema = field.kind === 'string' ? { minLength: 0, ...field.schema } : field.schema
  const held: Field = { ...field, schema, default: value }
  const isHeld = field.kind === 'string' ? value === undefined || typeof value === 'string' : true
  if (isHeld && isSameJson(readField(held, undefined).value, value)) return held
  const { type } = field.schema
  const json = field.nullable && type !== undefined ? { ...field.schema, type: [type, 'null'].flat() } : field.schema
  return { ...held, kind: 'json', required: false, nullable: false, schema: json }
}

/** What was typed, as arguments. Depends on what is shown alone, never on how it came to be (K17). */
export function readEdits(form: ArgsForm, values: ReadonlyMap<string, unknown>): Edits {
  const { root, fields, args: original } = form
  const errors = new Map<string, string>()
  const typed = new Map<string, string>()
  let next = new Map(Object.entries(original))
  for (const field of fields) {
    const { name } = field
    // What nobody touched stays what it was, whatever a control would make of it.
    if (!values.has(name)) continue
    const { value, error } = readField(field, values.get(name))
    if (error !== undefined) {
      errors.set(name, error)
      typed.set(name, String(shownOf(field, values.get(name)) ?? ''))
    } else if (root === 'json') next = new Map(Object.entries(value as Args))
    else if (value === undefined) next.delete(name)
    else next.set(name, value)
  }
  // Made of entries, so that a key named __proto__ is a key.
  const args = Object.fromEntries(next)
  const changes = [...new Set([...Object.keys(original), ...next.keys(), ...typed.keys()])].flatMap((name) => {
    const [was, now] = [textAt(original, name), typed.get(name) ?? textAt(args, name)]
    return (root === 'json' && name === '') || (was === now && !typed.has(name)) ? [] : [{ name, was, now }]
  })
  const places = errors.size === 0 && changes.length > 0 ? check(form, args, changes, errors) : []
  return { args, changes, errors, places }
}

const textAt = (args: Args, name: string): string | undefined =>
  Object.hasOwn(args, name) ? textOf(args[name]) : undefined

/** The argument that a JSON Pointer leads to or into. */
export const nameAt = (path: string): string => (path.split('/')[1] ?? '').replace(/~1/g, '/').replace(/~0/g, '~')

/** Holds the whole against the schema and notes what is wrong with it; returns what has no message at a field. */
function check(
  { schema, args: original, fields }: ArgsForm,
  args: Args,
  changes: readonly Change[],
  errors: Map<string, string>,
): string[] {
  const keyOf = ({ path, keyword }: { path: string; keyword: string }): string => `${path} ${keyword}`
  // A schema of what goes in need not fit what came out of a transforming one; what was so before is not the person's error.
  const before = new Set(validateAnswer(schema, original).map(keyOf))
  const places: string[] = []
  for (const issue of validateAnswer(schema, args)) {
    const { path, keyword } = issue
    const name = nameAt(path)
    if (before.has(keyOf(issue)) && !changes.some((change) => change.name === name)) continue
    const field = fields.find((one) => one.name === name)
    const isInside = !field || path.split('/').length !== 2
    errors.set(field ? name : '', isInside ? 'schema' : keyword)
    if (isInside) places.push(path || '/')
  }
  return places
}

/** Takes one change back. */
export function resetChange(
  { root, args: original }: ArgsForm,
  values: Map<string, unknown>,
  edits: Edits,
  name: string,
): void {
  if (root === 'fields') {
    values.delete(name)
    return
  }
  const rest = Object.entries(edits.args).filter(([key]) => key !== name)
  const was = Object.entries(original).filter(([key]) => key === name)
  values.set('', JSON.stringify(Object.fromEntries([...rest, ...was]), null, 2))
}
