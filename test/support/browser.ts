import { readFileSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright'
import { expect } from 'vitest'
import { chromiumArgs, findChromium } from '../../scripts/browser.mjs'

const axeSource = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** The real Chromium of this machine. */
export function launch(): Promise<Browser> {
  const executablePath = findChromium()
  return chromium.launch({ args: chromiumArgs, ...(executablePath && { executablePath }) })
}

/** Collects everything a page complains about: exceptions, console errors and warnings, violations of its policy, failed requests. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`)
  })
  return complaints
}

/** What axe finds on the page as it stands, dialogs included: one line per element. */
export async function axe(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run(document)
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
    )
  })
}

/** Waits until nothing moves or fades: what does is measured wrong. */
export const settled = (page: Page): Promise<unknown> =>
  page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))))

/** Asks axe in light and in dark. Leaves the page light. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name
    }, theme)
    await settled(page)
    expect(await axe(page), theme).toEqual([])
  }
}
