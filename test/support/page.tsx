import { type ReactNode, StrictMode } from 'react'
import { beforeAll, expect } from 'vitest'
import { cdp, type Locator, page } from 'vitest/browser'
import {
  type Answer,
  ApprovalDialog,
  AuthorizationDialog,
  InputDialog,
  type PendingRequest,
  QuestionDialog,
  type Runner,
  ToolRunner,
  type ToolRunnerProps,
  usePending,
} from '../../src/index.js'

/** The page of an app: something to come from, and the questions over it. */
export function Page({ children, ...props }: ToolRunnerProps): ReactNode {
  return (
    <StrictMode>
      <main>
        <h1>The app</h1>
        <ToolRunner {...props}>
          <button type="button">Opener</button>
          {children}
        </ToolRunner>
      </main>
    </StrictMode>
  )
}

const exported = { input: InputDialog, question: QuestionDialog, authorization: AuthorizationDialog }

/** The exported dialogs, placed by the app: the oldest open question. */
export function Alone(): ReactNode {
  const [item] = usePending()
  if (!item) return null
  const Dialog = Object.entries(exported).find(([kind]) => kind === item.request.kind)?.[1] ?? ApprovalDialog
  return <Dialog key={item.seq} item={item} />
}

let asked = 0

/** A request; an approval unless it says otherwise. */
export const request = (given: Partial<PendingRequest> = {}): PendingRequest => ({
  id: `q-${++asked}`,
  kind: 'approval',
  prompt: 'Delete a.txt?',
  ...given,
})

/** Asks, and keeps what came of it. */
export function ask(runner: Runner, given: Partial<PendingRequest> = {}, signal?: AbortSignal) {
  const asking = request(given)
  const answers: Answer[] = []
  const answer = runner.waitFor(asking, signal && { signal })
  void answer.then((settled) => answers.push(settled))
  return { id: asking.id, answer, answers }
}

/** Looks often: vitest's own wait grows to half a second. */
export const eventually = (locator: Locator | HTMLElement | SVGElement | null) =>
  expect.element(locator, { interval: 15 })

export const dialog = () => page.getByRole('dialog').or(page.getByRole('alertdialog'))
export const button = (name: string) => page.getByRole('button', { name, exact: true })
export const cards = () => page.getByRole('article')

export const elementOf = (locator: { element(): Element }): HTMLElement => {
  const element = locator.element()
  if (!(element instanceof HTMLElement)) throw new Error('no HTML element')
  return element
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Long enough for a stray settle, event or commit to show itself. */
export const settle = (): Promise<void> => pause(60)

let lastTyped = Number.NEGATIVE_INFINITY
document.addEventListener(
  'keydown',
  (event) => {
    const [target] = event.composedPath()
    if (!(target instanceof Element && target.closest('input, textarea, select, [contenteditable]'))) return
    // Escape in a field of ours is an answer, and the end of the typing.
    lastTyped = event.key === 'Escape' && target.closest('dialog') ? Number.NEGATIVE_INFINITY : performance.now()
  },
  true,
)

/** What was typed so far no longer holds a question that comes up (DESIGN 7.3: one second): it is waited for. */
export const waitForTypingPause = (): Promise<void> => pause(Math.max(0, lastTyped + 1050 - performance.now()))

const clock = performance.now.bind(performance)
let ahead = 0
performance.now = () => clock() + ahead

/** The same at once: the clock is put forward instead, for tests that are not about keys. */
export function typingIsOver(): void {
  ahead += Math.max(0, lastTyped + 1050 - performance.now())
}

const KEYS = {
  Enter: { code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  ' ': { code: 'Space', windowsVirtualKeyCode: 32, text: ' ' },
  Escape: { code: 'Escape', windowsVirtualKeyCode: 27 },
  Tab: { code: 'Tab', windowsVirtualKeyCode: 9 },
} as const

export type Key = keyof typeof KEYS

/** A real key goes down; with `repeat`, as the system repeats a held one. */
export const keyDown = (key: Key, { repeat = false } = {}): Promise<unknown> =>
  cdp().send('Input.dispatchKeyEvent', { type: 'keyDown', key, autoRepeat: repeat, ...KEYS[key] })

export const keyUp = (key: Key): Promise<unknown> =>
  cdp().send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: KEYS[key].code })

export async function press(key: Key): Promise<void> {
  await keyDown(key)
  await keyUp(key)
}

/** A key held down: once by hand, then repeated by the system. Let go with `keyUp`. */
export async function hold(key: Key, repeats = 8): Promise<void> {
  await keyDown(key)
  for (let n = 0; n < repeats; n++) await keyDown(key, { repeat: true })
}

/** The place of a mouse event, in the window's own pixels. */
async function mouse(type: 'mousePressed' | 'mouseReleased' | 'mouseMoved', x: number, y: number, clickCount = 1) {
  const frame = window.frameElement?.getBoundingClientRect()
  const scale = frame && window.innerWidth > 0 ? frame.width / window.innerWidth : 1
  await cdp().send('Input.dispatchMouseEvent', {
    type,
    x: (frame?.left ?? 0) + x * scale,
    y: (frame?.top ?? 0) + y * scale,
    button: 'left',
    clickCount,
  })
}

export const mouseDown = (x: number, y: number) => mouse('mousePressed', x, y)
export const mouseUp = (x: number, y: number) => mouse('mouseReleased', x, y)
export const mouseMove = (x: number, y: number) => mouse('mouseMoved', x, y)

/** A real click at a place, whatever stands there. */
export async function clickAt(x: number, y: number): Promise<void> {
  await mouseDown(x, y)
  await mouseUp(x, y)
}

export function centreOf(element: Element): [x: number, y: number] {
  const { left, top, width, height } = element.getBoundingClientRect()
  return [left + width / 2, top + height / 2]
}

/** Tabs until the element has the focus; says so when it never gets it. */
export async function tabTo(locator: { element(): Element }): Promise<void> {
  const target = locator.element()
  for (let n = 0; n < 40; n++) {
    if (document.activeElement === target) return
    await press('Tab')
  }
  throw new Error('Tab never reaches it')
}

/** The colours a person wants; without motion, so that no test waits for it. */
export function emulate(scheme: 'light' | 'dark'): Promise<unknown> {
  // The kit follows the page, so the page must have both; axe takes a page without a background for white.
  document.documentElement.style.colorScheme = 'light dark'
  document.body.style.background = 'Canvas'
  return cdp().send('Emulation.setEmulatedMedia', {
    features: [
      { name: 'prefers-color-scheme', value: scheme },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ],
  })
}

beforeAll(async () => {
  await emulate('light')
})
