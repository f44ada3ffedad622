import { StrictMode } from 'react'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { createToolRunner, ToolRunner } from '../../src/index.js'
import { ask, button, centreOf, clickAt, dialog, elementOf, eventually, pause, press, settle } from '../support/page.js'

// The bodies with forms are a part of the kit that is loaded once per page, so these tests are steps of one visit.
type Paused = { requestId: string }
const paused: Paused[] = []
const hold = (event: Paused): void => void paused.push(event)

beforeAll(async () => {
  // The first message makes the session that the listener belongs to.
  await cdp().send('Runtime.evaluate', { expression: '0' })
  cdp().on('Fetch.requestPaused', hold)
  await cdp().send('Fetch.enable', { patterns: [{ urlPattern: '*late-bodies*' }] })
})

afterAll(async () => {
  await cdp().send('Fetch.disable')
})

async function next(): Promise<Paused> {
  await expect.poll(() => paused.length).toBeGreaterThan(0)
  return paused.shift() as Paused
}

const App = ({ runner }: { runner: ReturnType<typeof createToolRunner> }) => (
  <StrictMode>
    <ToolRunner runner={runner} armingDelay={1500}>
      <p>Page</p>
    </ToolRunner>
  </StrictMode>
)

test('while the form is on its way the question can be read, declined and closed, and says no yes', async () => {
  const runner = createToolRunner()
  await render(<App runner={runner} />)
  for (const leave of [() => userEvent.click(button('Decline')), () => press('Escape')]) {
    const { answer } = ask(runner, { kind: 'input', prompt: 'Name?' })
    await eventually(dialog()).toHaveAccessibleDescription('Name?')
    await eventually(button('Decline')).toHaveFocus()
    expect(button('Submit').elements()).toEqual([])
    await leave()
    expect((await answer).ok).toBe(false)
  }
})

test('when the form cannot be had it says so, and can be tried again', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  const runner = createToolRunner()
  await render(<App runner={runner} />)
  const { answers } = ask(runner, { kind: 'input', prompt: 'Name?' })
  await cdp().send('Fetch.failRequest', { requestId: (await next()).requestId, errorReason: 'Failed' })
  await eventually(page.getByRole('alert')).toBeVisible()
  expect(button('Submit').elements()).toEqual([])
  expect(answers).toEqual([])
  await userEvent.click(page.getByRole('alert').getByRole('button'))
  await next().then((event) => paused.unshift(event))
  expect(error).not.toHaveBeenCalled()
})

test('the yes that comes late is not armed yet, and takes no click that was meant for Decline (K15)', async () => {
  const runner = createToolRunner()
  await render(<App runner={runner} />)
  const { answers, answer } = ask(runner, { kind: 'authorization', prompt: 'Sign in', url: 'https://idp.example/' })
  await eventually(dialog()).toBeVisible()
  // Long enough to be armed, had it been counted from the dialog.
  await pause(1600)
  const place = centreOf(elementOf(button('Decline')))
  elementOf(button('Close')).focus()
  await cdp().send('Fetch.continueRequest', { requestId: (await next()).requestId })
  await eventually(button("I've finished")).toBeVisible()
  expect(elementOf(button("I've finished"))).toHaveAttribute('data-state', 'arming')
  // What the person went to meanwhile keeps the focus.
  await eventually(button('Close')).toHaveFocus()
  await clickAt(...place)
  await settle()
  expect(answers.map(({ ok }) => ok)).not.toContain(true)
  if (answers.length > 0) return
  await userEvent.click(button("I've finished"))
  await answer
})

test('once it is there, it is there at once', async () => {
  const runner = createToolRunner()
  await render(<App runner={runner} />)
  ask(runner, { kind: 'input', prompt: 'Name?' })
  await eventually(page.getByRole('textbox')).toHaveFocus()
})
