import { mkdirSync } from 'node:fs'
import type { Browser, Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, launch, settled, themes } from '../support/browser.js'
import { type DemoPage, endOf, error, ok, openDemo, playStory, press, resultOf } from '../support/demo-page.js'
import { DONE, fakeEndpoint, sse } from '../support/fake-endpoint.js'
import { moved, row, runPlays, soon } from '../support/run-plays.js'

let browser: Browser
beforeAll(async () => {
  browser = await launch()
  mkdirSync('shots', { recursive: true })
})
afterAll(async () => {
  await browser?.close()
})

describe('stories about calls', () => {
  test.each(Object.entries(runPlays))('%s', (id, steps) => playStory(browser, id, steps))
})

async function close({ context, complaints }: DemoPage): Promise<void> {
  expect(complaints).toEqual([])
  await context.close()
}

test('on the page of the real tools an import goes on in the background, and leaves a file', async () => {
  const demo = await openDemo(browser, '#/real-tools')
  const { page } = demo
  const panel = page.getByRole('form', { name: 'Import rows' })
  const transcript = page.getByRole('log', { name: 'Transcript' })
  await panel.getByLabel('Rows').fill('200')
  await press(panel, 'Run')
  await press(row(page, 'import_rows'), 'Move to background')
  await transcript.getByText(moved('import_rows')).waitFor()
  expect(await endOf(resultOf(panel))).toEqual(ok('imported 200 rows into readings.csv'))
  await row(page, 'import_rows').getByText('imported 200 rows into readings.csv').waitFor()
  await expectAccessible(page)

  await press(panel, 'Run')
  await page.getByRole('alertdialog').getByText('Allow import_rows?').waitFor()
  await press(page.getByRole('alertdialog'), 'Approve')
  await press(panel, 'Abort')
  expect(await endOf(resultOf(panel))).toEqual(error('cancelled'))
  await close(demo)
})

describe('the agent', () => {
  const log = (page: Page): Locator => page.getByRole('log', { name: 'Conversation' })
  const callOf = (page: Page, tool: string): Locator => log(page).getByRole('article', { name: `Call of ${tool}` })
  const idle = (page: Page) => expect.poll(() => log(page).getAttribute('aria-busy'), soon).toBe('false')
  async function say(page: Page, text: string): Promise<void> {
    await page.getByLabel('Message').fill(text)
    await press(page, 'Send')
  }

  test('goes on talking while a call is in the background, and says what came of it', async () => {
    const demo = await openDemo(browser, 'agent.html')
    const { page } = demo
    await say(page, 'import 300 rows')
    await press(row(page, 'import_rows'), 'Move to background')
    await log(page)
      .getByText(`Done: ${moved('import_rows')}`)
      .waitFor()
    await callOf(page, 'import_rows').getByText('In the background').waitFor()
    await idle(page)
    await expectAccessible(page)
    await say(page, 'list the files')
    await log(page).getByText('Done: the workspace is empty').waitFor()
    await log(page).getByText('From the background. Done: imported 300 rows into readings.csv').waitFor()
    expect(await callOf(page, 'import_rows').textContent()).toContain('imported 300 rows into readings.csv')
    await row(page, 'import_rows').getByText('imported 300 rows into readings.csv').waitFor()
    await idle(page)
    expect(await log(page).getByText('From the background').count()).toBe(1)
    await expectAccessible(page)
    await close(demo)
  })

  test('tells a real endpoint of a call that was cancelled in the background', async () => {
    const endpoint = await fakeEndpoint((response, turn) => {
      if (turn > 1) return response.end(sse({ content: `Reply ${turn}.` }, 'stop') + DONE)
      const call = { index: 0, id: 'c1', function: { name: 'import_rows', arguments: '{"rows":10000}' } }
      return response.end(sse({ tool_calls: [call] }, 'tool_calls') + DONE)
    })
    const demo = await openDemo(browser, 'agent.html')
    const { page } = demo
    await page.getByText('Model:').click()
    await page.getByLabel('Base URL').fill(endpoint.baseUrl)
    await page.getByRole('textbox', { name: 'Model' }).fill('test-model')
    await press(page, 'Use this endpoint')
    await say(page, 'import it all')
    await press(row(page, 'import_rows'), 'Move to background')
    await log(page).getByText('Reply 2.').waitFor()
    await press(row(page, 'import_rows'), 'Cancel')
    await log(page).getByText('Reply 3.').waitFor()
    await idle(page)
    expect(endpoint.requests).toHaveLength(3)
    expect(endpoint.requests[2]?.body.messages).toMatchObject([
      { role: 'system' },
      { role: 'user', content: 'import it all' },
      { role: 'assistant', tool_calls: [{ id: 'c1' }] },
      { role: 'tool', tool_call_id: 'c1', content: moved('import_rows') },
      { role: 'assistant', content: 'Reply 2.' },
      { role: 'user', content: expect.stringContaining('"tool_call_id":"c1","tool":"import_rows","is_error":true') },
    ])
    await endpoint.close()
    await close(demo)
  })
})

/** What is on the page when it is looked at, by story. */
const views: Record<string, (page: Page) => Promise<void>> = {
  async 'import-progress'(page) {
    await press(page, 'Import 100 rows')
    await row(page, 'import_rows').waitFor()
  },
  async 'import-background'(page) {
    await press(page, 'Import 100 rows')
    await press(row(page, 'import_rows'), 'Move to background')
    await row(page, 'import_rows').getByText('In the background').waitFor()
  },
  async parallel(page) {
    await press(page, 'Send 10 parcels')
    await page.getByRole('article').nth(2).waitFor()
  },
  async 'two-contracts'(page) {
    await press(page.getByRole('region', { name: 'toolnexus', exact: true }), 'Resize 12 pictures')
    await press(page.locator('dialog'), 'Submit')
    await row(page, 'resize_pictures').waitFor()
  },
}

describe.each([
  [1280, 900],
  [320, 640],
])('at %i by %i', (width, height) => {
  test.each(Object.entries(views))('%s fits', async (id, open) => {
    const { page, context, complaints } = await openDemo(browser, `#/stories/${id}`, { viewport: { width, height } })
    await open(page)
    await settled(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(complaints).toEqual([])
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `shots/demo-${id}-${width}-${colorScheme}.png` })
    }
    await context.close()
  })
})
