import { type ReactNode, StrictMode, useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ApprovalDialog, createToolRunner, PendingDialogs, pending, ToolRunner, usePending } from '../../src/index.js'
import {
  ask,
  button,
  centreOf,
  clickAt,
  dialog,
  elementOf,
  eventually,
  mouseDown,
  mouseUp,
  Page,
  pause,
  press,
  settle,
} from '../support/page.js'

const prompt = (text: string) => dialog().getByText(text, { exact: true })
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString()

afterEach(() => {
  Reflect.deleteProperty(document, 'visibilityState')
  for (const left of document.querySelectorAll('[data-left]')) left.remove()
})

/** An element of the test's own at the end of the page. */
function place<T extends HTMLElement>(element: T): T {
  element.dataset.left = ''
  return document.body.appendChild(element)
}

function show(visible: boolean): void {
  Object.defineProperty(document, 'visibilityState', {
    configurable: true,
    get: () => (visible ? 'visible' : 'hidden'),
  })
  document.dispatchEvent(new Event('visibilitychange'))
}

async function three(given: Parameters<typeof ask>[1] = {}) {
  const runner = createToolRunner()
  await render(<Page runner={runner} armingDelay={0} />)
  elementOf(button('Opener')).focus()
  const [a, b, c] = ['A?', 'B?', 'C?'].map((prompt) => ask(runner, { ...given, prompt })) as [
    ReturnType<typeof ask>,
    ReturnType<typeof ask>,
    ReturnType<typeof ask>,
  ]
  await eventually(prompt('A?')).toBeVisible()
  return { runner, a, b, c }
}

