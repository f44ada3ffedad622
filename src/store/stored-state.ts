import type { Questions } from './questions.js'
import { createRestoredCalls, type RestoredCalls } from './restored-calls.js'
import type { LiveRun } from './runs.js'

/** What a runner remembers of questions and calls that came out of a storage. Empty, and nearly free, without one. */
export interface StoredState {
  /** The tools as they were shown with them, by the key of the question. */
  readonly tools: Map<string, string>
  /** Questions that were taken away, by their keys: what they are settled with is nobody's answer. */
  readonly endings: Map<string, 'dropped' | 'aborted'>
  /** Who is told how a call ends whose question was answered before it went on, by run id. */
  readonly ends: Map<string, LiveRun['onEnd']>
  readonly calls: RestoredCalls
  takeEnds(id: string): LiveRun['onEnd']
  drop(questions: Questions, key: string): void
}

export function createStoredState(): StoredState {
  const ends: StoredState['ends'] = new Map()
  const endings: StoredState['endings'] = new Map()
  return {
    tools: new Map(),
    endings,
    ends,
    calls: createRestoredCalls(),
    takeEnds(id) {
      const told = ends.get(id) ?? []
      ends.delete(id)
      return told
    },
    drop(questions, key) {
      endings.set(key, 'dropped')
      if (!questions.drop(key)) endings.delete(key)
    },
  }
}
