import { useMemo, useState } from 'react'
import type { OpenQuestion } from '../../react/index.js'
import type { FormDraft } from '../form/draft.js'
import type { Labels } from '../labels.js'
import { useView } from '../view-context.js'
import type { FormApproval } from './as-approval.js'
import { type Problems, problemsOf } from './check-problems.js'
import { type ArgsForm, createArgsForm, type Edits, readEdits } from './edit-args.js'
import { type RunsAs, runsAs } from './runs-as.js'
import { useEditCheck } from './use-edit-check.js'

const NO_ARGS = {}

interface Parts {
  item: OpenQuestion
  approval: FormApproval | undefined
  mayEdit: boolean
  draft: { readonly isEditing: boolean; readonly form: FormDraft }
  labels: Labels
  /** Approves with the edited arguments. */
  onSend: (args: Record<string, unknown>) => void
  /** Shows what is wrong. */
  onWrong: () => void
}

export interface ArgsEditing {
  readonly form: ArgsForm | undefined
  /** What was edited; undefined while the editor is closed. */
  readonly edits: Edits | undefined
  readonly isEdited: boolean
  readonly runs: ReadonlyMap<string, RunsAs>
  readonly problems: Problems | undefined
  readonly isChecking: boolean
  readonly tried: boolean
  readonly setTried: (tried: boolean) => void
  /** Sends the edits once nothing is wrong with them. */
  readonly send: () => void
}

/** The editor of a question's arguments: what it holds, what that would run as, and the way to send it. */
export function useArgsEditing({ item, approval, mayEdit, draft, labels, onSend, onWrong }: Parts): ArgsEditing {
  const { isCredential } = useView()
  const [tried, setTried] = useState(false)
  const { argsSchema, raw, args } = item
  const start = approval ? approval.start : (raw ?? args ?? NO_ARGS)
  const form = useMemo(
    () =>
      mayEdit && argsSchema !== undefined
        ? createArgsForm(argsSchema, start, labels.argsJson, isCredential)
        : undefined,
    [mayEdit, argsSchema, start, labels, isCredential],
  )
  const edits = form && draft.isEditing ? readEdits(form, draft.form.values) : undefined
  const isEdited = edits !== undefined && edits.changes.length + edits.errors.size > 0
  // What a form sends is checked by who asked for it, and does not run here.
  const isChecked = isEdited && edits.errors.size === 0 && !approval && typeof item.checkEdit === 'function'
  const { known, isWaiting, press } = useEditCheck(item, isChecked ? edits.args : undefined, (check) => {
    if (check.issues?.length) onWrong()
    else if (edits) onSend(edits.args)
  })
  // What is edited in a tool's own question goes to the tool, and does not run as such.
  const isShown = item.isGate && edits?.errors.size === 0
  return {
    form,
    edits,
    isEdited,
    runs: runsAs(edits?.args ?? NO_ARGS, isShown ? (isEdited ? known?.args : args) : undefined),
    problems: tried && form && known?.issues ? problemsOf(known.issues, form, labels) : undefined,
    isChecking: isWaiting,
    tried,
    setTried,
    send() {
      if (!edits) return
      if (edits.errors.size > 0) onWrong()
      else if (isChecked) press()
      else onSend(edits.args)
    },
  }
}
