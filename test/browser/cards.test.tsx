import '../../src/components/styles.css'
import axe from 'axe-core'
import { type ReactNode, useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { createToolRunner, type PendingItem, PendingList } from '../../src/index.js'
import {
  ask,
  button,
  cards,
  dialog,
  elementOf,
  emulate,
  eventually,
  hold,
  keyDown,
  keyUp,
  Page,
  pause,
  press,
  settle,
} from '../support/page.js'

const card = (prompt: string) => cards().filter({ hasText: prompt })
const within = (prompt: string, name: string) => card(prompt).getByRole('button', { name, exact: true })
const list = () => page.getByRole('region', { name: 'Waiting for your answer' })

afterEach(async () => {
  await emulate('light')
  await page.viewport(1024, 768)
  for (const left of document.querySelectorAll('[data-left]')) left.remove()
})

async function shown(
  prompts: string[],
  { armingDelay = 0, filter }: { armingDelay?: number; filter?: (item: PendingItem) => boolean } = {},
) {
  const runner = createToolRunner()
  await render(
    <Page runner={runner} presentation="inline" armingDelay={armingDelay}>
      <h2>Chat</h2>
      <PendingList {...(filter && { filter })} />
    </Page>,
  )
  const questions = prompts.map((prompt) => ask(runner, { prompt }))
  if (!filter) await expect.poll(() => cards().elements().length).toBe(prompts.length)
  return { runner, questions }
}

describe('the questions as cards', () => {
  test('are a list, oldest first, each named and described by its prompt', async () => {
    await shown(['A?', 'B?', 'C?'])
    await eventually(page.getByRole('list')).toBeVisible()
    expect(
      page
        .getByRole('listitem')
        .elements()
        .map((item) => item.querySelector('[data-slot="prompt"]')?.textContent),
    ).toEqual(['A?', 'B?', 'C?'])
    await eventually(card('B?')).toHaveAccessibleName('Approval needed')
    await eventually(card('B?')).toHaveAccessibleDescription('B?')
    expect(dialog().elements()).toEqual([])
  })

  test('take no focus when they come', async () => {
    const { runner } = await shown([])
    elementOf(button('Opener')).focus()
    ask(runner, { prompt: 'A?' })
    await eventually(card('A?')).toBeVisible()
    await eventually(button('Opener')).toHaveFocus()
  })

  test('are answered each by itself, in any order (BUG-017)', async () => {
    const { questions } = await shown(['A?', 'B?', 'C?'])
    await userEvent.click(within('B?', 'Approve'))
    await userEvent.click(within('C?', 'Decline'))
    const [a, b, c] = questions
    expect(await b?.answer).toEqual({ id: b?.id, ok: true })
    expect(await c?.answer).toEqual({ id: c?.id, ok: false, reason: 'declined' })
    expect(a?.answers).toEqual([])
    await expect.poll(() => cards().elements().length).toBe(1)
    await userEvent.click(within('A?', 'Close'))
    expect((await a?.answer)?.reason).toBe('cancelled')
  })

  test('keep their own form each', async () => {
    const { runner } = await shown([])
    const [a, b] = [ask(runner, { kind: 'input', prompt: 'A?' }), ask(runner, { kind: 'input', prompt: 'B?' })]
    await userEvent.fill(card('A?').getByRole('textbox'), 'for a')
    await userEvent.fill(card('B?').getByRole('textbox'), 'for b')
    await userEvent.click(within('B?', 'Submit'))
    expect((await b.answer).data).toEqual({ value: 'for b' })
    await eventually(card('A?').getByRole('textbox')).toHaveValue('for a')
    await userEvent.click(within('A?', 'Submit'))
    expect((await a.answer).data).toEqual({ value: 'for a' })
  })

  test('are armed one by one, from when each came', async () => {
    const { runner, questions } = await shown(['A?'], { armingDelay: 400 })
    expect(elementOf(within('A?', 'Approve'))).toHaveAttribute('aria-disabled', 'true')
    elementOf(within('A?', 'Approve')).click()
    await settle()
    expect(questions[0]?.answers).toEqual([])
    await eventually(within('A?', 'Approve')).toHaveAttribute('data-state', 'armed')
    ask(runner, { prompt: 'B?' })
    await eventually(card('B?')).toBeVisible()
    expect(elementOf(within('B?', 'Approve'))).toHaveAttribute('data-state', 'arming')
    expect(elementOf(within('A?', 'Approve'))).toHaveAttribute('data-state', 'armed')
  })

  test('are armed only once they are in view', async () => {
    const runner = createToolRunner()
    await render(
      <Page runner={runner} presentation="inline" armingDelay={200}>
        {Array.from({ length: 60 }, (_, n) => `line ${n}`).map((line) => (
          <p key={line}>{line}</p>
        ))}
        <PendingList />
      </Page>,
    )
    window.scrollTo(0, 0)
    ask(runner, { prompt: 'A?' })
    await eventually(card('A?')).toBeInTheDocument()
    await pause(400)
    await eventually(within('A?', 'Approve')).toHaveAttribute('data-state', 'arming')
    elementOf(card('A?')).scrollIntoView()
    await eventually(within('A?', 'Approve')).toHaveAttribute('data-state', 'armed')
    window.scrollTo(0, 0)
  })

  test('do not let the second click of a double click answer the card that moved up (BUG-090)', async () => {
    const { questions } = await shown(['A?', 'B?'], { armingDelay: 250 })
    await eventually(within('B?', 'Approve')).toHaveAttribute('data-state', 'armed')
    const { left, top, width, height } = elementOf(within('A?', 'Approve')).getBoundingClientRect()
    elementOf(within('A?', 'Approve')).click()
    await pause(80)
    const under = document.elementFromPoint(left + width / 2, top + height / 2)
    if (under instanceof HTMLElement) under.click()
    await settle()
    expect(questions.map(({ answers }) => answers.length)).toEqual([1, 0])
  })

  test.each(['Enter', ' '] as const)('let a held %j answer one of them at most', async (key) => {
    const { questions } = await shown(['A?', 'B?'])
    elementOf(within('A?', 'Decline')).focus()
    if (key === 'Enter') await hold(key)
    else {
      await hold(key)
      await keyUp(key)
    }
    await settle()
    await keyDown(key, { repeat: true })
    await keyUp(key)
    await settle()
    expect(questions.map(({ answers }) => answers.length)).toEqual([1, 0])
  })

  test('leave Escape to the page', async () => {
    const { questions } = await shown(['A?'])
    elementOf(within('A?', 'Decline')).focus()
    await press('Escape')
    await settle()
    expect(questions[0]?.answers).toEqual([])
  })

  test('have no violations of accessibility rules, light and dark', async () => {
    const { runner } = await shown(['A?', 'B?'])
    ask(runner, { kind: 'input', prompt: 'C?' })
    ask(runner, { kind: 'question', prompt: 'D?', data: { questions: [{ question: 'Which?', options: ['x', 'y'] }] } })
    ask(runner, { kind: 'authorization', prompt: 'E?', url: 'https://idp.example/' })
    await eventually(card('C?').getByRole('textbox')).toBeVisible()
    for (const scheme of ['light', 'dark'] as const) {
      await emulate(scheme)
      const { violations } = await axe.run(document)
      expect(violations.map(({ id, nodes }) => `${scheme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
        [],
      )
    }
  })

  test('fit into 320 pixels', async () => {
    await page.viewport(320, 480)
    const { runner } = await shown(['A?', 'x'.repeat(3000)])
    ask(runner, { kind: 'input', prompt: 'C?' })
    await eventually(card('C?').getByRole('textbox')).toBeInTheDocument()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  })
})

describe('the focus on a card', () => {
  test('goes to the next card when its card is answered (BUG-183)', async () => {
    await shown(['A?', 'B?', 'C?'])
    elementOf(within('B?', 'Approve')).focus()
    await press('Enter')
    await eventually(card('C?').getByRole('heading', { name: 'Approval needed' })).toHaveFocus()
  })

  test('goes to the card before when the last one is answered', async () => {
    await shown(['A?', 'B?'])
    elementOf(within('B?', 'Decline')).focus()
    await press('Enter')
    await eventually(card('A?').getByRole('heading', { name: 'Approval needed' })).toHaveFocus()
  })

  test('goes to the list when none is left, and is not lost', async () => {
    await shown(['A?'])
    elementOf(within('A?', 'Decline')).focus()
    await press('Enter')
    await eventually(list()).toHaveFocus()
  })

  test('stays where it is when another card is answered or goes', async () => {
    const { runner, questions } = await shown(['A?', 'B?', 'C?'])
    elementOf(within('B?', 'Decline')).focus()
    runner.answer(questions[0]?.id ?? '', { id: questions[0]?.id ?? '', ok: false, reason: 'declined' })
    await expect.poll(() => cards().elements().length).toBe(2)
    await eventually(within('B?', 'Decline')).toHaveFocus()
  })

  test('is not lost when all of them go at once', async () => {
    const { runner } = await shown(['A?', 'B?', 'C?'])
    elementOf(within('B?', 'Decline')).focus()
    runner.abort()
    await expect.poll(() => cards().elements().length).toBe(0)
    await eventually(list()).toHaveFocus()
  })

  test('goes on in a shadow root too', async () => {
    const runner = createToolRunner()
    const host = document.body.appendChild(document.createElement('div'))
    host.dataset.left = ''
    const root = host.attachShadow({ mode: 'open' })
    const container = root.appendChild(document.createElement('div'))
    await render(
      <Page runner={runner} presentation="inline" armingDelay={0}>
        <PendingList />
      </Page>,
      { container },
    )
    ask(runner, { prompt: 'A?' })
    ask(runner, { prompt: 'B?' })
    await expect.poll(() => container.querySelectorAll('article').length).toBe(2)
    const decline = container.querySelector<HTMLElement>('article [data-slot="decline"]')
    decline?.focus()
    await press('Enter')
    await expect.poll(() => container.querySelectorAll('article').length).toBe(1)
    await expect.poll(() => root.activeElement?.getAttribute('data-slot')).toBe('title')
  })
})

describe('a card with the id of one before', () => {
  test('is a new one: no typed text, no old answer, no duplicate key (BUG-180, BUG-178)', async () => {
    const error = vi.spyOn(console, 'error')
    const { runner } = await shown([])
    const first = ask(runner, { id: 'Bash_0', kind: 'input', prompt: 'First?' })
    await userEvent.fill(card('First?').getByRole('textbox'), 'typed in card 1')
    const second = ask(runner, { id: 'Bash_0', kind: 'input', prompt: 'Second?' })
    await expect.poll(() => cards().elements().length).toBe(2)
    await userEvent.click(within('First?', 'Submit'))
    expect((await first.answer).data).toEqual({ value: 'typed in card 1' })
    await eventually(card('Second?').getByRole('textbox')).toHaveValue('')
    expect(second.answers).toEqual([])
    const third = ask(runner, { id: 'Bash_0', kind: 'input', prompt: 'Third?' })
    await eventually(card('Third?').getByRole('textbox')).toHaveValue('')
    await userEvent.fill(card('Second?').getByRole('textbox'), 'two')
    await userEvent.click(within('Second?', 'Submit'))
    expect((await second.answer).data).toEqual({ value: 'two' })
    expect(third.answers).toEqual([])
    expect(error).not.toHaveBeenCalled()
  })
})

describe('a new card', () => {
  test('is announced in a live region that was there before (BUG-182)', async () => {
    const { runner } = await shown([])
    const status = elementOf(list().getByRole('status'))
    expect(status.textContent).toBe('')
    ask(runner, { prompt: 'Delete b.txt?' })
    await eventually(list().getByRole('status')).toHaveTextContent('New question: Delete b.txt?')
    expect(elementOf(list().getByRole('status'))).toBe(status)
  })

  test('is announced with its hidden characters written out', async () => {
    const { runner } = await shown([])
    ask(runner, { prompt: 'Delete \u202eb.txt?' })
    await eventually(list().getByRole('status')).toHaveTextContent('New question: Delete \\u{202E}b.txt?')
  })

  test('is announced once, and an older one never again', async () => {
    const { runner } = await shown([])
    ask(runner, { prompt: 'A?' })
    const b = ask(runner, { prompt: 'B?' })
    await eventually(list().getByRole('status')).toHaveTextContent('New question: B?')
    runner.answer(b.id, { id: b.id, ok: true })
    await expect.poll(() => cards().elements().length).toBe(1)
    await eventually(list().getByRole('status')).toHaveTextContent('New question: B?')
  })

  test('is announced by its own text when two say the same', async () => {
    const { runner } = await shown([])
    const changes: string[] = []
    const status = elementOf(list().getByRole('status'))
    new MutationObserver(() => changes.push(status.textContent ?? '')).observe(status, {
      childList: true,
      characterData: true,
      subtree: true,
    })
    ask(runner, { prompt: 'Delete it?' })
    await expect.poll(() => changes.length).toBeGreaterThan(0)
    const before = changes.length
    ask(runner, { prompt: 'Delete it?' })
    await expect.poll(() => cards().elements().length).toBe(2)
    await expect.poll(() => changes.length).toBeGreaterThan(before)
  })

  test.each(['dialog', 'inline'] as const)(
    'and its dialog: %s announces what it is (BUG-182)',
    async (presentation) => {
      const runner = createToolRunner()
      await render(
        <Page runner={runner} presentation={presentation}>
          <PendingList />
        </Page>,
      )
      ask(runner, { prompt: 'A?' })
      if (presentation === 'inline') await eventually(page.getByRole('status').first()).toHaveTextContent('A?')
      else await eventually(dialog()).toHaveAccessibleDescription('A?')
    },
  )
})

describe('a filter', () => {
  test('shows its own questions only, and follows when it changes', async () => {
    const runner = createToolRunner()
    function Filtered(): ReactNode {
      const [letter, setLetter] = useState('A')
      return (
        <>
          <button type="button" onClick={() => setLetter('B')}>
            Other
          </button>
          <PendingList filter={({ request }) => request.prompt.startsWith(letter)} />
        </>
      )
    }
    await render(
      <Page runner={runner} presentation="inline">
        <Filtered />
      </Page>,
    )
    for (const prompt of ['A1', 'B1', 'A2']) ask(runner, { prompt })
    await expect.poll(() => cards().elements().length).toBe(2)
    expect(card('B1').elements()).toEqual([])
    await userEvent.click(page.getByRole('button', { name: 'Other' }))
    await eventually(card('B1')).toBeVisible()
    expect(cards().elements()).toHaveLength(1)
  })

  test('announces only what it shows', async () => {
    const { runner } = await shown([], { filter: ({ request }) => request.prompt !== 'B?' })
    ask(runner, { prompt: 'A?' })
    ask(runner, { prompt: 'B?' })
    await eventually(list().getByRole('status')).toHaveTextContent('New question: A?')
    await settle()
    expect(elementOf(list().getByRole('status')).textContent).not.toContain('B?')
  })
})
