import '../../src/components/styles.css'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type AnyTool, createToolRunner, PendingList, type Runner, type ToolRunnerProps } from '../../src/index.js'
import {
  ask,
  button,
  dialog,
  elementOf,
  emulate,
  eventually,
  Page,
  pause,
  press,
  settle,
  tabTo,
  typingIsOver,
} from '../support/page.js'

beforeEach(typingIsOver)
afterEach(() => emulate('light'))

const show = (runner: Runner, props: Partial<ToolRunnerProps> = {}) =>
  render(<Page runner={runner} armingDelay={0} {...props} />)

const box = () => page.getByRole('textbox', { name: 'Type approve to allow this' })
const text = (): string => elementOf(dialog()).textContent

const tool = (rest: Partial<AnyTool>): AnyTool => ({
  name: 'delete_file',
  source: 'workspace',
  inputSchema: { type: 'object' },
  needsApproval: true,
  execute: () => 'deleted',
  ...rest,
})

describe('how grave it is', () => {
  test.each([
    ['low', 'Only reads', 'Approval needed'],
    ['medium', 'Can make changes', 'Approval needed'],
    ['high', 'Cannot be undone', 'Approval needed Cannot be undone'],
  ] as const)('%s is a mark, a word and a hook for styles', async (danger, word, name) => {
    const runner = createToolRunner()
    await show(runner)
    ask(runner, { data: { danger } })
    await eventually(dialog()).toHaveAttribute('data-danger', danger)
    await eventually(page.getByText(word)).toBeVisible()
    // The description is the prompt alone.
    expect(elementOf(dialog())).toHaveAccessibleDescription('Delete a.txt?')
    expect(elementOf(dialog())).toHaveAccessibleName(name)
    const mark = getComputedStyle(elementOf(page.getByText(word)), '::before')
    expect(Number.parseFloat(mark.inlineSize)).toBeGreaterThan(8)
  })

  test('nothing said is medium, and Approve says it to who cannot see', async () => {
    const runner = createToolRunner()
    await show(runner)
    ask(runner)
    await eventually(button('Approve')).toHaveAccessibleDescription('Can make changes')
  })

  test('is not said of what only is filled in', async () => {
    const runner = createToolRunner()
    await show(runner)
    ask(runner, { kind: 'input', prompt: 'Name?' })
    await eventually(button('Submit')).toBeVisible()
    expect(text()).not.toMatch(/changes|undone|reads/)
  })

  test('is on a card too', async () => {
    const runner = createToolRunner()
    await render(
      <Page runner={runner} armingDelay={0} presentation="inline">
        <PendingList />
      </Page>,
    )
    ask(runner, { data: { danger: 'high' } })
    const card = page.getByRole('article', { name: 'Approval needed Cannot be undone' })
    await eventually(card).toHaveAttribute('data-danger', 'high')
  })
})

describe('who asks', () => {
  test('the gate says that a tool wants to run', async () => {
    const runner = createToolRunner({ tools: [tool({})] })
    await show(runner)
    void runner.run('delete_file', { path: 'a.txt' })
    await eventually(dialog()).toBeVisible()
    expect(text()).toContain('The tool delete_file (workspace) wants to run')
    expect(text()).not.toContain('Not verified')
  })

  test('a tool’s own question says that it asks, and whether anybody vouches for it', async () => {
    const asking = tool({
      needsApproval: false,
      trusted: false,
      execute: () => ({
        output: '',
        isError: true,
        metadata: { pending: { id: 'own', kind: 'approval', prompt: 'Sure?', data: { danger: 'low' } } },
      }),
    })
    const runner = createToolRunner({ tools: [asking] })
    await show(runner)
    void runner.run('delete_file', {})
    await eventually(dialog()).toBeVisible()
    expect(text()).toContain('The tool delete_file (workspace) asks')
    expect(text()).toContain('Not verified')
    expect(text()).toContain('Can make changes')
  })

  test.each([
    ['server', 'The server files.example (https://files.example) asks'],
    ['agent', 'The agent files.example (https://files.example) asks'],
    ['constructor', 'files.example (constructor, https://files.example) asks'],
  ])('who is not a tool is named in our words: %s', async (kind, words) => {
    const runner = createToolRunner()
    await show(runner)
    const asker = { kind, name: 'files.example', origin: 'https://files.example', trusted: false }
    const source = { kind: 'app', name: 'Your Bank', trusted: true }
    void runner.waitFor({ id: 'a', kind: 'approval', prompt: 'Share?', data: { source } }, { asker })
    await eventually(dialog()).toBeVisible()
    expect(text()).toContain(words)
    expect(text()).toContain('Not verified')
    // What the request says of itself is data like any other, and no word of ours.
    expect(document.querySelector('[data-slot="asker"]')?.textContent).not.toContain('Your Bank')
    expect(document.querySelector('[data-slot="entries"]')?.textContent).toContain('Your Bank')
  })

  test('a name cannot turn the sentence around it', async () => {
    const runner = createToolRunner()
    await show(runner)
    const asker = { kind: 'server', name: 'evil\u202Eelpmaxe', origin: '<b>bank</b>' }
    void runner.waitFor({ id: 'a', kind: 'approval', prompt: 'Share?' }, { asker })
    await eventually(dialog()).toBeVisible()
    expect(text()).toContain('The server evil\\u{202E}elpmaxe (<b>bank</b>) asks')
  })
})

