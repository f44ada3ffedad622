/** The part of the Standard Schema v1 interface that is read here (zod, valibot, arktype and others implement it). */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly jsonSchema?:
      | { readonly input: (options: { readonly target: string }) => Record<string, unknown> }
      | undefined
  }
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The parsed type of a Standard Schema. */
export type InferOutput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output']

// arktype's schemas are functions, so it is no matter what sort of object it is.
export const isStandardSchema = (schema: unknown): schema is StandardSchema => '~standard' in Object(schema)
