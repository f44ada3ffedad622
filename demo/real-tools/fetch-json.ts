import { defineTool } from 'assent/core'
import { pause } from './pause.js'

export const fetchJson = defineTool({
  name: 'fetch_json',
  description: 'Fetch a JSON file of this site, for example sample.json.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1, description: 'Relative to this page' },
      delay_ms: { type: 'integer', minimum: 0, maximum: 60_000, description: 'Wait first, to leave time for an abort' },
    },
    required: ['path'],
  },
  async execute({ path, delay_ms = 0 }, ctx) {
    const url = new URL(path, location.href)
    if (url.origin !== location.origin)
      return { output: `only this site may be fetched, not ${url.host}`, isError: true }
    await pause(delay_ms, ctx.signal)
    // Aborts with the call: by hand, or when ctx.timeout is over.
    const response = await fetch(url, { signal: ctx.signal })
    if (!response.ok) return { output: `${url.pathname} answered ${response.status}`, isError: true }
    return (await response.json()) as unknown
  },
})
