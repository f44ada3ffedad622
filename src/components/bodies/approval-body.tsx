import type { ReactNode } from 'react'
import { useShell } from '../shell-context.js'
import type { DialogBodyProps } from '../view-context.js'
import { Actions, Content } from './body-parts.js'

/** Yes or no; also for kinds the kit does not know. */
export function ApprovalBody(props: DialogBodyProps): ReactNode {
  return (
    <>
      <Content {...props} />
      <Actions {...props} confirm={props.labels.approve} describedBy={useShell().danger} />
    </>
  )
}
