import { type FormEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react'
import {
  type AskedQuestion,
  answersOf,
  isRecord,
  type QuestionAnswer,
  readQuestions,
  unanswered,
} from '../../core/internal.js'
import type { Labels } from '../labels.js'
import { SafeText } from '../safe-text.js'
import { useShell } from '../shell-context.js'
import { Actions, Content } from './body-parts.js'
import { ConsentBody } from './consent-body.js'
import { createDrafts } from './drafts.js'
import type { LateBodyProps } from './late-body.js'
import { readChoices } from './read-consent.js'
import { SecretBody, useAsksForSecret } from './secret-body.js'
import { showsQuestions } from './shown-keys.js'

const draftOf = createDrafts(() => new Map<number, QuestionAnswer>())

/** Questions, or one whose choices stand in the request itself. */
export function QuestionBody(props: LateBodyProps): ReactNode {
  const { data } = props.item.request
  const hasChoices = isRecord(data) && data.questions === undefined && readChoices(data.choices).length > 0
  const isSecret = useAsksForSecret(props.item)
  if (hasChoices) return <ConsentBody {...props} />
  return isSecret ? <SecretBody {...props} /> : <Questions {...props} />
}

/** One or more questions: choose one, choose several, or write. The answer is `{ answers }`, in order (DESIGN 2.4). */
function Questions(props: LateBodyProps): ReactNode {
  const { item, armed, labels } = props
  const { form } = useShell()
  const element = useRef<HTMLFormElement>(null)
  const questions = useMemo(() => readQuestions(item.request.data), [item])
  const shown = useMemo(() => (showsQuestions(item.request.data?.questions) ? ['questions'] : []), [item])
  const [given, setGiven] = useState(() => new Map(draftOf(item)))
  const [missing, setMissing] = useState<readonly number[]>([])

  const give = (at: number, answer: QuestionAnswer): void => {
    draftOf(item).set(at, answer)
    setGiven(new Map(draftOf(item)))
    setMissing((all) => all.filter((other) => other !== at))
  }

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // A dialog may stand in a form of the app, whose submit this is not.
    event.stopPropagation()
    if (!armed) return
    const answers = answersOf(questions, given)
    const open = unanswered(questions, answers)
    setMissing(open)
    if (open.length === 0) item.approve({ answers })
    else element.current?.querySelector<HTMLElement>(`[data-question="${open[0]}"] :is(input, textarea)`)?.focus()
  }

  return (
    <>
      <Content {...props} shown={shown}>
        <form id={form} ref={element} noValidate onSubmit={submit} data-slot="form">
          {questions.map((question, at) => (
            <Question
              // biome-ignore lint/suspicious/noArrayIndexKey: a question is known by its place, and the list never changes.
              key={at}
              at={at}
              question={question}
              answer={given.get(at)}
              missing={missing.includes(at)}
              labels={labels}
              onAnswer={give}
            />
          ))}
        </form>
      </Content>
      <Actions {...props} confirm={labels.submit} submits />
    </>
  )
}

interface QuestionProps {
  at: number
  question: AskedQuestion
  answer: QuestionAnswer | undefined
  missing: boolean
  labels: Labels
  onAnswer: (at: number, answer: QuestionAnswer) => void
}

function Question(props: QuestionProps): ReactNode {
  const { at, question, missing, labels } = props
  const errorId = useId()
  const error = missing ? errorId : undefined
  const Control = question.options.length > 0 ? Options : FreeText
  return (
    <div data-slot="field" data-question={at}>
      <Control {...props} error={error} />
      {missing && (
        <p data-slot="error" id={errorId}>
          {labels.questionRequired}
        </p>
      )}
    </div>
  )
}

function Heading({ question, labels }: Pick<QuestionProps, 'question' | 'labels'>): ReactNode {
  return (
    <>
      {question.header !== undefined && (
        <span data-slot="eyebrow">
          <SafeText>{question.header}</SafeText>
        </span>
      )}
      <span data-slot="label">
        <SafeText>{question.question || labels.answerLabel}</SafeText>
      </span>
    </>
  )
}

type ControlProps = QuestionProps & { error: string | undefined }

function FreeText({ at, question, answer, labels, error, onAnswer }: ControlProps): ReactNode {
  const id = useId()
  return (
    <>
      <label htmlFor={id}>
        <Heading question={question} labels={labels} />
      </label>
      <textarea
        id={id}
        rows={2}
        data-slot="control"
        autoComplete="off"
        value={typeof answer === 'string' ? answer : ''}
        aria-invalid={error ? true : undefined}
        aria-describedby={error}
        onChange={(event) => onAnswer(at, event.target.value)}
      />
    </>
  )
}

function Options({ at, question, answer, labels, error, onAnswer }: ControlProps): ReactNode {
  const name = useId()
  const { multiple, options } = question
  const chosen = Array.isArray(answer) ? answer : answer === undefined ? [] : [answer]
  const toggle = (value: string, on: boolean): void => {
    const others = chosen.filter((other) => other !== value)
    onAnswer(at, multiple ? [...others, ...(on ? [value] : [])] : value)
  }
  return (
    <fieldset aria-describedby={error} data-slot="options">
      <legend>
        <Heading question={question} labels={labels} />
        <span data-slot="description">{multiple ? labels.chooseAny : labels.chooseOne}</span>
      </legend>
      {options.map(({ value, label, description }) => (
        <label key={value} data-slot="option">
          <input
            type={multiple ? 'checkbox' : 'radio'}
            name={name}
            value={value}
            checked={chosen.includes(value)}
            aria-invalid={error ? true : undefined}
            onChange={(event) => toggle(value, event.target.checked)}
          />
          <span>
            <SafeText>{label}</SafeText>
            {description !== undefined && (
              <span data-slot="description">
                <SafeText>{description}</SafeText>
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
