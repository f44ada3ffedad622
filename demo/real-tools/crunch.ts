import type { Tool } from 'assent/core'
import { pause } from './pause.js'

const STEP_MS = 150

/** Work in steps that looks at the signal before each one. Runs without a context as well. */
export const crunch: Tool = {
  name: 'crunch',
  description: 'Do some work in steps, stopping if cancelled',
  inputSchema: { type: 'object', properties: { steps: { type: 'number' } } },
  source: 'custom',
  async execute(args, ctx) {
    const total = Number(args.steps ?? 3)
    let done = 0
    while (done < total) {
      if (ctx?.signal?.aborted) return { output: `cancelled after ${done} step(s)`, isError: true }
      await pause(STEP_MS, ctx?.signal)
      done += 1
      ctx?.emitCustomEvent?.('progress', { step: done, total })
    }
    return { output: `completed ${done} step(s)`, isError: false }
  },
}
