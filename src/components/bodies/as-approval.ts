import { isRecord } from '../../core/internal.js'
import type { OpenQuestion } from '../../react/index.js'

const approvals = new WeakMap<OpenQuestion, OpenQuestion | undefined>()

/**
 * A form that asks nothing but `{ approved, editedArgs? }`, as AG-UI recommends for approvals, as the approval it is: its
 * yes sends what the form would have sent. The same object for the same question; undefined for any other form.
 */
export function asApproval(item: OpenQuestion): OpenQuestion | undefined {
  if (!approvals.has(item)) approvals.set(item, read(item))
  return approvals.get(item)
}

function read(item: OpenQuestion): OpenQuestion | undefined {
  const { schema, request } = item
  if (!isRecord(schema) || schema.type !== 'object' || !isRecord(schema.properties)) return undefined
  const { approved, editedArgs, ...others } = schema.properties
  const isOther = Object.keys(others).length > 0 || !isRecord(approved) || approved.type !== 'boolean'
  const isEditable = isRecord(editedArgs) && editedArgs.type === 'object'
  if (isOther || (editedArgs !== undefined && !isEditable)) return undefined
  return {
    ...item,
    argsSchema: isEditable ? editedArgs : undefined,
    request: { ...request, data: { ...request.data, decisions: isEditable ? ['approve', 'edit'] : ['approve'] } },
    approve: (data, options) =>
      item.approve({ approved: true, ...(isRecord(data?.args) && { editedArgs: data.args }) }, options),
  }
}
