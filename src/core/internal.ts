// What the floors above share with the core and users do not need.
export { isAnswerTo, readAnswer, refusal, takeAnswer } from './answer.js'
export { pauseClock } from './call-clock.js'
export { canonicalJson } from './canonical-json.js'
export { hasExpired, parseInstant } from './expiry.js'
export { type Files, readFiles } from './files.js'
export { gated } from './gated.js'
export { newId } from './ids.js'
export * from './index.js'
export { frozenJson } from './json.js'
export { callAt } from './long-timer.js'
export {
  allow,
  ambiguous,
  answeredAlready,
  CANCELLED,
  interrupted,
  messageOf,
  NO_CALL,
  NO_SIGNAL,
  notAllowed,
  notKept,
  notStored,
  notThisRequest,
  refused,
  tooMany,
  unknownSuspension,
  unknownTool,
} from './messages.js'
export { errorResult } from './normalise-result.js'
export { isRequest } from './pending.js'
export { copyOf, defined, freezeDeep, isRecord } from './plain-data.js'
export { type Args, checkArgs, type Passed, type Prepared, prepareArgs } from './prepare-args.js'
export { questionTool } from './question-tool.js'
export {
  acceptsPlainYes,
  dataOf,
  type OfferedChoice,
  readDecisions,
  readOfferedChoices,
} from './read-offer.js'
export {
  type AskedQuestion,
  answersOf,
  type Option,
  type QuestionAnswer,
  readQuestions,
  unanswered,
} from './read-questions.js'
export { readApprovalForm } from './schema/index.js'
export { outputCopy } from './schema-output.js'
export { assertTool, jsonSchemaOf } from './tool-schema.js'
export { isTrusted, mayAsk } from './trust.js'
