import type { ReactNode } from 'react'
import { LateList } from './late-list.js'

/** What people allowed for longer than once, each with a way to take it back (DESIGN 5.6). */
export const Permissions = (): ReactNode => <LateList name="PermissionList" />
