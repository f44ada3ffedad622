import type { LateLabels } from './bodies/late-labels.js'
import type { ExtraLabels } from './extras/extra-labels.js'

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
  toolAsks: 'The tool {name} asks',
  toolRuns: 'The tool {name} wants to run',
  serverAsks: 'The server {name} asks',
  agentAsks: 'The agent {name} asks',
  appAsks: 'The app {name} asks',
  otherAsks: '{name} asks',
  restoredReload: 'Asked earlier, not answered yet',
  restoredTab: 'Asked in another tab',
  unverified: 'Not verified',
  dangerLow: 'Only reads',
  dangerMedium: 'Can make changes',
  dangerHigh: 'Cannot be undone',
  blanks: '⟨{count} blank characters⟩',
  arguments: 'With',
  files: 'Files',
  bytes: '{count} bytes',
  details: 'Details',
  reason: 'Why',
  data: 'Also sent',
  formMissing: 'The form did not load.',
  listMissing: 'The list did not load.',
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
/** The words of the frame and of all bodies. */
export type Labels = FrameLabels & LateLabels
/** Every word the kit shows. */
export type AllLabels = Labels & ExtraLabels

export const defaultLabels: FrameLabels = ownLabels

/** A label with its blanks filled in. */
export const fill = (label: string, values: Readonly<Record<string, string | number>>): string =>
  label.replace(/\{(\w+)\}/g, (blank, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : blank))
