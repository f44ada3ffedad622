import type { ReactNode } from 'react'
import type { OpenQuestion } from '../../react/index.js'
import type { Labels } from '../labels.js'
import { Reply, type ReplyDraft } from './reply.js'

const isBlank = (text: string): boolean => text.trim() === ''

/** A no, with the words that go along with it. */
export const declineWith = (item: OpenQuestion, reason: string): boolean =>
  isBlank(reason) ? item.decline() : item.decline(reason)

interface RepliesProps {
  item: OpenQuestion
  armed: boolean
  draft: { readonly reason: ReplyDraft; readonly reply: ReplyDraft }
  mayRespond: boolean
  labels: Labels
  /** Says yes with a reply. */
  onReply: (text: string) => void
}

/** The answers in a person's own words: a no with its reason, and what is written in place of a yes. */
export function Replies({ item, armed, draft, mayRespond, labels, onReply }: RepliesProps): ReactNode {
  return (
    <>
      <Reply
        title={labels.declineWhy}
        label={labels.reasonLabel}
        send={labels.sendReason}
        draft={draft.reason}
        canSend={() => true}
        onSend={(text) => void declineWith(item, text)}
      />
      {mayRespond && (
        <Reply
          title={labels.reply}
          label={labels.replyLabel}
          hint={item.isGate ? labels.replyAndStop : labels.replyToTool}
          send={labels.sendReply}
          draft={draft.reply}
          canSend={(text) => !isBlank(text) && (item.isGate === true || armed)}
          // At the gate nothing may run on a reply, and an answer that says ok lets it run.
          onSend={(text) => (item.isGate ? void item.decline(text) : onReply(text))}
        />
      )}
    </>
  )
}