describe('several waiting questions', () => {
  test('show one dialog, the oldest question and its place', async () => {
    await three()
    expect(dialog().elements()).toHaveLength(1)
    await eventually(page.getByText('1 of 3')).toBeVisible()
  })

  test('say nothing of a place when there is one', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} />)
    ask(runner)
    await eventually(dialog()).toBeVisible()
    expect(button('Next').elements()).toEqual([])
    expect(page.getByText(/ of /).elements()).toEqual([])
  })

  test('are paged through with Next and Previous, and stop at the ends', async () => {
    await three()
    await userEvent.click(button('Next'))
    await eventually(prompt('B?')).toBeVisible()
    await eventually(page.getByText('2 of 3')).toBeVisible()
    await userEvent.click(button('Next'))
    await eventually(prompt('C?')).toBeVisible()
    await eventually(page.getByText('3 of 3')).toBeVisible()
    elementOf(button('Next')).click()
    await settle()
    await eventually(prompt('C?')).toBeVisible()
    await userEvent.click(button('Previous'))
    await userEvent.click(button('Previous'))
    await eventually(prompt('A?')).toBeVisible()
    expect(dialog().elements()).toHaveLength(1)
  })

  test('are paged through by keyboard, the focus safe in each', async () => {
    await three()
    for (const text of ['B?', 'C?']) {
      elementOf(button('Next')).focus()
      await press('Enter')
      await eventually(prompt(text)).toBeVisible()
      await eventually(button('Approve')).not.toHaveFocus()
      expect(elementOf(dialog()).contains(document.activeElement)).toBe(true)
    }
  })

  test('are answered in any order: the middle one first, and the oldest comes back (BUG-017)', async () => {
    const { a, b, c } = await three()
    await userEvent.click(button('Next'))
    await eventually(prompt('B?')).toBeVisible()
    await userEvent.click(button('Approve'))
    expect(await b.answer).toEqual({ id: b.id, ok: true })
    await eventually(prompt('A?')).toBeVisible()
    await eventually(page.getByText('1 of 2')).toBeVisible()
    expect([a.answers, c.answers]).toEqual([[], []])
  })

  test('count up while one is open', async () => {
    const { runner } = await three()
    ask(runner)
    await eventually(page.getByText('1 of 4')).toBeVisible()
  })

  test('each start with the arming delay of their own (BUG-090)', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={300} />)
    const [a, b] = [ask(runner, { prompt: 'A?' }), ask(runner, { prompt: 'B?' })]
    await eventually(button('Approve')).toHaveAttribute('data-state', 'armed')
    const place = centreOf(elementOf(button('Approve')))
    await clickAt(...place)
    await pause(80)
    await clickAt(...place)
    await settle()
    expect(a.answers).toEqual([{ id: a.id, ok: true }])
    expect(b.answers).toEqual([])
    await eventually(prompt('B?')).toBeVisible()
    await eventually(button('Approve')).toHaveAttribute('data-state', 'armed')
    await userEvent.click(button('Approve'))
    expect(await b.answer).toEqual({ id: b.id, ok: true })
  })

  test('arm anew when paged to', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={400} />)
    ask(runner)
    ask(runner)
    await eventually(button('Approve')).toHaveAttribute('data-state', 'armed')
    elementOf(button('Next')).click()
    await eventually(page.getByText('2 of 2')).toBeVisible()
    expect(elementOf(button('Approve'))).toHaveAttribute('data-state', 'arming')
  })

  test('are cancelled one by one with Escape, and the last gives the focus back (BUG-079, BUG-183)', async () => {
    const { a, b, c } = await three()
    await press('Escape')
    await a.answer
    await eventually(prompt('B?')).toBeVisible()
    expect(elementOf(dialog()).contains(document.activeElement)).toBe(true)
    expect([b.answers, c.answers]).toEqual([[], []])
    await press('Escape')
    await b.answer
    await press('Escape')
    expect(await c.answer).toEqual({ id: c.id, ok: false, reason: 'cancelled' })
    await eventually(dialog()).not.toBeInTheDocument()
    await eventually(button('Opener')).toHaveFocus()
  })

  test('are cancelled all at once by the app (BUG-042)', async () => {
    const { runner, a, b, c } = await three()
    runner.abort()
    expect(await Promise.all([a.answer, b.answer, c.answer])).toEqual(
      [a, b, c].map(({ id }) => ({ id, ok: false, reason: 'cancelled' })),
    )
    await eventually(dialog()).not.toBeInTheDocument()
    await eventually(button('Opener')).toHaveFocus()
  })

  test('hand the focus on when one is approved by keyboard (BUG-183)', async () => {
    const { b } = await three()
    elementOf(button('Approve')).focus()
    await press('Enter')
    await eventually(prompt('B?')).toBeVisible()
    expect(elementOf(dialog()).contains(document.activeElement)).toBe(true)
    await eventually(button('Approve')).not.toHaveFocus()
    expect(b.answers).toEqual([])
  })

  test('get nothing from a button that was painted for another (BUG-044)', async () => {
    const { runner, a, b } = await three()
    const approve = elementOf(button('Approve'))
    const answer = { id: a.id, ok: false, reason: 'expired' } as const
    runner.answer(a.id, answer)
    approve.click()
    await settle()
    expect(a.answers).toEqual([answer])
    expect(b.answers).toEqual([])
    await eventually(prompt('B?')).toBeVisible()
  })
})