describe('danger high', () => {
  const open = async (props: Partial<ToolRunnerProps> = {}) => {
    const runner = createToolRunner()
    await show(runner, props)
    const asked = ask(runner, { data: { danger: 'high' } })
    await eventually(box()).toBeVisible()
    return asked
  }

  test('begins on Decline, with an Approve that is locked and says why', async () => {
    const { answer } = await open()
    await eventually(button('Decline')).toHaveFocus()
    const approve = elementOf(button('Approve'))
    expect(approve).toHaveAttribute('data-state', 'locked')
    expect(approve).toHaveAttribute('aria-disabled', 'true')
    expect(approve).not.toHaveAttribute('disabled')
    expect(approve).toHaveAccessibleDescription('Locked until you type “approve” at the end. Decline stops it.')
    expect(elementOf(box())).toHaveAccessibleDescription(
      'Locked until you type “approve” at the end. Decline stops it.',
    )
    await press('Enter')
    expect(await answer).toMatchObject({ ok: false, reason: 'declined' })
  })

  test('a press on the locked Approve leads to the box and answers nothing', async () => {
    const { answers } = await open()
    elementOf(button('Approve')).click()
    await eventually(box()).toHaveFocus()
    await settle()
    expect(answers).toEqual([])
  })

  test('the word unlocks it, in any case, by keyboard alone; Enter in the box answers nothing', async () => {
    const { id, answer, answers } = await open()
    await tabTo(box())
    await userEvent.keyboard('approv')
    await eventually(button('Approve')).toHaveAttribute('data-state', 'locked')
    await userEvent.fill(box(), '  aPProve ')
    await eventually(button('Approve')).toHaveAttribute('data-state', 'armed')
    expect(elementOf(button('Approve'))).not.toHaveAttribute('aria-disabled')
    await eventually(page.getByRole('status').filter({ hasText: 'Unlocked.' })).toBeInTheDocument()
    await press('Enter')
    await settle()
    expect(answers).toEqual([])
    await tabTo(button('Approve'))
    await press('Enter')
    expect(await answer).toEqual({ id, ok: true })
  })

  test('locks again when the word is gone', async () => {
    await open()
    await userEvent.fill(box(), 'approve')
    await userEvent.fill(box(), 'approved')
    await eventually(button('Approve')).toHaveAttribute('data-state', 'locked')
    await userEvent.fill(box(), '')
    await eventually(button('Approve')).toHaveAttribute('data-state', 'locked')
  })

  test('the word does not make a yes count before it is armed (K15)', async () => {
    const { answers } = await open({ armingDelay: 60_000 })
    await userEvent.fill(box(), 'approve')
    elementOf(button('Approve')).click()
    await pause(50)
    expect(answers).toEqual([])
    expect(elementOf(button('Approve'))).toHaveAttribute('data-state', 'arming')
  })

  test('the word is the app’s; an empty one does not unlock', async () => {
    const runner = createToolRunner()
    await show(runner, { labels: { confirmWord: ' ', confirmLabel: 'Bitte {word} tippen', approve: 'Erlauben' } })
    const { answers } = ask(runner, { data: { danger: 'high' } })
    const own = page.getByRole('textbox', { name: 'Bitte Erlauben tippen' })
    await eventually(own).toBeVisible()
    elementOf(button('Erlauben')).click()
    await settle()
    expect(answers).toEqual([])
    await userEvent.fill(own, 'ERLAUBEN')
    await eventually(button('Erlauben')).toHaveAttribute('data-state', 'armed')
  })

  test('Escape in the box cancels, and Close and Decline work while it is locked', async () => {
    const { answer } = await open()
    elementOf(box()).focus()
    await press('Escape')
    expect(await answer).toMatchObject({ ok: false, reason: 'cancelled' })
  })

  test.each(['light', 'dark'] as const)('breaks no rule, locked and unlocked, in %s', async (scheme) => {
    await emulate(scheme)
    await open()
    const violations = async () =>
      (await axe.run(document)).violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)
    expect(await violations()).toEqual([])
    await userEvent.fill(box(), 'approve')
    expect(await violations()).toEqual([])
  })
})

