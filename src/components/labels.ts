import type { LateLabels } from './bodies/late-labels.js'

const ownLabels = {
  titleApproval: 'Approval needed',
  titleInput: 'Information needed',
  titleQuestion: 'Answer needed',
  titleAuthorization: 'Sign-in needed',
  titleOther: 'Decision needed',
  approve: 'Approve',
  decline: 'Decline',
  submit: 'Submit',
  finished: "I've finished",
  close: 'Close',
  minimise: 'Minimise',
  reopen: 'Review',
  waiting: '{count} waiting for your answer',
  tool: 'Tool',
  source: 'From',
  arguments: 'With',
  details: 'Details',
  reason: 'Why',
  data: 'Also sent',
  formMissing: 'The form did not load.',
  retry: 'Retry',
  unsafeText: 'Hidden characters are shown as \\u{…}',
  expiresIn: 'Expires in {time}',
  position: '{index} of {count}',
  previous: 'Previous',
  next: 'Next',
  list: 'Waiting for your answer',
  arrived: 'New question: {prompt}',
}

/** The words of the dialogs' frame, which every body gets. */
export type FrameLabels = Readonly<Record<keyof typeof ownLabels, string>>
/** Every word the kit shows. */
export type Labels = FrameLabels & LateLabels

export const defaultLabels: FrameLabels = ownLabels

/** A label with its blanks filled in. */
export const fill = (label: string, values: Readonly<Record<string, string | number>>): string =>
  label.replace(/\{(\w+)\}/g, (blank, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : blank))