describe('a draft', () => {
  test('outlives previous and next in a form', async () => {
    await three({ kind: 'input' })
    await userEvent.fill(page.getByRole('textbox'), 'half a')
    await userEvent.click(button('Next'))
    await eventually(page.getByText('2 of 3')).toBeVisible()
    await eventually(page.getByRole('textbox')).toHaveValue('')
    await userEvent.click(button('Previous'))
    await eventually(page.getByRole('textbox')).toHaveValue('half a')
  })

  test('outlives previous and next in a question', async () => {
    await three({
      kind: 'question',
      data: { questions: [{ question: 'Which?', options: ['x', 'y'] }, { question: 'Why?' }] },
    })
    await userEvent.click(page.getByRole('radio', { name: 'y' }))
    await userEvent.fill(page.getByRole('textbox'), 'because')
    await userEvent.click(button('Next'))
    await eventually(page.getByText('2 of 3')).toBeVisible()
    await eventually(page.getByRole('radio', { name: 'y' })).not.toBeChecked()
    await userEvent.click(button('Previous'))
    await eventually(page.getByRole('radio', { name: 'y' })).toBeChecked()
    await eventually(page.getByRole('textbox')).toHaveValue('because')
  })

  test('outlives minimise and review', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const { answer } = ask(runner, { kind: 'input' })
    await userEvent.fill(page.getByRole('textbox'), 'half a')
    await userEvent.click(button('Minimise'))
    await userEvent.click(button('Review'))
    await eventually(page.getByRole('textbox')).toHaveValue('half a')
    await userEvent.click(button('Submit'))
    expect((await answer).data).toEqual({ value: 'half a' })
  })

  test('is not inherited by a later question with the same id (BUG-178)', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const first = ask(runner, { id: 'Bash_0', kind: 'input' })
    await userEvent.fill(page.getByRole('textbox'), 'secret plan')
    await press('Escape')
    await first.answer
    const second = ask(runner, { id: 'Bash_0', kind: 'input' })
    await eventually(page.getByRole('textbox')).toHaveValue('')
    expect(second.answers).toEqual([])
  })
})

describe('minimising', () => {
  test('lets the page be used, keeps the question and gives the focus back', async () => {
    const { a } = await three()
    await userEvent.click(button('Minimise'))
    await eventually(dialog()).not.toBeInTheDocument()
    await eventually(button('Opener')).toHaveFocus()
    await eventually(page.getByRole('region', { name: 'Waiting for your answer' })).toBeVisible()
    await eventually(page.getByText('3 waiting for your answer')).toBeVisible()
    await userEvent.click(button('Opener'))
    await settle()
    expect(a.answers).toEqual([])
    await userEvent.click(button('Review'))
    await eventually(prompt('A?')).toBeVisible()
    expect(elementOf(dialog()).contains(document.activeElement)).toBe(true)
    await userEvent.click(button('Decline'))
    expect((await a.answer).reason).toBe('declined')
  })

  test('and reviewing gives the focus to the opener when all is answered', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} />)
    elementOf(button('Opener')).focus()
    ask(runner)
    await userEvent.click(button('Minimise'))
    await userEvent.click(button('Review'))
    await userEvent.click(button('Decline'))
    await eventually(dialog()).not.toBeInTheDocument()
    await eventually(button('Opener')).toHaveFocus()
  })

  test('shows the next question as a dialog once the bar is gone', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} />)
    const leaving = new AbortController()
    ask(runner, {}, leaving.signal)
    await userEvent.click(button('Minimise'))
    await eventually(button('Review')).toBeVisible()
    leaving.abort()
    await eventually(button('Review')).not.toBeInTheDocument()
    ask(runner, { prompt: 'Next?' })
    await eventually(prompt('Next?')).toBeVisible()
  })

  test('gives the focus back when the bar goes while it has it', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} />)
    elementOf(button('Opener')).focus()
    ask(runner)
    await userEvent.click(button('Minimise'))
    await eventually(button('Review')).toBeVisible()
    elementOf(button('Review')).focus()
    runner.abort()
    await eventually(button('Review')).not.toBeInTheDocument()
    await eventually(button('Opener')).toHaveFocus()
  })

  test('counts what comes meanwhile', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} />)
    ask(runner)
    await userEvent.click(button('Minimise'))
    ask(runner)
    await eventually(page.getByText('2 waiting for your answer')).toBeVisible()
  })

  test('arms anew when it comes back', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={400} />)
    ask(runner)
    await eventually(button('Approve')).toHaveAttribute('data-state', 'armed')
    await userEvent.click(button('Minimise'))
    elementOf(button('Review')).click()
    await eventually(dialog()).toBeVisible()
    expect(elementOf(button('Approve'))).toHaveAttribute('data-state', 'arming')
  })
})

