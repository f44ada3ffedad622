import { type Answer, isRecord, validateAnswer } from '../../core/internal.js'
import type { PendingItem } from '../../store/types.js'

/** Whether an answer from elsewhere is one that the question offered there. A no always is. */
export function answerFits({ request, schema }: PendingItem, { ok, data }: Answer): boolean {
  if (!ok) return true
  const asked: Record<string, unknown> = isRecord(request.data) ? request.data : {}
  if (request.kind === 'question') return isListOfAnswers(asked.questions, data?.answers)
  if (request.kind === 'input') {
    return schema === undefined ? typeof data?.value === 'string' : validateAnswer(schema, data ?? {}).length === 0
  }
  return isOffered(asked, data ?? {})
}

const isText = (value: unknown): boolean => typeof value === 'string'

function isListOfAnswers(questions: unknown, answers: unknown): boolean {
  const count = Array.isArray(questions) ? Math.max(questions.length, 1) : 1
  return (
    Array.isArray(answers) &&
    answers.length === count &&
    answers.every((one) => isText(one) || (Array.isArray(one) && one.every(isText)))
  )
}

/** Arguments are not edited elsewhere, a reply and a plain yes only where they were offered, and a choice is of the list. */
function isOffered(asked: Record<string, unknown>, data: Record<string, unknown>): boolean {
  const decisions: unknown = 'decisions' in asked ? asked.decisions : ['approve']
  const isReply = 'feedback' in data
  if ('args' in data || !Array.isArray(decisions) || !decisions.includes(isReply ? 'respond' : 'approve')) return false
  if (isReply) return isText(data.feedback)
  const chosen = 'choices' in data ? data.choices : 'choice' in data ? [data.choice] : []
  const offered = new Set(valuesOf(asked.choices))
  const isMissing = offered.size > 0 && asked.multiple !== true && !('choice' in data)
  return !isMissing && Array.isArray(chosen) && chosen.every((value) => offered.has(JSON.stringify(value)))
}

const valuesOf = (choices: unknown): string[] =>
  (Array.isArray(choices) ? choices : []).map((one: unknown) => JSON.stringify(isRecord(one) ? one.value : one))
