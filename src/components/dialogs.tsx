import type { ReactNode } from 'react'
import type { OpenQuestion } from '../react/index.js'
import { approval, authorization, input, type Kind, question } from './kinds.js'
import { RequestDialog } from './request-dialog.js'

type Dialog = (props: { item: OpenQuestion }) => ReactNode

const dialogFor =
  (kind: Kind): Dialog =>
  ({ item }) => <RequestDialog key={item.seq} item={item} kind={kind} />

/** The dialogs by themselves, for apps that place them: each takes an item of `usePending()`. */
export const ApprovalDialog: Dialog = dialogFor(approval)
export const InputDialog: Dialog = dialogFor(input)
export const QuestionDialog: Dialog = dialogFor(question)
export const AuthorizationDialog: Dialog = dialogFor(authorization)
