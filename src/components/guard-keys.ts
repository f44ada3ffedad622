/** Keys that press what has the focus. */
const PRESSES = ['Enter', ' ']
const TYPING_PAUSE = 1000

const NO_TEXT = /^(button|checkbox|color|file|hidden|image|radio|range|reset|submit)$/

const isEditable = (target: EventTarget | null | undefined): boolean =>
  target instanceof HTMLInputElement
    ? !NO_TEXT.test(target.type)
    : target instanceof HTMLElement && (target.isContentEditable || /^(SELECT|TEXTAREA)$/.test(target.tagName))

// Space presses a button as it is let go, when the yes may be armed.
const isArming = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.dataset.state === 'arming'

let lastTyped = Number.NEGATIVE_INFINITY
let watchers = 0

const OURS = ':is(dialog[data-slot="dialog"], article[data-slot="card"])'

const noteTyping = (event: KeyboardEvent): void => {
  const [target] = event.composedPath()
  // In a field of ours Escape answers the question and ends the typing.
  if (event.key === 'Escape' && (target as Element).closest?.(OURS)) lastTyped = Number.NEGATIVE_INFINITY
  else if (isEditable(target)) lastTyped = performance.now()
}

// So does pressing a button of ours, whatever pressed it: Enter in a field comes as a click too.
const noteClick = (event: MouseEvent): void => {
  if ((event.composedPath()[0] as Element).closest?.(`${OURS} button`)) lastTyped = Number.NEGATIVE_INFINITY
}

/** Notes when somebody types, so that a question that comes up meanwhile is not answered by it. Returns the end. */
export function watchTyping(): () => void {
  if (watchers++ === 0) {
    document.addEventListener('keydown', noteTyping, true)
    document.addEventListener('click', noteClick, true)
  }
  return () => {
    if (--watchers > 0) return
    document.removeEventListener('keydown', noteTyping, true)
    document.removeEventListener('click', noteClick, true)
  }
}

export const isTyping = (): boolean => performance.now() - lastTyped < TYPING_PAUSE

/**
 * Keeps inherited keys from pressing anything inside `root` (DESIGN 7.3): a control acts on a key only if it saw its
 * own keydown, no repeat, not during IME composition. With `hold`, Escape, Enter and Space do nothing at all for a second.
 */
export function guardKeys(root: HTMLElement, hold: boolean): () => void {
  const heldUntil = hold ? performance.now() + TYPING_PAUSE : 0
  let pressed: EventTarget | null = null

  const guard = (event: KeyboardEvent): void => {
    const { key, target, type } = event
    const isHeld = performance.now() < heldUntil && (key === 'Escape' || PRESSES.includes(key))
    if (isHeld || (PRESSES.includes(key) && isInherited(event))) {
      event.preventDefault()
      event.stopPropagation()
    } else if (type === 'keydown') pressed = isArming(target) ? null : target
    else if (type === 'keyup') pressed = null
  }

  const isInherited = (event: KeyboardEvent): boolean => {
    // In a text box Space writes, in a text area Enter does too.
    if (event.key === ' ' ? isEditable(event.target) : event.target instanceof HTMLTextAreaElement) return false
    // keyCode 229: the Enter that ended a composition, in Safari.
    if (event.type === 'keydown') return event.repeat || event.isComposing || event.keyCode === 229
    return event.target !== pressed
  }

  const types = ['keydown', 'keypress', 'keyup'] as const
  for (const type of types) root.addEventListener(type, guard, true)
  return () => {
    for (const type of types) root.removeEventListener(type, guard, true)
  }
}
