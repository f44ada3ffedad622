// One opener for all our dialogs: when the last of a row closes, the focus goes back to where it was before the first.
const open = new Set<HTMLDialogElement>()
// A hidden view (Suspense, Activity) closes its dialog and keeps its question.
const closedByUs = new WeakSet<HTMLDialogElement>()
export const isClosedByUs = (dialog: HTMLDialogElement): boolean => closedByUs.has(dialog)
let opener: HTMLElement | undefined
// The one of a minimised dialog: the bar's own button is gone when it is opened again.
let keptOpener: HTMLElement | undefined
let keeps = false
const watchers = new Map<HTMLElement, () => void>()

/** Keeps the opener of the dialog that is about to be minimised. */
export function keepOpener(): void {
  keeps = true
}

/** The bar of a minimised dialog goes while it has the focus: back to the opener, unless a dialog follows. */
export function giveFocusBack(): void {
  queueMicrotask(() => {
    if (open.size === 0 && keptOpener?.isConnected) keptOpener.focus()
  })
}

/** Calls back when the dialog comes on top of ours again. Returns the end. */
export function watchTop(dialog: HTMLElement, callback: () => void): () => void {
  watchers.set(dialog, callback)
  return () => void watchers.delete(dialog)
}

function activeElement(): HTMLElement | undefined {
  let active = document.activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  return active instanceof HTMLElement && active !== document.body ? active : undefined
}

/** Shows the dialog above everything and puts the focus in it. Returns the end: the focus goes back when no dialog follows. */
export function showModal(dialog: HTMLDialogElement, focusInside: () => void): () => void {
  if (open.size === 0) opener ??= activeElement() ?? keptOpener
  keptOpener = undefined
  open.add(dialog)
  closedByUs.delete(dialog)
  // For the style sheet: the page has a scrollbar whose place must be kept.
  dialog.toggleAttribute('data-gutter', window.innerWidth > document.documentElement.clientWidth)
  if (!dialog.open) {
    // Test environments have no showModal; there the attribute makes it visible.
    if (typeof dialog.showModal === 'function') dialog.showModal()
    else dialog.setAttribute('open', '')
  }
  focusInside()
  return () => {
    open.delete(dialog)
    closedByUs.add(dialog)
    const top = [...open].at(-1)
    if (top) watchers.get(top)?.()
    if (dialog.open && typeof dialog.close === 'function') dialog.close()
    // The next question's dialog opens in the same commit; only when none did is the row at its end.
    queueMicrotask(() => {
      if (open.size > 0) return
      if (opener?.isConnected) opener.focus()
      keptOpener = keeps ? opener : undefined
      keeps = false
      opener = undefined
    })
  }
}
