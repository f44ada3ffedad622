import '../../src/components/styles.css'
import axe from 'axe-core'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import {
  type Answer,
  createToolRunner,
  type DialogBodyProps,
  type PendingRequest,
  pending,
  type Runner,
  type ToolRunnerProps,
} from '../../src/index.js'
import {
  Alone,
  ask,
  button,
  centreOf,
  clickAt,
  dialog,
  elementOf,
  emulate,
  eventually,
  hold,
  keyDown,
  keyUp,
  mouseDown,
  mouseMove,
  mouseUp,
  Page,
  pause,
  press,
  settle,
  tabTo,
  typingIsOver,
} from '../support/page.js'

interface Case {
  name: string
  request: Omit<PendingRequest, 'id'>
  role: 'alertdialog' | 'dialog'
  title: string
  /** What has the focus when it comes up: never the yes. */
  first: () => Locator
  /** The button that says yes; a dialog without one can only be refused. */
  yes?: string
  /** What a person does before saying yes, by keyboard alone, from the first focus. */
  type?: () => Promise<void>
  /** The same without keys. */
  fill?: () => Promise<unknown>
  data?: Answer['data']
  /** Only by the host: no exported dialog is meant for it. */
  hostedOnly?: boolean
  props?: Partial<ToolRunnerProps>
}

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', minLength: 2 },
    size: { type: 'string', enum: ['s', 'm'], title: 'Size' },
    loud: { type: 'boolean', title: 'Loud' },
  },
  required: ['name'],
}

function OwnBody({ item, armed }: DialogBodyProps): ReactNode {
  return (
    <>
      <label>
        Amount <input type="range" />
      </label>
      <button type="button" onClick={() => item.decline()}>
        Decline
      </button>
      <button
        type="button"
        aria-disabled={armed ? undefined : true}
        data-state={armed ? 'armed' : 'arming'}
        onClick={() => armed && item.approve({ mine: true })}
      >
        Pay
      </button>
    </>
  )
}

const heading = () => page.getByRole('heading', { level: 2 })

