import type { UrlWarning } from '../../../src/components/bodies/read-url.js'
// As text, because a JSON import would make the `__proto__` of a case the prototype of its schema.
import text from '../../cases/schema-cases.json?raw'

export interface CaseInput {
  via: 'form' | 'answer'
  value: Record<string, unknown>
  valid: boolean
  data?: Record<string, unknown>
  errors?: Record<string, string>
  tz?: string
}

export interface SchemaCase {
  name: string
  schema: unknown
  inputs?: CaseInput[]
  expect?: {
    kinds?: Record<string, string>
    options?: Record<string, [unknown, string][]>
    order?: string[]
    root?: string
    labels?: Record<string, string>
    text?: Record<string, string>
    noElements?: string[]
    warnings?: string[]
    form?: boolean
    approval?: boolean
    editable?: boolean
  }
}

export interface UrlCase {
  url: string
  openable: boolean
  /** None, like no warnings, where it is absent. */
  host?: string
  warnings?: UrlWarning[]
}

const file: { cases: SchemaCase[]; urlCases: UrlCase[] } = JSON.parse(text)

export const schemaCases: SchemaCase[] = file.cases
export const urlCases: UrlCase[] = file.urlCases

/** `[name of the case, which input, the case, the input]` for a table of tests. */
export const inputsVia = (via: CaseInput['via']): [string, number, SchemaCase, CaseInput][] =>
  schemaCases.flatMap((one) =>
    (one.inputs ?? []).flatMap((input, i): [string, number, SchemaCase, CaseInput][] =>
      input.via === via ? [[one.name, i + 1, one, input]] : [],
    ),
  )

export const isCollected = ({ expect }: SchemaCase): boolean => expect?.form !== false

export function freezeAll<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const part of Object.values(Object.freeze(value))) freezeAll(part)
  return value
}
