import '../../src/components/styles.css'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { lateLabels } from '../../src/components/bodies/late-labels.js'
import { defaultLabels } from '../../src/components/labels.js'
import { type AnyTool, createToolRunner, pending, type ToolRunnerOptions } from '../../src/index.js'
import {
  ask,
  button,
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
afterEach(async () => {
  await emulate('light')
  await page.viewport(1024, 768)
})

const summary = (name: string) => page.getByText(name, { exact: true })
const reason = () => page.getByRole('textbox', { name: 'Your reason' })
const reply = () => page.getByRole('textbox', { name: 'Your reply' })

async function open(data: Record<string, unknown>, armingDelay = 0) {
  const runner = createToolRunner()
  await render(<Page runner={runner} armingDelay={armingDelay} />)
  const asked = ask(runner, { data })
  await eventually(summary('Decline with a reason')).toBeVisible()
  return asked
}

/** A tool the runner asks about, or one that asks itself. */
async function openTool(rest: Partial<AnyTool>, options: ToolRunnerOptions = {}) {
  const ran: unknown[] = []
  const runner = createToolRunner({
    ...options,
    tools: [
      {
        name: 'deploy',
        needsApproval: true,
        execute(args) {
          ran.push(args)
          return 'deployed'
        },
        ...rest,
      },
    ],
  })
  await render(<Page runner={runner} armingDelay={0} />)
  return { runner, ran, result: runner.run('deploy', { to: 'prod' }) }
}

describe('a no with a reason', () => {
  test('carries it as it was written, works by keyboard, and does not wait to be armed', async () => {
    const { id, answer } = await open({ decisions: ['approve', 'decline'] }, 60_000)
    await tabTo(summary('Decline with a reason'))
    await press('Enter')
    await tabTo(reason())
    await userEvent.keyboard(' Not{Enter}today ')
    await tabTo(button('Decline with this reason'))
    await press('Enter')
    expect(await answer).toEqual({ id, ok: false, reason: 'declined', data: { feedback: ' Not\ntoday ' } })
  })

  test('that is blank is a plain no', async () => {
    const { id, answer } = await open({ danger: 'high' })
    await userEvent.click(summary('Decline with a reason'))
    await userEvent.fill(reason(), '  ')
    await userEvent.click(button('Decline with this reason'))
    expect(await answer).toEqual({ id, ok: false, reason: 'declined' })
  })

  test('reaches the caller of a gated tool, which does not run', async () => {
    const { ran, result } = await openTool({ danger: 'high' })
    await userEvent.click(summary('Decline with a reason'))
    await userEvent.fill(reason(), 'Wrong day')
    await userEvent.click(button('Decline with this reason'))
    expect(await result).toMatchObject({ isError: true, metadata: { feedback: 'Wrong day' } })
    expect(ran).toEqual([])
  })

  test('is kept while the person looks at another question', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    ask(runner, { data: { decisions: ['approve'] } })
    ask(runner, { prompt: 'Another?' })
    await userEvent.click(summary('Decline with a reason'))
    await userEvent.fill(reason(), 'Later')
    await userEvent.click(button('Next'))
    await userEvent.click(button('Previous'))
    await eventually(reason()).toHaveValue('Later')
  })
})

