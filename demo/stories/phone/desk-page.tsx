import type { ReactNode } from 'react'
import { PageTitle } from '../../ui/page-title.js'
import Desk from '../phone.js'

/** The story's first page, for where the two meet on a server. */
export function DeskPage({ server }: { server: string | null }): ReactNode {
  return (
    <>
      <p className="eyebrow">First device</p>
      <PageTitle>The desk</PageTitle>
      <section className="stage" aria-label="Try it">
        <Desk server={server} />
      </section>
    </>
  )
}
