import { type ReactNode, useState } from 'react'
import { stories } from '../stories/index.js'
import { ThemeSwitch } from './theme-switch.js'

interface SidebarProps {
  home: string
  current: string
}

export function Sidebar({ home, current }: SidebarProps): ReactNode {
  const [open, setOpen] = useState(false)
  const link = (href: string, text: string): ReactNode => (
    <li key={href}>
      <a href={href} aria-current={href.endsWith(current) ? 'page' : undefined} onClick={() => setOpen(false)}>
        {text}
      </a>
    </li>
  )
  return (
    <header className="sidebar">
      <div className="masthead">
        <a className="brand" href={`${home}#/`} onClick={() => setOpen(false)}>
          <Mark />
          assent
        </a>
        <button
          type="button"
          className="menu-button"
          aria-expanded={open}
          aria-controls="menu"
          onClick={() => setOpen(!open)}
        >
          Menu
        </button>
      </div>
      <div id="menu" className="menu" data-open={open}>
        <nav aria-label="Demo">
          <ul>
            {link(`${home}#/`, 'Overview')}
            {link(`${home}#/real-tools`, 'Real tools')}
            {link('./agent.html', 'Agent')}
          </ul>
          <h2 className="menu-title">Stories</h2>
          <ul>{stories.map(({ meta }) => link(`${home}#/stories/${meta.id}`, meta.title))}</ul>
        </nav>
        <ThemeSwitch />
      </div>
    </header>
  )
}

function Mark(): ReactNode {
  return (
    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <rect width="32" height="32" rx="8" className="mark-ground" />
      <path d="M9 16.5l4.6 4.7L23 11" className="mark-tick" />
    </svg>
  )
}
