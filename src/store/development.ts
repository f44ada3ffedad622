declare const process: { env: Record<string, string | undefined> }

// A bundler replaces the expression; without one there is no `process` in a browser, and nobody to warn.
export const inDevelopment = (): boolean => {
  try {
    return process.env.NODE_ENV !== 'production'
  } catch {
    return false
  }
}
