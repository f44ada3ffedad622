import { isRecord } from '../../core/plain-data.js'
import { validateAnswer } from '../../core/schema/index.js'
import { type Field, type FormModel, hasType } from './fields.js'
import { numberFault, readJson } from './read-json.js'

/** A value, the keyword it fails, or neither: nothing is sent for the field. */
export interface Reading {
  readonly value?: unknown
  readonly error?: string
}

export type Coerced =
  | { readonly data: Record<string, unknown>; readonly errors?: undefined }
  | { readonly data?: undefined; readonly errors: ReadonlyMap<string, string> }

/**
 * The answer that a form's controls hold, or the keyword that each wrong field fails. `values` has, by field name, text,
 * true or false, the chosen option's value (null: none), a list of them; a field that is not in it was not touched.
 */
export function coerce(form: FormModel, values: ReadonlyMap<string, unknown>, zone?: string): Coerced {
  const data: [string, unknown][] = []
  const errors = new Map<string, string>()
  for (const field of form.fields) {
    const { value, error } = readField(field, values.get(field.name), zone)
    if (error !== undefined) errors.set(field.name, error)
    else if (value !== undefined) data.push([field.name, value])
  }
  if (errors.size > 0) return { errors }
  // fromEntries makes own properties of any name, `__proto__` too.
  return form.root === 'fields' ? { data: Object.fromEntries(data) } : wholeAnswer(form, data[0])
}

/** One value is the whole answer, held against the root schema. An answer's data is an object, so any other value goes in `value`. */
function wholeAnswer({ schema }: FormModel, [name, value]: [string, unknown] = ['', undefined]): Coerced {
  const [issue] = validateAnswer(schema, value)
  if (issue) return { errors: new Map([[name, issue.path === '' ? issue.keyword : 'schema']]) }
  return { data: isRecord(value) ? value : { value } }
}

/** What a control shows for a field that nobody touched yet. */
export function shownOf(field: Field, raw: unknown): unknown {
  const { kind, default: preset } = field
  if (raw !== undefined || preset === undefined) return raw
  if (kind === 'json') return JSON.stringify(preset, null, 2)
  return kind === 'number' || kind === 'integer' ? String(preset) : preset
}

/** Depends on what is shown alone, never on how it came to be (K17). */
export function readField(field: Field, raw: unknown, zone?: string): Reading {
  const shown = shownOf(field, raw)
  switch (field.kind) {
    case 'boolean':
      return typeof shown === 'boolean' ? { value: shown } : empty(field)
    case 'enum':
      return shown === undefined || shown === null ? empty(field) : check(field, shown)
    case 'multi':
      return readList(field, Array.isArray(shown) ? shown : [])
    default:
      return readText(field, String(shown ?? ''), zone)
  }
}

function readList(field: Field, chosen: readonly unknown[]): Reading {
  const values = field.options.map(({ value }) => value).filter((value) => chosen.includes(value))
  return values.length > 0 ? check(field, values) : empty(field)
}

function readText(field: Field, typed: string, zone: string | undefined): Reading {
  const { kind, schema } = field
  const isPlain = kind === 'string' && !/^(email|uri|date|date-time)$/.test(String(schema.format))
  const text = isPlain ? typed : typed.trim()
  if (text === '') return empty(field)
  if (kind === 'json') return readBox(field, text)
  if (kind !== 'string') return readNumber(field, text)
  return check(field, schema.format === 'date-time' ? withOffset(text, zone) : text)
}

function readBox({ schema, nullable }: Field, text: string): Reading {
  const { value, fault } = readJson(text)
  if (fault) return { error: fault }
  return (nullable && value === null) || hasType(schema.type, value) ? { value } : { error: 'type' }
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

function readNumber(field: Field, text: string): Reading {
  // Adding 0 makes 0 of -0, which JSON cannot tell apart.
  const value = NUMBER.test(text) ? Number(text) + 0 : Number.NaN
  const mustBeWhole = field.kind === 'integer'
  if (!Number.isFinite(value) || (mustBeWhole && !Number.isInteger(value))) return { error: 'type' }
  // More decimals than a number has are a habit (3.14159265358979323846) and harm nothing; other digits count.
  const isRisky = mustBeWhole || Math.abs(value) > Number.MAX_SAFE_INTEGER || value === 0
  const isKept = !(isRisky && numberFault(text)) && (!mustBeWhole || Number.isSafeInteger(value))
  return isKept ? check(field, value) : { error: 'precision' }
}

/** A date and time as `<input type="datetime-local">` writes it, with the offset in force then; other texts as they are. */
export function withOffset(text: string, zone?: string): string {
  const [, day, time, seconds = ':00'] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/i.exec(text) ?? []
  if (!day) return text
  return `${day}T${time}${seconds}${zone === 'UTC' ? 'Z' : (zone ?? offsetAt(`${day}T${time}`))}`
}

/** `+05:30`, or `Z`. A date that does not exist gets what no format accepts. */
const offsetAt = (local: string): string =>
  String(new Date(local))
    .replace(/.*GMT(...)(..).*/, '$1:$2')
    .replace('+00:00', 'Z')

function empty(field: Field): Reading {
  const { kind, required, nullable, schema, default: preset } = field
  if (required && nullable) return { value: null }
  if (kind === 'multi' && (required || preset !== undefined)) return check(field, [])
  if (kind === 'boolean' && required) return { value: false }
  if (kind === 'string' && (required ? preset === '' || schema.minLength === 0 : preset !== undefined)) {
    const reading = check(field, '')
    return required || !reading.error ? reading : {}
  }
  return required ? { error: 'required' } : {}
}

function check({ schema }: Field, value: unknown): Reading {
  const error = validateAnswer(schema, value)[0]?.keyword
  return error === undefined ? { value } : { error }
}
