import { pending, type Tool } from 'assent/core'

/** Asks without a schema of its own, and has its own words for a refusal: `onRefusal` lets it say them. */
export const deploy: Tool = {
  name: 'deploy',
  description: 'Deploy, asking which environment first',
  inputSchema: { type: 'object', properties: {} },
  source: 'custom',
  onRefusal: 'retry',
  async execute(_args, ctx) {
    const answer = ctx?.answer
    if (!answer) return pending({ kind: 'input', prompt: 'Which environment?' })
    if (!answer.ok) return { output: `declined: ${answer.reason ?? 'no reason'}`, isError: true }
    return { output: `deployed to ${answer.data?.env ?? 'unknown'}`, isError: false }
  },
}
