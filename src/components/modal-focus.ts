// One opener for all our dialogs: when the last of a row closes, the focus goes back to where it was before the first.
const open = new Set<HTMLDialogElement>()
// A hidden view (Suspense, Activity) closes its dialog and keeps its question.
const closedByUs = new WeakSet<HTMLDialogElement>()
export const isClosedByUs = (dialog: HTMLDialogElement): boolean => closedByUs.has(dialog)
let opener: HTMLElement | undefined
// The one of the row before: after a minimised dialog the bar's own button is gone when it is opened again.
let lastOpener: HTMLElement | undefined

function activeElement(): HTMLElement | undefined {
  let active = document.activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  return active instanceof HTMLElement && active !== document.body ? active : undefined
}

/** Shows the dialog above everything and puts the focus in it. Returns the end: the focus goes back when no dialog follows. */
export function showModal(dialog: HTMLDialogElement, focusInside: () => void): () => void {
  if (open.size === 0) opener ??= activeElement() ?? lastOpener
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
    if (dialog.open && typeof dialog.close === 'function') dialog.close()
    // The next question's dialog opens in the same commit; only when none did is the row at its end.
    queueMicrotask(() => {
      if (open.size > 0) return
      if (opener?.isConnected) opener.focus()
      lastOpener = opener
      opener = undefined
    })
  }
}
