import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { createToolRunner, ToolRunner } from '../../src/index.js'
import {
  Alone,
  ask,
  button,
  dialog,
  elementOf,
  eventually,
  hold,
  keyDown,
  keyUp,
  Page,
  pause,
  press,
  settle,
  tabTo,
  waitForTypingPause,
} from '../support/page.js'

const heading = () => page.getByRole('heading', { level: 2 })

/** The guard of DESIGN 7.3 lasts one second. */
const guardIsOver = () => pause(1050)

beforeEach(waitForTypingPause)

afterEach(() => {
  for (const left of document.querySelectorAll('[data-left]')) left.remove()
})

const editables = [
  ['a text area', () => <textarea aria-label="Editor" />],
  ['an input', () => <input aria-label="Editor" />],
  ['a search box', () => <input type="search" aria-label="Editor" />],
  [
    'a contenteditable',
    () => (
      // biome-ignore lint/a11y/useSemanticElements: what rich text editors are made of.
      <div contentEditable suppressContentEditableWarning role="textbox" tabIndex={0} aria-label="Editor" />
    ),
  ],
] as const

describe.each(editables)('a question that comes up while somebody types in %s', (_name, editor) => {
  async function typing({ alone = false } = {}) {
    const runner = createToolRunner()
    await render(
      <Page runner={runner} armingDelay={0} presentation={alone ? 'none' : 'dialog'}>
        {editor()}
        {alone && <Alone />}
      </Page>,
    )
    elementOf(page.getByRole(/search/.test(_name) ? 'searchbox' : 'textbox', { name: 'Editor' })).focus()
    await userEvent.keyboard('ls')
    const question = ask(runner)
    await eventually(dialog()).toBeVisible()
    return question
  }

  test('is not answered by the rest of the line (BUG-072)', async () => {
    const { answers } = await typing()
    await eventually(heading()).toHaveFocus()
    await userEvent.keyboard(' -la{Enter} 1y{Enter}{Escape}{Enter}')
    await settle()
    expect(answers).toEqual([])
    await eventually(dialog()).toBeVisible()
    await eventually(heading()).toHaveFocus()
  })

  test('is not answered by it in a dialog the app places itself (BUG-072)', async () => {
    const { answers } = await typing({ alone: true })
    await eventually(heading()).toHaveFocus()
    await userEvent.keyboard(' -la{Enter} 1y{Enter}{Escape}{Enter}')
    await settle()
    expect(answers).toEqual([])
  })

  test('gives the focus back to the editor', async () => {
    const { answer } = await typing()
    await userEvent.click(button('Decline'))
    await answer
    await eventually(page.getByLabelText('Editor')).toHaveFocus()
  })
})

describe('a question that came up while somebody typed', () => {
  async function typing() {
    const runner = createToolRunner()
    await render(
      <Page runner={runner} armingDelay={0}>
        <textarea aria-label="Editor" />
      </Page>,
    )
    elementOf(page.getByLabelText('Editor')).focus()
    await userEvent.keyboard('ls')
    const question = ask(runner)
    await eventually(heading()).toHaveFocus()
    return question
  }

  test('hears Escape after a second', async () => {
    const { id, answer, answers } = await typing()
    await press('Escape')
    await settle()
    expect(answers).toEqual([])
    await guardIsOver()
    await press('Escape')
    expect(await answer).toEqual({ id, ok: false, reason: 'cancelled' })
  })

  test.each(['Enter', ' '] as const)('hears %j on Decline after a second', async (key) => {
    const { id, answer, answers } = await typing()
    await tabTo(button('Decline'))
    await press(key)
    await settle()
    expect(answers).toEqual([])
    await guardIsOver()
    await press(key)
    expect(await answer).toEqual({ id, ok: false, reason: 'declined' })
  })
})

