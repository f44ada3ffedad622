/** A schema as `readSchema` leaves it: keywords whose values are well-formed, and no others. Maps have no prototype. */
export type Rule = boolean | Rules

export interface Rules {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  not?: Rule
  anyOf?: Rule[]
  allOf?: Rule[]
  oneOf?: Rule[]
  if?: Rule
  then?: Rule
  else?: Rule
  required?: string[]
  propertyNames?: Rule
  dependentRequired?: Record<string, string[]>
  dependentSchemas?: Record<string, Rule>
  properties?: Record<string, Rule>
  patternProperties?: Record<string, Rule>
  additionalProperties?: Rule
  unevaluatedProperties?: Rule
  prefixItems?: Rule[]
  items?: Rule | Rule[]
  additionalItems?: Rule
  unevaluatedItems?: Rule
  contains?: Rule
  minContains?: number
  maxContains?: number
  uniqueItems?: boolean
  format?: string
  pattern?: string
  $ref?: string
  /** Where `$ref` leads, by `dereference`. */
  __absolute_ref__?: string
  [keyword: string]: unknown
}
