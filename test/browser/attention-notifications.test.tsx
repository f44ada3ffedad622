import { StrictMode, useEffect } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cdp } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { askForNotifications } from '../../src/components/attention/ask-for-notifications.js'
import { type AttentionOptions, watchAttention } from '../../src/components/attention/watch-attention.js'
import { defaultLabels } from '../../src/components/labels.js'
import { createToolRunner, type PendingItem, pending, type Runner } from '../../src/index.js'
import { countListeners } from '../support/asking.js'
import { ask, settle } from '../support/page.js'

const RealNotification = window.Notification

/** The browser's own notifications, kept. */
const made: KeptNotification[] = []
class KeptNotification extends RealNotification {
  readonly shown: Promise<unknown>
  isClosed = false
  constructor(title: string, options?: NotificationOptions) {
    super(title, options)
    this.shown = new Promise((resolve, fail) => {
      this.addEventListener('show', resolve)
      this.addEventListener('error', fail)
    })
    made.push(this)
  }
  override close(): void {
    this.isClosed = true
    super.close()
  }
}

const open = () => made.filter(({ isClosed }) => !isClosed)

async function allow(setting: 'granted' | 'denied' | 'prompt'): Promise<void> {
  const { targetInfo } = await cdp().send('Target.getTargetInfo')
  await cdp().send('Browser.setPermission', {
    permission: { name: 'notifications' },
    setting,
    origin: location.origin,
    ...(targetInfo.browserContextId && { browserContextId: targetInfo.browserContextId }),
  })
  await expect.poll(() => RealNotification.permission).toBe(setting === 'prompt' ? 'default' : setting)
}

const ends: (() => void)[] = []
function watch(runner: Runner, options: AttentionOptions = { notifications: true }, name?: string): () => void {
  const end = watchAttention(runner, { title: false, badge: false, ...options }, defaultLabels, name)
  ends.push(end)
  return end
}

function newRunner(options: Parameters<typeof createToolRunner>[0] = {}): Runner {
  const runner = createToolRunner(options)
  runner.attach({}, 'list')
  return runner
}

function watched(...rest: [AttentionOptions?, string?]): Runner {
  const runner = newRunner()
  watch(runner, ...rest)
  return runner
}

function show(visible: boolean): void {
  Object.defineProperty(document, 'visibilityState', {
    configurable: true,
    get: () => (visible ? 'visible' : 'hidden'),
  })
  document.dispatchEvent(new Event('visibilitychange'))
}

beforeEach(async () => {
  if (RealNotification.permission !== 'granted') await allow('granted')
  made.length = 0
  window.Notification = KeptNotification
  show(false)
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
  window.Notification = RealNotification
  Reflect.deleteProperty(document, 'visibilityState')
})

describe('a question that comes up while the page is hidden', () => {
  test('is one notification, without its text', async () => {
    const runner = watched()
    ask(runner, { prompt: 'Transfer 5,000?' })
    expect(made).toHaveLength(1)
    await made[0]?.shown
    expect(made[0]?.title).toBe('Approval needed')
    expect(JSON.stringify([made[0]?.title, made[0]?.body, made[0]?.data])).not.toContain('5,000')
    ask(runner, { kind: 'input', prompt: 'Which account?' })
    expect(made.map(({ title }) => title)).toEqual(['Approval needed', 'Information needed'])
  })

  test('says who asks', async () => {
    const runner = newRunner({
      tools: [{ name: 'deploy', execute: () => pending({ kind: 'approval', prompt: 'To production?' }) }],
    })
    watch(runner)
    void runner.run('deploy')
    await expect.poll(() => made.length).toBe(1)
    expect(made[0]?.body).toBe('The tool \u2068deploy\u2069 asks')
    runner.abort()
  })

  test('has its text when the app says so', () => {
    ask(watched({ notifications: { showPrompt: true } }), { prompt: 'Transfer \u202E000,5?' })
    expect(made[0]?.body).toBe('Transfer \\u{202E}000,5?')
    ask(watched({ notifications: { showPrompt: false } }), { prompt: 'Transfer?' })
    expect(made[1]?.body).toBe('')
  })

  test('is told once, whatever changes and however many watch', () => {
    const runner = watched()
    watch(runner)
    ask(runner)
    ask(runner)
    show(true)
    show(false)
    ask(runner)
    expect(made).toHaveLength(3)
  })

  test('and that waited already when the watching began is told', () => {
    const runner = newRunner()
    ask(runner)
    watch(runner)
    expect(made).toHaveLength(1)
  })

  test('has a tag of its own, the same in every tab of a named runner', () => {
    const first = ask(watched(undefined, 'work'), { id: 'a' })
    ask(watched(undefined, 'work'), { id: 'a' })
    ask(watched(), { id: 'a' })
    ask(watched(), { id: 'a' })
    const tags = made.map(({ tag }) => tag)
    expect(tags[0]).toBe(`assent work ${first.id}`)
    expect(tags[1]).toBe(tags[0])
    expect(new Set(tags).size).toBe(3)
  })

  test('does not fill the screen with hundreds of others', () => {
    const runner = watched()
    for (let n = 0; n < 300; n++) ask(runner)
    expect(made).toHaveLength(10)
    show(true)
    show(false)
    ask(runner)
    expect(made).toHaveLength(11)
  })
})

