import type { ReactNode } from 'react'
import { LateList } from './late-list.js'

/** The decisions so far, newest first, and their export. What people answered is not in it. */
export const History = (): ReactNode => <LateList name="DecisionList" />
