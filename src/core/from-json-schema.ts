/** The arguments a flat JSON Schema describes, for typing `execute`. What it cannot tell is `unknown`. */
export type FromJsonSchema<S> = S extends { readonly properties: infer P }
  ? Flatten<
      { [K in keyof P as K extends RequiredKeys<S> ? K : never]: ValueOf<P[K]> } & {
        [K in keyof P as K extends RequiredKeys<S> ? never : K]?: ValueOf<P[K]> | undefined
      }
    >
  : Record<string, unknown>

type RequiredKeys<S> = S extends { readonly required: readonly (infer K)[] } ? K : never
type Flatten<T> = { [K in keyof T]: T[K] }

type ValueOf<S> = S extends { readonly enum: readonly (infer E)[] }
  ? E
  : S extends { readonly const: infer C }
    ? C
    : S extends { readonly type: 'string' }
      ? string
      : S extends { readonly type: 'number' | 'integer' }
        ? number
        : S extends { readonly type: 'boolean' }
          ? boolean
          : S extends { readonly type: 'array'; readonly items: infer I }
            ? ValueOf<I>[]
            : S extends { readonly type: 'object' }
              ? FromJsonSchema<S>
              : unknown
