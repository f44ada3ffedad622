import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cdp } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { createToolRunner, type Runner, type ToolRunnerProps } from '../../src/index.js'
import { deploy, leftWaiting, newName } from '../support/left-behind.js'
import { ask, dialog, eventually, Page } from '../support/page.js'

const newRunner = (): Runner => {
  const runner = createToolRunner()
  runner.attach({}, 'list')
  return runner
}

function show(visible: boolean): void {
  Object.defineProperty(document, 'visibilityState', {
    configurable: true,
    get: () => (visible ? 'visible' : 'hidden'),
  })
  document.dispatchEvent(new Event('visibilitychange'))
}

// The watching begins a second after the page came up.
const title = () => expect.poll(() => document.title, { timeout: 8000 })

/** One that surely watches by the time its badge is seen: it has one question. */
const witness = async (): Promise<Runner> => {
  const runner = newRunner()
  await render(<Page runner={runner} presentation="none" />)
  ask(runner)
  return runner
}

let before = ''
beforeEach(() => {
  before = document.title
  document.title = 'Inbox'
})
afterEach(() => {
  Reflect.deleteProperty(document, 'visibilityState')
  document.title = before
})

describe('a hidden page with <ToolRunner>', () => {
  test('has the number of its questions in the title, and its own when it is seen or left', async () => {
    const runner = newRunner()
    const { unmount } = await render(<Page runner={runner} presentation="none" />)
    ask(runner)
    ask(runner)
    show(false)
    await title().toBe('(2) Inbox')
    show(true)
    expect(document.title).toBe('Inbox')
    show(false)
    expect(document.title).toBe('(2) Inbox')
    await unmount()
    expect(document.title).toBe('Inbox')
  })

  test.each([
    ['attention={false}', false],
    ['attention={{ title: false }}', { title: false }],
  ] as const)('has its own title with %s', async (_what, attention) => {
    const runner = newRunner()
    await render(<Page runner={runner} presentation="none" attention={attention} />)
    ask(runner)
    ask(runner)
    await witness()
    show(false)
    await title().toBe('(1) Inbox')
  })

  test('stops and starts as the prop says', async () => {
    const runner = newRunner()
    const view = (attention?: ToolRunnerProps['attention']) => (
      <Page runner={runner} presentation="none" attention={attention} />
    )
    const { rerender } = await render(view())
    ask(runner)
    show(false)
    await title().toBe('(1) Inbox')
    await rerender(view(false))
    await title().toBe('Inbox')
    await rerender(view({}))
    await title().toBe('(1) Inbox')
  })

  test('written with the same options at each render watches once', async () => {
    const runner = newRunner()
    const view = () => <Page runner={runner} presentation="none" attention={{ title: true, notifications: true }} />
    const { rerender } = await render(view())
    ask(runner)
    show(false)
    await title().toBe('(1) Inbox')
    const titles: string[] = []
    const observer = new MutationObserver(() => titles.push(document.title))
    observer.observe(document.head, { childList: true, characterData: true, subtree: true })
    for (let n = 0; n < 3; n++) await rerender(view())
    observer.disconnect()
    expect(titles).toEqual([])
  })
})

const RealNotification = window.Notification
const made: string[] = []
class KeptNotification extends RealNotification {
  constructor(name: string, options?: NotificationOptions) {
    super(name, options)
    made.push(name)
  }
}

async function allowNotifications(): Promise<void> {
  const { targetInfo } = await cdp().send('Target.getTargetInfo')
  await cdp().send('Browser.setPermission', {
    permission: { name: 'notifications' },
    setting: 'granted',
    origin: location.origin,
    ...(targetInfo.browserContextId && { browserContextId: targetInfo.browserContextId }),
  })
  await expect.poll(() => RealNotification.permission).toBe('granted')
}

describe('notifications', () => {
  beforeEach(async () => {
    if (RealNotification.permission !== 'granted') await allowNotifications()
    made.length = 0
    window.Notification = KeptNotification
  })
  afterEach(() => {
    window.Notification = RealNotification
  })

  test('come only where the app turned them on, and not of what was asked before the page was loaded', async () => {
    const name = newName()
    await leftWaiting(name, deploy())
    show(false)
    const runner = createToolRunner({ tools: [deploy()], persist: { name } })
    await render(<Page runner={runner} attention={{ notifications: true }} />)
    const silent = newRunner()
    await render(<Page runner={silent} presentation="none" />)
    await eventually(dialog().getByText('Asked earlier, not answered yet')).toBeInTheDocument()
    // The title counts what was restored; nobody is called for it.
    await title().toBe('(1) Inbox')
    ask(silent)
    expect(made).toEqual([])
    ask(runner, { kind: 'input', prompt: 'Where to?' })
    await vi.waitFor(() => expect(made).toEqual(['Information needed']))
    runner.dispose()
  })
})
