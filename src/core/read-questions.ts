import { isRecord } from './plain-data.js'

export interface Option {
  value: string
  label: string
  description: string | undefined
}

export interface AskedQuestion {
  question: string
  header: string | undefined
  options: Option[]
  multiple: boolean
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function readOption(option: unknown): Option | undefined {
  if (typeof option === 'string') return { value: option, label: option, description: undefined }
  if (typeof option === 'number' || typeof option === 'boolean') return readOption(String(option))
  if (!isRecord(option)) return undefined
  const value = text(option.value) ?? text(option.label)
  return value === undefined
    ? undefined
    : { value, label: text(option.label) ?? value, description: text(option.description) }
}

/** The questions of a request, read leniently; one free-text question where none can be read, so that there is always an answer. */
export function readQuestions(data: unknown): AskedQuestion[] {
  const list = isRecord(data) && Array.isArray(data.questions) ? data.questions : []
  const questions = list.map((item: unknown): AskedQuestion => {
    const { question, header, options, multiple } = isRecord(item) ? item : { question: item }
    const read = new Map<string, Option>()
    for (const given of Array.isArray(options) ? options : []) {
      const option = readOption(given)
      if (option && !read.has(option.value)) read.set(option.value, option)
    }
    return {
      question: text(question) ?? '',
      header: text(header),
      options: [...read.values()],
      multiple: multiple === true && read.size > 0,
    }
  })
  return questions.length > 0 ? questions : [{ question: '', header: undefined, options: [], multiple: false }]
}

export type QuestionAnswer = string | string[]

/** One entry per question, in order; an array where several may be chosen, in the order of the options. */
export function answersOf(
  questions: readonly AskedQuestion[],
  given: ReadonlyMap<number, QuestionAnswer>,
): QuestionAnswer[] {
  return questions.map(({ multiple, options }, at) => {
    const answer = given.get(at) ?? ''
    if (!multiple) return typeof answer === 'string' ? answer : ''
    return options.map(({ value }) => value).filter((value) => Array.isArray(answer) && answer.includes(value))
  })
}

/** The questions that still need an answer: a choice or a text. Of several choices none may be chosen. */
export const unanswered = (questions: readonly AskedQuestion[], answers: readonly QuestionAnswer[]): number[] =>
  questions.flatMap(({ multiple }, at) => (!multiple && String(answers[at]).trim() === '' ? [at] : []))
