import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axe, expectAccessible, launch } from '../support/browser.js'
import { consentPlays } from '../support/consent-plays.js'
import { type DemoPage, endOf, error, ok, openDemo, playStory, press, resultOf } from '../support/demo-page.js'
import { runPlays } from '../support/run-plays.js'
import { phonePlay } from '../support/yjs-phone-play.js'

let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
})

const alert = (page: Page) => page.getByRole('alertdialog')
const dialog = (page: Page) => page.getByRole('dialog')

const plays: Record<string, (demo: DemoPage) => Promise<void>> = {
  async approve({ page }) {
    await press(page, 'Delete 3 photos')
    expect(await alert(page).getByText('Delete 3 photos from Summer?').isVisible()).toBe(true)
    await expectAccessible(page)
    await press(alert(page), 'Approve')
    expect(await endOf(resultOf(page))).toEqual(ok('deleted 3 photos'))
  },

  async decline({ page }) {
    const refusal = error('declined/expired: Send the newsletter to 1,204 people?')
    await press(page, 'Send to everyone')
    await press(alert(page), 'Decline')
    expect(await endOf(resultOf(page))).toEqual(refusal)
    await press(page, 'Send to everyone')
    await press(alert(page), 'Close')
    expect(await endOf(resultOf(page))).toEqual(refusal)
    await press(page, 'Send to everyone')
    await alert(page).waitFor()
    await page.keyboard.press('Escape')
    expect(await endOf(resultOf(page))).toEqual(refusal)
  },

  async input({ page }) {
    await press(page, 'Book a table')
    const form = dialog(page)
    await press(form, 'Submit')
    await expect.poll(() => form.locator('[aria-invalid="true"]').count()).toBe(4)
    await expectAccessible(page)
    await form.getByLabel('Name').fill('Ada')
    await form.getByLabel('E-mail').fill('ada@example.com')
    await form.locator('[data-field="date"] input').first().fill('2026-12-24')
    await form.getByLabel('Guests').fill('4')
    await form.getByLabel('vegan').check()
    await press(form, 'Submit')
    const { output } = (await endOf(resultOf(page))) as { output: string }
    expect(JSON.parse(output)).toEqual({
      name: 'Ada',
      email: 'ada@example.com',
      date: '2026-12-24',
      guests: 4,
      seating: 'in',
      diets: ['vegan'],
      reminder: true,
    })
  },

  async question({ page }) {
    await press(page, 'Plan a trip')
    const form = dialog(page)
    await expectAccessible(page)
    await form.getByRole('radio', { name: 'The coast' }).check()
    await form.getByRole('checkbox', { name: 'Hiking' }).check()
    await form.getByRole('checkbox', { name: 'Food' }).check()
    await form.getByRole('textbox').fill('A cabin with a stove')
    await press(form, 'Submit')
    const { output } = (await endOf(resultOf(page))) as { output: string }
    expect(JSON.parse(output)).toEqual({ answers: ['The coast', ['Hiking', 'Food'], 'A cabin with a stove'] })
  },

  async authorization({ page, context }) {
    await press(page, 'List my boats')
    await press(dialog(page), "I've finished")
    expect(await endOf(resultOf(page))).toEqual(error('still signed out'))

    await press(page, 'List my boats')
    await expectAccessible(page)
    const opened = context.waitForEvent('page')
    await dialog(page)
      .getByRole('link', { name: `Open link ${new URL(page.url()).host}` })
      .click()
    const login = await opened
    await login.getByRole('heading', { name: 'Sign in' }).waitFor()
    await expectAccessible(login)
    await press(login, 'Sign in')
    await login.getByText('You are signed in.').waitFor()
    await login.close()
    await press(dialog(page), "I've finished")
    expect(await endOf(resultOf(page))).toEqual(ok('["Halcyon","Grey Heron"]'))
  },

  async queue({ page }) {
    await press(page, 'Pay 3 invoices')
    await alert(page).getByText('1 of 3').waitFor()
    await expectAccessible(page)
    await press(alert(page), 'Next')
    await alert(page).getByText('Pay 62 euros to Rope & Twine?').waitFor()
    await press(alert(page), 'Previous')
    await alert(page).getByText('Pay 480 euros to Sail Loft?').waitFor()
    await press(alert(page), 'Approve')
    await alert(page).getByText('Pay 62 euros to Rope & Twine?').waitFor()
    await press(alert(page), 'Decline')
    await alert(page).getByText('Pay 150 euros to Harbour Office?').waitFor()
    await press(alert(page), 'Approve')
    expect(await endOf(resultOf(page, 'Result for Sail Loft'))).toEqual(ok('paid Sail Loft'))
    expect(await endOf(resultOf(page, 'Result for Rope & Twine'))).toEqual(
      error('declined/expired: Pay 62 euros to Rope & Twine?'),
    )
    expect(await endOf(resultOf(page, 'Result for Harbour Office'))).toEqual(ok('paid Harbour Office'))
  },

  async expiry({ page }) {
    await page.clock.install()
    await press(page, 'Hold 2 seats')
    await alert(page).waitFor()
    await expectAccessible(page)
    await page.clock.fastForward(21_000)
    expect(await endOf(resultOf(page))).toEqual(error('declined/expired: Take the 2 seats for 36 euros?'))
    await press(page, 'Hold 2 seats')
    await press(alert(page), 'Approve')
    expect(await endOf(resultOf(page))).toEqual(ok('2 seats are yours'))
  },

  async cancel({ page }) {
    await press(page, 'Call a taxi')
    await alert(page).waitFor()
    expect(await endOf(resultOf(page))).toEqual(error('cancelled'))
  },

  async 'custom-dialog'({ page }) {
    await press(page, 'Rate the crossing')
    await page.locator('dialog').getByText('How was your crossing?').waitFor()
    await expectAccessible(page)
    await press(page.locator('dialog'), '4')
    expect(await endOf(resultOf(page))).toEqual(ok('4 stars'))
    await press(page, 'Rate the crossing')
    await press(page.locator('dialog'), 'Decline')
    expect(await endOf(resultOf(page))).toEqual(error('declined/expired: How was your crossing?'))
  },

  async 'inline-cards'({ page }) {
    await press(page, 'Rename the boat')
    await press(page, 'Rename the boat')
    await expect.poll(() => page.getByRole('article').count()).toBe(2)
    await expectAccessible(page)
    await press(page.getByRole('article').last(), 'Approve')
    expect(await endOf(resultOf(page))).toEqual(ok('renamed to Grey Heron'))
    await press(page.getByRole('article'), 'Decline')
    await expect.poll(() => page.getByRole('article').count()).toBe(0)
  },

  async 'refusal-heard'({ page }) {
    await press(page, 'Subscribe')
    await press(alert(page), 'Decline')
    expect(await endOf(resultOf(page))).toEqual(error('not subscribed: declined'))
    await press(page, 'Subscribe')
    await alert(page).waitFor()
    await page.keyboard.press('Escape')
    expect(await endOf(resultOf(page))).toEqual(error('not subscribed: cancelled'))
  },

  async 'unknown-kind'({ page }) {
    await press(page, 'Hand over parcel')
    const generic = page.locator('dialog')
    await generic.getByText('Rope & Twine').waitFor()
    await expectAccessible(page)
    await press(generic, 'Approve')
    expect(await endOf(resultOf(page))).toEqual(ok('handed over A-1042'))
  },

  phone: phonePlay,
}

