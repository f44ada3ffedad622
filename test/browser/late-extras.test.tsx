import { beforeAll, expect, test, vi } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { createToolRunner, Permissions } from '../../src/index.js'
import { ask, button, dialog, eventually, Page, settle } from '../support/page.js'

// The batch and the lists are a part of the kit that is loaded once per page, so these tests are steps of one visit.
type Paused = { requestId: string }
const paused: Paused[] = []
const hold = (event: Paused): void => void paused.push(event)

beforeAll(async () => {
  // The first message makes the session that the listener belongs to.
  await cdp().send('Runtime.evaluate', { expression: '0' })
  cdp().on('Fetch.requestPaused', hold)
  await cdp().send('Fetch.enable', { patterns: [{ urlPattern: '*late-extras*' }] })
})

async function fail(): Promise<void> {
  await expect.poll(() => paused.length).toBeGreaterThan(0)
  await cdp().send('Fetch.failRequest', { requestId: (paused.shift() as Paused).requestId, errorReason: 'Failed' })
}

test('one question loads none of it', async () => {
  const runner = createToolRunner()
  await render(<Page runner={runner} armingDelay={0} />)
  ask(runner)
  await eventually(dialog()).toBeVisible()
  await settle()
  expect(paused).toEqual([])
})

test('where it cannot be had, questions are answered one by one', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  const runner = createToolRunner()
  await render(<Page runner={runner} armingDelay={0} />)
  const questions = [ask(runner), ask(runner)]
  await eventually(page.getByText('1 of 2')).toBeVisible()
  await fail()
  await settle()
  expect(page.getByRole('button', { name: / all/ }).elements()).toEqual([])
  await userEvent.click(button('Decline'))
  expect(await questions[0]?.answer).toMatchObject({ ok: false })
  runner.abort()
  expect(error).not.toHaveBeenCalled()
})

test('a list that cannot be had says so, and can be tried again', async () => {
  await render(
    <Page runner={createToolRunner()}>
      <Permissions />
    </Page>,
  )
  await fail()
  await eventually(page.getByRole('alert')).toHaveTextContent('The list did not load.')
  await cdp().send('Fetch.disable')
  await userEvent.click(page.getByRole('alert').getByRole('button', { name: 'Retry' }))
  await eventually(page.getByText('Nothing is remembered.')).toBeVisible()
})