describe('the page afterwards', () => {
  test('is clean after 50 questions that went as soon as they came', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} />)
    elementOf(button('Opener')).focus()
    for (let n = 0; n < 50; n++) {
      const leaving = new AbortController()
      const { answer } = ask(runner, {}, leaving.signal)
      if (n % 2) await pause(1)
      leaving.abort()
      expect((await answer).reason).toBe('cancelled')
    }
    await settle()
    expect(document.querySelectorAll('dialog')).toHaveLength(0)
    await eventually(button('Opener')).toHaveFocus()
  })

  test('is no trouble when the opener is gone', async () => {
    const error = vi.spyOn(console, 'error')
    const runner = createToolRunner()
    await render(<Page runner={runner} />)
    const gone = place(document.createElement('button'))
    gone.focus()
    ask(runner)
    await eventually(dialog()).toBeVisible()
    gone.remove()
    await press('Escape')
    await eventually(dialog()).not.toBeInTheDocument()
    expect(error).not.toHaveBeenCalled()
  })

  test('is clean and usable, whatever order they closed in (BUG-082)', async () => {
    const before = document.documentElement.outerHTML.match(/<(html|body)[^>]*>/g)
    const { runner, a, b, c } = await three()
    runner.answer(b.id, { id: b.id, ok: true })
    runner.answer(a.id, { id: a.id, ok: true })
    runner.answer(c.id, { id: c.id, ok: true })
    await eventually(dialog()).not.toBeInTheDocument()
    expect(document.documentElement.outerHTML.match(/<(html|body)[^>]*>/g)).toEqual(before)
    expect(document.querySelectorAll('[inert], [aria-hidden="true"]')).toHaveLength(0)
    const clicked = vi.fn()
    elementOf(button('Opener')).addEventListener('click', clicked)
    await userEvent.click(button('Opener'))
    expect(clicked).toHaveBeenCalledOnce()
  })

  test('keeps the focus where it was when nothing had it', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} />)
    elementOf(button('Opener')).focus()
    ask(runner)
    await eventually(dialog()).toBeVisible()
    await press('Escape')
    await eventually(button('Opener')).toHaveFocus()
    elementOf(button('Opener')).blur()
    ask(runner)
    await eventually(dialog()).toBeVisible()
    await press('Escape')
    await eventually(dialog()).not.toBeInTheDocument()
    await settle()
    expect(document.activeElement).toBe(document.body)
  })
})

describe('dialogs that the app stacks itself', () => {
  function Stack(): ReactNode {
    return usePending().map((item) => <ApprovalDialog key={item.seq} item={item} />)
  }

  async function stacked(armingDelay: number) {
    const runner = createToolRunner()
    await render(
      <Page runner={runner} presentation="none" armingDelay={armingDelay}>
        <Stack />
      </Page>,
    )
    elementOf(button('Opener')).focus()
    const questions = ['A?', 'B?', 'C?'].map((prompt) => ask(runner, { prompt }))
    await expect.poll(() => document.querySelectorAll('dialog:modal').length).toBe(3)
    return questions
  }

  /** What stands where the top dialog's button stands. */
  const topApprove = (): HTMLElement => {
    const buttons = [...document.querySelectorAll<HTMLElement>('dialog:modal [data-slot="approve"]')]
    return buttons.find((element) => element.contains(document.elementFromPoint(...centreOf(element)))) as HTMLElement
  }

  test('cancel the top one alone on Escape (BUG-079)', async () => {
    const [a, b, c] = await stacked(0)
    await press('Escape')
    expect((await c?.answer)?.reason).toBe('cancelled')
    await settle()
    expect([a?.answers, b?.answers]).toEqual([[], []])
  })

  test('arm the one below anew when it comes on top (BUG-090)', async () => {
    const [a, b, c] = await stacked(300)
    await expect.poll(() => topApprove()?.dataset.state).toBe('armed')
    const place = centreOf(topApprove())
    await clickAt(...place)
    await pause(80)
    await clickAt(...place)
    await settle()
    expect([a?.answers.length, b?.answers.length, c?.answers.length]).toEqual([0, 0, 1])
  })

  test('give the focus back when the last is closed, in any order (BUG-082)', async () => {
    const [a, b, c] = await stacked(0)
    const buttons = [...document.querySelectorAll<HTMLElement>('[data-slot="decline"]')]
    buttons[0]?.click()
    await a?.answer
    buttons[2]?.click()
    await c?.answer
    await settle()
    expect(document.querySelector('dialog:modal')?.contains(document.activeElement)).toBe(true)
    buttons[1]?.click()
    await b?.answer
    await eventually(button('Opener')).toHaveFocus()
  })
})

