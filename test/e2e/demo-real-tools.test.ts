import type { Browser, Locator, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, launch } from '../support/browser.js'
import { type DemoPage, endOf, error, ok, openDemo, press, resultOf, unlock } from '../support/demo-page.js'

let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
})

const panel = (page: Page, name: string): Locator => page.getByRole('form', { name })
const alert = (page: Page): Locator => page.getByRole('alertdialog')
const transcript = (page: Page): Locator => page.getByRole('log', { name: 'Transcript' })
const entries = (page: Page): Promise<string[]> => transcript(page).getByRole('listitem').allTextContents()

const open = (): Promise<DemoPage> =>
  openDemo(browser, '#/real-tools', { permissions: ['clipboard-read', 'clipboard-write'] })

async function close({ context, complaints }: DemoPage): Promise<void> {
  expect(complaints).toEqual([])
  await context.close()
}

async function runTool(page: Page, name: string, fields: Record<string, string> = {}): Promise<Locator> {
  for (const [label, value] of Object.entries(fields)) await panel(page, name).getByLabel(label).fill(value)
  await press(panel(page, name), 'Run')
  return resultOf(panel(page, name))
}

test('writes, lists and deletes real files, and deletes only after a yes that saw what goes', async () => {
  const demo = await open()
  const { page } = demo
  const list = async () => endOf(await runTool(page, 'List the files'))
  expect(await list()).toEqual(ok('the workspace is empty'))
  const write = await runTool(page, 'Write a file', { 'File name': 'plan.txt', Text: 'Sail at dawn.' })
  expect(await endOf(write)).toEqual(ok('wrote plan.txt (13 bytes)'))
  await runTool(page, 'Delete a file', { 'File name': 'plan.txt' })
  await alert(page).getByText('Delete plan.txt (13 bytes)?').waitFor()
  await alert(page).getByText('Sail at dawn.').waitFor()
  await press(alert(page), 'Decline')
  const deleted = resultOf(panel(page, 'Delete a file'))
  expect(await endOf(deleted)).toEqual(error('declined/expired: Delete plan.txt (13 bytes)?'))
  await page.reload()
  expect(await list()).toEqual(ok('plan.txt (13 bytes)'))
  await runTool(page, 'Delete a file', { 'File name': 'plan.txt' })
  await expectAccessible(page)
  await unlock(alert(page))
  await press(alert(page), 'Approve')
  expect(await endOf(deleted)).toEqual(ok('deleted plan.txt'))
  expect(await list()).toEqual(ok('the workspace is empty'))
  await close(demo)
})

test('writes a new file at once, and asks before it replaces one', async () => {
  const demo = await open()
  const { page } = demo
  const write = (text: string) => runTool(page, 'Write a file', { 'File name': 'log.txt', Text: text })
  expect(await endOf(await write('one'))).toEqual(ok('wrote log.txt (3 bytes)'))
  const result = await write('three')
  await alert(page).getByText('Allow write_file?').waitFor()
  await alert(page).getByText('three').waitFor()
  await expectAccessible(page)
  await press(alert(page), 'Decline')
  expect(await endOf(result)).toEqual(error('declined/expired: Allow write_file?'))
  await write('three')
  await press(alert(page), 'Approve')
  expect(await endOf(result)).toEqual(ok('wrote log.txt (5 bytes)'))
  await close(demo)
})

test('does not ask about a file that is not there, and takes no path for a name', async () => {
  const demo = await open()
  const { page } = demo
  const result = await runTool(page, 'Delete a file', { 'File name': 'ghost.txt' })
  expect(await endOf(result)).toEqual(error('no such file: ghost.txt'))
  const wrong = await runTool(page, 'Write a file', { 'File name': '../up.txt' })
  expect(await endOf(wrong)).toMatchObject({ isError: true, output: expect.stringContaining('name') })
  await close(demo)
})

test('copies to the real clipboard with the click on Approve, and not after a no', async () => {
  const demo = await open()
  const { page } = demo
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  const result = await runTool(page, 'Copy to the clipboard', { Text: 'hello from a tool' })
  await press(alert(page), 'Approve')
  expect(await endOf(result)).toEqual(ok('copied 17 characters'))
  expect(await clipboard()).toBe('hello from a tool')
  await runTool(page, 'Copy to the clipboard', { Text: 'never' })
  await press(alert(page), 'Decline')
  expect(await endOf(result)).toMatchObject({ isError: true })
  expect(await clipboard()).toBe('hello from a tool')
  await close(demo)
})