const cases: Case[] = [
  {
    name: 'approval',
    request: { kind: 'approval', prompt: 'Delete 3 files?' },
    role: 'alertdialog',
    title: 'Approval needed',
    first: () => button('Decline'),
    yes: 'Approve',
  },
  {
    name: 'unknown kind',
    request: { kind: 'x-vendor/confirm', prompt: 'Launch it?', data: { pad: '39A' } },
    role: 'alertdialog',
    title: 'Decision needed',
    first: () => button('Decline'),
    yes: 'Approve',
    hostedOnly: true,
  },
  {
    name: 'input with a schema',
    request: { kind: 'input', prompt: 'Who are you?', data: { schema } },
    role: 'dialog',
    title: 'Information needed',
    first: () => page.getByRole('textbox', { name: 'Name' }),
    yes: 'Submit',
    type: () => userEvent.keyboard('Ada'),
    fill: () => userEvent.fill(page.getByRole('textbox'), 'Ada'),
    data: { name: 'Ada' },
  },
  {
    name: 'input without a schema',
    request: { kind: 'input', prompt: 'Which environment?' },
    role: 'dialog',
    title: 'Information needed',
    first: () => page.getByRole('textbox', { name: 'Your answer' }),
    yes: 'Submit',
    type: () => userEvent.keyboard('staging'),
    fill: () => userEvent.fill(page.getByRole('textbox'), 'staging'),
    data: { value: 'staging' },
  },
  {
    name: 'question with one choice',
    request: {
      kind: 'question',
      prompt: 'Which colour?',
      data: { questions: [{ question: 'Colour', header: 'Paint', options: ['red', 'blue'] }] },
    },
    role: 'dialog',
    title: 'Answer needed',
    first: () => page.getByRole('radio', { name: 'red' }),
    yes: 'Submit',
    type: () => userEvent.keyboard('{ArrowDown}'),
    fill: () => userEvent.click(page.getByRole('radio', { name: 'blue' })),
    data: { answers: ['blue'] },
  },
  {
    name: 'question with several choices',
    request: {
      kind: 'question',
      prompt: 'Which toppings?',
      data: { questions: [{ question: 'Toppings', options: ['ham', 'egg', 'corn'], multiple: true }] },
    },
    role: 'dialog',
    title: 'Answer needed',
    first: () => page.getByRole('checkbox', { name: 'ham' }),
    yes: 'Submit',
    type: async () => {
      await press('Tab')
      await press('Tab')
      await press(' ')
      await tabTo(page.getByRole('checkbox', { name: 'ham' }))
      await press(' ')
    },
    fill: async () => {
      await userEvent.click(page.getByRole('checkbox', { name: 'corn' }))
      await userEvent.click(page.getByRole('checkbox', { name: 'ham' }))
    },
    data: { answers: [['ham', 'corn']] },
  },
  {
    name: 'question in words',
    request: { kind: 'question', prompt: 'Why?', data: { questions: [{ question: 'Your reason' }] } },
    role: 'dialog',
    title: 'Answer needed',
    first: () => page.getByRole('textbox', { name: 'Your reason' }),
    yes: 'Submit',
    type: () => userEvent.keyboard('because{Enter}so'),
    fill: () => userEvent.fill(page.getByRole('textbox'), 'because\nso'),
    data: { answers: ['because\nso'] },
  },
  {
    name: 'authorization',
    request: { kind: 'authorization', prompt: 'Sign in to Files', url: 'https://idp.example/login?x=1' },
    role: 'dialog',
    title: 'Sign-in needed',
    first: () => button('Decline'),
    yes: "I've finished",
  },
  {
    name: 'authorization with an unusable address',
    request: { kind: 'authorization', prompt: 'Sign in to Files', url: 'javascript:alert(1)' },
    role: 'dialog',
    title: 'Sign-in needed',
    first: () => button('Decline'),
  },
  {
    name: 'input that asks for a secret',
    request: {
      kind: 'input',
      prompt: 'Your key?',
      data: { schema: { type: 'object', properties: { apiKey: { type: 'string' } } } },
    },
    role: 'dialog',
    title: 'Information needed',
    first: () => button('Decline'),
  },
  {
    name: "the app's own body",
    request: { kind: 'approval', prompt: 'Pay 20?' },
    role: 'alertdialog',
    title: 'Approval needed',
    first: heading,
    yes: 'Pay',
    data: { mine: true },
    props: { dialogs: { approval: OwnBody } },
  },
]

const variants = cases.flatMap((row) => [
  { ...row, as: 'hosted', alone: false },
  ...(row.hostedOnly ? [] : [{ ...row, as: 'used alone', alone: true }]),
])

beforeEach(typingIsOver)
afterEach(() => emulate('light'))

