import { isRecord, readApprovalForm } from '../../core/internal.js'

type Data = Readonly<Record<string, unknown>>

/**
 * The data of a request as it is offered on another device. Arguments are edited at their owner only, because not all of
 * them may have left it; a reply to the gate would be a yes there, and declining with a reason says the same.
 */
export function offeredElsewhere(data: Data, isGate: boolean): Record<string, unknown> {
  const { decisions, schema } = data
  const isHome = (one: unknown): boolean => one === 'edit' || (isGate && one === 'respond')
  return {
    ...data,
    ...(Array.isArray(decisions) && { decisions: decisions.filter((one) => !isHome(one)) }),
    ...('schema' in data && { schema: withoutEditing(schema) }),
  }
}

/** An approval form without the arguments that it lets a person edit; any other schema as it is. */
export function withoutEditing(schema: unknown): unknown {
  if (!isRecord(schema) || !readApprovalForm(schema)?.argsSchema) return schema
  // It may stand behind these.
  const { $ref, allOf, anyOf, oneOf, properties, required, ...rest } = schema
  const approved = isRecord(properties) ? properties.approved : { type: 'boolean' }
  return { ...rest, type: 'object', properties: { approved } }
}