describe('typing', () => {
  test('that ended more than a second ago changes nothing', async () => {
    const runner = createToolRunner()
    await render(
      <Page runner={runner}>
        <textarea aria-label="Editor" />
      </Page>,
    )
    elementOf(page.getByLabelText('Editor')).focus()
    await userEvent.keyboard('ls')
    await guardIsOver()
    const { answer } = ask(runner)
    await eventually(button('Decline')).toHaveFocus()
    await press('Escape')
    expect((await answer).reason).toBe('cancelled')
  })

  test('on a checkbox or a button is none', async () => {
    const runner = createToolRunner()
    await render(
      <Page runner={runner}>
        <input type="checkbox" aria-label="Box" />
      </Page>,
    )
    elementOf(page.getByLabelText('Box')).focus()
    await press(' ')
    ask(runner)
    await eventually(button('Decline')).toHaveFocus()
  })

  test('inside a shadow root counts (BUG-072)', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} />)
    const host = document.body.appendChild(document.createElement('div'))
    host.dataset.left = ''
    const field = host.attachShadow({ mode: 'open' }).appendChild(document.createElement('input'))
    field.focus()
    await userEvent.keyboard('ls')
    const { answers } = ask(runner)
    await eventually(heading()).toHaveFocus()
    await userEvent.keyboard(' {Enter}{Escape}')
    await settle()
    expect(answers).toEqual([])
  })

  test('into the dialog of another runner counts, when a dialog comes up over it (BUG-072)', async () => {
    const [below, above] = [createToolRunner(), createToolRunner()]
    await render(
      <Page runner={below}>
        <ToolRunner runner={above} />
      </Page>,
    )
    ask(below, { kind: 'input', prompt: 'Name?' })
    await eventually(page.getByRole('textbox')).toHaveFocus()
    await userEvent.keyboard('Ada')
    const { answers } = ask(above)
    await eventually(page.getByRole('alertdialog')).toBeVisible()
    await userEvent.keyboard(' Lovelace{Enter}{Escape}')
    await settle()
    expect(answers).toEqual([])
  })

  test('into a dialog that goes by itself does not answer the next one (BUG-072)', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const leaving = new AbortController()
    const first = ask(runner, { kind: 'input', prompt: 'Name?' }, leaving.signal)
    const second = ask(runner)
    await eventually(page.getByRole('textbox')).toHaveFocus()
    await userEvent.keyboard('Ada')
    leaving.abort()
    expect((await first.answer).reason).toBe('cancelled')
    await eventually(page.getByRole('alertdialog')).toBeVisible()
    await userEvent.keyboard(' Lovelace{Enter}')
    await settle()
    expect(second.answers).toEqual([])
  })

  test('an answer and Enter lets the next question be answered at once', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const first = ask(runner, { kind: 'input', prompt: 'Name?' })
    const second = ask(runner)
    await eventually(page.getByRole('textbox')).toHaveFocus()
    await userEvent.keyboard('Ada{Enter}')
    expect((await first.answer).ok).toBe(true)
    await eventually(button('Decline')).toHaveFocus()
    await press('Enter')
    expect((await second.answer).reason).toBe('declined')
  })
})

describe('a form', () => {
  test.each([
    ['Tab and Enter', () => tabTo(button('Submit')).then(() => press('Enter'))],
    ['Tab and Space', () => tabTo(button('Submit')).then(() => press(' '))],
    ['a click', () => userEvent.click(button('Submit'))],
  ])('that was typed and submitted by %s lets the next question be answered at once', async (_name, submit) => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const first = ask(runner, { kind: 'input', prompt: 'Name?' })
    const second = ask(runner)
    await eventually(page.getByRole('textbox')).toHaveFocus()
    await userEvent.keyboard('Ada')
    await submit()
    expect((await first.answer).ok).toBe(true)
    await eventually(button('Decline')).toHaveFocus()
    await press('Enter')
    expect((await second.answer).reason).toBe('declined')
  })
})

describe('an approval', () => {
  async function open() {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const question = ask(runner)
    await eventually(button('Decline')).toHaveFocus()
    return question
  }

  test('hears no Enter with the focus nowhere (BUG-073)', async () => {
    const { answers } = await open()
    elementOf(button('Decline')).blur()
    await press('Enter')
    await press(' ')
    await settle()
    expect(answers).toEqual([])
  })

  test('hears no Enter after a click on its text (BUG-073)', async () => {
    const { answers } = await open()
    await userEvent.click(page.getByText('Delete a.txt?'))
    await press('Enter')
    await press(' ')
    await settle()
    expect(answers).toEqual([])
  })

  test.each(['title', 'content'])('hears no Enter on its %s (BUG-073)', async (slot) => {
    const { answers } = await open()
    elementOf(dialog()).querySelector<HTMLElement>(`[data-slot="${slot}"]`)?.focus()
    await press('Enter')
    await press(' ')
    await settle()
    expect(answers).toEqual([])
  })

  test('is declined by Enter on Decline, never approved (BUG-073)', async () => {
    const { id, answer } = await open()
    await press('Enter')
    expect(await answer).toEqual({ id, ok: false, reason: 'declined' })
  })

  test('hears no letters and digits', async () => {
    const { answers } = await open()
    await userEvent.keyboard('1y2na')
    await settle()
    expect(answers).toEqual([])
  })
})

