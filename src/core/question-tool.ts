import { refused } from './messages.js'
import { errorResult } from './normalise-result.js'
import { pending } from './pending.js'
import { isRecord } from './plain-data.js'
import type { Tool } from './types.js'

/** The prompt of a set of questions: one line each, options in brackets (SPEC §4A). */
function promptOf(questions: readonly unknown[]): string {
  return questions
    .filter(isRecord)
    .map(({ question, options }) =>
      Array.isArray(options) && options.length > 0 ? `${question} (options: ${options.join(', ')})` : `${question}`,
    )
    .join('\n')
}

/** The built-in with which a model asks the person something (SPEC §4A). The model gets `answer.data` as JSON. */
export const questionTool: Tool = {
  name: 'question',
  description: 'Ask the user one or more questions and wait for the answers.',
  source: 'builtin',
  inputSchema: {
    type: 'object',
    properties: {
      questions: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            question: { type: 'string', description: 'The question itself' },
            header: { type: 'string', description: 'A very short label' },
            options: {
              type: 'array',
              items: { type: 'string' },
              description: 'What can be chosen; none for free text',
            },
            multiple: { type: 'boolean', description: 'Whether several options may be chosen' },
          },
          required: ['question'],
        },
      },
    },
    required: ['questions'],
  },
  execute(args, ctx) {
    const questions = Array.isArray(args.questions) ? args.questions : []
    const prompt = promptOf(questions)
    if (!ctx?.answer) return pending({ kind: 'question', prompt, data: { questions } })
    if (!ctx.answer.ok) return errorResult(refused(prompt))
    return { output: JSON.stringify(ctx.answer.data ?? {}), isError: false }
  },
}