describe('nothing is told', () => {
  test('unless the app turned it on', () => {
    ask(watched({}))
    ask(watched({ notifications: false }))
    expect(made).toEqual([])
  })

  test('of a question that came up on a visible page, also later', () => {
    show(true)
    const runner = watched()
    ask(runner)
    show(false)
    ask(runner)
    expect(made).toHaveLength(1)
    expect(made[0]?.tag).toContain(runner.getState().pending[1]?.key)
  })

  test.each(['reload', 'tab'] as const)('of a question that was restored after a %s', (restored) => {
    const runner = newRunner()
    ask(runner)
    const [item] = runner.getState().pending
    if (!item) throw new Error('no question')
    const back: PendingItem = { ...item, restored }
    watch({ ...runner, getState: () => ({ ...runner.getState(), pending: [back] }), find: () => back })
    expect(made).toEqual([])
  })

  test.each(['prompt', 'denied'] as const)(
    'when the permission is: %s, and the kit does not ask for it',
    async (setting) => {
      const asked = vi.spyOn(RealNotification, 'requestPermission')
      await allow(setting)
      ask(watched())
      await allow('granted')
      expect(made).toEqual([])
      expect(asked).not.toHaveBeenCalled()
    },
  )

  test('and nothing fails where the browser has no notifications', () => {
    Reflect.set(window, 'Notification', undefined)
    const runner = watched()
    const { id } = ask(runner)
    expect(runner.answer(id, { id, ok: true })).toBe(true)
  })
})

describe('a notification', () => {
  test('that is clicked brings the page to the front, closes and answers nothing', async () => {
    const focus = vi.spyOn(window, 'focus')
    const runner = watched()
    const { answers } = ask(runner)
    await made[0]?.shown
    made[0]?.dispatchEvent(new Event('click'))
    await settle()
    expect(focus).toHaveBeenCalledOnce()
    expect(open()).toEqual([])
    expect(answers).toEqual([])
    expect(runner.count()).toBe(1)
  })

  test('closes when its question is settled, on whatever path', async () => {
    const runner = watched()
    const gone = new AbortController()
    const { id } = ask(runner)
    ask(runner, {}, gone.signal)
    ask(runner, { expiresAt: new Date(Date.now() + 80).toISOString() })
    ask(runner)
    expect(open()).toHaveLength(4)
    runner.answer(id, { id, ok: true })
    expect(open()).toHaveLength(3)
    gone.abort()
    expect(open()).toHaveLength(2)
    await expect.poll(() => open().length).toBe(1)
    runner.dispose()
    expect(open()).toEqual([])
    expect(made).toHaveLength(4)
  })

  test.each([
    ['the page becomes visible', () => show(true)],
    ['the page goes', () => window.dispatchEvent(new PageTransitionEvent('pagehide'))],
  ])('closes when %s, and its question waits on', (_what, happens) => {
    const runner = watched()
    ask(runner)
    expect(open()).toHaveLength(1)
    happens()
    expect(open()).toEqual([])
    expect(runner.count()).toBe(1)
  })

  test('is one under StrictMode, and nothing is left after it', async () => {
    const runner = newRunner()
    ask(runner)
    // React's own listeners on the document stay.
    await render(<p>Page</p>)
    const onDocument = countListeners(document)
    const onWindow = countListeners(window)
    const unsubscribed = vi.fn()
    const counting: Runner = {
      ...runner,
      subscribe(listener) {
        const end = runner.subscribe(listener)
        return () => {
          unsubscribed()
          end()
        }
      },
    }
    function Watcher(): null {
      useEffect(() => watchAttention(counting, { title: false, badge: false, notifications: true }, defaultLabels), [])
      return null
    }
    const { unmount } = await render(
      <StrictMode>
        <Watcher />
      </StrictMode>,
    )
    expect(open()).toHaveLength(1)
    await unmount()
    expect(open()).toEqual([])
    expect(unsubscribed).toHaveBeenCalledTimes(2)
    expect([onDocument.live(), onWindow.live()]).toEqual([0, 0])
    ask(runner)
    expect(open()).toEqual([])
    for (const target of [document, window]) {
      Reflect.deleteProperty(target, 'addEventListener')
      Reflect.deleteProperty(target, 'removeEventListener')
    }
  })
})

