import type { Locator, Page } from 'playwright'
import { expect } from 'vitest'
import { expectAccessible } from './browser.js'
import { type DemoPage, endOf, error, ok, press, resultOf } from './demo-page.js'

// Two cores are shared by many pages.
export const soon = { timeout: 10_000 }

export const row = (page: Page, tool: string): Locator => page.getByRole('group', { name: tool, exact: true })
const bar = (page: Page, tool: string): Locator => row(page, tool).getByRole('progressbar')
const rows = (page: Page): Promise<number> => page.locator('[data-slot="run"]').count()
export const moved = (tool: string): string => `Moved to the background: ${tool}. Its result will follow.`

/** Waits until the tray shows that a call has come further. */
async function advances(page: Page, tool: string): Promise<void> {
  const step = async () => Number(await bar(page, tool).getAttribute('value'))
  const before = await step()
  await expect.poll(step, soon).toBeGreaterThan(before)
}

/** What is tried in each story about calls, and how it ends. */
export const runPlays: Record<string, (demo: DemoPage) => Promise<void>> = {
  async 'import-progress'({ page }) {
    await press(page, 'Import 100 rows')
    await advances(page, 'import_rows')
    expect(await bar(page, 'import_rows').getAttribute('max')).toBe('100')
    await row(page, 'import_rows')
      .getByText(/^Row \d+ of 100$/)
      .waitFor()
    expect(await row(page, 'import_rows').getByRole('button', { name: 'Move to background' }).count()).toBe(0)
    await press(row(page, 'import_rows'), 'Cancel')
    expect(await endOf(resultOf(page))).toEqual(error('cancelled'))
    await expect.poll(() => rows(page), soon).toBe(0)

    await press(page, 'Import 100 rows')
    await row(page, 'import_rows').waitFor()
    await expectAccessible(page)
    expect(await endOf(resultOf(page))).toEqual(ok('imported 100 rows'))
    await expect.poll(() => rows(page), soon).toBe(0)
  },

  async reload({ page, context }) {
    const later = resultOf(page, 'Delivered after a reload')
    const ask = page.getByRole('alertdialog')
    await press(page, 'Pay 120 € to Ada')
    await ask.waitFor()
    await page.reload()
    await ask.getByText('Asked earlier, not answered yet').waitFor()
    const second = await context.newPage()
    await second.goto(page.url())
    await second.getByRole('alertdialog').getByText('Pay 120 € to Ada?').waitFor()
    await press(ask, 'Approve')
    await expect.poll(() => second.getByRole('alertdialog').count(), soon).toBe(0)
    expect(await endOf(later)).toEqual(ok('paid 120 € to Ada'))
    await second.close()

    await press(page, 'Pay 120 € to Ada')
    await press(ask, 'Approve')
    await row(page, 'pay').getByText('Running').waitFor()
    await page.reload()
    await row(page, 'pay').getByText('Interrupted').waitFor()
    await expectAccessible(page)
    await press(row(page, 'pay'), 'Close')
    await expect.poll(() => rows(page), soon).toBe(0)
  },

  async 'import-background'({ page }) {
    const later = resultOf(page, 'Delivered later')
    await press(page, 'Import 100 rows')
    await press(row(page, 'import_rows'), 'Move to background')
    expect(await endOf(resultOf(page, 'Given to the caller'))).toEqual(ok(moved('import_rows')))
    await row(page, 'import_rows').getByText('In the background').waitFor()
    await press(page, 'Look up the tide')
    expect(await endOf(resultOf(page, 'Result meanwhile'))).toEqual(ok('high water at 14:10'))
    await expectAccessible(page)
    // Once: two of them would be no JSON.
    expect(await endOf(later)).toEqual(ok('imported 100 rows'))
    await row(page, 'import_rows').getByText('imported 100 rows').waitFor()
    await expectAccessible(page)
    await press(row(page, 'import_rows'), 'Close')
    await expect.poll(() => rows(page), soon).toBe(0)
  },

  async parallel({ page }) {
    const parcels = page.getByRole('list', { name: 'Parcels' })
    const inState = (word: string): Locator => parcels.getByText(word, { exact: true })
    const card = (to: string): Locator => page.getByRole('article').filter({ hasText: to })
    await press(page, 'Send 10 parcels')
    await inState('Queued').first().waitFor()
    expect(await inState('Running').count()).toBeLessThanOrEqual(4)
    await inState('Waiting for an answer').nth(2).waitFor()
    await inState('Done').nth(6).waitFor()
    await expectAccessible(page)
    await press(card('Hoy'), 'Approve')
    await press(card('Eigg'), 'Decline')
    await press(card('Bute'), 'Decline')
    const results = resultOf(page, 'Results in call order')
    await results.waitFor()
    expect((await results.textContent())?.replace('In call order', '').split('\n')).toEqual([
      'sent to Arran',
      'declined/expired: Allow send_parcel?',
      'sent to Coll',
      'sent to Danna',
      'declined/expired: Allow send_parcel?',
      'sent to Fetlar',
      'sent to Gigha',
      'sent to Hoy',
      'sent to Islay',
      'sent to Jura',
    ])
    await expectAccessible(page)
  },

  async 'two-contracts'({ page }) {
    const start = (style: string) => press(page.getByRole('region', { name: style, exact: true }), 'Resize 12 pictures')
    const result = (style: string): Locator => resultOf(page, `Result, ${style}`)
    const dialog = page.getByRole('dialog')
    const alert = page.getByRole('alertdialog')
    expect(await page.getByRole('region', { name: 'Source of the toolnexus tool' }).textContent()).toContain(
      'ctx.answer',
    )
    expect(await page.getByRole('region', { name: 'Source of the TanStack AI tool' }).textContent()).toContain(
      'inputResponse',
    )

    await start('toolnexus')
    await dialog.getByText('Resize 12 pictures?').waitFor()
    await press(dialog, 'Submit')
    await row(page, 'resize_pictures').waitFor()
    expect(await row(page, 'resize_pictures').getByRole('button', { name: 'Move to background' }).count()).toBe(0)
    await start('TanStack AI')
    await press(alert, 'Approve')
    await dialog.getByText('How wide?', { exact: true }).waitFor()
    await press(dialog, 'Submit')
    await expectAccessible(page)
    for (const style of ['toolnexus', 'TanStack AI'])
      expect(await endOf(result(style))).toEqual(ok('{"resized":12,"width":800}'))

    await start('TanStack AI')
    await press(alert, 'Approve')
    await press(dialog, 'Submit')
    await press(row(page, 'resizePictures'), 'Move to background')
    await row(page, 'resizePictures').getByText('{"resized":12,"width":800}').waitFor()

    await start('toolnexus')
    await press(dialog, 'Decline')
    expect(await endOf(result('toolnexus'))).toEqual(error('declined/expired: Resize 12 pictures?'))
    await start('TanStack AI')
    await press(alert, 'Decline')
    expect(await endOf(result('TanStack AI'))).toEqual(error('declined/expired: Allow resizePictures?'))
  },
}
