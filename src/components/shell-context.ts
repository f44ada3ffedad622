import { createContext, useContext } from 'react'

/** What surrounds a shown question: the element ids for its names and descriptions, and whether its content scrolls. */
export interface Shell {
  title: string
  prompt: string
  form: string
  scrolls: boolean
  /** Told when a body that had to be loaded is there. */
  onBodyReady?: (() => void) | undefined
}

export const ShellContext: React.Context<Shell> = createContext<Shell>({
  title: '',
  prompt: '',
  form: '',
  scrolls: false,
})

export const useShell = (): Shell => useContext(ShellContext)