describe('a reason that was written and not sent', () => {
  const typed = async (text: string, data: Record<string, unknown> = { danger: 'high' }) => {
    const asked = await open(data)
    await userEvent.click(summary('Decline with a reason'))
    await userEvent.fill(reason(), text)
    return asked
  }

  test('goes along with Decline', async () => {
    const { id, answer } = await typed(' Wrong day ')
    await userEvent.click(button('Decline'))
    expect(await answer).toEqual({ id, ok: false, reason: 'declined', data: { feedback: ' Wrong day ' } })
  })

  test('and is blank makes Decline a plain no', async () => {
    const { id, answer } = await typed(' \n ')
    await userEvent.click(button('Decline'))
    expect(await answer).toEqual({ id, ok: false, reason: 'declined' })
  })

  test('is not sent from a box that the person has closed, and not as a reply', async () => {
    const { id, answer } = await typed('Wrong day', { decisions: ['approve', 'respond'] })
    await userEvent.click(summary('Decline with a reason'))
    await eventually(reason()).not.toBeInTheDocument()
    await userEvent.click(summary('Reply instead'))
    await userEvent.fill(reply(), 'Use b.txt')
    await userEvent.click(button('Decline'))
    expect(await answer).toEqual({ id, ok: false, reason: 'declined' })
  })

  test('goes along after a look at another question', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const { answer } = ask(runner, { data: { decisions: ['approve'] } })
    ask(runner, { prompt: 'Another?' })
    await userEvent.click(summary('Decline with a reason'))
    await userEvent.fill(reason(), 'Later')
    await userEvent.click(button('Next'))
    await userEvent.click(button('Previous'))
    await eventually(reason()).toHaveValue('Later')
    await userEvent.click(button('Decline'))
    expect((await answer).data).toEqual({ feedback: 'Later' })
  })

  test.each([
    [1280, 720, undefined],
    [360, 640, undefined],
    [1280, 720, 600_000],
    [360, 640, 600_000],
  ])('can be sent from what is in view at %i by %i as soon as its box opens (expires in %s ms)', async (w, h, ms) => {
    await page.viewport(w, h)
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const data = {
      danger: 'high',
      calls: [{ name: 'delete_file', input: { name: 'x', from: 'a' } }],
      reason: 'Why. '.repeat(40),
    }
    ask(runner, { data, ...(ms && { expiresAt: new Date(Date.now() + ms).toISOString() }) })
    await userEvent.click(summary('Decline with a reason'))
    await eventually(button('Decline with this reason')).toBeVisible()
    const { left, right, top, bottom } = elementOf(button('Decline with this reason')).getBoundingClientRect()
    for (const y of [top + 1, bottom - 1]) {
      expect(document.elementFromPoint((left + right) / 2, y)).toBe(elementOf(button('Decline with this reason')))
    }
    const box = elementOf(reason()).getBoundingClientRect()
    expect(document.elementFromPoint(box.left + 9, box.top + 9)).toBe(elementOf(reason()))
  })
})

test('the second click of a double click on the title sends no reason that stands there', async () => {
  const { answers } = await open({ danger: 'high' })
  await userEvent.click(summary('Decline with a reason'))
  const second = new MouseEvent('click', { bubbles: true, detail: 2 })
  elementOf(button('Decline with this reason')).dispatchEvent(second)
  await settle()
  expect(answers).toEqual([])
})

describe('a reply instead of a yes', () => {
  test('reaches the tool that asked and allows it, as feedback', async () => {
    const { id, answer, answers } = await open({ decisions: ['approve', 'respond'] })
    await userEvent.click(summary('Reply instead'))
    expect(elementOf(reply())).toHaveAccessibleDescription('It goes to the tool, which decides what to do with it.')
    await eventually(button('Send this reply')).toHaveAttribute('aria-disabled', 'true')
    elementOf(button('Send this reply')).click()
    await userEvent.fill(reply(), ' \n ')
    elementOf(button('Send this reply')).click()
    await settle()
    expect(answers).toEqual([])
    await userEvent.fill(reply(), 'Use b.txt')
    await userEvent.click(button('Send this reply'))
    expect(await answer).toEqual({ id, ok: true, data: { feedback: 'Use b.txt' } })
  })

  test('is not offered unless it is allowed', async () => {
    await open({ decisions: ['approve'] })
    expect(summary('Reply instead').elements()).toEqual([])
  })

  test('at the gate runs nothing: it is a no with words', async () => {
    const { ran, result } = await openTool({ decisions: ['approve', 'respond'] })
    await userEvent.click(summary('Reply instead'))
    expect(elementOf(reply())).toHaveAccessibleDescription('The tool does not run; your reply is sent back.')
    await userEvent.fill(reply(), 'Staging first')
    await userEvent.click(button('Send this reply'))
    expect(await result).toMatchObject({ isError: true, metadata: { feedback: 'Staging first' } })
    expect(ran).toEqual([])
  })

  test('counts like a yes: not before it is armed, and with danger high not before the second step', async () => {
    const { answers } = await open({ decisions: ['respond'] }, 60_000)
    await userEvent.click(summary('Reply instead'))
    await userEvent.fill(reply(), 'x')
    elementOf(button('Send this reply')).click()
    await settle()
    expect(answers).toEqual([])
    await press('Escape')
    await typingIsOver()

    const high = await open({ decisions: ['respond'], danger: 'high' })
    await userEvent.click(summary('Reply instead'))
    await userEvent.fill(reply(), 'x')
    elementOf(button('Send this reply')).click()
    const box = page.getByRole('textbox', { name: 'Type approve to allow this' })
    await eventually(box).toHaveFocus()
    expect(high.answers).toEqual([])
    await userEvent.keyboard('approve')
    await userEvent.click(button('Send this reply'))
    expect((await high.answer).data).toEqual({ feedback: 'x' })
  })
})