describe('decisions', () => {
  const open = async (decisions: unknown) => {
    const runner = createToolRunner()
    await show(runner)
    const asked = ask(runner, { data: { decisions } })
    await eventually(page.getByText('Decline with a reason')).toBeVisible()
    return asked
  }

  test.each([[[]], [['allow', 'constructor']], ['approve'], [null], [{ approve: true }], [['decline']]])(
    'that allow nothing known leave Decline and Close alone: %j',
    async (decisions) => {
      const { answer } = await open(decisions)
      const names = dialog()
        .getByRole('button')
        .elements()
        .map((element) => element.getAttribute('aria-label') ?? element.textContent)
      expect(names).toEqual(['Minimise', 'Close', 'Decline'])
      await userEvent.click(button('Decline'))
      expect((await answer).ok).toBe(false)
    },
  )

  test('are kept where they are known', async () => {
    const { id, answer } = await open(['approve', 'nonsense'])
    await userEvent.click(button('Approve'))
    expect(await answer).toEqual({ id, ok: true })
  })

  test('of a gate’s tool count the same', async () => {
    const runner = createToolRunner({ tools: [tool({ decisions: [] })] })
    await show(runner)
    const result = runner.run('delete_file')
    await eventually(page.getByText('Decline with a reason')).toBeVisible()
    expect(button('Approve').elements()).toEqual([])
    await userEvent.click(button('Decline'))
    expect((await result).output).toBe('declined/expired: Allow delete_file?')
  })
})

describe('what else came', () => {
  test('is told once: decisions, danger and annotations are no data, unknown keys are', async () => {
    const runner = createToolRunner()
    await show(runner)
    const data = {
      danger: 'low',
      decisions: ['approve'],
      annotations: { readOnlyHint: true },
      path: 'a/b',
      ticket: 7,
    }
    ask(runner, { data })
    await eventually(button('Approve')).toBeVisible()
    const terms = dialog()
      .getByRole('term')
      .elements()
      .map((element) => element.textContent)
    expect(terms).toEqual(['path', 'ticket'])
  })

  test('calls under review are a list with all they would be given', async () => {
    const runner = createToolRunner()
    await show(runner)
    const calls = [
      {
        id: 'c1',
        name: 'write_file',
        input: { path: '/a\u202E.md', tags: ['x', 'y'] },
        description: 'Writes',
        extra: 1,
      },
      { id: 'c2', name: 'send_mail', input: { to: 'a' }, arguments: '{"to":"b"}' },
    ]
    ask(runner, { data: { calls } })
    const list = page.getByRole('list')
    await eventually(list).toBeVisible()
    const parts = list
      .getByRole('listitem')
      .elements()
      .map((entry) => [...entry.querySelectorAll('bdi, dt')].map((part) => part.textContent.replace(/\s+/g, ' ')))
    expect(parts).toEqual([
      [
        'write_file',
        'c1',
        'Writes',
        'path',
        'path',
        '/a\\u{202E}.md',
        'tags (2)',
        'tags',
        '[ "x", "y" ]',
        'extra',
        'extra',
        '1',
      ],
      // They differ, so both are to be seen.
      ['send_mail', 'c2', 'to', 'to', 'b', 'input', 'input', '{ "to": "a" }'],
    ])
  })

  test('calls that are none are data', async () => {
    const runner = createToolRunner()
    await show(runner)
    ask(runner, { data: { calls: ['x'] } })
    await eventually(page.getByRole('term').filter({ hasText: 'calls' })).toBeVisible()
  })
})