describe('two runners on a page', () => {
  test('arm the dialog below anew when the one above it is answered (BUG-090)', async () => {
    const [below, above] = [createToolRunner(), createToolRunner()]
    await render(
      <Page runner={below} armingDelay={300}>
        <ToolRunner runner={above} armingDelay={300} />
      </Page>,
    )
    const a = ask(below)
    await eventually(dialog()).toBeVisible()
    const b = ask(above)
    await expect.poll(() => document.querySelectorAll('dialog:modal').length).toBe(2)
    const approves = [...document.querySelectorAll<HTMLElement>('[data-slot="approve"]')]
    const top = approves.find((element) => element.contains(document.elementFromPoint(...centreOf(element))))
    if (!top) throw new Error('nothing on top')
    await expect.poll(() => top.dataset.state).toBe('armed')
    const place = centreOf(top)
    await clickAt(...place)
    await pause(80)
    await clickAt(...place)
    await settle()
    expect(b.answers).toHaveLength(1)
    expect(a.answers).toHaveLength(0)
  })
})

describe('a press of the mouse that began before the dialog came up', () => {
  test.each(['Approve', 'Decline'])('presses no %s', async (name) => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const first = ask(runner)
    await eventually(dialog()).toBeVisible()
    const [x, y] = centreOf(elementOf(button(name)))
    await press('Escape')
    await first.answer
    await eventually(dialog()).not.toBeInTheDocument()
    await mouseDown(x, y)
    const { answers } = ask(runner)
    await eventually(dialog()).toBeVisible()
    await mouseUp(x, y)
    await settle()
    expect(answers).toEqual([])
  })
})

describe('a tab in the background', () => {
  test('does not arm, and arms anew when it is looked at (BUG-091)', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={300} />)
    show(false)
    const { answers, answer } = ask(runner)
    await eventually(dialog()).toBeVisible()
    await pause(500)
    expect(elementOf(button('Approve'))).toHaveAttribute('data-state', 'arming')
    show(true)
    await pause(10)
    elementOf(button('Approve')).click()
    await settle()
    expect(answers).toEqual([])
    await eventually(button('Approve')).toHaveAttribute('data-state', 'armed')
    await userEvent.click(button('Approve'))
    expect((await answer).ok).toBe(true)
  })

  test('disarms what was armed (BUG-091)', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={300} />)
    const { answers } = ask(runner)
    await eventually(button('Approve')).toHaveAttribute('data-state', 'armed')
    show(false)
    show(true)
    await pause(10)
    elementOf(button('Approve')).click()
    await settle()
    expect(answers).toEqual([])
  })
})

describe('several hosts on one runner', () => {
  function Hosts({ first }: { first: boolean }): ReactNode {
    return (
      <>
        <div id="first">{first && <PendingDialogs />}</div>
        <div id="second">
          <PendingDialogs />
        </div>
      </>
    )
  }

  test('show one dialog, and the idle one takes over when the first goes', async () => {
    const runner = createToolRunner()
    const view = (first: boolean) => (
      <Page runner={runner} presentation="none">
        <Hosts first={first} />
      </Page>
    )
    const { rerender } = await render(view(true))
    const { answers, answer } = ask(runner)
    await eventually(dialog()).toBeVisible()
    expect(document.querySelectorAll('#first dialog')).toHaveLength(1)
    expect(document.querySelectorAll('#second dialog')).toHaveLength(0)
    await rerender(view(false))
    await expect.poll(() => document.querySelectorAll('#second dialog').length).toBe(1)
    expect(dialog().elements()).toHaveLength(1)
    expect(answers).toEqual([])
    await userEvent.click(button('Decline'))
    expect((await answer).reason).toBe('declined')
  })

  test('stay in turn when the first comes back', async () => {
    const runner = createToolRunner()
    const view = (first: boolean) => (
      <Page runner={runner} presentation="none">
        <Hosts first={first} />
      </Page>
    )
    const { rerender } = await render(view(false))
    ask(runner)
    await expect.poll(() => document.querySelectorAll('#second dialog').length).toBe(1)
    await rerender(view(true))
    await settle()
    expect(document.querySelectorAll('#first dialog')).toHaveLength(0)
    expect(document.querySelectorAll('#second dialog')).toHaveLength(1)
  })
})

