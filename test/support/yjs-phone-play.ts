import { expect } from 'vitest'
import { complaintsOf, expectAccessible } from './browser.js'
import { type DemoPage, endOf, error, ok, press, resultOf } from './demo-page.js'

/** The story with a phone: what is answered on the second page runs on the first. */
export async function phonePlay({ page, context }: DemoPage): Promise<void> {
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Open the phone' }).click()
  const phone = await opened
  const complaints = complaintsOf(phone)
  await phone.getByRole('heading', { level: 1, name: 'The phone' }).waitFor()
  const card = phone.getByRole('article')
  const answered = phone.getByRole('status', { name: 'Answered' })

  await press(page, 'Publish the release')
  await card.getByText('Withheld by the other device: "signing_key"').waitFor()
  expect(await card.getByText('k-83f1').count()).toBe(0)
  await page.getByText('Also looking: Bob on the phone').waitFor()
  await phone.bringToFront()
  await expectAccessible(phone)
  await press(card, 'Approve')
  expect(await endOf(resultOf(page))).toEqual(ok('published 2.1.0'))
  await expect.poll(() => answered.textContent()).toBe('Allow publish_release? approved, here')

  await page.bringToFront()
  await press(page, 'Publish the release')
  await card.waitFor()
  await press(page.getByRole('alertdialog'), 'Decline')
  expect(await endOf(resultOf(page))).toEqual(error('declined/expired: Allow publish_release?'))
  await expect.poll(() => card.count()).toBe(0)
  await expect.poll(() => answered.textContent()).toBe('Allow publish_release? not approved')
  expect(complaints).toEqual([])
  await phone.close()
}
