import { isRecord } from '../../core/internal.js'
import { openQuestion } from '../../react/index.js'
import type { PendingItem, Runner } from '../../store/index.js'
import { type FrameLabels, fill } from '../labels.js'
import { extraLabels } from './extra-labels.js'

interface BatchParts {
  runner: Runner
  /** The question that is on top. */
  item: PendingItem
  armingDelay: number
  labels: FrameLabels
}

// By the question itself: another one with the same id was not shown.
const shownInFull = new WeakSet<PendingItem>()

/** Whether all there is to it is a yes or a no. */
export function isPlainApproval({ request: { kind, data: given } }: PendingItem): boolean {
  const data = isRecord(given) ? given : {}
  const { decisions = ['approve'] } = data
  if (kind !== 'approval' || 'choices' in data || !Array.isArray(decisions)) return false
  return decisions.includes('approve') && decisions.every((one) => one === 'approve' || one === 'decline')
}

/**
 * One answer to all plain approvals that wait: two buttons at the end of `place`. A yes only after each of them was on top until
 * it was armed and was seen to its end (DESIGN 3); never to one of high danger. Returns the end.
 */
export function watchBatch(place: HTMLElement, { runner, item, armingDelay, labels }: BatchParts): () => void {
  const words = { ...extraLabels, ...labels }
  const dialog = place.closest('dialog')
  // What a button speaks of was fixed when it was painted (K3).
  let no: readonly PendingItem[] = []
  let yes: readonly PendingItem[] = []
  let isLive = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const decline = addButton(place, 'decline-all', () => {
    for (const one of no) openQuestion(runner, one).decline()
  })
  const approve = addButton(place, 'approve-all', () => {
    if (isLive) for (const one of yes) openQuestion(runner, one).approve()
  })

  const setLive = (live: boolean): void => {
    isLive = live
    approve.dataset.state = live ? 'armed' : 'arming'
    approve.setAttribute('aria-disabled', String(!live))
  }

  // A yes to the question on top counts: it is visible and nothing of ours lies over it.
  const isArmed = (): boolean => dialog?.dataset.state === 'armed'

  const arm = (): void => {
    clearTimeout(timer)
    setLive(isArmed() && armingDelay === 0)
    if (isArmed()) timer = setTimeout(setLive, armingDelay, true)
  }

  const offer = (next: readonly PendingItem[]): void => {
    if (next.length === yes.length && next.every((one, at) => one === yes[at])) return
    yes = next
    arm()
  }

  const write = (): void => {
    const count = runner.count()
    no = count < 2 ? [] : runner.getState().pending.filter(isPlainApproval)
    const safe = no.filter(({ danger }) => danger !== 'high')
    offer(safe.every((one) => shownInFull.has(one)) ? safe : [])
    show(decline, no.length, no.length < count ? words.declineSome : words.declineAll)
    show(approve, yes.length, yes.length < count ? words.approveSome : words.approveAll)
  }

  const look = (): void => {
    const content = dialog?.querySelector('[data-slot="content"]')
    // Without a yes of its own it is not shown yet, or not one to say yes to.
    const hasYes = dialog?.querySelector('[data-slot="approve"]')
    if (!isArmed() || !content || !hasYes || shownInFull.has(item)) return
    // A pixel less, for zoomed pages: their sizes are rounded.
    if (content.scrollHeight - content.scrollTop - content.clientHeight > 1) return
    shownInFull.add(item)
    write()
  }

  const observer = new MutationObserver(() => {
    arm()
    look()
  })
  arm()
  write()
  look()
  if (dialog) observer.observe(dialog, { attributeFilter: ['data-state'] })
  // Scrolling does not bubble.
  dialog?.addEventListener('scroll', look, true)
  window.addEventListener('resize', look)
  const unsubscribe = runner.subscribe(write)
  return () => {
    clearTimeout(timer)
    observer.disconnect()
    dialog?.removeEventListener('scroll', look, true)
    window.removeEventListener('resize', look)
    unsubscribe()
    decline.remove()
    approve.remove()
  }
}

function addButton(place: HTMLElement, slot: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.dataset.slot = slot
  button.addEventListener('click', onClick)
  place.append(button)
  return button
}

function show(button: HTMLButtonElement, count: number, label: string): void {
  const text = fill(label, { count })
  if (button.textContent !== text) button.textContent = text
  // Focus that goes down with a button would leave the dialog.
  if (count < 2 && button.matches(':focus')) button.closest('dialog')?.querySelector<HTMLElement>('h2')?.focus()
  button.hidden = count < 2
}
