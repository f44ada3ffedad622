import { isReason, takeAnswer } from './answer.js'
import { canonicalJson } from './canonical-json.js'
import { isRecord } from './plain-data.js'
import { dataOf, readDecisions, readOfferedChoices } from './read-offer.js'
import { type AskedQuestion, readQuestions } from './read-questions.js'
import { fitsArgs, fitsForm } from './schema/index.js'
import type { PendingRequest } from './types.js'

type Data = Readonly<Record<string, unknown>>

/** What `offered` looks at of a question. An item of `usePending()` is one. */
export interface OfferedItem {
  readonly request: PendingRequest
  readonly schema?: unknown
  readonly args?: Data | undefined
  /** The arguments as they were called, where they are not `args`. */
  readonly raw?: Data | undefined
  readonly argsSchema?: unknown
  readonly isGate?: boolean | undefined
}

/**
 * Whether an answer is one that the question offered: what the kit's dialogs can send, and nothing else (DESIGN 8.13).
 * A no is always offered; all it may carry is `feedback`. Never throws. Does not look for questions that ask for secrets.
 */
export function offered(item: OfferedItem, answer: unknown): boolean {
  try {
    const given = takeAnswer(item.request, answer)
    if (!given) return false
    const { id: _, ok, data = {}, reason, ...others } = given
    if (!isRecord(data) || !isEmpty(others)) return false
    if (ok) return reason === undefined && isOfferedYes(item, data)
    return (reason === undefined || isReason(reason)) && (isEmpty(data) || isOnly(data, 'feedback', isText))
  } catch {
    return false
  }
}

// Without a schema the form is one box.
const FREE_TEXT = { type: 'string' }

const isEmpty = (data: object): boolean => Object.keys(data).length === 0
const isText = (value: unknown): value is string => typeof value === 'string'
const isWritten = (value: unknown): boolean => isText(value) && /\S/.test(value)

/** Whether the data has this one member, and its value passes. */
const isOnly = (data: Data, key: string, passes: (value: unknown) => boolean): boolean =>
  Object.keys(data).join() === key && passes(data[key])

function isOfferedYes(item: OfferedItem, data: Data): boolean {
  const { kind, url } = item.request
  const asked = dataOf(item.request)
  // What is no address at all throws, and offers nothing to come back from.
  if (kind === 'authorization') return isEmpty(data) && isText(url) && /^https?:$/.test(new URL(url).protocol)
  if (kind === 'input')
    return fitsForm('schema' in asked ? asked.schema : (item.schema ?? FREE_TEXT), data, item.raw ?? item.args)
  const hasChoices = asked.questions === undefined && readOfferedChoices(asked.choices).length > 0
  if (kind !== 'question' || hasChoices) return isConsent(item, asked, data)
  return isOnly(data, 'answers', (answers) => answersAll(readQuestions(asked), answers))
}

function isConsent(item: OfferedItem, asked: Data, data: Data): boolean {
  const decisions = readDecisions(asked)
  const mayApprove = decisions.has('approve')
  const values = mayApprove ? readOfferedChoices(asked.choices).map(({ value }) => value) : []
  const isPlain = values.length === 0
  const several = asked.multiple === true && !isPlain
  return (
    (isEmpty(data) && mayApprove && (isPlain || several)) ||
    isOnly(data, several ? 'choices' : 'choice', (chosen) => isSubset(several ? chosen : [chosen], values)) ||
    isOnly(
      data,
      'args',
      // Without a schema of the arguments there is nothing to edit.
      (args) =>
        decisions.has('edit') &&
        isPlain &&
        item.argsSchema !== undefined &&
        fitsArgs(item.argsSchema, args, item.raw ?? item.args),
    ) ||
    // At the gate a reply is a no: nothing may run on it.
    isOnly(data, 'feedback', (text) => decisions.has('respond') && !item.isGate && isWritten(text))
  )
}

/** Whether it is a list of distinct values out of others, in any order. */
function isSubset(list: unknown, values: readonly unknown[]): boolean {
  const known = new Set(values.map(canonicalJson))
  // Each value counts once.
  return Array.isArray(list) && list.every((value) => known.delete(canonicalJson(value)))
}

const answersAll = (questions: readonly AskedQuestion[], answers: unknown): boolean =>
  Array.isArray(answers) &&
  answers.length === questions.length &&
  questions.every(({ options, multiple }, at) => {
    const answer: unknown = answers[at]
    const values = options.map(({ value }) => value)
    return multiple
      ? isSubset(answer, values)
      : isWritten(answer) && (values.length === 0 || isSubset([answer], values))
  })
