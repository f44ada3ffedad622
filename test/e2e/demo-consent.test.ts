import { mkdirSync } from 'node:fs'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, settled, themes } from '../support/browser.js'
import { consentPlays } from '../support/consent-plays.js'
import { openDemo, playStory, press } from '../support/demo-page.js'

let browser: Browser
beforeAll(async () => {
  browser = await launch()
  mkdirSync('shots', { recursive: true })
})
afterAll(async () => {
  await browser?.close()
})

describe('stories about consent', () => {
  test.each(Object.entries(consentPlays))('%s', (id, steps) => playStory(browser, id, steps))
})

/** The button that opens a story's dialog. */
const openers: Record<string, (page: Page) => Promise<void>> = {
  gate: (page) => press(page, 'Book a cabin'),
  async edit(page) {
    await press(page, 'Order paint')
    await press(page.locator('dialog'), 'Edit')
    await page.locator('dialog [data-field="litres"] input').first().fill('4')
  },
  reply: (page) => press(page, 'Paint the boat'),
  choices: (page) => press(page, 'Berth the boat'),
  danger: (page) => press(page, 'Delete 40 files'),
  remember: (page) => press(page, 'Water the plants'),
  'approve-all': (page) => press(page, 'Print 3 labels and wipe the printer'),
  'spoofed-text': (page) => press(page, 'Open the invoice'),
  secret: (page) => press(page, 'Connect the mail account'),
}

describe.each([
  [1280, 900],
  [320, 640],
])('at %i by %i', (width, height) => {
  test.each(Object.entries(openers))('%s fits', async (id, open) => {
    const { page, context, complaints } = await openDemo(browser, `#/stories/${id}`, { viewport: { width, height } })
    await open(page)
    await page.locator('dialog [data-slot="decline"]').waitFor()
    await settled(page)
    const box = await page.locator('dialog').boundingBox()
    expect(box && [box.x >= 0, box.y >= 0, box.x + box.width <= width, box.y + box.height <= height]).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(complaints).toEqual([])
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `shots/demo-${id}-${width}-${colorScheme}.png`, animations: 'disabled' })
    }
    await context.close()
  })
})
