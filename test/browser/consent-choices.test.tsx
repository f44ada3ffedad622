import '../../src/components/styles.css'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { createToolRunner, PendingList, type PendingRequest } from '../../src/index.js'
import {
  ask,
  button,
  dialog,
  elementOf,
  emulate,
  eventually,
  Page,
  press,
  settle,
  tabTo,
  typingIsOver,
} from '../support/page.js'

beforeEach(typingIsOver)
afterEach(() => emulate('light'))

async function open(data: Record<string, unknown>, rest: Partial<PendingRequest> = {}, armingDelay = 0) {
  const runner = createToolRunner()
  await render(<Page runner={runner} armingDelay={armingDelay} />)
  const asked = ask(runner, { prompt: 'Where to?', ...rest, data })
  await eventually(page.getByText('Decline with a reason')).toBeVisible()
  return asked
}

const five = ['a', 'b', { value: 3, label: 'c', description: 'the third' }, 'd', 'e']

describe('a few choices', () => {
  test.each(['approval', 'question', 'x-vendor/pick'])(
    'are buttons that answer, in a question of kind %s',
    async (kind) => {
      const { id, answer } = await open({ choices: ['Staging', { value: 'prod', label: 'Production' }] }, { kind })
      expect(button('Approve').elements()).toEqual([])
      expect(button('Submit').elements()).toEqual([])
      await eventually(page.getByRole('group', { name: 'Choose one' })).toBeVisible()
      await eventually(button('Decline')).toHaveFocus()
      await tabTo(button('Production'))
      await press('Enter')
      expect(await answer).toEqual({ id, ok: true, data: { choice: 'prod' } })
    },
  )

  test('send the value exactly as it was given', async () => {
    for (const value of [3, false, null, { a: [1] }, '']) {
      const { answer } = await open({ choices: [{ value, label: 'This' }, 'other'] })
      await userEvent.click(button('This'))
      expect((await answer).data).toEqual({ choice: value })
      await settle()
    }
  })

  test('say what each means, show hidden characters, and tell two of one name apart', async () => {
    await open({ choices: [{ value: 1, label: 'x', description: 'First' }, { value: '1', label: 'x' }, 'y\u202E'] })
    expect(elementOf(button('x (1)'))).toHaveAccessibleDescription('First')
    await eventually(button('x ("1")')).toBeVisible()
    await eventually(button('y\\u{202E}')).toBeVisible()
  })

  test('are shown once each, and what is none is left out', async () => {
    await open({
      choices: ['a', { value: 'a', label: 'again' }, 7, null, {}, [], { label: 'no value' }, { value: [] }],
    })
    const group = page.getByRole('group', { name: 'Choose one' })
    expect(
      group
        .getByRole('button')
        .elements()
        .map((element) => element.textContent),
    ).toEqual(['a', '[]'])
  })

  test.each([[[]], ['x'], [[1, null, {}]]])('that are none leave a plain yes and no: %j', async (choices) => {
    const { id, answer } = await open({ choices })
    await userEvent.click(button('Approve'))
    expect(await answer).toEqual({ id, ok: true })
  })

  test('arm like Approve (K15)', async () => {
    const { answers } = await open({ choices: ['a'] }, {}, 60_000)
    expect(elementOf(button('a'))).toHaveAttribute('data-state', 'arming')
    expect(elementOf(button('a'))).toHaveAttribute('aria-disabled', 'true')
    elementOf(button('a')).click()
    await settle()
    expect(answers).toEqual([])
  })

  test('wait for the second step where the danger is high', async () => {
    const { answer, answers } = await open({ choices: ['a', 'b'], danger: 'high' })
    elementOf(button('a')).click()
    const box = page.getByRole('textbox', { name: 'Type approve to allow this' })
    await eventually(box).toHaveFocus()
    expect(answers).toEqual([])
    await userEvent.keyboard('approve')
    await userEvent.click(button('b'))
    expect((await answer).data).toEqual({ choice: 'b' })
  })

  test('are not there where a yes is not allowed', async () => {
    await open({ choices: ['a'], decisions: ['decline'] })
    expect(button('a').elements()).toEqual([])
  })

  test('on a card that moved up take no second click', async () => {
    const runner = createToolRunner()
    await render(
      <Page runner={runner} presentation="inline" armingDelay={400}>
        <PendingList />
      </Page>,
    )
    const first = ask(runner, { data: { choices: ['a'] } })
    const second = ask(runner, { data: { choices: ['b'] } })
    await eventually(button('b')).toHaveAttribute('data-state', 'armed')
    elementOf(button('a')).click()
    await first.answer
    await eventually(page.getByRole('article')).toHaveLength(1)
    elementOf(button('b')).click()
    await settle()
    expect(second.answers).toEqual([])
  })
})

