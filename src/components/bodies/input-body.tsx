import { type ReactNode, useMemo } from 'react'
import { createDraft } from '../form/draft.js'
import { readFields } from '../form/fields.js'
import { SchemaForm } from '../form/schema-form.js'
import { useShell } from '../shell-context.js'
import { asApproval } from './as-approval.js'
import { Actions, Content } from './body-parts.js'
import { ConsentBody } from './consent-body.js'
import { createDrafts } from './drafts.js'
import type { LateBodyProps } from './late-body.js'
import { SecretBody, useAsksForSecret } from './secret-body.js'

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
  // A box for JSON says nothing of what the schema asks for.
  const shown = useMemo(() => (readFields(schema).root === 'json' ? [] : ['schema']), [schema])
  const isSecret = useAsksForSecret(item)
  const approval = asApproval(item)
  // Its arguments that are secrets stay as they are.
  if (approval) return <ConsentBody {...props} item={approval.item} approval={approval} />
  if (isSecret) return <SecretBody {...props} shown={shown} />
  return (
    <>
      <Content {...props} shown={shown}>
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
