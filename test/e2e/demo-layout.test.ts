import { mkdirSync } from 'node:fs'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, settled, themes } from '../support/browser.js'
import { openDemo, press } from '../support/demo-page.js'

let browser: Browser
beforeAll(async () => {
  browser = await launch()
  mkdirSync('shots', { recursive: true })
})
afterAll(async () => {
  await browser?.close()
})

const dialog = (page: Page) => page.locator('dialog')

/** What is on the page when it is looked at, by name. */
const views: Record<string, { path: string; open?: (page: Page) => Promise<void> }> = {
  overview: { path: '' },
  approve: { path: '#/stories/approve', open: (page) => press(page, 'Delete 3 photos') },
  input: { path: '#/stories/input', open: (page) => press(page, 'Book a table') },
  queue: { path: '#/stories/queue', open: (page) => press(page, 'Pay 3 invoices') },
  'inline-cards': {
    path: '#/stories/inline-cards',
    async open(page) {
      await press(page, 'Rename the boat')
      await page.getByRole('article').waitFor()
    },
  },
  'real-tools': {
    path: '#/real-tools',
    async open(page) {
      await press(page.getByRole('form', { name: 'crunch' }), 'Run')
      await page.getByRole('log').getByText('completed 3 step(s)').waitFor()
      await press(page.getByRole('form', { name: 'deploy' }), 'Run')
      await press(dialog(page), 'Decline')
      await page.getByRole('log').getByText('declined: declined').waitFor()
    },
  },
  agent: {
    path: 'agent.html',
    async open(page) {
      await press(page, 'Write notes.txt: buy milk')
      await page.getByText('Done: wrote notes.txt').waitFor()
      await page.getByRole('log').and(page.locator('[aria-busy="false"]')).waitFor()
      await press(page, 'Delete notes.txt')
      await press(dialog(page), 'Decline')
      await page.getByText('Not done: declined/expired: Delete notes.txt (8 bytes)?').waitFor()
    },
  },
}

/** How far something sticks out of the window, in pixels: the page sideways, an open dialog on any side. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const box = document.querySelector('dialog[open]')?.getBoundingClientRect()
    const { innerWidth: width, innerHeight: height } = window
    const sideways = document.documentElement.scrollWidth - width
    return box ? Math.max(sideways, -box.left, -box.top, box.right - width, box.bottom - height) : sideways
  })

describe.each([
  [1280, 900],
  [390, 844],
  [320, 640],
])('at %i by %i', (width, height) => {
  test.each(Object.entries(views))('%s fits', async (name, { path, open }) => {
    const { page, context, complaints } = await openDemo(browser, path, { viewport: { width, height } })
    await open?.(page)
    await settled(page)
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(complaints).toEqual([])
    // Last, since it adds a <style> of its own, which the policy forbids.
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `shots/demo-${name}-${width}-${colorScheme}.png`, animations: 'disabled' })
    }
    await context.close()
  })
})
