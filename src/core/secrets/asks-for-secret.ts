import { isRecord } from '../plain-data.js'
import type { PendingRequest } from '../types.js'
import { isSecretName, isSecretText } from './is-secret.js'
import { type CredentialTest, secretFields } from './secret-fields.js'

/** What a request asks, and the form in which it is answered. */
export interface Asked {
  readonly request: PendingRequest
  readonly schema?: unknown
}

/** Whether a text that is answered in writing asks for a secret: a question with its header, or a prompt. */
export function isCredentialQuestion(question: string, header: string, test?: CredentialTest): boolean {
  const usual = isSecretName(header) || isSecretText(question)
  return test ? test({ name: header, schema: { type: 'string', title: question } }, usual) : usual
}

export const hasForm = ({ request, schema }: Asked): boolean => request.kind !== 'question' && schema !== undefined

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const isOption = (option: unknown): boolean =>
  isRecord(option)
    ? text(option.value) !== '' || text(option.label) !== ''
    : option !== '' && /^(string|number|boolean)$/.test(typeof option)

/** The questions that are answered in writing: what is chosen from a list is no secret. */
function writtenQuestions(data: unknown): { question: string; header: string }[] {
  const list = isRecord(data) && Array.isArray(data.questions) ? data.questions : []
  const questions: unknown[] = list.length > 0 ? list : ['']
  return questions.flatMap((item) => {
    const { question, header, options } = isRecord(item) ? item : { question: item }
    const isChosen = Array.isArray(options) && options.some(isOption)
    return isChosen ? [] : [{ question: text(question), header: text(header) }]
  })
}

/** Whether the form has a mark in place of a password in an address: it would be sent as if it were the value. */
function holdsMark({ request, schema }: Asked): boolean {
  const { questions } = isRecord(request.data) ? request.data : {}
  return (
    /^(input|question)$/.test(request.kind) &&
    (JSON.stringify([schema ?? null, questions ?? null]) ?? '').includes(':•••@')
  )
}

/** Whether a person would write a secret to answer: such a question gets no form, and does not leave the page. */
export function asksForSecret(asked: Asked, test?: CredentialTest): boolean {
  const { request, schema } = asked
  if (holdsMark(asked)) return true
  if (hasForm(asked)) {
    const { asks, isWritten } = secretFields(schema, test)
    return asks || (isWritten && isCredentialQuestion(request.prompt, '', test))
  }
  if (request.kind !== 'input' && request.kind !== 'question') return false
  const written = writtenQuestions(request.data)
  return (
    written.some(({ question, header }) => isCredentialQuestion(question, header, test)) ||
    (written.length > 0 && isCredentialQuestion(request.prompt, '', test))
  )
}