describe('a host that comes late', () => {
  test('shows what already waits (BUG-192)', async () => {
    const runner = createToolRunner()
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { answer } = ask(runner)
    await render(<Page runner={runner} />)
    await eventually(dialog()).toBeVisible()
    await userEvent.click(button('Decline'))
    expect((await answer).reason).toBe('declined')
  })

  test('is asked for in the console while nobody shows the question (BUG-194)', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const runner = createToolRunner()
    await render(<Page runner={runner} presentation="inline" />)
    const { answers } = ask(runner)
    await settle()
    expect(warn.mock.calls.flat().join()).toContain('no view is mounted')
    expect(runner.getState().pending).toHaveLength(1)
    expect(answers).toEqual([])
  })

  test('may be the app itself, which reads the question from the hook (BUG-194)', async () => {
    const runner = createToolRunner()
    function Count(): ReactNode {
      return <output>{usePending().length}</output>
    }
    await render(
      <Page runner={runner} presentation="none">
        <Count />
      </Page>,
    )
    const { answers } = ask(runner)
    await eventually(page.getByRole('status')).toHaveTextContent('1')
    expect(answers).toEqual([])
  })

  test('is not asked for where the app places the exported dialogs', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const runner = createToolRunner()
    function Own(): ReactNode {
      return usePending().map((item) => <ApprovalDialog key={item.seq} item={item} />)
    }
    await render(
      <Page runner={runner} presentation="none">
        <Own />
      </Page>,
    )
    ask(runner)
    await eventually(dialog()).toBeVisible()
    await settle()
    expect(warn).not.toHaveBeenCalled()
  })

  test('below a route keeps the question over a change of route (BUG-057)', async () => {
    const runner = createToolRunner({
      tools: [
        {
          name: 'delete',
          execute: (_args, ctx) => (ctx.answer ? 'deleted' : pending({ kind: 'approval', prompt: 'Delete it?' })),
        },
      ],
    })
    function Routes(): ReactNode {
      const [route, setRoute] = useState('a')
      return (
        <>
          <button type="button" onClick={() => setRoute(route === 'a' ? 'b' : 'a')}>
            Go
          </button>
          {route === 'a' && <PendingDialogs />}
        </>
      )
    }
    await render(
      <Page runner={runner} presentation="none" armingDelay={0}>
        <Routes />
      </Page>,
    )
    const result = runner.run('delete')
    await eventually(dialog()).toBeVisible()
    elementOf(page.getByRole('button', { name: 'Go', includeHidden: true })).click()
    await eventually(dialog()).not.toBeInTheDocument()
    await settle()
    expect(runner.count()).toBe(1)
    await userEvent.click(page.getByRole('button', { name: 'Go' }))
    await eventually(dialog()).toBeVisible()
    await userEvent.click(button('Approve'))
    expect(await result).toEqual({ output: 'deleted', isError: false })
  })
})