describe.each(variants)('$name, $as', ({ request, role, title, first, yes, type, fill, data, alone, props }) => {
  /** The dialog open over a page whose button had the focus. */
  async function open({ armingDelay = 0, count = 1 } = {}) {
    const runner = createToolRunner()
    const view = (delay: number) => (
      <Page {...props} runner={runner} armingDelay={delay} presentation={alone ? 'none' : 'dialog'}>
        {alone && <Alone />}
      </Page>
    )
    const { rerender, unmount } = await render(view(armingDelay))
    elementOf(button('Opener')).focus()
    const questions = Array.from({ length: count }, () => ask(runner, request))
    await eventually(dialog()).toBeVisible()
    const arm = () => rerender(view(0))
    return { runner, questions, question: questions[0] as ReturnType<typeof ask>, arm, unmount }
  }

  const closed = () => eventually(dialog()).not.toBeInTheDocument()

  test('has its role, its title as name and the prompt alone as description', async () => {
    await open()
    await eventually(page.getByRole(role)).toHaveAccessibleName(title)
    await eventually(page.getByRole(role)).toHaveAccessibleDescription(request.prompt)
  })

  test('is modal to the browser and to assistive technology', async () => {
    await open()
    const element = elementOf(dialog())
    expect(element.matches('dialog:modal')).toBe(true)
    expect(element).toHaveAttribute('aria-modal', 'true')
  })

  test('takes the focus, and not on the yes', async () => {
    await open()
    await eventually(first()).toHaveFocus()
  })

  test('keeps Tab within itself and the browser, forwards and backwards', async () => {
    await open()
    const element = elementOf(dialog())
    const seen = new Set<Element | null>()
    for (let n = 0; n < 24; n++) {
      await (n < 12 ? press('Tab') : userEvent.keyboard('{Shift>}{Tab}{/Shift}'))
      const { activeElement } = document
      seen.add(activeElement)
      expect(activeElement === document.body || element.contains(activeElement)).toBe(true)
    }
    expect(seen).toContain(elementOf(button('Decline')))
    expect(seen).toContain(elementOf(button('Close')))
  })

  test('gives the focus back to what had it', async () => {
    await open()
    await userEvent.click(button('Decline'))
    await eventually(button('Opener')).toHaveFocus()
  })

  test('settles as cancelled on Escape', async () => {
    const { question } = await open()
    await press('Escape')
    expect(await question.answer).toEqual({ id: question.id, ok: false, reason: 'cancelled' })
    await closed()
  })

  test('settles as cancelled on Escape with the focus nowhere', async () => {
    const { question } = await open()
    elementOf({ element: () => document.activeElement as Element }).blur()
    await press('Escape')
    expect(await question.answer).toEqual({ id: question.id, ok: false, reason: 'cancelled' })
    await closed()
  })

  test('settles as cancelled on Close', async () => {
    const { question } = await open()
    await userEvent.click(button('Close'))
    expect(await question.answer).toEqual({ id: question.id, ok: false, reason: 'cancelled' })
    await closed()
  })

  test('settles as declined on Decline, at once', async () => {
    const { question } = await open({ armingDelay: 60_000 })
    await userEvent.click(button('Decline'))
    expect(await question.answer).toEqual({ id: question.id, ok: false, reason: 'declined' })
    await closed()
  })

  test('settles as cancelled when something else closes it', async () => {
    const { question } = await open()
    const element = elementOf(dialog()) as HTMLDialogElement
    element.close()
    expect(await question.answer).toEqual({ id: question.id, ok: false, reason: 'cancelled' })
    await closed()
  })

  test('ignores a click on the backdrop (BUG-084)', async () => {
    const { question } = await open()
    await clickAt(3, 3)
    await settle()
    expect(question.answers).toEqual([])
    await eventually(dialog()).toBeVisible()
  })

  test('ignores a press inside that is let go on the backdrop (BUG-087)', async () => {
    const { question } = await open()
    const [x, y] = centreOf(elementOf(heading()))
    await mouseDown(x, y)
    await mouseMove(3, 3)
    await mouseUp(3, 3)
    await settle()
    expect(question.answers).toEqual([])
    await eventually(dialog()).toBeVisible()
  })

  test('settles one question for one Escape, and the second Escape leaves nothing open (BUG-079)', async () => {
    const { runner, questions } = await open({ count: 2 })
    await press('Escape')
    await settle()
    expect(questions.map(({ answers }) => answers.length)).toEqual([1, 0])
    expect(runner.count()).toBe(1)
    await press('Escape')
    await Promise.all(questions.map(({ answer }) => answer))
    await closed()
  })

  test('settles one question for an Escape that is held down', async () => {
    const { questions } = await open({ count: 3 })
    await keyDown('Escape')
    await settle()
    await keyDown('Escape', { repeat: true })
    await settle()
    await keyDown('Escape', { repeat: true })
    await keyUp('Escape')
    await settle()
    expect(questions.map(({ answers }) => answers.length)).toEqual([1, 0, 0])
    await eventually(dialog()).toBeVisible()
  })

  test('settles nothing twice when Escape comes twice before anything renders', async () => {
    const { runner, questions } = await open({ count: 2 })
    const element = elementOf(dialog())
    const pressEscape = () =>
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
    pressEscape()
    pressEscape()
    await settle()
    expect(questions.map(({ answers }) => answers.length)).toEqual([1, 0])
    expect(runner.count()).toBe(1)
  })

  test.each(['Enter', ' '] as const)('lets a held %j that opened it press nothing', async (key) => {
    const runner = createToolRunner()
    await render(
      <Page {...props} runner={runner} armingDelay={0} presentation={alone ? 'none' : 'dialog'}>
        {alone && <Alone />}
      </Page>,
    )
    const opener = elementOf(button('Opener'))
    opener.focus()
    const asked: ReturnType<typeof ask>[] = []
    opener.addEventListener('keydown', () => asked.push(ask(runner, request)), { once: true })
    await keyDown(key)
    await eventually(dialog()).toBeVisible()
    for (let n = 0; n < 5; n++) await keyDown(key, { repeat: true })
    await keyUp(key)
    await settle()
    expect(asked.map(({ answers }) => answers)).toEqual([[]])
    await eventually(dialog()).toBeVisible()
  })

  test('has no violations of accessibility rules, light and dark', async () => {
    await open()
    for (const scheme of ['light', 'dark'] as const) {
      await emulate(scheme)
      const { violations } = await axe.run(document)
      expect(violations.map(({ id, nodes }) => `${scheme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
        [],
      )
    }
  })

  if (yes === undefined) {
    test('offers no yes, and Enter says none', async () => {
      const { question } = await open()
      for (const name of ['Approve', 'Submit', "I've finished"]) {
        expect(button(name).elements()).toEqual([])
      }
      elementOf(heading()).focus()
      await press('Enter')
      await settle()
      expect(question.answers).toEqual([])
      elementOf(button('Decline')).focus()
      await press('Enter')
      expect(await question.answer).toEqual({ id: question.id, ok: false, reason: 'declined' })
    })
    return
  }

  test('arms its yes only after the delay, and is never natively disabled (BUG-089)', async () => {
    await open({ armingDelay: 500 })
    const element = elementOf(button(yes))
    expect(element).toHaveAttribute('aria-disabled', 'true')
    expect(element).toHaveAttribute('data-state', 'arming')
    expect(element).not.toHaveAttribute('disabled')
    await eventually(button(yes)).not.toHaveAttribute('aria-disabled')
    expect(element).toHaveAttribute('data-state', 'armed')
  })

  test('does nothing on a yes before the delay is over, by pointer, key or call, and hears it after', async () => {
    // Longer than the test: however slow the machine is, it is not over before the presses.
    const { question, arm } = await open({ armingDelay: 60_000 })
    await fill?.()
    const element = elementOf(button(yes))
    const [x, y] = centreOf(element)
    element.click()
    await clickAt(x, y)
    element.focus()
    await press('Enter')
    await press(' ')
    await settle()
    expect(element).toHaveAttribute('data-state', 'arming')
    expect(question.answers).toEqual([])
    await arm()
    await eventually(button(yes)).not.toHaveAttribute('aria-disabled')
    await settle()
    expect(question.answers).toEqual([])
    await userEvent.click(button(yes))
    expect((await question.answer).ok).toBe(true)
  })

  test('is armed at first paint with a delay of 0', async () => {
    await open({ armingDelay: 0 })
    expect(elementOf(button(yes))).toHaveAttribute('data-state', 'armed')
  })

  test('settles once under a double click, and not the next question (BUG-007, BUG-090)', async () => {
    // On a machine that is busy the second click may come so late that it is no double click: then with a longer delay.
    for (const armingDelay of [300, 2000, 10_000]) {
      const { questions, unmount } = await open({ armingDelay, count: 2 })
      await fill?.()
      await expect.element(button(yes), { interval: 15, timeout: 15_000 }).not.toHaveAttribute('aria-disabled')
      const clicks: number[] = []
      const note = ({ timeStamp }: Event) => clicks.push(timeStamp)
      document.addEventListener('click', note, true)
      const [x, y] = centreOf(elementOf(button(yes)))
      await clickAt(x, y)
      await pause(80)
      await clickAt(x, y)
      await settle()
      document.removeEventListener('click', note, true)
      const [first = 0, second = Number.POSITIVE_INFINITY] = clicks
      if (second - first < armingDelay) {
        expect(questions.map(({ answers }) => answers.map(({ ok }) => ok))).toEqual([[true], []])
        await eventually(dialog()).toBeVisible()
        return
      }
      await unmount()
    }
    throw new Error('no double click came in time')
  }, 60_000)

  test('settles once under two clicks in one tick (BUG-007)', async () => {
    const { questions } = await open({ count: 2 })
    await fill?.()
    const element = elementOf(button(yes))
    element.click()
    element.click()
    await settle()
    expect(questions.map(({ answers }) => answers.map(({ ok }) => ok))).toEqual([[true], []])
  })

  test('hears Space on its yes', async () => {
    const { question } = await open()
    await fill?.()
    elementOf(button(yes)).focus()
    await press(' ')
    expect((await question.answer).ok).toBe(true)
  })

  test('is answered by keyboard alone', async () => {
    const { question } = await open()
    await eventually(first()).toHaveFocus()
    await type?.()
    await tabTo(button(yes))
    await press('Enter')
    expect(await question.answer).toEqual({ id: question.id, ok: true, ...(data && { data }) })
    await closed()
    await eventually(button('Opener')).toHaveFocus()
  })

  test.each(['Enter', ' '] as const)('lets a %j that was down before the yes was armed press nothing', async (key) => {
    const { question, arm } = await open({ armingDelay: 60_000 })
    await fill?.()
    elementOf(button(yes)).focus()
    await keyDown(key)
    await arm()
    await eventually(button(yes)).not.toHaveAttribute('aria-disabled')
    for (let n = 0; n < 5; n++) await keyDown(key, { repeat: true })
    await settle()
    expect(question.answers).toEqual([])
    // Space presses a button as it is let go.
    await keyUp(key)
    await settle()
    expect(question.answers).toEqual([])
    await press(key)
    expect((await question.answer).ok).toBe(true)
  })
})

describe('every way out', () => {
  const deletes = (runner: Runner, answers: (Answer | undefined)[]) =>
    runner.register({
      name: 'delete',
      execute: (_args, ctx) => {
        answers.push(ctx.answer)
        return ctx.answer ? 'deleted' : pending({ kind: 'approval', prompt: 'Delete it?' })
      },
    })

  test('runs the tool twice in all when Approve is clicked twice in one tick (BUG-007)', async () => {
    const runner = createToolRunner()
    const answers: (Answer | undefined)[] = []
    deletes(runner, answers)
    await render(<Page runner={runner} armingDelay={0} />)
    const result = runner.run('delete')
    await eventually(dialog()).toBeVisible()
    const approve = elementOf(button('Approve'))
    approve.click()
    approve.click()
    expect(await result).toEqual({ output: 'deleted', isError: false })
    expect(answers).toEqual([undefined, { id: expect.any(String), ok: true }])
  })

  test.each([
    ['Escape', () => press('Escape')],
    ['Close', () => userEvent.click(button('Close'))],
    ['Decline', () => userEvent.click(button('Decline'))],
  ])('does not run the tool again after %s (BUG-084)', async (_name, leave) => {
    const runner = createToolRunner()
    const answers: (Answer | undefined)[] = []
    deletes(runner, answers)
    await render(<Page runner={runner} armingDelay={0} />)
    const result = runner.run('delete')
    await eventually(dialog()).toBeVisible()
    await leave()
    expect(await result).toMatchObject({ output: 'declined/expired: Delete it?', isError: true })
    expect(answers).toEqual([undefined])
  })

  test('renders every case without a word in the console', async () => {
    const error = vi.spyOn(console, 'error')
    const warn = vi.spyOn(console, 'warn')
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    for (const row of cases) {
      const { answer } = ask(runner, row.request)
      await eventually(dialog()).toBeVisible()
      await press('Escape')
      await answer
    }
    expect(error).not.toHaveBeenCalled()
    expect(warn).not.toHaveBeenCalled()
  })

  test('submits a one-line form on Enter in its field', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const { answer } = ask(runner, { kind: 'input' })
    await eventually(dialog()).toBeVisible()
    await hold('Enter', 0)
    await keyUp('Enter')
    await userEvent.keyboard('x{Enter}')
    expect((await answer).data).toEqual({ value: 'x' })
  })
})