describe('more choices', () => {
  test('are a list with Submit, which asks for one', async () => {
    const { id, answer, answers } = await open({ choices: five })
    expect(page.getByRole('radio').elements()).toHaveLength(5)
    await userEvent.click(button('Submit'))
    await eventually(page.getByRole('group', { name: 'Choose one' })).toHaveAccessibleDescription('Choose one.')
    await eventually(page.getByRole('radio', { name: 'a' })).toHaveFocus()
    expect(answers).toEqual([])
    await userEvent.click(page.getByRole('radio', { name: 'c' }))
    expect(elementOf(page.getByRole('radio', { name: 'c' })).getAttribute('aria-describedby')).not.toBeNull()
    await userEvent.click(button('Submit'))
    expect(await answer).toEqual({ id, ok: true, data: { choice: 3 } })
  })

  test('any number of them are sent in the order they stand in', async () => {
    const { id, answer } = await open({ choices: five, multiple: true }, { kind: 'question' })
    await userEvent.click(page.getByRole('checkbox', { name: 'd' }))
    await userEvent.click(page.getByRole('checkbox', { name: 'c' }))
    await userEvent.click(page.getByRole('checkbox', { name: 'a' }))
    await userEvent.click(page.getByRole('checkbox', { name: 'd' }))
    await userEvent.click(button('Submit'))
    expect(await answer).toEqual({ id, ok: true, data: { choices: ['a', 3] } })
  })

  test('none of several is an answer too', async () => {
    const { answer } = await open({ choices: ['a'], multiple: true })
    await userEvent.click(button('Submit'))
    expect((await answer).data).toEqual({ choices: [] })
  })

  test('keep what was chosen through Previous and Next', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    ask(runner, { data: { choices: five } })
    ask(runner, { prompt: 'Another?' })
    await eventually(page.getByRole('radio', { name: 'e' })).toBeVisible()
    await userEvent.click(page.getByRole('radio', { name: 'e' }))
    await userEvent.click(button('Next'))
    await eventually(dialog()).toHaveAccessibleDescription('Another?')
    await userEvent.click(button('Previous'))
    await eventually(page.getByRole('radio', { name: 'e' })).toBeChecked()
  })
})

test('questions come before choices', async () => {
  const runner = createToolRunner()
  await render(<Page runner={runner} armingDelay={0} />)
  ask(runner, { kind: 'question', data: { questions: [{ question: 'Why?' }], choices: ['a'] } })
  await eventually(page.getByRole('textbox', { name: 'Why?' })).toBeVisible()
  expect(button('a').elements()).toEqual([])
})

test.each(['light', 'dark'] as const)('choices break no rule in %s', async (scheme) => {
  await emulate(scheme)
  for (const data of [{ choices: five }, { choices: five.slice(0, 3) }, { choices: five, multiple: true }]) {
    const { id } = await open(data)
    expect(id).toBeTruthy()
    const { violations } = await axe.run(document)
    expect(violations.map((one) => `${one.id} ${one.nodes[0]?.html}`)).toEqual([])
    await userEvent.click(button('Decline'))
    await settle()
  }
})
