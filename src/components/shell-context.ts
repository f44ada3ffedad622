import { createContext, useContext } from 'react'

/** What surrounds a shown question: the element ids for its names and descriptions, and where it is shown. */
export interface Shell {
  title: string
  prompt: string
  danger: string
  form: string
  /** In a dialog the content scrolls and the title is an `h2`; on a card in the page it does not, and the title is an `h3`. */
  place: 'dialog' | 'card'
  /** Told when a body that had to be loaded is there. */
  onBodyReady: () => void
}

export const ShellContext: React.Context<Shell> = createContext<Shell>({
  title: '',
  prompt: '',
  danger: '',
  form: '',
  place: 'card',
  onBodyReady() {},
})

export const useShell = (): Shell => useContext(ShellContext)