describe('a key that went down before the dialog came up', () => {
  async function opener(type: 'keydown' | 'click') {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const element = elementOf(button('Opener'))
    element.focus()
    const asked: ReturnType<typeof ask>[] = []
    element.addEventListener(type, () => asked.push(ask(runner)), { once: true })
    return asked
  }

  test.each([
    ['keydown', 'Enter'],
    ['keydown', ' '],
    ['click', 'Enter'],
    ['click', ' '],
  ] as const)('presses no Decline: %s of %j', async (type, key) => {
    const asked = await opener(type)
    await press(key)
    await eventually(button('Decline')).toHaveFocus()
    await settle()
    expect(asked.map(({ answers }) => answers)).toEqual([[]])
  })

  test('may be pressed again, and then counts', async () => {
    const asked = await opener('keydown')
    await press('Enter')
    await eventually(button('Decline')).toHaveFocus()
    await press('Enter')
    expect((await asked[0]?.answer)?.reason).toBe('declined')
  })

  test('presses nothing by the keyup of an inherited Space', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    elementOf(button('Opener')).focus()
    await keyDown(' ')
    const { answers } = ask(runner)
    await eventually(button('Decline')).toHaveFocus()
    await keyUp(' ')
    await settle()
    expect(answers).toEqual([])
  })

  test('presses nothing by the keyup of an inherited Space after Tab', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    elementOf(button('Opener')).focus()
    await keyDown(' ')
    const { answers } = ask(runner)
    await eventually(button('Decline')).toHaveFocus()
    await keyDown('Tab')
    await eventually(button('Approve')).toHaveFocus()
    await keyUp(' ')
    await settle()
    expect(answers).toEqual([])
    await keyUp('Tab')
  })

  test('held through one question presses nothing in the next', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const first = ask(runner)
    const second = ask(runner)
    await eventually(button('Decline')).toHaveFocus()
    await hold('Enter')
    await settle()
    await keyDown('Enter', { repeat: true })
    await keyUp('Enter')
    await settle()
    expect([first.answers.length, second.answers.length]).toEqual([1, 0])
  })
})

describe('while an input method composes', () => {
  async function composing() {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const question = ask(runner, { kind: 'input', prompt: 'Name?' })
    await eventually(page.getByRole('textbox')).toHaveFocus()
    await cdp().send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 })
    return question
  }

  test('Enter submits nothing, and a plain Enter later does (BUG-075)', async () => {
    const { answer, answers } = await composing()
    const states: boolean[] = []
    page
      .getByRole('textbox')
      .element()
      .addEventListener('keydown', (event) => {
        if (event instanceof KeyboardEvent) states.push(event.isComposing)
      })
    addEventListener('keydown', (event) => states.push(event.isComposing), { once: true, capture: true })
    await press('Enter')
    await settle()
    expect(states[0]).toBe(true)
    expect(answers).toEqual([])
    await cdp().send('Input.insertText', { text: '日本' })
    await press('Enter')
    expect((await answer).data).toEqual({ value: '日本' })
  })

  test('Escape cancels nothing', async () => {
    const { answers } = await composing()
    await press('Escape')
    await settle()
    expect(answers).toEqual([])
  })

  test('the Enter that ends it as key code 229 submits nothing (BUG-075)', async () => {
    const { answers } = await composing()
    await cdp().send('Input.insertText', { text: '日本' })
    const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 }
    await cdp().send('Input.dispatchKeyEvent', { type: 'keyDown', text: '\r', ...enter })
    await cdp().send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter })
    await settle()
    expect(answers).toEqual([])
    await eventually(page.getByRole('textbox')).toHaveValue('日本')
  })
})
