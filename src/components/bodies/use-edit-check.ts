import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type OpenQuestion, useBrowserLayoutEffect } from '../../react/index.js'
import type { EditCheck } from '../../store/index.js'

type Args = Readonly<Record<string, unknown>>

interface Known {
  readonly text: string
  readonly check: EditCheck
}

export interface EditChecking {
  /** What the check of exactly these arguments came to; undefined until it is known. */
  readonly known: EditCheck | undefined
  /** Whether a press waits for it. */
  readonly isWaiting: boolean
  /** Calls `onChecked` with the result: at once when it is known, so that the click still counts as the person's. */
  readonly press: () => void
}

// In milliseconds. Long enough not to check each letter, short enough to be there before the hand is at the button.
const PAUSE = 150

/**
 * Asks the runner what edited arguments would run as (DESIGN 8.2): shortly after each change, and at the latest by the
 * press. A result for arguments that were changed meanwhile is dropped, and a change takes a waiting press back.
 * Without arguments nothing is asked.
 */
export function useEditCheck(
  item: OpenQuestion,
  args: Args | undefined,
  onChecked: (check: EditCheck) => void,
): EditChecking {
  const text = args && JSON.stringify(args)
  const [last, setLast] = useState<Known>()
  const [isWaiting, setWaiting] = useState(false)
  const asked = useRef<{ text: string; check: Promise<EditCheck> }>(undefined)
  const pressed = useRef<object>(undefined)
  const newest = useRef(onChecked)
  const known = last?.text === text ? last?.check : undefined

  const ask = useCallback(
    (text: string): Promise<EditCheck> => {
      if (asked.current?.text !== text) asked.current = { text, check: checkOf(item, text) }
      return asked.current.check
    },
    [item],
  )

  useBrowserLayoutEffect(() => {
    newest.current = onChecked
  })

  useEffect(() => {
    if (text === undefined) return undefined
    let isLive = true
    const timer = setTimeout(async () => {
      const check = await ask(text)
      if (isLive) setLast({ text, check })
    }, PAUSE)
    return () => {
      isLive = false
      clearTimeout(timer)
      pressed.current = undefined
      setWaiting(false)
    }
  }, [text, ask])

  const press = (): void => {
    if (text === undefined || pressed.current) return
    if (known) {
      onChecked(known)
      return
    }
    const mine = {}
    pressed.current = mine
    setWaiting(true)
    void ask(text).then((check) => {
      if (pressed.current !== mine) return
      pressed.current = undefined
      flushSync(() => {
        setWaiting(false)
        setLast({ text, check })
      })
      newest.current(check)
    })
  }

  return { known, isWaiting, press }
}

/** A check that fails says nothing: the runner checks what it is sent in any case. */
async function checkOf(item: OpenQuestion, text: string): Promise<EditCheck> {
  try {
    return (await item.checkEdit(JSON.parse(text))) ?? {}
  } catch {
    return {}
  }
}