describe('a yes that is remembered', () => {
  const select = () => page.getByRole('combobox', { name: 'Remember a yes' })
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  const remembering = { policy: { remember: true, storage } }
  afterEach(() => kept.clear())

  test('is not called lasting where nothing is kept beyond the page', async () => {
    await openTool({}, { policy: { remember: true } })
    await eventually(select()).toBeVisible()
    const words = [...(elementOf(select()) as HTMLSelectElement).options].map(({ text }) => text)
    expect(words.filter((text) => text.startsWith('Always'))).toEqual([])
    expect(words).toHaveLength(3)
  })

  test('is for this time only unless the person says otherwise', async () => {
    const { runner, ran, result } = await openTool({}, remembering)
    await eventually(select()).toHaveDisplayValue('This time only')
    expect([...(elementOf(select()) as HTMLSelectElement).options].map(({ text }) => text)).toEqual([
      'This time only',
      'Until this page is closed, for exactly these arguments',
      'Always, for exactly these arguments',
      'Until this page is closed, for anything deploy asks',
      'Always, for anything deploy asks',
    ])
    await eventually(button('Decline')).toHaveFocus()
    await userEvent.click(button('Approve'))
    await result
    expect(ran).toHaveLength(1)
    expect(runner.permissions()).toEqual([])
  })

  test.each([
    ['Until this page is closed, for exactly these arguments', { until: 'session', args: { to: 'prod' } }],
    ['Always, for exactly these arguments', { until: 'always', args: { to: 'prod' } }],
    ['Until this page is closed, for anything deploy asks', { until: 'session' }],
    ['Always, for anything deploy asks', { until: 'always' }],
  ])('holds for what its words say: %s', async (words, permission) => {
    const { runner, result } = await openTool({}, remembering)
    await userEvent.selectOptions(select(), words)
    await userEvent.click(button('Approve'))
    await result
    const [kept] = runner.permissions()
    expect(kept).toMatchObject({ tool: 'deploy', ...permission })
    expect(kept?.args).toEqual('args' in permission ? permission.args : undefined)
    expect((await runner.run('deploy', { to: 'prod' })).output).toBe('deployed')
  })

  test('answers what already waits for the same', async () => {
    const { runner, ran, result } = await openTool({}, remembering)
    const second = runner.run('deploy', { to: 'prod' })
    await userEvent.selectOptions(select(), 'Until this page is closed, for exactly these arguments')
    await userEvent.click(button('Approve'))
    await Promise.all([result, second])
    expect(ran).toHaveLength(2)
  })

  test('is never offered with danger high, with choices, nor by a no', async () => {
    const { runner, result } = await openTool({ danger: 'high' }, remembering)
    await eventually(page.getByRole('textbox', { name: 'Type approve to allow this' })).toBeVisible()
    expect(select().elements()).toEqual([])
    await userEvent.click(button('Decline'))
    await result
    expect(runner.permissions()).toEqual([])

    const choosing = await openTool(
      {
        needsApproval: false,
        execute: (_args, ctx) =>
          ctx.answer ? 'ok' : pending({ kind: 'approval', prompt: 'Which?', data: { choices: ['a', 'b'] } }),
      },
      remembering,
    )
    await eventually(button('a')).toBeVisible()
    expect(select().elements()).toEqual([])
    await userEvent.click(button('a'))
    await choosing.result
  })

  test('is of the arguments as they are, so an edit is not remembered', async () => {
    const { runner, ran, result } = await openTool(
      {
        inputSchema: { type: 'object', properties: { to: { type: 'string' } } },
        decisions: ['approve', 'edit'],
      },
      remembering,
    )
    await userEvent.selectOptions(select(), 'Always, for exactly these arguments')
    await userEvent.click(button('Edit'))
    await userEvent.fill(page.getByRole('textbox', { name: 'to' }), 'dev')
    expect(select().elements()).toEqual([])
    await userEvent.click(button('Approve with changes'))
    await result
    expect(ran).toEqual([{ to: 'dev' }])
    expect(runner.permissions()).toEqual([])
  })
})

