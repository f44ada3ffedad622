import '../../src/components/styles.css'
import type { ReactNode } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { createToolRunner, type DialogBodyProps } from '../../src/index.js'
import { ask, button, dialog, elementOf, eventually, Page, settle, typingIsOver } from '../support/page.js'

beforeEach(typingIsOver)

/** A body with a control that has a `cancel` event of its own: a file picker. */
function Attach({ item }: DialogBodyProps): ReactNode {
  return (
    <>
      <label>
        Attachment <input type="file" />
      </label>
      <div data-testid="inner">Up to 5 MB</div>
      <button type="button" onClick={() => item.decline()}>
        Decline
      </button>
    </>
  )
}

async function open() {
  const runner = createToolRunner()
  await render(<Page runner={runner} armingDelay={0} dialogs={{ approval: Attach }} />)
  const questions = [ask(runner, { prompt: 'Attach?' }), ask(runner, { prompt: 'Next?' })] as const
  await eventually(page.getByText('Up to 5 MB')).toBeVisible()
  const heard: EventTarget[] = []
  elementOf(dialog()).addEventListener('cancel', ({ target }) => heard.push(target as EventTarget))
  return { runner, questions, heard }
}

const cancel = (element: Element): boolean =>
  element.dispatchEvent(new Event('cancel', { bubbles: true, cancelable: true }))

test('a file picker that is closed inside settles nothing, however often', async () => {
  const { runner, questions, heard } = await open()
  const picker = elementOf(page.getByLabelText('Attachment'))
  for (let count = 0; count < 3; count++) {
    cancel(picker)
    await settle()
  }
  // It did bubble up to the dialog, each time.
  expect(heard).toEqual([picker, picker, picker])
  expect([runner.count(), questions.map(({ answers }) => answers)]).toEqual([2, [[], []]])
  await eventually(dialog()).toBeVisible()
  await userEvent.click(button('Decline'))
  expect(await questions[0].answer).toMatchObject({ ok: false, reason: 'declined' })
})

test('a cancel that bubbles from any other place inside settles nothing', async () => {
  const { runner, questions, heard } = await open()
  for (const place of [page.getByText('Up to 5 MB'), button('Decline'), page.getByRole('heading', { level: 2 })]) {
    cancel(elementOf(place))
  }
  await settle()
  expect(heard).toHaveLength(3)
  expect([runner.count(), questions.map(({ answers }) => answers)]).toEqual([2, [[], []]])
})

test('a cancel of the dialog itself settles the one question on top', async () => {
  const { questions } = await open()
  elementOf(dialog()).dispatchEvent(new Event('cancel', { cancelable: true }))
  expect(await questions[0].answer).toMatchObject({ ok: false, reason: 'cancelled' })
  await settle()
  expect(questions[1].answers).toEqual([])
})
