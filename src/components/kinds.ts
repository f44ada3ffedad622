import type { ComponentType } from 'react'
import { ApprovalBody } from './bodies/approval-body.js'
import { LateAuthorizationBody, LateInputBody, LateQuestionBody } from './bodies/late-body.js'
import type { FrameLabels } from './labels.js'
import type { DialogBodyProps } from './view-context.js'

export interface Kind {
  name: string
  /** An alert dialog asks for a decision now; a dialog has something to fill in. */
  role: 'alertdialog' | 'dialog'
  title: keyof FrameLabels
  Body: ComponentType<DialogBodyProps>
}

export const approval: Kind = { name: 'approval', role: 'alertdialog', title: 'titleApproval', Body: ApprovalBody }
export const input: Kind = { name: 'input', role: 'dialog', title: 'titleInput', Body: LateInputBody }
export const question: Kind = {
  name: 'question',
  role: 'dialog',
  title: 'titleQuestion',
  Body: LateQuestionBody,
}
export const authorization: Kind = {
  name: 'authorization',
  role: 'dialog',
  title: 'titleAuthorization',
  Body: LateAuthorizationBody,
}
const other: Kind = { name: 'other', role: 'alertdialog', title: 'titleOther', Body: ApprovalBody }

const kinds = [approval, input, question, authorization]

/** How a request's kind is shown; the vocabulary is open, so there is always an answer. */
export const kindOf = (name: string): Kind => kinds.find((kind) => kind.name === name) ?? other
