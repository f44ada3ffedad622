import { useSyncExternalStore } from 'react'
import type { PendingItem } from '../store/index.js'
import { type OpenQuestion, openQuestion } from './open-question.js'
import { useRunner } from './runner-context.js'
import { useStable } from './use-stable.js'

const NONE: OpenQuestion[] = []

/** The open questions, oldest first, with their actions. The array and its items keep their identity until they change. */
export function usePending(filter?: (item: PendingItem) => boolean): OpenQuestion[] {
  const runner = useRunner()
  const stable = useStable<OpenQuestion[]>()
  const select = (): OpenQuestion[] => {
    const { pending } = runner.getState()
    return stable((filter ? pending.filter(filter) : pending).map((item) => openQuestion(runner, item)))
  }
  return useSyncExternalStore(runner.subscribe, select, () => NONE)
}