describe('an end that the person did not choose', () => {
  test('closes the dialog when the run is aborted, and its buttons are gone (BUG-036, BUG-038)', async () => {
    const attempts: unknown[] = []
    const runner = createToolRunner({
      tools: [
        {
          name: 'slow',
          execute: (_args, ctx) => {
            attempts.push(ctx.answer)
            return pending({ kind: 'approval', prompt: 'Sure?' })
          },
        },
      ],
    })
    await render(<Page runner={runner} armingDelay={0} />)
    elementOf(button('Opener')).focus()
    const controller = new AbortController()
    const result = runner.run('slow', {}, { signal: controller.signal })
    await eventually(dialog()).toBeVisible()
    const approve = elementOf(button('Approve'))
    controller.abort()
    approve.click()
    expect(await result).toEqual({ output: 'cancelled', isError: true })
    await eventually(dialog()).not.toBeInTheDocument()
    expect(button('Approve').elements()).toEqual([])
    await eventually(button('Opener')).toHaveFocus()
    expect(attempts).toEqual([undefined])
    expect(runner.getState().pending).toEqual([])
  })

  test('closes the dialog when it expires, and moves on to the next (BUG-061)', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const first = ask(runner, { prompt: 'Soon gone?', expiresAt: inMs(700) })
    ask(runner, { prompt: 'Still here?' })
    await eventually(prompt('Soon gone?')).toBeVisible()
    expect(await first.answer).toEqual({ id: first.id, ok: false, reason: 'expired' })
    await eventually(prompt('Still here?')).toBeVisible()
    expect(elementOf(dialog()).contains(document.activeElement)).toBe(true)
  })

  test('is not shown at all when it came too late (BUG-062)', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const { id, answer } = ask(runner, { expiresAt: inMs(-1000) })
    expect(await answer).toEqual({ id, ok: false, reason: 'expired' })
    await settle()
    expect(dialog().elements()).toEqual([])
  })

  test('is not approved after its time by a button that is still there', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const { answer } = ask(runner, { expiresAt: inMs(60_000) })
    await eventually(dialog()).toBeVisible()
    const approve = elementOf(button('Approve'))
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000)
    approve.click()
    expect((await answer).reason).toBe('expired')
  })

  test.each([
    [90_000, /Expires in 1:(30|29)/],
    [3_700_000, /Expires in 1:01:(40|39)/],
    [9_000, /Expires in 0:0[89]/],
  ])('is counted down: %d ms', async (ms, text) => {
    const runner = createToolRunner()
    await render(<Page runner={runner} />)
    ask(runner, { expiresAt: inMs(ms) })
    await eventually(page.getByRole('timer')).toHaveTextContent(text)
  })

  test.each(['soon', '', '2026-13-01T00:00:00Z', '1767225600000'])(
    'has no countdown for %j (BUG-065)',
    async (expiresAt) => {
      const runner = createToolRunner()
      await render(<Page runner={runner} />)
      const { answers } = ask(runner, { expiresAt })
      await eventually(dialog()).toBeVisible()
      await settle()
      expect(answers).toEqual([])
      expect(page.getByRole('timer').elements()).toEqual([])
    },
  )

  test('leaves the next question usable while the tool still works on the yes before (BUG-193)', async () => {
    let finish = (): void => {}
    const runner = createToolRunner({
      tools: [
        {
          name: 'slow',
          execute: async (_args, ctx) => {
            if (!ctx.answer) return pending({ kind: 'approval', prompt: 'Start?' })
            await new Promise<void>((resolve) => {
              finish = resolve
            })
            return 'finished'
          },
        },
      ],
    })
    await render(<Page runner={runner} armingDelay={0} />)
    const result = runner.run('slow')
    await userEvent.click(button('Approve'))
    await eventually(dialog()).not.toBeInTheDocument()
    const { answer } = ask(runner, { prompt: 'Meanwhile?' })
    await eventually(prompt('Meanwhile?')).toBeVisible()
    await userEvent.click(button('Approve'))
    expect((await answer).ok).toBe(true)
    finish()
    expect((await result).output).toBe('finished')
  })
})