describe('where only a service worker may notify', () => {
  const shown: { tag?: string | undefined; close: () => void; isClosed: boolean }[] = []
  const registration = {
    async showNotification(_title: string, { tag }: NotificationOptions) {
      const one = {
        tag,
        isClosed: false,
        close() {
          one.isClosed = true
        },
      }
      shown.push(one)
    },
    getNotifications: async ({ tag }: { tag: string }) => shown.filter((one) => one.tag === tag),
  }
  const workerIs = (given: unknown) =>
    vi.spyOn(navigator.serviceWorker, 'getRegistration').mockResolvedValue(given as ServiceWorkerRegistration)

  beforeEach(() => {
    shown.length = 0
    window.Notification = class extends RealNotification {
      constructor(title: string) {
        super(title)
        this.close()
        throw new TypeError('Illegal constructor')
      }
    }
  })

  test('the app’s own shows the notification, and it closes with its question', async () => {
    workerIs(registration)
    const runner = watched()
    const { id } = ask(runner)
    await expect.poll(() => shown.length).toBe(1)
    expect(shown[0]?.tag).toContain(id)
    runner.answer(id, { id, ok: true })
    await expect.poll(() => shown[0]?.isClosed).toBe(true)
  })

  test('one that is settled before it could be shown is not shown', async () => {
    workerIs(registration)
    const runner = watched()
    const { id } = ask(runner)
    runner.answer(id, { id, ok: true })
    await settle()
    expect(shown.filter(({ isClosed }) => !isClosed)).toEqual([])
  })

  test.each([
    ['there is none', undefined],
    [
      'it is not active',
      { ...registration, showNotification: () => Promise.reject(new TypeError('no active worker')) },
    ],
  ])('nothing is shown and nothing fails when %s', async (_what, given) => {
    const unhandled = vi.fn()
    window.addEventListener('unhandledrejection', unhandled)
    workerIs(given)
    const runner = watched()
    const { id } = ask(runner)
    await settle()
    runner.answer(id, { id, ok: true })
    await settle()
    expect(shown).toEqual([])
    expect(unhandled).not.toHaveBeenCalled()
    window.removeEventListener('unhandledrejection', unhandled)
  })
})

describe('askForNotifications', () => {
  test('resolves to whether they are allowed', async () => {
    window.Notification = RealNotification
    expect(await askForNotifications()).toBe(true)
    await allow('denied')
    expect(await askForNotifications()).toBe(false)
    await allow('granted')
  })

  test('is false, and does not reject, where it cannot be asked', async () => {
    Reflect.set(window, 'Notification', undefined)
    expect(await askForNotifications()).toBe(false)
    window.Notification = RealNotification
    vi.spyOn(RealNotification, 'requestPermission').mockRejectedValue(new TypeError('not here'))
    await allow('denied')
    expect(await askForNotifications()).toBe(false)
    await allow('granted')
  })
})
