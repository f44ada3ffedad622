import type { Locator, Page } from 'playwright'
import { expect } from 'vitest'
import { expectAccessible } from './browser.js'
import { type DemoPage, endOf, error, ok, press, resultOf, unlock } from './demo-page.js'

const alert = (page: Page): Locator => page.getByRole('alertdialog')
const dialog = (page: Page): Locator => page.getByRole('dialog')
const dialogs = (page: Page): Promise<number> => page.locator('dialog').count()

/** What is tried in each story about consent, and how it ends. */
export const consentPlays: Record<string, (demo: DemoPage) => Promise<void>> = {
  async gate({ page }) {
    await press(page, 'Book a cabin')
    await alert(page).getByText('Allow book_cabin?').waitFor()
    await alert(page).getByText('Friday').waitFor()
    await expectAccessible(page)
    await press(alert(page), 'Approve')
    await dialog(page).getByText('Which cabin?').waitFor()
    await dialog(page).getByLabel('Cabin').selectOption('with a window')
    await press(dialog(page), 'Submit')
    const { output } = (await endOf(resultOf(page))) as { output: string }
    expect(JSON.parse(output)).toEqual({ allowed: true, cabin: 'with a window' })

    await press(page, 'Book a cabin')
    await press(alert(page), 'Decline')
    expect(await endOf(resultOf(page))).toEqual(error('declined/expired: Allow book_cabin?'))
  },

  async edit({ page }) {
    await press(page, 'Order paint')
    await press(alert(page), 'Edit')
    await expectAccessible(page)
    const litres = alert(page).locator('[data-field="litres"] input').first()
    await litres.fill('400')
    await press(alert(page), 'Approve with changes')
    await expect.poll(() => litres.getAttribute('aria-invalid')).toBe('true')
    await litres.fill('4')
    await expectAccessible(page)
    await press(alert(page), 'Approve with changes')
    expect(await endOf(resultOf(page))).toEqual(ok('ordered 4 l of red, express'))

    await press(page, 'Order paint')
    await press(alert(page), 'Approve')
    expect(await endOf(resultOf(page))).toEqual(ok('ordered 30 l of red, express'))
  },

  async reply({ page }) {
    await press(page, 'Paint the boat')
    await alert(page).getByText('Decline with a reason').click()
    await alert(page).getByLabel('Your reason').fill('Blue, please.')
    await expectAccessible(page)
    await press(alert(page), 'Decline with this reason')
    expect(await endOf(resultOf(page))).toEqual({
      ...error('declined/expired: Allow paint_boat?'),
      metadata: { feedback: 'Blue, please.' },
    })
  },

  async choices({ page }) {
    await press(page, 'Berth the boat')
    await alert(page).getByText('7 euros a night, no water').waitFor()
    await expectAccessible(page)
    expect(await alert(page).getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)
    await press(alert(page), 'A buoy')
    expect(await endOf(resultOf(page))).toEqual(ok('berthed at: buoy'))
  },

  async danger({ page }) {
    for (const [name, level, output] of [
      ['Read the log', 'low', 'Fair winds.'],
      ['Move a file', 'medium', 'moved to b.txt'],
    ] as const) {
      await press(page, name)
      await expect.poll(() => alert(page).getAttribute('data-danger')).toBe(level)
      await expectAccessible(page)
      await press(alert(page), 'Approve')
      expect(await endOf(resultOf(page, `Result, ${level}`))).toEqual(ok(output))
    }
    await press(page, 'Delete 40 files')
    await alert(page).getByText('Harbour files').waitFor()
    expect(await alert(page).getAttribute('data-danger')).toBe('high')
    expect(await alert(page).textContent()).toContain('logs/2026-40.txt')
    await expectAccessible(page)
    const approve = alert(page).getByRole('button', { name: 'Approve', exact: true })
    await expect.poll(() => approve.getAttribute('data-state')).toBe('locked')
    await approve.click({ force: true })
    expect(await dialogs(page)).toBe(1)
    await unlock(alert(page))
    await press(alert(page), 'Approve')
    expect(await endOf(resultOf(page, 'Result, high'))).toEqual(ok('deleted 40 files'))
  },

  async remember({ page }) {
    const remembered = page.getByRole('region', { name: 'Remembered permissions' })
    await remembered.getByText('Nothing is remembered.').waitFor()
    await press(page, 'Water the plants')
    await alert(page)
      .getByLabel('Remember a yes')
      .selectOption('Until this page is closed, for exactly these arguments')
    await expectAccessible(page)
    await press(alert(page), 'Approve')
    expect(await endOf(resultOf(page))).toEqual(ok('gave them 3 l'))
    await remembered.getByText('Exactly this').waitFor()
    await expectAccessible(page)

    await press(page, 'Water the plants')
    expect(await endOf(resultOf(page))).toEqual(ok('gave them 3 l'))
    expect(await dialogs(page)).toBe(0)

    await press(remembered, 'Revoke water_plants')
    await remembered.getByText('Nothing is remembered.').waitFor()
    await press(page, 'Water the plants')
    await press(alert(page), 'Decline')
    expect(await endOf(resultOf(page))).toEqual(error('declined/expired: Allow water_plants?'))
  },

  async policy({ page }) {
    await press(page, 'Read the tide')
    expect(await endOf(resultOf(page, 'Result, allowed'))).toEqual(ok('high water at 14:10'))
    await press(page, 'Sink the boat')
    expect(await endOf(resultOf(page, 'Result, denied'))).toEqual(error('not allowed by policy: sink_boat'))
    expect(await dialogs(page)).toBe(0)
    await press(page, 'Sound the horn')
    await press(alert(page), 'Approve')
    expect(await endOf(resultOf(page, 'Result, asked'))).toEqual(ok('honk'))
  },

  async 'approve-all'({ page }) {
    await press(page, 'Print 3 labels and wipe the printer')
    const yes = page.getByRole('button', { name: /^Approve all/ })
    for (const text of ['Bow', 'Stern', 'Mast']) {
      await alert(page).getByText(text, { exact: true }).waitFor()
      await expect.poll(() => alert(page).getAttribute('data-state')).toBe('armed')
      if (text === 'Mast') break
      expect(await yes.count()).toBe(0)
      await press(alert(page), 'Next')
    }
    await yes.waitFor()
    await expectAccessible(page)
    await press(alert(page), 'Approve all 3')
    for (const text of ['Bow', 'Stern', 'Mast'])
      expect(await endOf(resultOf(page, `Result for ${text}`))).toEqual(ok(`printed ${text}`))
    await alert(page).getByText('Allow wipe_printer?').waitFor()
    expect(await yes.count()).toBe(0)
    await press(alert(page), 'Decline')

    await press(page, 'Print 3 labels and wipe the printer')
    await press(alert(page), 'Decline all')
    expect(await endOf(resultOf(page, 'Result for the printer'))).toEqual(
      error('declined/expired: Allow wipe_printer?'),
    )
  },

  async history({ page }) {
    const list = page.getByRole('region', { name: 'Decisions' })
    await list.getByText('No decisions yet.').waitFor()
    await press(page, 'Leave a note')
    await dialog(page).getByRole('textbox').fill('The cat is aboard.')
    await press(dialog(page), 'Submit')
    expect(await endOf(resultOf(page))).toEqual(ok('left a note'))
    await press(page, 'Leave a note')
    await press(dialog(page), 'Decline')
    await expect.poll(() => list.getByRole('listitem').count()).toBe(2)
    expect(await list.getByRole('listitem').first().textContent()).toContain('Declined')
    await expectAccessible(page)

    const downloading = page.waitForEvent('download')
    await press(list, 'Export as JSON')
    const download = await downloading
    expect(download.suggestedFilename()).toBe('decisions.json')
    let text = ''
    for await (const chunk of await download.createReadStream()) text += chunk
    expect(JSON.parse(text)).toMatchObject([
      { toolName: 'leave_note', decision: 'approved', by: 'person', outcome: 'done', args: { about: 'berth 12' } },
      { toolName: 'leave_note', decision: 'declined', by: 'person', outcome: 'failed' },
    ])
    expect(text).not.toContain('cat')
  },

  async 'spoofed-text'({ page }) {
    await press(page, 'Open the invoice')
    await alert(page).getByText('\\u{202E}', { exact: true }).first().waitFor()
    await alert(page).getByText('Not verified').waitFor()
    const shown = (await alert(page).textContent()) ?? ''
    expect(shown).toContain('\\u{200B}')
    expect(shown).toContain('<b>Safe to open.</b>')
    expect(shown).not.toMatch(/[\u200B\u202E]|\n{5}/)
    expect(await alert(page).locator('b').count()).toBe(0)
    await expectAccessible(page)
    await press(alert(page), 'Approve')
    expect(await endOf(resultOf(page))).toEqual(ok('opened 17 characters'))
  },

  async flood({ page }) {
    await press(page, 'Ask 1,002 times')
    await alert(page).getByText('1 of 1001').waitFor()
    await expectAccessible(page)
    expect(await endOf(resultOf(page, 'Result of the 1,001st'))).toEqual(
      error('Noisy adverts has 1000 open questions already'),
    )
    await press(alert(page), 'Decline')
    await alert(page).getByText('Allow open_gate?').waitFor()
    await press(alert(page), 'Approve')
    expect(await endOf(resultOf(page, 'Result of the quiet one'))).toEqual(ok('the gate is open'))
    await press(alert(page), 'Decline all')
    await page.getByText('0 waiting').waitFor()
  },

  async secret({ page }) {
    await press(page, 'Connect the mail account')
    await dialog(page).getByText('Secrets are not entered here').waitFor()
    expect(await dialog(page).locator('input, textarea').count()).toBe(0)
    expect(await dialog(page).getByRole('button', { name: 'Submit' }).count()).toBe(0)
    await expectAccessible(page)
    await press(dialog(page), 'Decline')
    expect(await endOf(resultOf(page))).toEqual(error('declined/expired: Sign in to your mail account'))
  },
}
