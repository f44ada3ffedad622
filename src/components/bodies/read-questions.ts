export {
  type AskedQuestion,
  answersOf,
  type Option,
  type QuestionAnswer,
  readQuestions,
  unanswered,
} from '../../core/internal.js'
