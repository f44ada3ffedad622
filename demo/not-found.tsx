import type { ReactNode } from 'react'
import { PageTitle } from './ui/page-title.js'

export function NotFound({ route }: { route: string }): ReactNode {
  return (
    <>
      <PageTitle>Nothing here</PageTitle>
      <p className="lead">
        There is no page <code>{route}</code>. The menu has all of them.
      </p>
    </>
  )
}
