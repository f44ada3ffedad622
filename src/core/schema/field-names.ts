import { isRecord } from '../plain-data.js'
import { resolve } from './resolve.js'

// A root with one of these is more than a list of fields.
const NOT_FLAT = /^(oneOf|anyOf|allOf|not|if|dependent.*|patternProperties|propertyNames|m(in|ax)Properties)$/

/** The names of the fields that ask for what a schema describes; undefined where one control holds the whole answer. */
export function fieldNames(schema: unknown): string[] | undefined {
  const root = resolve(schema, schema)
  const { type, properties, required } = root
  const isForm = type === 'object' || (type === undefined && isRecord(properties))
  if (!isForm || Object.keys(root).some((keyword) => NOT_FLAT.test(keyword))) return undefined
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  return [...Object.keys(isRecord(properties) ? properties : {}), ...names]
}
