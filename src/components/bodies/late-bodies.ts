// The part of the kit that is loaded when a question first needs more than yes or no.
export { AuthorizationBody } from './authorization-body.js'
export { ConsentBody } from './consent-body.js'
export { copyText } from './copy-text.js'
export { GoneBody } from './gone-body.js'
export { InputBody } from './input-body.js'
export { lateLabels } from './late-labels.js'
export { QuestionBody } from './question-body.js'
