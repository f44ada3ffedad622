// @vitest-environment node
import { runTool } from 'assent/core'
import { questionTool } from 'assent/runner'
import { describe, expect, it } from 'vitest'
import { no, yes } from '../support/asking.js'

const questions = [{ question: 'Color?', header: 'Choice', options: ['red', 'green'] }, { question: 'Why?' }]
const prompt = 'Color? (options: red, green)\nWhy?'

describe('questionTool', () => {
  it('hands the model the answers as JSON', async () => {
    const data = { answers: ['red', 'because'] }
    expect(await runTool(questionTool, { questions }, { waitFor: async ({ id }) => yes(id, data) })).toEqual({
      output: JSON.stringify(data),
      isError: false,
    })
  })

  it('is refused in the words of every refusal, also when it hears the no itself', async () => {
    const waitFor = async ({ id }: { id: string }) => no(id)
    for (const onRefusal of ['settle', 'retry'] as const) {
      expect(await runTool(questionTool, { questions }, { waitFor, onRefusal })).toEqual({
        output: `declined/expired: ${prompt}`,
        isError: true,
      })
    }
  })

  it.each<[string, unknown]>([
    ['no questions', {}],
    ['an empty list', { questions: [] }],
    ['a text', { questions: 'Color?' }],
    ['an entry without a question', { questions: [{}] }],
    ['an entry that is no object', { questions: [null] }],
  ])('is an error result for %s', async (_what, args) => {
    const result = await runTool(questionTool, args)
    expect(result.output).toMatch(/^Invalid arguments for question: \/questions/)
  })
})
