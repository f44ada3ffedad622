import type { Answer } from '../core/index.js'
import type { EditCheck, PendingItem, Remember, Runner } from '../store/index.js'

/** An open question with its actions. Each returns whether it settled the question: false when it was already settled. */
export interface OpenQuestion extends PendingItem {
  approve(data?: Record<string, unknown>, options?: AnswerOptions): boolean
  decline(feedback?: string): boolean
  cancel(): boolean
  answer(answer: Answer, options?: AnswerOptions): boolean
  /** What edited arguments would run as, or what is wrong with them. Never rejects; settles nothing. */
  checkEdit(args: Readonly<Record<string, unknown>>): Promise<EditCheck>
}

export interface AnswerOptions {
  /** How long the yes lasts, and for what; only where the question is `rememberable`. */
  remember?: Remember | undefined
}

const questions = new WeakMap<PendingItem, OpenQuestion>()

/** The same object for the same item, so that lists and memoised cards stay stable. */
export function openQuestion(runner: Runner, item: PendingItem): OpenQuestion {
  const known = questions.get(item)
  if (known) return known
  const { id } = item.request
  // Bound to this very question: a later one may carry the same id and even the same key (K3, K30).
  const answer = (given: Answer, options?: AnswerOptions): boolean =>
    runner.find(item.key) === item && runner.answer(item.key, given, options)
  const question: OpenQuestion = Object.freeze({
    ...item,
    answer,
    // Both may be handed to onClick as they are, and an event is neither data nor feedback.
    approve: (data, options) => answer({ id, ok: true, ...(isPlain(data) && { data }) }, options),
    decline: (feedback) =>
      answer({
        id,
        ok: false,
        reason: 'declined',
        ...(typeof feedback === 'string' && feedback && { data: { feedback } }),
      }),
    cancel: () => answer({ id, ok: false, reason: 'cancelled' }),
    checkEdit: (args) => runner.checkEdit(item.key, args),
  })
  questions.set(item, question)
  return question
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const proto: unknown = Object.getPrototypeOf(value)
  return proto === Object.prototype || proto === null
}