test('still has the click when the clipboard needs one', async () => {
  // No permission is granted here: the browser lets only a page with a fresh click write.
  const { page, context, complaints } = await openDemo(browser, '#/real-tools')
  const result = await runTool(page, 'Copy to the clipboard', { Text: 'activated' })
  await press(alert(page), 'Approve')
  expect(await endOf(result)).toEqual(ok('copied 9 characters'))
  expect(complaints).toEqual([])
  await context.close()
})

test('fetches a JSON of the same site only', async () => {
  const demo = await open()
  const { page } = demo
  const { output } = (await endOf(await runTool(page, 'Fetch a JSON file'))) as { output: string }
  expect(JSON.parse(output)).toMatchObject({ title: 'Harbour timetable' })
  const other = await runTool(page, 'Fetch a JSON file', { Path: 'https://example.com/a.json' })
  expect(await endOf(other)).toEqual(error('only this site may be fetched, not example.com'))
  await close(demo)
})

test('aborts a request that is on its way', async () => {
  const demo = await open()
  const { page } = demo
  await page.route('**/sample.json', () => {
    // Never answered: only an abort ends it.
  })
  const gone = page.waitForEvent('requestfailed')
  const result = await runTool(page, 'Fetch a JSON file')
  await press(panel(page, 'Fetch a JSON file'), 'Abort')
  expect(await endOf(result)).toEqual(error('cancelled'))
  expect((await gone).failure()?.errorText).toBe('net::ERR_ABORTED')
  await close(demo)
})

test('ends a request that takes longer than its timeout', async () => {
  const demo = await open()
  const { page } = demo
  await page.route('**/sample.json', () => {})
  const gone = page.waitForEvent('requestfailed')
  const result = await runTool(page, 'Fetch a JSON file', { Timeout: '300' })
  expect(await endOf(result)).toEqual(error('timed out after 300 ms'))
  await gone
  await close(demo)
})

test('crunch tells its steps, completes, and stops when it is aborted', async () => {
  const demo = await open()
  const { page } = demo
  const result = await runTool(page, 'crunch', { Steps: '2' })
  expect(await endOf(result)).toEqual(ok('completed 2 step(s)'))
  await runTool(page, 'crunch', { Steps: '400' })
  await transcript(page).getByText('progress {"step":1,"total":400}').waitFor()
  await press(panel(page, 'crunch'), 'Abort')
  expect(await endOf(result)).toEqual(error('cancelled'))
  await close(demo)
})

test('fetchish honours its timeout', async () => {
  const demo = await open()
  const { page } = demo
  expect(await endOf(await runTool(page, 'fetchish'))).toEqual(ok('fetched /a within 30000ms'))
  expect(await endOf(await runTool(page, 'fetchish', { Timeout: '5000' }))).toEqual(ok('fetched /a within 5000ms'))
  expect(await endOf(await runTool(page, 'fetchish', { Timeout: '10' }))).toEqual(
    error('budget 10ms is too small to try'),
  )
  await close(demo)
})

test('deploy gets the form of the runner, and says its own refusal', async () => {
  const demo = await open()
  const { page } = demo
  const result = await runTool(page, 'deploy')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Which environment?').waitFor()
  await expectAccessible(page)
  await dialog.getByLabel('Environment').selectOption({ label: 'staging' })
  await press(dialog, 'Submit')
  expect(await endOf(result)).toEqual(ok('deployed to staging'))
  await runTool(page, 'deploy')
  await press(dialog, 'Decline')
  expect(await endOf(result)).toEqual(error('declined: declined'))
  await close(demo)
})

test('keeps every step in the transcript; waiting is not an error', async () => {
  const demo = await open()
  const { page } = demo
  const result = await runTool(page, 'deploy')
  const asks = transcript(page).getByRole('listitem').filter({ hasText: 'deploy asks' })
  await expect.poll(() => transcript(page).locator('[data-pending="true"]').count()).toBe(1)
  expect(await transcript(page).locator('[data-error="true"]').count()).toBe(0)
  await press(page.getByRole('dialog'), 'Decline')
  await endOf(result)
  expect(await asks.count()).toBe(1)
  expect((await entries(page)).map((text) => text.replace(/^.*?deploy /, ''))).toEqual([
    'called',
    'asksWhich environment?',
    'answeredno: declined',
    'endeddeclined: declined',
  ])
  await expectAccessible(page)
  await close(demo)
})
