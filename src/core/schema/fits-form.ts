import { canonicalJson } from '../canonical-json.js'
import { isRecord } from '../plain-data.js'
import { readApprovalForm } from './approval-form.js'
import { fieldNames } from './field-names.js'
import { type Issue, validateAnswer } from './index.js'

type Data = Readonly<Record<string, unknown>>

const hasOnly = (data: Data, names: readonly string[]): boolean =>
  Object.keys(data).every((name) => names.includes(name))

/** Whether data is what the form of a schema can send: its own fields and no others. `original` are the call's arguments. */
export function fitsForm(schema: unknown, data: Data, original?: Data): boolean {
  const approval = readApprovalForm(schema)
  if (approval) {
    const { argsSchema } = approval
    const isFit = argsSchema ? fitsArgs(argsSchema, data.editedArgs, original) : false
    return data.approved === true && hasOnly(data, ['approved', 'editedArgs']) && (isFit || !('editedArgs' in data))
  }
  const fits = (value: unknown): boolean => validateAnswer(schema, value).length === 0
  const names = fieldNames(schema)
  if (names) return hasOnly(data, names) && fits(data)
  // One control holds the whole answer. What is no object goes in `value`.
  return fits(data) || ('value' in data && hasOnly(data, ['value']) && !isRecord(data.value) && fits(data.value))
}

/** Whether edited arguments fit their schema. What did not fit before and was not edited is not held against them. */
export function fitsArgs(schema: unknown, args: unknown, original?: Data): boolean {
  if (!isRecord(args)) return false
  const keyOf = ({ path, keyword }: Issue): string => `${path} ${keyword}`
  const before = new Set(original && validateAnswer(schema, original).map(keyOf))
  return validateAnswer(schema, args).every((issue) => {
    const name = (issue.path.split('/')[1] ?? '').replace(/~1/g, '/').replace(/~0/g, '~')
    return before.has(keyOf(issue)) && canonicalJson([original?.[name]]) === canonicalJson([args[name]])
  })
}
