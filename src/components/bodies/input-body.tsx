import type { ReactNode } from 'react'
import { createDraft } from '../form/draft.js'
import { isCredentialSchema } from '../form/fields.js'
import { SchemaForm } from '../form/schema-form.js'
import { useShell } from '../shell-context.js'
import { Actions, Content } from './body-parts.js'
import { createDrafts } from './drafts.js'
import type { LateBodyProps } from './late-body.js'

const draftOf = createDrafts(createDraft)

/** One free text box, where the request brought no schema: its answer is `{ value }` (DESIGN 2.4). */
const freeText = (title: string): object => ({
  type: 'object',
  properties: { value: { type: 'string', title } },
  required: ['value'],
})

/** A form from the request's schema. A schema that asks for a secret gets none (DESIGN 5.7). */
export function InputBody(props: LateBodyProps): ReactNode {
  const { item, armed, labels } = props
  const { form } = useShell()
  const schema = 'schema' in item ? item.schema : freeText(labels.answerLabel)
  if (isCredentialSchema(schema)) return <SecretBody {...props} />
  return (
    <>
      <Content {...props}>
        <SchemaForm
          id={form}
          schema={schema}
          draft={draftOf(item)}
          labels={labels}
          onSubmit={(data) => {
            if (armed) item.approve(data)
          }}
        />
      </Content>
      <Actions {...props} confirm={labels.submit} submits />
    </>
  )
}

function SecretBody(props: LateBodyProps): ReactNode {
  const { labels } = props
  return (
    <>
      <Content {...props}>
        <div data-slot="notice" role="note">
          <strong>{labels.secretTitle}</strong>
          <p>{labels.secret}</p>
        </div>
      </Content>
      <Actions {...props} />
    </>
  )
}
