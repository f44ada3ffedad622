import { isRecord } from '../plain-data.js'
import { resolve } from './resolve.js'

/**
 * A form that asks nothing but `{ approved, editedArgs? }`, as AG-UI recommends for approvals, is shown as an approval.
 * Undefined for any other form; `argsSchema` only where arguments may be edited.
 */
export function readApprovalForm(schema: unknown): { argsSchema?: Record<string, unknown> } | undefined {
  const { type, properties, $defs, definitions } = resolve(schema, schema)
  if (type !== 'object' || !isRecord(properties)) return undefined
  const { approved, editedArgs, ...others } = properties
  if (Object.keys(others).length > 0 || resolve(approved, schema).type !== 'boolean') return undefined
  if (editedArgs === undefined) return {}
  const args = resolve(editedArgs, schema)
  // References in it lead into the schema of the form.
  return args.type === 'object' ? { argsSchema: { $defs, definitions, ...args } } : undefined
}
