import { createRequire } from 'node:module'
import type { Browser, Locator, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import { complaintsOf, launch } from '../support/browser.js'
import { press } from '../support/demo-page.js'
import { type BuiltPage, serveBuiltPage } from '../support/yjs-built-page.js'
import { type Line, lineTo, startYjsServer, type YjsServer } from '../support/yjs-server.js'

let browser: Browser
let site: BuiltPage
let server: YjsServer
beforeAll(async () => {
  ;[browser, site, server] = await Promise.all([launch(), serveBuiltPage(), startYjsServer()])
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
  await server?.stop()
})

let rooms = 0
let room = ''
const ends: (() => unknown)[] = []
beforeEach(() => {
  room = `room-${process.pid}-${++rooms}`
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A browser of its own, as on another device. */
async function open(user: string, params: Record<string, string> = {}, line?: Line): Promise<Page> {
  const context = await browser.newContext()
  ends.push(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const complaints = complaintsOf(page)
  // What a browser says of a line that is cut is not ours.
  ends.push(() => expect(complaints.filter((text) => !/WebSocket connection/.test(text))).toEqual([]))
  await page.goto(`${site.url}?${new URLSearchParams({ server: line?.url ?? server.url, room, user, ...params })}`)
  await page.getByRole('heading', { level: 1, name: user }).waitFor()
  return page
}

const desk = (params: Record<string, string> = {}, line?: Line) => open('Ada', { desk: '1', ...params }, line)
const phone = (user = 'Bob', line?: Line) => open(user, {}, line)

async function line(): Promise<Line> {
  const cable = await lineTo(server.port)
  ends.push(() => cable.close())
  return cable
}

/** Somebody who writes to the document what they like. */
async function intruder(): Promise<{ questions: Y.Map<string>; answers: Y.Map<string> }> {
  const { WebSocket: NodeSocket } = createRequire(import.meta.url)('ws') as { WebSocket: typeof WebSocket }
  const doc = new Y.Doc()
  const provider = new WebsocketProvider(server.url, room, doc, { WebSocketPolyfill: NodeSocket, disableBc: true })
  ends.push(() => {
    provider.destroy()
    doc.destroy()
  })
  await expect.poll(() => provider.synced).toBe(true)
  return { questions: doc.getMap<string>('assent'), answers: doc.getMap<string>('assent/answers') }
}

const alert = (page: Page): Locator => page.getByRole('alertdialog')
const result = (page: Page) => page.getByRole('status', { name: 'Result' })
const outcomes = (page: Page) => page.getByTestId('outcomes')
const says = (locator: Locator, text: string | RegExp) =>
  expect.poll(() => locator.textContent(), { timeout: 10_000 }).toMatch(text)
const goes = (locator: Locator) => expect.poll(() => locator.count(), { timeout: 10_000 }).toBe(0)

describe('a question over the real server', () => {
  test('is shown on the second browser with what would run, and is answered there', async () => {
    const [here, there] = [await desk(), await phone()]
    await press(here, 'Deploy')
    const shown = alert(there)
    await shown.getByText('Allow deploy?').waitFor()
    for (const text of ['What would run', 'docs', 'CI', 'Not verified']) {
      expect(await shown.getByText(text, { exact: true }).first().isVisible(), text).toBe(true)
    }
    await says(here.getByTestId('lookers'), /^Bob$/)
    await press(shown, 'Approve')
    await says(result(here), /^deployed docs \(1\)$/)
    await goes(alert(here))
    await says(outcomes(there), '{"taken":true,"ok":true,"by":{"name":"Bob"}}')
  })

  test('has its form there', async () => {
    const [here, there] = [await desk(), await phone()]
    await press(here, 'Rename')
    const shown = there.getByRole('dialog')
    await shown.getByLabel('Name').fill('Heron')
    await press(shown, 'Submit')
    await says(result(here), /^renamed to Heron$/)
  })

  test('goes there when it is answered here', async () => {
    const [here, there] = [await desk(), await phone()]
    await press(here, 'Deploy')
    await alert(there).waitFor()
    await press(alert(here), 'Decline')
    await goes(alert(there))
    await says(outcomes(there), '{"ok":false,"by":{"name":"Ada"}}')
  })

  test('answered by both at once runs once', async () => {
    const cable = await line()
    const [here, one, two] = [await desk({}, cable), await phone('Bob'), await phone('Cy')]
    await press(here, 'Deploy')
    await Promise.all([alert(one).waitFor(), alert(two).waitFor()])
    // Both answers lie at the server before the owner sees either.
    cable.cut()
    for (const page of [one, two]) {
      await press(alert(page), 'Approve')
      await goes(alert(page))
    }
    cable.mend()
    await says(result(here), /^deployed docs \(1\)$/)
    for (const page of [one, two]) await says(outcomes(page), /"ok":true/)
    const taken = await Promise.all(
      [one, two].map(async (page) => /"taken":true/.test((await outcomes(page).textContent()) ?? '')),
    )
    expect(taken.filter(Boolean)).toHaveLength(1)
    await press(here, 'Deploy')
    await press(alert(one), 'Approve')
    await says(result(here), /^deployed docs \(2\)$/)
  })

  test('leaves without what the app keeps for itself', async () => {
    const [here, there, spy] = [await desk(), await phone(), await intruder()]
    await press(here, 'Pay')
    await alert(there).getByText('Withheld by the other device: "iban"').waitFor()
    expect(await alert(there).getByText('DE02').count()).toBe(0)
    expect([...spy.questions.values()].join()).not.toContain('DE02')
    await press(alert(there), 'Approve')
    await says(result(here), /^paid Bob$/)
  })
})

describe('a network that is cut', () => {
  test('while somebody answers loses nothing: the answer is taken when it is back', async () => {
    const cable = await line()
    const [here, there] = [await desk(), await phone('Bob', cable)]
    await press(here, 'Deploy')
    await alert(there).waitFor()
    cable.cut()
    await says(here.getByTestId('lookers'), /^$/)
    await press(alert(there), 'Approve')
    await goes(alert(there))
    expect(await alert(here).count()).toBe(1)
    cable.mend()
    await says(result(here), /^deployed docs \(1\)$/)
    await says(outcomes(there), '{"taken":true,"ok":true,"by":{"name":"Bob"}}')
  })

  test('at the owner, who answers meanwhile, leaves the other answer aside', async () => {
    const cable = await line()
    const [here, there] = [await desk({}, cable), await phone()]
    await press(here, 'Deploy')
    await alert(there).waitFor()
    cable.cut()
    await press(alert(there), 'Approve')
    await press(alert(here), 'Decline')
    await says(result(here), /^declined\/expired: Allow deploy\?$/)
    cable.mend()
    await says(outcomes(there), '{"taken":false,"ok":false,"by":{"name":"Ada"}}')
    await says(result(here), /^declined/)
  })

  test('by the server, that starts anew with nothing, is made up for', async () => {
    const own = await startYjsServer()
    const [here, there] = [await desk({ server: own.url }), await open('Bob', { server: own.url })]
    await press(here, 'Deploy')
    await alert(there).waitFor()
    await own.stop()
    await press(alert(there), 'Approve')
    const again = await startYjsServer(own.port)
    ends.unshift(() => again.stop())
    await says(result(here), /^deployed docs \(1\)$/)
    await says(outcomes(there), /"taken":true/)
  })
})

describe('an owner', () => {
  test('whose page is left takes its questions along', async () => {
    const [here, there] = [await desk(), await phone()]
    await press(here, 'Deploy')
    await alert(there).waitFor()
    await here.goto('about:blank')
    await goes(alert(there))
  })

  test('that is reloaded asks as a new one', async () => {
    const [here, there] = [await desk(), await phone()]
    await press(here, 'Deploy')
    await alert(there).waitFor()
    await here.reload()
    await goes(alert(there))
    await press(here, 'Deploy')
    await press(alert(there), 'Approve')
    await says(result(here), /^deployed docs \(1\)$/)
  })

  test('that is cut off and comes back has its question answered', async () => {
    const cable = await line()
    const [here, there] = [await desk({}, cable), await phone()]
    await press(here, 'Deploy')
    await alert(there).waitFor()
    cable.cut()
    await press(alert(there), 'Approve')
    await goes(alert(there))
    cable.mend()
    await says(result(here), /^deployed docs \(1\)$/)
  })
})

describe('what somebody writes to the document', () => {
  const first = ({ questions }: { questions: Y.Map<string> }): [string, string] => {
    const [key = '', text = ''] = [...questions].find(([, entry]) => JSON.parse(entry).state === 'open') ?? []
    return [key, text]
  }

  test('under a wrong id answers nothing', async () => {
    const [here, spy] = [await desk(), await intruder()]
    await press(here, 'Deploy')
    await expect.poll(() => first(spy)[0]).not.toBe('')
    const [key, seen] = first(spy)
    const said = JSON.stringify({ key, seen, answer: { id: 'other', ok: true } })
    spy.answers.set(`${key}/x`, JSON.stringify({ v: 1, at: Date.now(), said }))
    await says(here.getByTestId('events'), /refused: other question/)
    await expect.poll(() => spy.answers.size).toBe(0)
    expect(await result(here).textContent()).toBe('')
    await press(alert(here), 'Approve')
    await says(result(here), /^deployed docs \(1\)$/)
  })

  test('in place of a question does not run, and is put right', async () => {
    const cable = await line()
    const [here, there, spy] = [await desk({}, cable), await phone(), await intruder()]
    await press(here, 'Deploy')
    await expect.poll(() => first(spy)[0]).not.toBe('')
    cable.cut()
    const [key, text] = first(spy)
    spy.questions.set(key, text.replaceAll('docs', 'a harmless test'))
    await alert(there).getByText('a harmless test').waitFor()
    await press(alert(there), 'Approve')
    await goes(alert(there))
    cable.mend()
    await says(here.getByTestId('events'), /refused: not what was shared/)
    await alert(there).getByText('docs', { exact: true }).waitFor()
    expect(await result(here).textContent()).toBe('')
    await press(alert(there), 'Approve')
    await says(result(here), /^deployed docs \(1\)$/)
  })

  test('as an answer of somebody who is not verified is not taken', async () => {
    const [here, one, two] = [await desk({ verify: 'Cy' }), await phone('Bob'), await phone('Cy')]
    await press(here, 'Deploy')
    await press(alert(one), 'Approve')
    await says(here.getByTestId('events'), /refused: not verified/)
    await says(outcomes(one), '{"taken":false}')
    await alert(one).waitFor()
    expect(await result(here).textContent()).toBe('')
    await press(alert(two), 'Approve')
    await says(result(here), /^deployed docs \(1\)$/)
  })
})
