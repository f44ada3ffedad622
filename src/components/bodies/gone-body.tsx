import type { ReactNode } from 'react'
import { Content } from './body-parts.js'
import type { LateBodyProps } from './late-body.js'

/** For a restored question whose tool is not here: what was asked, and no way but to close it (DESIGN 5.4). */
export function GoneBody(props: LateBodyProps): ReactNode {
  const { item, labels } = props
  return (
    <>
      <Content {...props}>
        <div data-slot="notice" role="note">
          <strong>{labels.goneTitle}</strong>
          <p>{labels.gone}</p>
        </div>
      </Content>
      <footer data-slot="actions">
        <button type="button" data-slot="decline" onClick={() => item.cancel()}>
          {labels.close}
        </button>
      </footer>
    </>
  )
}
