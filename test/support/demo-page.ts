import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright'
import { expect, inject } from 'vitest'
import { complaintsOf } from './browser.js'

export interface DemoPage {
  page: Page
  context: BrowserContext
  complaints: string[]
}

/** A page of the demo in a profile of its own. */
export async function openDemo(browser: Browser, path: string, options: BrowserContextOptions = {}): Promise<DemoPage> {
  const context = await browser.newContext({ colorScheme: 'light', ...options })
  const page = await context.newPage()
  const complaints = complaintsOf(page)
  await page.goto(inject('demoUrl') + path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, context, complaints }
}

/** Presses a button of a question once it is alive: a click waits while it is `aria-disabled`. */
export async function press(scope: Page | Locator, name: string): Promise<void> {
  const button = scope.getByRole('button', { name, exact: true })
  // A card arms only while it can be seen. A body that was on its way takes the place of the button it came to.
  await button.scrollIntoViewIfNeeded().catch(() => button.scrollIntoViewIfNeeded())
  await button.click()
}

/** The second step that a yes of high danger takes. */
export const unlock = (scope: Page | Locator): Promise<void> =>
  scope.getByLabel('Type approve to allow this').fill('approve')

export const resultOf = (scope: Page | Locator, name = 'Result'): Locator => scope.getByRole('status', { name })

/** Waits for a call to end, and gives the ToolResult that the page shows. */
export async function endOf(result: Locator): Promise<unknown> {
  await expect.poll(() => result.textContent(), { timeout: 10_000 }).toContain('"output"')
  const text = (await result.textContent()) ?? ''
  const { metadata = {}, ...shown } = JSON.parse(text.slice(text.indexOf('{')))
  // How the runner came to it is the matter of test/integrity; a story says what came of it.
  const { reason: _, edited: __, args: ___, ...rest } = metadata
  return Object.keys(rest).length > 0 ? { ...shown, metadata: rest } : shown
}

export const ok = (output: string) => ({ output, isError: false })
export const error = (output: string) => ({ output, isError: true })

/** Plays a story; afterwards nothing may have been complained about, and no dialog may be left. */
export async function playStory(
  browser: Browser,
  id: string,
  steps: (demo: DemoPage) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const demo = await openDemo(browser, `#/stories/${id}`, options)
  await steps(demo)
  await expect.poll(() => demo.page.locator('dialog').count()).toBe(0)
  expect(demo.complaints).toEqual([])
  await demo.context.close()
}
