import type { Browser, Locator, Page } from 'playwright'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { expectAccessible, launch } from '../support/browser.js'
import { type DemoPage, openDemo, press, unlock } from '../support/demo-page.js'
import { DONE, fakeEndpoint, sse } from '../support/fake-endpoint.js'

let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
})

const log = (page: Page): Locator => page.getByRole('log', { name: 'Conversation' })
const alert = (page: Page): Locator => page.getByRole('alertdialog')
const callOf = (page: Page, tool: string): Locator =>
  log(page)
    .getByRole('article', { name: `Call of ${tool}` })
    .last()

async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text)
  await press(page, 'Send')
}

const idle = (page: Page) => expect.poll(() => log(page).getAttribute('aria-busy'), { timeout: 15_000 }).toBe('false')

const open = (): Promise<DemoPage> =>
  openDemo(browser, 'agent.html', { permissions: ['clipboard-read', 'clipboard-write'] })

async function close({ context, complaints }: DemoPage): Promise<void> {
  expect(complaints).toEqual([])
  await context.close()
}

async function useEndpoint(page: Page, baseUrl: string, key = ''): Promise<void> {
  await page.getByText('Model:').click()
  await page.getByLabel('Base URL').fill(baseUrl)
  await page.getByRole('textbox', { name: 'Model' }).fill('test-model')
  await page.getByLabel('Key').fill(key)
  await press(page, 'Use this endpoint')
}

test('without a key, writes, lists and deletes files, asking before it deletes', async () => {
  const demo = await open()
  const { page } = demo
  await expectAccessible(page)
  await say(page, 'write notes.txt: buy milk')
  await log(page).getByText('Done: wrote notes.txt (8 bytes)').waitFor()
  await say(page, 'list the files')
  await log(page).getByText('Done: notes.txt (8 bytes)').waitFor()
  await idle(page)
  await say(page, 'delete notes.txt')
  await alert(page).getByText('Delete notes.txt (8 bytes)?').waitFor()
  await expectAccessible(page)
  await press(alert(page), 'Decline')
  await idle(page)
  expect(await callOf(page, 'delete_file').textContent()).toContain('Refused')
  await say(page, 'delete notes.txt')
  await unlock(alert(page))
  await press(alert(page), 'Approve')
  await log(page).getByText('Done: deleted notes.txt').waitFor()
  await idle(page)
  expect(await callOf(page, 'delete_file').textContent()).toContain('Done')
  await expectAccessible(page)
  await close(demo)
})

test('shows a call that waits as waiting, not as an error', async () => {
  const demo = await open()
  const { page } = demo
  await say(page, 'deploy')
  await page.getByRole('dialog').waitFor()
  expect(await page.locator('article.call').textContent()).toContain('Waiting for you')
  await page.getByRole('dialog').getByLabel('Environment').selectOption({ label: 'production' })
  await press(page.getByRole('dialog'), 'Submit')
  await log(page).getByText('Done: deployed to production').waitFor()
  await idle(page)
  await close(demo)
})

test('asks about two calls of one turn one after the other', async () => {
  const demo = await open()
  const { page } = demo
  for (const name of ['a.txt', 'b.txt']) {
    await say(page, `write ${name}: x`)
    await log(page).getByText(`wrote ${name} (1 byte)`).first().waitFor()
    await idle(page)
  }
  await say(page, 'delete a.txt and b.txt')
  await alert(page).getByText('1 of 2').waitFor()
  await unlock(alert(page))
  await press(alert(page), 'Approve')
  await alert(page).getByText('Delete b.txt (1 byte)?').waitFor()
  await press(alert(page), 'Decline')
  await idle(page)
  const told = await log(page).textContent()
  expect(told).toContain('• Done: deleted a.txt')
  expect(told).toContain('• Not done: declined/expired: Delete b.txt (1 byte)?')
  await close(demo)
})

test('copies with the click on Approve', async () => {
  const demo = await open()
  const { page } = demo
  await say(page, 'copy from the agent')
  await press(alert(page), 'Approve')
  await log(page).getByText('copied 14 characters').first().waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('from the agent')
  await idle(page)
  await close(demo)
})

