import { type ReactNode, useMemo } from 'react'
import { readQuestions } from '../../core/internal.js'
import { asksForSecret, hasForm } from '../../core/secrets/asks-for-secret.js'
import type { OpenQuestion } from '../../react/index.js'
import { readFields } from '../form/fields.js'
import { SafeText } from '../safe-text.js'
import { useView } from '../view-context.js'
import { Actions, Content } from './body-parts.js'
import type { LateBodyProps } from './late-body.js'

/** Whether a person would have to write a secret to answer: then there is no form (DESIGN 5.7). */
export function useAsksForSecret(item: OpenQuestion): boolean {
  const { isCredential } = useView()
  return useMemo(() => asksForSecret(item, isCredential), [item, isCredential])
}

/** In place of a form that asks for a secret: what it asks for, and where secrets are entered instead. */
export function SecretBody(props: LateBodyProps): ReactNode {
  const { item, labels } = props
  const asked = hasForm(item)
    ? readFields(item.schema).fields.map(({ label }) => label)
    : readQuestions(item.request.data).map(({ question }) => question)
  const texts = asked.filter((text) => text !== '')
  return (
    <>
      <Content {...props}>
        <div data-slot="notice" role="note">
          <strong>{labels.secretTitle}</strong>
          <p>{labels.secret}</p>
        </div>
        {texts.length > 0 && (
          <div data-slot="text">
            <p data-slot="label">{labels.secretAsked}</p>
            {texts.map((text, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two fields may have one label, and the list never changes.
              <p key={at}>
                <SafeText>{text}</SafeText>
              </p>
            ))}
          </div>
        )}
      </Content>
      <Actions {...props} />
    </>
  )
}
