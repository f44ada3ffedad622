import type { ReactNode } from 'react'

/** Takes the focus when the page changes without a load. */
export function PageTitle({ children }: { children: ReactNode }): ReactNode {
  return <h1 tabIndex={-1}>{children}</h1>
}