test('stops a running tool and can go on afterwards', async () => {
  const demo = await open()
  const { page } = demo
  await say(page, 'crunch 50')
  await callOf(page, 'crunch').getByText('Running').waitFor()
  await press(page, 'Stop')
  await log(page).getByText('Stopped.').waitFor()
  await idle(page)
  expect(await callOf(page, 'crunch').textContent()).toContain('cancelled')
  await press(page, 'List the files')
  await log(page).getByText('the workspace is empty').first().waitFor()
  await idle(page)
  await close(demo)
})

test('says what it can do when it does not understand', async () => {
  const demo = await open()
  await say(demo.page, 'sing me a song')
  await log(demo.page).getByText('I am a scripted stand-in').waitFor()
  await idle(demo.page)
  await close(demo)
})

test('drives the same tools through an OpenAI-compatible endpoint, streamed', async () => {
  const endpoint = await fakeEndpoint((response, turn) => {
    if (turn > 1) return response.end(sse({ content: 'It is on ' }) + sse({ content: 'staging.' }, 'stop') + DONE)
    response.write(sse({ role: 'assistant', content: 'Deploying' }))
    response.write(sse({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'deploy', arguments: '' } }] }))
    response.write(sse({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }, 'tool_calls'))
    return response.end(DONE)
  })
  const demo = await open()
  const { page } = demo
  await useEndpoint(page, endpoint.baseUrl, 'sk-secret')
  await expectAccessible(page)
  await say(page, 'please deploy')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Environment').selectOption({ label: 'staging' })
  await press(dialog, 'Submit')
  await log(page).getByText('It is on staging.').waitFor()
  await idle(page)
  expect(endpoint.requests.map(({ authorization }) => authorization)).toEqual(['Bearer sk-secret', 'Bearer sk-secret'])
  expect(endpoint.requests[0]?.body).toMatchObject({ model: 'test-model', stream: true })
  expect(endpoint.requests[1]?.body.messages).toMatchObject([
    { role: 'system' },
    { role: 'user', content: 'please deploy' },
    { role: 'assistant', content: 'Deploying' },
    { role: 'tool', tool_call_id: 'c1', content: 'deployed to staging' },
  ])
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie)
  expect(kept).not.toContain('sk-secret')
  await endpoint.close()
  await close(demo)
})

test('stops a reply that does not end', async () => {
  const endpoint = await fakeEndpoint((response) => response.write(sse({ content: 'Once upon a time' })))
  const demo = await open()
  const { page } = demo
  await useEndpoint(page, endpoint.baseUrl)
  await say(page, 'tell me')
  await log(page).getByText('Once upon a time').waitFor()
  await press(page, 'Stop')
  await log(page).getByText('Stopped.').waitFor()
  await idle(page)
  await endpoint.close()
  await close(demo)
})

test('says it when nobody answers at the address, and when the address is none', async () => {
  const demo = await open()
  const { page } = demo
  await useEndpoint(page, 'not an address')
  await page.getByText('Give a full address').waitFor()
  expect(await page.getByLabel('Base URL').getAttribute('aria-invalid')).toBe('true')
  await expectAccessible(page)
  await page.getByLabel('Base URL').fill('http://127.0.0.1:9/v1')
  await press(page, 'Use this endpoint')
  await say(page, 'hello')
  await log(page).getByText('Could not reach http://127.0.0.1:9/v1/chat/completions.').waitFor()
  await idle(page)
  // The browser itself reports the failed connection; nothing else may be complained about.
  expect(demo.complaints.filter((text) => !/ERR_(CONNECTION_REFUSED|UNSAFE_PORT)/.test(text))).toEqual([])
  await demo.context.close()
})

test('only the agent page may connect elsewhere', async () => {
  const policy = async (path: string) => (await fetch(inject('demoUrl') + path)).headers.get('content-security-policy')
  expect(await policy('')).not.toContain('connect-src')
  expect(await policy('index.html')).not.toContain('connect-src')
  expect(await policy('login.html')).not.toContain('connect-src')
  expect(await policy('agent.html')).toContain("connect-src 'self' https: http://localhost:*")
  for (const path of ['', 'agent.html', 'login.html']) expect(await policy(path)).toContain("default-src 'self'")
})

test('fits 320 px', async () => {
  const demo = await openDemo(browser, 'agent.html', { viewport: { width: 320, height: 700 } })
  const { page } = demo
  await say(page, 'list the files')
  await log(page).getByText('the workspace is empty').first().waitFor()
  await idle(page)
  await page.getByText('Model:').click()
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await expectAccessible(page)
  await close(demo)
})
