import type { Tool } from 'assent/core'

const DEFAULT_MS = 30_000
const LEAST_MS = 100

/** Treats the caller's timeout as a ceiling, and says so when there is too little of it. */
export const fetchish: Tool = {
  name: 'fetchish',
  description: "Pretend to fetch, bounded by the caller's timeout",
  inputSchema: { type: 'object', properties: { url: { type: 'string' } } },
  source: 'custom',
  async execute(args, ctx) {
    const budget = ctx?.timeout ?? DEFAULT_MS
    if (budget < LEAST_MS) return { output: `budget ${budget}ms is too small to try`, isError: true }
    return { output: `fetched ${args.url} within ${budget}ms`, isError: false }
  },
}