test('every word of it is a label', async () => {
  const labels = Object.fromEntries(
    Object.entries({ ...defaultLabels, ...lateLabels }).map(([name, words]) => [
      name,
      `⟦${name}${[...words.matchAll(/\{\w+\}/g)].map(String).join('')}⟧`,
    ]),
  )
  const runner = createToolRunner({
    tools: [
      {
        name: '1',
        needsApproval: true,
        trusted: false,
        decisions: ['approve', 'edit', 'respond'],
        inputSchema: { type: 'object', properties: { 2: { type: 'string' }, 3: { type: 'array', items: {} } } },
        execute: () => '',
      },
    ],
    policy: { remember: true },
  })
  await render(<Page runner={runner} armingDelay={0} labels={labels} />)
  const english = (): string[] => {
    const root = document.querySelector('dialog')
    const attributes = [...(root?.querySelectorAll('[aria-label]') ?? [])].map((part) =>
      part.getAttribute('aria-label'),
    )
    return [root?.textContent, ...attributes].flatMap(
      (words) => words?.replace(/⟦.*?⟧/g, '').match(/[a-z]{2,}/gi) ?? [],
    )
  }
  void runner.run('1', { 2: '4' })
  await userEvent.click(summary('⟦declineWhy⟧'))
  await userEvent.click(summary('⟦reply⟧'))
  await userEvent.click(button('⟦edit⟧'))
  await userEvent.fill(page.getByRole('textbox', { name: '2', exact: true }), '5')
  await userEvent.fill(page.getByRole('textbox', { name: '3', exact: true }), '[')
  await userEvent.click(button('⟦approveEdited⟧'))
  await eventually(page.getByText('⟦errorJson⟧')).toBeVisible()
  // What the gate asks is a text of the contract.
  expect(english()).toEqual(['Allow'])
  runner.abort()
  for (const data of [
    { danger: 'high', calls: [{ name: '1' }] },
    { choices: ['1'] },
    { choices: ['1'], multiple: true },
  ]) {
    const { answer } = ask(runner, { prompt: '6', data })
    await eventually(summary('⟦declineWhy⟧')).toBeVisible()
    expect(english()).toEqual([])
    await userEvent.click(button('⟦decline⟧'))
    await answer
  }
})

test.each(['light', 'dark'] as const)('all of it open breaks no rule in %s', async (scheme) => {
  await emulate(scheme)
  await openTool(
    {
      decisions: ['approve', 'respond', 'edit'],
      inputSchema: { type: 'object', properties: { to: { type: 'string' } } },
    },
    { policy: { remember: true } },
  )
  await userEvent.click(summary('Decline with a reason'))
  await userEvent.click(summary('Reply instead'))
  await userEvent.click(button('Edit'))
  const { violations } = await axe.run(document)
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
})
