import type { Decision } from '../../core/index.js'
import { isRecord, readApprovalForm } from '../../core/internal.js'
import { resolve } from '../../core/schema/resolve.js'
import type { OpenQuestion } from '../../react/index.js'
import { isReadable } from '../form/names.js'
import { readCallArgs } from './read-call.js'

/** A form that is an approval, and what its editor starts from. */
export interface FormApproval {
  /** Its yes sends what the form would have sent. */
  readonly item: OpenQuestion
  /** The arguments to edit; undefined where it is not known which they are. */
  readonly start: Readonly<Record<string, unknown>> | undefined
  /** What it offers, whatever the request says: its form has no more answers than these. */
  readonly decisions: ReadonlySet<Decision>
  /** `schema`, where the dialog shows all that it says. */
  readonly shown: readonly string[]
}

const DECISIONS: ReadonlySet<Decision> = new Set(['approve', 'edit'])

const approvals = new WeakMap<OpenQuestion, FormApproval | undefined>()

/**
 * A form that asks nothing but `{ approved, editedArgs? }`, as AG-UI recommends for approvals, as the approval it is. The
 * same object for the same question; undefined for any other form.
 */
export function asApproval(item: OpenQuestion): FormApproval | undefined {
  if (!approvals.has(item)) approvals.set(item, read(item))
  return approvals.get(item)
}

function read(item: OpenQuestion): FormApproval | undefined {
  const form = readApprovalForm(item.schema)
  if (!form) return undefined
  const root = resolve(item.schema, item.schema)
  const { approved, editedArgs }: Record<string, unknown> = isRecord(root.properties) ? root.properties : {}
  return {
    item: {
      ...item,
      argsSchema: form.argsSchema,
      approve: (data, options) =>
        item.approve({ approved: true, ...(isRecord(data?.args) && { editedArgs: data.args }) }, options),
    },
    start: startOf(item),
    decisions: DECISIONS,
    shown: [root, approved, editedArgs].some(hasWords) ? [] : ['schema'],
  }
}

/** The one call under review, else the call that asks. Of several calls nobody can tell which is meant. */
function startOf({ request, args }: OpenQuestion): FormApproval['start'] {
  const calls = isRecord(request.data) ? request.data.calls : undefined
  if (!Array.isArray(calls) || calls.length === 0) return args
  return calls.length === 1 ? readCallArgs(calls[0]) : undefined
}

/** An approval has no place for what a schema says of itself. */
const hasWords = (schema: unknown): boolean =>
  isRecord(schema) && (isReadable(schema.title) || isReadable(schema.description))
