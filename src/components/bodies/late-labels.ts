import { type FormLabels, formLabels } from '../form/form-labels.js'

const ownLabels = {
  openLink: 'Open link {host}',
  linkTo: 'This goes to',
  linkNewTab: 'Opens in a new tab. Come back here when you are done.',
  linkUnusable: 'This address cannot be opened: only http and https links are allowed.',
  linkMissing: 'No address was given.',
  secretTitle: 'Secrets are not entered here',
  secret:
    'This asks for a password, key or other secret. Enter secrets only on the provider’s own page. You can decline or close this.',
  answerLabel: 'Your answer',
  chooseOne: 'Choose one',
  chooseAny: 'Choose any number',
  questionRequired: 'Choose or write an answer.',
}

export type LateLabels = FormLabels & Readonly<Record<keyof typeof ownLabels, string>>

/** The words of the bodies that are loaded when they are needed, in English. */
export const lateLabels: LateLabels = { ...formLabels, ...ownLabels }
