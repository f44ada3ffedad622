import { useEffect, useState } from 'react'
import { useStable } from '../react/index.js'
import type { Runner } from '../store/index.js'
import type { AttentionOptions } from './attention/watch-attention.js'
import type { FrameLabels } from './labels.js'

// When the page has settled: it looks after pages that are hidden, which a new one seldom is.
const LOAD_AFTER = 1000

const OFF: AttentionOptions = { title: false, badge: false }

/** Says in the title, on the app's icon and by notifications that questions wait while nobody looks (DESIGN 5.9). */
export function useAttention(
  runner: Runner,
  given: AttentionOptions | false,
  words: FrameLabels,
  name: string | undefined,
): void {
  const { notifications, ...rest } = given || OFF
  // An object written in place is new at each render and says the same.
  const showPrompt = typeof notifications === 'object' && notifications.showPrompt === true
  const options = useStable<AttentionOptions & Record<string, unknown>>()({ ...rest, notifications: !!notifications })
  const [isDue, setDue] = useState(false)
  const isOn = options.title !== false || options.badge !== false || options.notifications === true
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setTimeout(() => setDue(true), LOAD_AFTER)
    return () => clearTimeout(timer)
  }, [isOn])
  useEffect(() => {
    if (!isDue || !isOn) return undefined
    let end: (() => void) | undefined
    let isOver = false
    import('./attention/watch-attention.js').then(
      ({ watchAttention }) => {
        if (isOver) return
        end = watchAttention(
          runner,
          options.notifications ? { ...options, notifications: { showPrompt } } : options,
          words,
          name,
        )
      },
      // The dialogs are there without it.
      () => {},
    )
    return () => {
      isOver = true
      end?.()
    }
  }, [isDue, isOn, runner, options, showPrompt, words, name])
}