describe('where the dialog is put', () => {
  test('in a shadow root it is modal, takes the focus and gives it back', async () => {
    const runner = createToolRunner()
    const root = place(document.createElement('div')).attachShadow({ mode: 'open' })
    const container = root.appendChild(document.createElement('div'))
    await render(<Page runner={runner} armingDelay={0} />, { container })
    const opener = container.querySelector('button') as HTMLButtonElement
    opener.focus()
    const { answer } = ask(runner)
    await expect.poll(() => container.querySelector('dialog:modal')).not.toBeNull()
    await expect.poll(() => root.activeElement?.textContent).toBe('Decline')
    await press('Escape')
    expect((await answer).reason).toBe('cancelled')
    await expect.poll(() => root.activeElement).toBe(opener)
  })

  test("over the app's own modal dialog it is on top, and Escape leaves the app's open", async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const modal = place(document.createElement('dialog'))
    modal.innerHTML = '<button>Inside</button>'
    modal.showModal()
    modal.querySelector('button')?.focus()
    const { answer } = ask(runner)
    await eventually(page.getByRole('alertdialog')).toBeVisible()
    const element = elementOf(page.getByRole('alertdialog'))
    expect(element.contains(document.elementFromPoint(...centreOf(element)))).toBe(true)
    expect(element.contains(document.activeElement)).toBe(true)
    await press('Escape')
    expect((await answer).reason).toBe('cancelled')
    await settle()
    expect(modal.matches(':modal')).toBe(true)
    expect(document.activeElement).toBe(modal.querySelector('button'))
  })

  test("inside the app's own modal dialog it works, and the app's hears no cancel and no close", async () => {
    const runner = createToolRunner()
    const heard = vi.fn()
    await render(
      <StrictMode>
        <dialog ref={(element) => void (element?.open || element?.showModal())} onCancel={heard} onClose={heard}>
          <ToolRunner runner={runner} armingDelay={0}>
            <button type="button">Inside</button>
          </ToolRunner>
        </dialog>
      </StrictMode>,
    )
    elementOf(button('Inside')).focus()
    const first = ask(runner)
    await eventually(page.getByRole('alertdialog')).toBeVisible()
    await press('Escape')
    expect((await first.answer).reason).toBe('cancelled')
    await eventually(button('Inside')).toHaveFocus()
    await settle()
    expect(heard).not.toHaveBeenCalled()
  })

  test('in `container` it is under that element, and works as everywhere', async () => {
    const runner = createToolRunner()
    const container = place(document.createElement('div'))
    await render(<Page runner={runner} armingDelay={0} container={container} />)
    elementOf(button('Opener')).focus()
    const { answer } = ask(runner)
    await eventually(dialog()).toBeVisible()
    expect(container.contains(elementOf(dialog()))).toBe(true)
    await userEvent.click(button('Approve'))
    expect((await answer).ok).toBe(true)
    await eventually(button('Opener')).toHaveFocus()
  })

  test('follows a `container` that comes later, with question and draft', async () => {
    const runner = createToolRunner()
    const container = place(document.createElement('div'))
    const view = (where: Element | null) => <Page runner={runner} armingDelay={0} container={where} />
    const { rerender } = await render(view(null))
    const { answers } = ask(runner, { kind: 'input' })
    await userEvent.fill(page.getByRole('textbox'), 'half')
    await rerender(view(container))
    await expect.poll(() => container.querySelector('dialog:modal')).not.toBeNull()
    await eventually(page.getByRole('textbox')).toHaveValue('half')
    await settle()
    expect(answers).toEqual([])
  })

  test.each(['input', 'question'])("in the app's form, its %s submits ours and not the app's", async (kind) => {
    const runner = createToolRunner()
    const container = place(document.createElement('div'))
    const submitted = vi.fn((event: React.FormEvent) => event.preventDefault())
    await render(
      <form onSubmit={submitted}>
        <ToolRunner runner={runner} armingDelay={0} container={container} />
      </form>,
    )
    const { answer } = ask(runner, { kind })
    await userEvent.fill(page.getByRole('textbox'), 'x')
    await userEvent.click(button('Submit'))
    expect((await answer).ok).toBe(true)
    expect(submitted).not.toHaveBeenCalled()
  })
})
