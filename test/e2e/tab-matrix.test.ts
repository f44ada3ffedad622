import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { complaintsOf, launch } from '../support/browser.js'
import { type PersistSite, servePersistPage } from '../support/persist-page.js'

declare global {
  interface Window {
    runner: import('assent').Runner
    barrier: () => Promise<void>
    lift: (count: number) => Promise<void>
  }
}

let browser: Browser
let site: PersistSite
beforeAll(async () => {
  ;[browser, site] = await Promise.all([launch(), servePersistPage()])
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

let trials = 0
let doubled = 0
let lost = 0
afterAll(() => {
  console.log(`tab matrix: ${trials} trials, ${doubled} double effects, ${lost} lost questions`)
})

const WITHOUT = {
  'Web Locks': () => void Reflect.deleteProperty(Navigator.prototype, 'locks'),
  BroadcastChannel: () => void Reflect.deleteProperty(globalThis, 'BroadcastChannel'),
}

/** Tabs of one person: the same profile, the same storage. */
interface Tabs {
  readonly context: BrowserContext
  readonly name: string
  readonly complaints: string[]
  open(params?: Record<string, string>): Promise<Page>
}

let groups = 0
async function newTabs(missing?: keyof typeof WITHOUT): Promise<Tabs> {
  const context = await browser.newContext()
  await context.addInitScript(barriers)
  if (missing) await context.addInitScript(WITHOUT[missing])
  const name = `tabs-${++groups}`
  const complaints: string[] = []
  return {
    context,
    name,
    complaints,
    async open(params = {}) {
      const page = await context.newPage()
      page.setDefaultTimeout(15_000)
      const said = complaintsOf(page)
      page.on('close', () => complaints.push(...said))
      await page.goto(`${site.url}?${new URLSearchParams({ name, ...params })}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      return page
    },
  }
}

async function end({ context, complaints }: Tabs): Promise<void> {
  for (const page of context.pages()) await page.close()
  await context.close()
  expect(complaints).toEqual([])
}

// A tab in the background paints once a second, which is when Playwright's own waiting looks: so this looks by itself.
const dialogsIn = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll('dialog:modal').length)
const textOf = (page: Page, name: string): Promise<string> =>
  page.evaluate((label) => document.querySelector(`[aria-label="${label}"]`)?.textContent ?? '', name)
const call = (page: Page): Promise<void> => page.evaluate(() => document.querySelector('button')?.click())

const resultOf = async (page: Page): Promise<string> => (await textOf(page, 'Result')).split(' | ').at(-1) ?? ''
const soon = { timeout: 15_000, interval: 20 }
const DID = 'did true'
const REFUSED = 'declined/expired: Sure?'

const inEach = (pages: readonly Page[], count: number): Promise<void> =>
  expect.poll(() => Promise.all(pages.map(dialogsIn)), soon).toEqual(pages.map(() => count))
const shownIn = (pages: readonly Page[]): Promise<void> => inEach(pages, 1)
const closedIn = (pages: readonly Page[]): Promise<void> => inEach(pages, 0)

/** Asks in one tab, and waits until all of them show it. */
async function ask(owner: Page, pages: readonly Page[]): Promise<void> {
  await call(owner)
  await shownIn(pages)
}

type Said = readonly [page: Page, ok: boolean]

/** Answers in the same moment, which a message to all of them is; where there are none, the clock. */
async function atOnce(...said: readonly Said[]): Promise<void> {
  const answers = said.map(([page, ok]) =>
    page.evaluate(
      async ([isYes, time]) => {
        const item = window.runner.head()
        if (!item) throw new Error('nothing to answer')
        const { id } = item.request
        const answer = isYes ? { id, ok: true } : ({ id, ok: false, reason: 'declined' } as const)
        if (typeof BroadcastChannel === 'undefined') while (Date.now() < time);
        else await window.barrier()
        window.runner.answer(item.key, answer)
      },
      [ok, Date.now() + 100] as const,
    ),
  )
  const [[first] = []] = said
  await first?.evaluate(
    (count) => (typeof BroadcastChannel === 'undefined' ? undefined : window.lift(count)),
    said.length,
  )
  await Promise.all(answers)
}

/** Runs in the page: waits for each other over a channel of the test's own. */
function barriers(): void {
  if (typeof BroadcastChannel === 'undefined') return
  const channel = new BroadcastChannel('barrier')
  let arrived = 0
  let go = (): void => {}
  let onArrival = (): void => {}
  channel.onmessage = ({ data }) => {
    if (data === 'go') {
      arrived = 0
      go()
    } else {
      arrived++
      onArrival()
    }
  }
  window.barrier = () =>
    new Promise((resolve) => {
      go = resolve
      arrived++
      channel.postMessage('here')
      onArrival()
    })
  window.lift = (count) =>
    new Promise((resolve) => {
      onArrival = () => {
        if (arrived < count) return
        onArrival = () => {}
        arrived = 0
        channel.postMessage('go')
        go()
        resolve()
      }
      onArrival()
    })
}

const effectsOf = ({ name }: Tabs): number => site.effects(name).length

/** One question: what is done with it, and that one outcome is all that comes of it. */
async function trial<T>(tabs: Tabs, owner: Page, act: () => Promise<T>, pages: readonly Page[]): Promise<T> {
  trials++
  const before = effectsOf(tabs)
  const said = await textOf(owner, 'Result')
  try {
    const done = await act()
    await expect.poll(() => textOf(owner, 'Result'), soon).not.toBe(said)
    await closedIn(pages)
    const effects = effectsOf(tabs) - before
    if (effects > 1) doubled++
    const outcome = await resultOf(owner)
    expect([outcome, effects]).toEqual(outcome === DID ? [DID, 1] : [REFUSED, 0])
    return done
  } catch (error) {
    lost++
    throw error
  }
}

const yes = (page: Page): Said => [page, true]
const no = (page: Page): Said => [page, false]

/** What is said to one question, and where. */
function plays(owner: Page, last: Page, pages: readonly Page[]): Said[][] {
  const [, second = last] = pages
  return [
    [no(last)],
    [yes(owner), yes(last)],
    [yes(owner), no(last)],
    [no(owner), yes(last)],
    ...(second === last ? [] : [[yes(second), no(last)]]),
    pages.map((page, at) => (at % 2 === 0 ? yes(page) : no(page))),
  ]
}

/** A question that is answered in a tab that was opened after it was asked. */
async function answerLate(tabs: Tabs, owner: Page, pages: readonly Page[]): Promise<Page> {
  await ask(owner, pages)
  const late = await tabs.open()
  await shownIn([late])
  await atOnce(yes(late))
  return late
}

describe.each(['nothing', 'Web Locks'] as const)('one question in one to ten tabs, without %s', (missing) => {
  test('has one outcome, whoever answers, and all dialogs close', async () => {
    const tabs = await newTabs(missing === 'nothing' ? undefined : missing)
    const pages = [await tabs.open()]
    while (pages.length < 10) {
      const [owner] = pages
      if (!owner) throw new Error('no tab')
      const late = await trial(tabs, owner, () => answerLate(tabs, owner, pages), pages)
      pages.push(late)
      for (const play of plays(owner, late, pages)) {
        await trial(tabs, owner, () => ask(owner, pages).then(() => atOnce(...play)), pages)
      }
      // Each in its turn is the one that asks.
      pages.push(...pages.splice(0, 1))
    }
    await end(tabs)
  }, 240_000)
})

/** A tab that asks, and others that show it. */
async function asking(count: number, params: Record<string, string> = {}, missing?: keyof typeof WITHOUT) {
  const tabs = await newTabs(missing)
  const owner = await tabs.open(params)
  const others = await Promise.all(Array.from({ length: count - 1 }, () => tabs.open(keptFrom(params))))
  await ask(owner, [owner, ...others])
  const [other] = others
  if (!other) throw new Error('no other tab')
  return { tabs, owner, other, others }
}

// Only one tab stops somewhere.
const keptFrom = ({ keep }: Record<string, string>): Record<string, string> => (keep ? { keep } : {})

const callsIn = (page: Page): Promise<string> => textOf(page, 'Calls')
const toldIn = (page: Page): Promise<string> => textOf(page, 'Told')

/** What every tab that is left says of the call. */
async function all(pages: readonly Page[], state: string): Promise<void> {
  for (const page of pages) await expect.poll(() => callsIn(page), soon).toBe(`deploy ${state}`)
  await closedIn(pages)
}

/** Counts a trial that is over. */
async function count(tabs: Tabs, expected: number, check: () => Promise<unknown>): Promise<void> {
  trials++
  try {
    await check()
  } catch (error) {
    lost++
    throw error
  } finally {
    if (effectsOf(tabs) > 1) doubled++
  }
  expect(effectsOf(tabs)).toBe(expected)
  await end(tabs)
}

const approve = async (page: Page): Promise<void> => {
  await page.bringToFront()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
}

/** Nothing runs in the tab until it is thawed, and its lock stays held. A browser under a test does not freeze tabs by itself. */
async function freeze({ name }: Tabs, page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate((held) => {
    const request = new XMLHttpRequest()
    request.open('GET', `/held/${held}`, false)
    setTimeout(() => request.send())
  }, name)
  await site.blocked(name)
  return async () => site.release(name)
}

/** A tab comes to the front; under a test each is visible all the time. */
const lookAt = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

describe('when the tab that asked', () => {
  test.each([2, 3, 4, 5])('was closed, one of the other tabs runs the call (%i tabs)', async (many) => {
    const { tabs, owner, other, others } = await asking(many)
    await owner.close()
    await approve(other)
    await count(tabs, 1, async () => {
      await expect.poll(() => toldIn(other), soon).toBe(DID)
      await all(others, 'done')
    })
  })

  test.each([2, 3, 4, 5])('was closed and two others answer at once, one runs the call (%i + 1 tabs)', async (many) => {
    const { tabs, owner, other, others } = await asking(many + 1)
    await owner.close()
    const last = others.at(-1) ?? other
    await atOnce([other, true], [last, true])
    await count(tabs, 1, async () => {
      await expect.poll(async () => [await toldIn(other), await toldIn(last)].join(''), soon).toBe(DID)
      await all(others, 'done')
    })
  })

  test.each([0, 1, 2, 3, 4, 5])(
    'is closed while another answers, the tool has run once or it is said that nobody knows (%i)',
    async (n) => {
      const { tabs, owner, other, others } = await asking(2 + (n % 2))
      await Promise.all([n < 3 ? owner.close() : owner.close({ runBeforeUnload: true }), approve(other)])
      trials++
      await expect.poll(() => callsIn(other), soon).toMatch(/done|interrupted/)
      const state = await callsIn(other)
      await closedIn(others)
      const effects = effectsOf(tabs)
      if (effects > 1) doubled++
      expect([0, 1]).toContain(effects)
      if (state.includes('done')) expect(effects).toBe(1)
      await end(tabs)
    },
  )

  test.each([false, true])(
    'goes before it has taken an answer that was handed to it, the other runs the call (answers kept: %s)',
    async (keep) => {
      const params = { ...(keep && { keep: '1' }) }
      const { tabs, owner, other, others } = await asking(3, { ...params, point: 'before the claim' })
      await approve(other)
      await site.stopped(tabs.name)
      await owner.close()
      await count(tabs, 1, async () => {
        await expect.poll(() => toldIn(other), soon).toBe(DID)
        await all(others, 'done')
      })
    },
  )

  test.each([
    ['after the claim', 0],
    ['before the effect', 0],
    ['after the effect', 1],
    ['before the end', 1],
  ] as const)('goes %s, the others say that nobody knows, and run nothing', async (point, effects) => {
    const { tabs, owner, other, others } = await asking(3, { point })
    await approve(other)
    await site.stopped(tabs.name)
    await owner.close()
    await count(tabs, effects, () => all(others, 'interrupted'))
  })

  test.each([1, 2, 3])(
    'is frozen, the one that answered runs the call, and the thawed one has the result (%i)',
    async () => {
      const { tabs, owner, other, others } = await asking(3)
      const thaw = await freeze(tabs, owner)
      await approve(other)
      await expect.poll(() => toldIn(other), soon).toBe(DID)
      await thaw()
      await count(tabs, 1, async () => {
        await expect.poll(() => resultOf(owner), soon).toBe(DID)
        await all([owner, ...others], 'done')
      })
    },
  )

  test.each([1, 2, 3])('is frozen and thawed before anybody took over, one of them runs the call (%i)', async () => {
    const { tabs, owner, other, others } = await asking(2)
    const thaw = await freeze(tabs, owner)
    await approve(other)
    await thaw()
    await count(tabs, 1, async () => {
      await expect.poll(() => resultOf(owner), soon).toBe(DID)
      await all([owner, ...others], 'done')
    })
  })
})

describe('when the tab that answered', () => {
  test.each([false, true])(
    'goes after its answer was taken down and before it was handed over, nothing is lost (answers kept: %s)',
    async (keep) => {
      const tabs = await newTabs()
      const kept = keep ? { keep: '1' } : {}
      const owner = await tabs.open(kept)
      const third = await tabs.open(kept)
      const other = await tabs.open({ ...kept, point: 'after the claim' })
      await ask(owner, [owner, third, other])
      await approve(other)
      await site.stopped(tabs.name)
      await other.close()
      // Nobody was told. Whoever asked goes on by itself with an answer that was kept; else the person says it once more.
      if (keep) await lookAt(owner)
      else await approve(owner)
      await count(tabs, 1, async () => {
        await expect.poll(() => resultOf(owner), soon).toBe(DID)
        await all([owner, third], 'done')
      })
    },
  )

  test.each([false, true])(
    'goes in that moment and the person says it to the one that asked, the tool runs once (answers kept: %s)',
    async (keep) => {
      const tabs = await newTabs()
      const kept = keep ? { keep: '1' } : {}
      const owner = await tabs.open(kept)
      const other = await tabs.open({ ...kept, point: 'after the claim' })
      await ask(owner, [owner, other])
      await approve(other)
      await site.stopped(tabs.name)
      await Promise.all([other.close(), approve(owner)])
      await count(tabs, 1, async () => {
        await expect.poll(() => resultOf(owner), soon).toBe(DID)
        await all([owner], 'done')
      })
    },
  )
})

describe('without Web Locks', () => {
  test.each([2, 3, 4])('the tab that asked was closed, and one of the others runs the call (%i tabs)', async (many) => {
    const { tabs, owner, other, others } = await asking(many, {}, 'Web Locks')
    await owner.close()
    await approve(other)
    await count(tabs, 1, async () => {
      await expect.poll(() => toldIn(other), soon).toBe(DID)
      await all(others, 'done')
    })
  })
})

describe('without BroadcastChannel', () => {
  test.each([2, 3])('a tab answers alone, and the others see it by themselves (%i tabs)', async (many) => {
    const tabs = await newTabs('BroadcastChannel')
    const owner = await tabs.open()
    await call(owner)
    const others = await Promise.all(Array.from({ length: many - 1 }, () => tabs.open()))
    await shownIn([owner, ...others])
    const [other = owner] = others
    await atOnce(yes(other))
    await count(tabs, 1, async () => {
      await expect.poll(() => resultOf(owner), soon).toBe(DID)
      await closedIn([owner, ...others])
    })
  })

  test.each([2, 3, 4])(
    'a tab that comes later shows the question, and one of both runs the call (%i tabs)',
    async (many) => {
      const tabs = await newTabs('BroadcastChannel')
      const owner = await tabs.open()
      await ask(owner, [owner])
      await expect.poll(() => callsIn(owner), soon).toBe('deploy waiting')
      const others = await Promise.all(Array.from({ length: many - 1 }, () => tabs.open()))
      await shownIn(others)
      await atOnce(...[owner, ...others].map((page) => [page, true] as const))
      await count(tabs, 1, async () => {
        await expect.poll(() => resultOf(owner), soon).toBe(DID)
        await closedIn([owner, ...others])
      })
    },
  )
})
