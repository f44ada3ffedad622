export type Extras = typeof import('./extras/late-extras.js')

let loading: Promise<Extras> | undefined

/** Loads what not every app needs, once; after a failure the next call tries again. */
export function loadExtras(): Promise<Extras> {
  loading ??= import('./extras/late-extras.js').catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}