describe('stories', () => {
  test('every story of the menu is played, here, in demo-consent.test.ts or in demo-runs.test.ts', async () => {
    const { page, context } = await openDemo(browser, '')
    const links = await page.getByRole('navigation', { name: 'Demo' }).locator('a[href*="#/stories/"]').all()
    const ids = await Promise.all(links.map(async (link) => (await link.getAttribute('href'))?.replace(/.*\//, '')))
    expect(ids.sort()).toEqual(Object.keys({ ...plays, ...consentPlays, ...runPlays }).sort())
    await context.close()
  })

  test.each(Object.entries(plays))('%s', (id, steps) => playStory(browser, id, steps))
})

describe('the checks themselves', () => {
  test('axe sees what is wrong', async () => {
    const { page, context } = await openDemo(browser, '')
    await page.evaluate(() => document.querySelector('main')?.append(document.createElement('img')))
    expect(await axe(page)).toEqual([expect.stringMatching(/^image-alt: img/)])
    await context.close()
  })

  test('a violation of the policy is heard', async () => {
    const { page, context, complaints } = await openDemo(browser, '')
    await page.evaluate(() => document.body.setAttribute('style', 'color: red'))
    await expect.poll(() => complaints.join()).toContain('Content Security Policy')
    await context.close()
  })
})

describe('gallery', () => {
  test('has an accessible overview that copies to the clipboard after a yes', async () => {
    const { page, context, complaints } = await openDemo(browser, '', {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await expectAccessible(page)
    await page.getByLabel('Text to copy').fill('from the overview')
    await press(page, 'Copy')
    await press(alert(page), 'Approve')
    expect(await endOf(resultOf(page))).toEqual(ok('copied 17 characters'))
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('from the overview')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('opens a story by its link, shows its source and is accessible', async () => {
    const { page, context, complaints } = await openDemo(browser, '#/stories/queue')
    expect(await page.title()).toBe('Queue of three · assent')
    expect(await page.getByRole('link', { name: 'Queue of three' }).getAttribute('aria-current')).toBe('page')
    const source = (await page.getByRole('region', { name: 'Source of queue.tsx' }).textContent()) ?? ''
    expect(source).toContain("name: 'pay_invoice'")
    expect(source).not.toContain('tryThis')
    await expectAccessible(page)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('moves between pages with title and focus on the heading', async () => {
    const { page, context } = await openDemo(browser, '')
    await page.getByRole('navigation', { name: 'Demo' }).getByRole('link', { name: 'Expiry' }).click()
    await page.getByRole('heading', { level: 1, name: 'Expiry' }).waitFor()
    expect(await page.title()).toBe('Expiry · assent')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Expiry')
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Tools that ask first' }).waitFor()
    await page.goto(`${page.url().replace(/#.*/, '')}#/nowhere`)
    await page.getByRole('heading', { level: 1, name: 'Nothing here' }).waitFor()
    await context.close()
  })

  test('leaving a story cancels what it was asking', async () => {
    const { page, context, complaints } = await openDemo(browser, '#/stories/approve')
    await press(page, 'Delete 3 photos')
    await alert(page).waitFor()
    await page.evaluate(() => {
      location.hash = '#/stories/decline'
    })
    await page.getByRole('heading', { level: 1, name: 'Decline' }).waitFor()
    expect(await alert(page).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('has a skip link that leaves the address alone', async () => {
    const { page, context } = await openDemo(browser, '#/stories/approve')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
    expect(page.url()).toMatch(/#\/stories\/approve$/)
    await context.close()
  })

  test('switches between light and dark and remembers it', async () => {
    const { page, context } = await openDemo(browser, '#/stories/approve')
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const light = await ground()
    await page.getByRole('radio', { name: 'Dark' }).check()
    const dark = await ground()
    expect(dark).not.toBe(light)
    await press(page, 'Delete 3 photos')
    expect(await alert(page).evaluate((element) => getComputedStyle(element).colorScheme)).toBe('dark')
    await page.reload()
    await expect.poll(ground).toBe(dark)
    expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true)
    await context.close()
  })

  test('fits 320 px, with its menu behind a button', async () => {
    const { page, context, complaints } = await openDemo(browser, '', { viewport: { width: 320, height: 700 } })
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    for (const path of [
      '#/',
      '#/real-tools',
      ...Object.keys({ ...plays, ...consentPlays, ...runPlays }).map((id) => `#/stories/${id}`),
    ]) {
      await page.evaluate((hash) => {
        location.hash = hash
      }, path)
      await expect.poll(() => page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
      expect(await overflow(), path).toBeLessThanOrEqual(0)
    }
    const link = page.getByRole('link', { name: 'Unknown kind' })
    await press(page, 'Menu')
    await link.waitFor()
    await expectAccessible(page)
    await link.first().click()
    await page.getByRole('heading', { level: 1, name: 'Unknown kind' }).waitFor()
    expect(await page.getByRole('button', { name: 'Menu' }).getAttribute('aria-expanded')).toBe('false')
    expect(complaints).toEqual([])
    await context.close()
  })
})
