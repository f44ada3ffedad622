import { type ReactNode, useRef } from 'react'
import { Sidebar } from './sidebar.js'

interface LayoutProps {
  /** What stands before `#/` in a link: nothing on the gallery's own page. */
  home: '' | './'
  /** The link of the page that is shown. */
  current: string
  children: ReactNode
}

export function Layout({ home, current, children }: LayoutProps): ReactNode {
  const main = useRef<HTMLElement>(null)
  return (
    <div className="layout">
      {/* biome-ignore lint/a11y/useValidAnchor: a skip link, as people know it; only the focus moves. */}
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          // The hash is the address of the page, so it must not change.
          event.preventDefault()
          main.current?.focus()
        }}
      >
        Skip to content
      </a>
      <Sidebar home={home} current={current} />
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
