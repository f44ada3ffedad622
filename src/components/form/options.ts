import { isRecord } from '../../core/plain-data.js'
import type { Node } from '../../core/schema/resolve.js'
import { isReadable } from './names.js'

export interface FieldOption {
  readonly value: unknown
  readonly label: string
}

const isScalar = (value: unknown): boolean => value === null || /^(string|number|boolean)$/.test(typeof value)

/** The choices of a schema in any of MCP's shapes: `enum` with or without names, `const`, a list of titled constants. */
export function optionsOf(schema: Node): FieldOption[] | undefined {
  const titled = [schema.oneOf, schema.anyOf].find(
    (list): list is Node[] =>
      Array.isArray(list) && list.length > 0 && list.every((part) => isRecord(part) && 'const' in part),
  )
  const listed = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : undefined
  const values: unknown[] | undefined = listed ?? titled?.map((part) => part.const)
  if (!values?.every(isScalar)) return undefined
  const { enumNames } = schema
  const names = Array.isArray(enumNames) && enumNames.length === values.length ? enumNames : []
  const titles = new Map(titled?.map((part) => [part.const, part.title]))
  const labels = new Map<unknown, string>()
  const uses = new Map<string, number>()
  values.forEach((value, i) => {
    if (labels.has(value)) return
    const title = titles.get(value) ?? names[i]
    const label = isReadable(title) ? title : String(value)
    labels.set(value, label)
    uses.set(label, (uses.get(label) ?? 0) + 1)
  })
  return [...labels].map(([value, label]) => ({ value, label: uses.get(label) === 1 ? label : `${label} (${value})` }))
}
