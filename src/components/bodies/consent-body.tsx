import { type ReactNode, useId, useMemo, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { AnswerOptions } from '../../react/index.js'
import type { Remember } from '../../store/index.js'
import { createDraft } from '../form/draft.js'
import { useShell } from '../shell-context.js'
import { useView } from '../view-context.js'
import { ArgsEditor } from './args-editor.js'
import { Actions, Content, hasDanger } from './body-parts.js'
import { CallList } from './call-list.js'
import { ChoiceButtons, ChoiceList, isButtons } from './choices.js'
import { createDrafts } from './drafts.js'
import { createArgsForm, readEdits } from './edit-args.js'
import type { LateBodyProps } from './late-body.js'
import { type Choice, readConsent } from './read-consent.js'
import { RememberChoice } from './remember-choice.js'
import { Reply, type ReplyDraft } from './reply.js'
import { isConfirmed, SecondStep, StepHint } from './second-step.js'

const emptyReply = (): ReplyDraft => ({ text: '', isOpen: false })

const draftOf = createDrafts((item) => ({
  consent: readConsent(item),
  isEditing: false,
  form: createDraft(),
  reason: emptyReply(),
  reply: emptyReply(),
  chosen: [] as readonly Choice[],
}))

const isBlank = (text: string): boolean => text.trim() === ''

/** An approval with more to it than yes or no: editing, choices, a reply, a yes that lasts, a yes that takes a second step. */
export function ConsentBody(props: LateBodyProps): ReactNode {
  const { item, armed, labels } = props
  const { danger } = useShell()
  const { isCredential } = useView()
  const draft = draftOf(item)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [tried, setTried] = useState(false)
  const [typed, setTyped] = useState('')
  const [remember, setRemember] = useState<Remember>()
  const content = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const hintId = useId()

  const { decisions, choices, multiple, calls } = draft.consent
  const mayApprove = decisions.has('approve')
  const mayRespond = decisions.has('respond')
  const isChoice = mayApprove && choices.length > 0
  const form = useMemo(
    () =>
      decisions.has('edit') && item.argsSchema !== undefined
        ? createArgsForm(item.argsSchema, item.args ?? {}, labels.argsJson, isCredential)
        : undefined,
    [decisions, item, labels, isCredential],
  )
  const edits = form && draft.isEditing ? readEdits(form, draft.form.values) : undefined
  const isEdited = edits !== undefined && edits.changes.length + edits.errors.size > 0
  const needsStep = item.danger === 'high' && (mayApprove || form !== undefined || (mayRespond && !item.isGate))
  const locked = needsStep && !isConfirmed(typed, labels)
  const describedBy = locked ? hintId : hasDanger(item) ? danger : undefined

  /** Every yes goes through here, whatever it carries. */
  const yes = (data?: Record<string, unknown>, options?: AnswerOptions): void => {
    if (!armed) return
    if (locked) box.current?.focus()
    else item.approve(data, options)
  }

  const decline = (reason: string): void => void (isBlank(reason) ? item.decline() : item.decline(reason))

  const complain = (): void => {
    flushSync(() => setTried(true))
    content.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }

  const approve = (): void => {
    if (isChoice) {
      const values = draft.chosen.map(({ value }) => value)
      if (multiple) yes({ choices: values })
      else if (values.length > 0) yes({ choice: values[0] })
      else complain()
    } else if (edits && edits.errors.size > 0) complain()
    else if (isEdited) yes({ args: edits.args })
    else if (mayApprove) yes(undefined, remember && { remember })
  }

  const toggleEditor = (): void => {
    draft.isEditing = !draft.isEditing
    draft.form.values.clear()
    setTried(false)
    flushSync(redraw)
    if (draft.isEditing) content.current?.querySelector<HTMLElement>('[data-field] [data-slot=control]')?.focus()
  }

  const choose = (chosen: readonly Choice[]): void => {
    draft.chosen = chosen
    redraw()
  }

  const confirm = isChoice
    ? isButtons(choices, multiple)
      ? undefined
      : labels.submit
    : isEdited
      ? labels.approveEdited
      : mayApprove || draft.isEditing
        ? labels.approve
        : undefined

  return (
    <>
      <Content
        item={item}
        labels={labels}
        calls={calls.length > 0 ? <CallList title={labels.calls} calls={calls} /> : undefined}
        after={
          <div ref={content} data-slot="consent">
            {form && edits && (
              <ArgsEditor form={form} draft={draft.form} edits={edits} tried={tried} labels={labels} onEdit={redraw} />
            )}
            {isChoice && !isButtons(choices, multiple) && (
              <ChoiceList
                choices={choices}
                multiple={multiple}
                chosen={draft.chosen}
                missing={tried && !multiple && draft.chosen.length === 0}
                labels={labels}
                onChange={choose}
              />
            )}
            {/* What is remembered is a plain yes to the arguments as they are. */}
            {item.rememberable && mayApprove && !isChoice && !isEdited && (
              <RememberChoice
                longest={item.rememberable}
                tool={item.toolName ?? ''}
                value={remember}
                onChange={setRemember}
                labels={labels}
              />
            )}
            {needsStep && <SecondStep box={box} hintId={hintId} typed={typed} onType={setTyped} labels={labels} />}
            {isChoice && isButtons(choices, multiple) && (
              <ChoiceButtons
                choices={choices}
                state={!armed ? 'arming' : locked ? 'locked' : 'armed'}
                describedBy={locked ? hintId : undefined}
                labels={labels}
                onChoose={({ value }) => yes({ choice: value })}
              />
            )}
            <Reply
              title={labels.declineWhy}
              label={labels.reasonLabel}
              send={labels.sendReason}
              draft={draft.reason}
              canSend={() => true}
              onSend={decline}
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
                onSend={(text) => (item.isGate ? void item.decline(text) : yes({ feedback: text }))}
              />
            )}
          </div>
        }
      />
      <Actions
        item={item}
        armed={armed}
        labels={labels}
        confirm={confirm}
        onConfirm={approve}
        // A reason that stands there goes along, whichever of the two buttons is pressed.
        onDecline={() => decline(draft.reason.isOpen ? draft.reason.text : '')}
        locked={locked || (!isChoice && !mayApprove && !isEdited)}
        describedBy={describedBy}
      >
        {needsStep && <StepHint id={hintId} locked={locked} labels={labels} />}
        {form && !isChoice && (
          <button type="button" data-slot="edit" aria-expanded={draft.isEditing} onClick={toggleEditor}>
            {draft.isEditing ? labels.discard : labels.edit}
          </button>
        )}
      </Actions>
    </>
  )
}
