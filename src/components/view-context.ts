import { type ClipboardEvent, type ComponentType, createContext, useContext } from 'react'
import type { OpenQuestion } from '../react/index.js'
import type { CredentialTest } from './form/credential.js'
import { defaultLabels, type FrameLabels } from './labels.js'

/** What a replaced body gets (`dialogs`). `armed` is false while a yes would be a slip; `item.approve()` is not subject to it. */
export interface DialogBodyProps {
  item: OpenQuestion
  armed: boolean
  labels: FrameLabels
}

/** How questions are shown below a `<ToolRunner>`. */
export interface View {
  labels: FrameLabels
  /** Bodies by kind; `other` for kinds the kit does not know. */
  dialogs: Readonly<Record<string, ComponentType<DialogBodyProps>>>
  /** Milliseconds from when a question became visible until a yes counts. */
  armingDelay: number
  /** Whether a field asks for a secret, in place of the kit's own test (DESIGN 5.7). */
  isCredential?: CredentialTest | undefined
  /** Language and direction of the dialogs and cards, which follow the document unless given; what copying from them does. */
  frame: {
    lang?: string | undefined
    dir?: 'ltr' | 'rtl' | 'auto' | undefined
    onCopy?: (event: ClipboardEvent) => void
  }
}

export const ARMING_DELAY = 500

export const ViewContext: React.Context<View> = createContext<View>({
  labels: defaultLabels,
  dialogs: {},
  armingDelay: ARMING_DELAY,
  frame: {},
})

export const useView = (): View => useContext(ViewContext)
