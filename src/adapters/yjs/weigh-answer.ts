import { type Answer, copyOf, dataOf, offered } from '../../core/internal.js'
import type { PendingItem } from '../../store/types.js'
import { offeredElsewhere, withoutEditing } from './offered-elsewhere.js'
import { type NotTaken, readAnswerEntry, readStatement, type Statement } from './wire.js'

export type { NotTaken }

/** What a signature is checked against: `proof` is what the other side's `sign` made of `statement`. */
export interface AnswerProof {
  readonly statement: string
  readonly proof: unknown
}

/** Whether an answer is taken. `by` is a claim. */
export type Verify = (answer: Answer, by: unknown, item: PendingItem, proof: AnswerProof) => boolean | Promise<boolean>

export interface SharedQuestion {
  readonly key: string
  readonly item: PendingItem
  /** As it was shared. */
  readonly text: string
}

export interface Weighed {
  said?: Statement | undefined
  /** Why not; undefined for an answer that may be taken. */
  why?: NotTaken | undefined
}

/** Whether an answer is one that the question offers on another device. */
const isOffered = ({ request, schema, isGate }: PendingItem, answer: Answer): boolean => {
  const data = offeredElsewhere(dataOf(request), isGate === true)
  return offered({ request: { ...request, data }, schema: withoutEditing(schema), isGate }, answer)
}

function wrongWith({ key, item, text }: SharedQuestion, said: Statement): NotTaken | undefined {
  if (said.key !== key || said.answer.id !== item.request.id) return 'other question'
  // What the person saw must be what runs, so an answer brings along what it was given to.
  if (said.seen !== text) return 'not what was shared'
  return isOffered(item, said.answer) ? undefined : 'not offered'
}

/** Holds an entry of the answers against the question it is for. */
export async function weighAnswer(question: SharedQuestion, entry: unknown, verify?: Verify): Promise<Weighed> {
  const given = readAnswerEntry(entry)
  const said = given && readStatement(given.said)
  if (!said) return { why: 'malformed' }
  const why = wrongWith(question, said)
  if (why || !verify) return { said, why }
  const { said: statement, proof } = given
  try {
    const isVerified = await verify(copyOf(said.answer), said.by, question.item, { statement, proof })
    return { said, why: isVerified === true ? undefined : 'not verified' }
  } catch {
    return { said, why: 'not verified' }
  }
}
