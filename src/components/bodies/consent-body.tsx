import { type ReactNode, useId, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { AnswerOptions } from '../../react/index.js'
import type { Remember } from '../../store/index.js'
import { createDraft } from '../form/draft.js'
import { hasDanger } from '../kinds.js'
import { useShell } from '../shell-context.js'
import { ArgsEditor } from './args-editor.js'
import type { FormApproval } from './as-approval.js'
import { Actions, Content } from './body-parts.js'
import { CallList } from './call-list.js'
import { ChoiceButtons, ChoiceList, isButtons } from './choices.js'
import { createDrafts } from './drafts.js'
import type { LateBodyProps } from './late-body.js'
import { type Choice, readConsent } from './read-consent.js'
import { RememberChoice } from './remember-choice.js'
import { declineWith, Replies } from './replies.js'
import type { ReplyDraft } from './reply.js'
import { isConfirmed, SecondStep, StepHint } from './second-step.js'
import { shownKeys } from './shown-keys.js'
import { useArgsEditing } from './use-args-editing.js'

const emptyReply = (): ReplyDraft => ({ text: '', isOpen: false })

const draftOf = createDrafts((item) => ({
  consent: readConsent(item),
  isEditing: false,
  form: createDraft(),
  reason: emptyReply(),
  reply: emptyReply(),
  chosen: [] as readonly Choice[],
}))

interface ConsentBodyProps extends LateBodyProps {
  /** The form that the approval stands for, if it does. */
  approval?: FormApproval
}

/** An approval with more to it than yes or no: editing, choices, a reply, a yes that lasts, a yes that takes a second step. */
export function ConsentBody(props: ConsentBodyProps): ReactNode {
  const { item, armed, labels, approval } = props
  const { danger } = useShell()
  const draft = draftOf(item)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [typed, setTyped] = useState('')
  const [remember, setRemember] = useState<Remember>()
  const content = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const hintId = useId()

  const { choices, multiple, calls } = draft.consent
  const decisions = approval?.decisions ?? draft.consent.decisions
  const mayApprove = decisions.has('approve')
  const mayRespond = decisions.has('respond')
  const isChoice = mayApprove && !approval && choices.length > 0
  const editing = useArgsEditing({
    item,
    approval,
    mayEdit: decisions.has('edit'),
    draft,
    labels,
    onSend: (args) => yes({ args }),
    onWrong: complain,
  })
  const { form, edits, isEdited, tried, setTried } = editing
  const needsStep = item.danger === 'high' && (mayApprove || form !== undefined || (mayRespond && !item.isGate))
  const locked = needsStep && !isConfirmed(typed, labels)
  const describedBy = locked ? hintId : hasDanger(item) ? danger : undefined

  /** Every yes goes through here, whatever it carries. */
  function yes(data?: Record<string, unknown>, options?: AnswerOptions): void {
    if (!armed) return
    if (locked) box.current?.focus()
    else item.approve(data, options)
  }

  function complain(): void {
    flushSync(() => setTried(true))
    content.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }

  const approve = (): void => {
    if (isChoice) {
      const values = draft.chosen.map(({ value }) => value)
      if (multiple) yes({ choices: values })
      else if (values.length > 0) yes({ choice: values[0] })
      else complain()
    } else if (isEdited) editing.send()
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

  const offered = [...decisions].filter((one) => one !== 'edit' || (form !== undefined && !isChoice))
  const offers = { decisions: approval ? [] : [...offered, 'decline'], choices: isChoice, calls: calls.length > 0 }
  const shown = [...shownKeys(item.request.data ?? {}, offers), ...(approval?.shown ?? [])]
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
        shown={shown}
        calls={calls.length > 0 ? <CallList title={labels.calls} calls={calls} /> : undefined}
        after={
          <div ref={content} data-slot="consent">
            {form && edits && (
              <ArgsEditor {...editing} form={form} edits={edits} draft={draft.form} labels={labels} onEdit={redraw} />
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
            <Replies
              item={item}
              armed={armed}
              draft={draft}
              mayRespond={decisions.has('respond')}
              labels={labels}
              onReply={(text) => yes({ feedback: text })}
            />
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
        onDecline={() => declineWith(item, draft.reason.isOpen ? draft.reason.text : '')}
        locked={locked || (!isChoice && !mayApprove && !isEdited)}
        describedBy={describedBy}
      >
        {needsStep && <StepHint id={hintId} locked={locked} labels={labels} />}
        {editing.isChecking && (
          <p data-slot="hint" role="status">
            {labels.checking}
          </p>
        )}
        {form && !isChoice && (
          <button type="button" data-slot="edit" aria-expanded={draft.isEditing} onClick={toggleEditor}>
            {draft.isEditing ? labels.discard : labels.edit}
          </button>
        )}
      </Actions>
    </>
  )
}
