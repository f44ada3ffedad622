import { isRecord } from '../core/internal.js'
import type { PendingItem } from '../store/index.js'
import type { LateName } from './bodies/late-body.js'
import type { FrameLabels } from './labels.js'

export interface Kind {
  name: string
  /** An alert dialog asks for a decision now; a dialog has something to fill in. */
  role: 'alertdialog' | 'dialog'
  title: keyof FrameLabels
  /** The body, of those that are loaded on demand; without one it is yes or no. */
  late?: LateName
}

export const approval: Kind = { name: 'approval', role: 'alertdialog', title: 'titleApproval' }
export const input: Kind = { name: 'input', role: 'dialog', title: 'titleInput', late: 'InputBody' }
export const question: Kind = { name: 'question', role: 'dialog', title: 'titleQuestion', late: 'QuestionBody' }
export const authorization: Kind = {
  name: 'authorization',
  role: 'dialog',
  title: 'titleAuthorization',
  late: 'AuthorizationBody',
}
const other: Kind = { name: 'other', role: 'alertdialog', title: 'titleOther' }

const kinds = [approval, input, question, authorization]

/** How a request's kind is shown; the vocabulary is open, so there is always an answer. */
export const kindOf = (name: string): Kind => kinds.find((kind) => kind.name === name) ?? other

/** Whether it says how grave it is: what is filled in or signed in to does nothing by itself, unless it is said to. */
export const hasDanger = ({ danger, request: { kind } }: PendingItem): boolean =>
  danger === 'high' || kindOf(kind).role === 'alertdialog'

/** Whether an approval offers more than a plain yes and no, or must not be given that easily. */
export const needsMore = ({ danger, rememberable, argsSchema, request: { data } }: PendingItem): boolean =>
  danger === 'high' ||
  rememberable !== undefined ||
  argsSchema !== undefined ||
  (isRecord(data) && Object.keys(data).some((key) => /^(decisions|choices|calls)$/.test(key)))
