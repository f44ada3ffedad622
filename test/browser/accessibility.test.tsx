import '../../src/components/styles.css'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { createToolRunner, PendingList, type PendingRequest } from '../../src/index.js'
import { ask, button, dialog, elementOf, emulate, eventually, Page, press, typingIsOver } from '../support/page.js'

// The plain dialogs are in dialog-conformance.test.tsx; here are the states they can get into.

beforeEach(typingIsOver)

afterEach(async () => {
  document.documentElement.removeAttribute('dir')
  await emulate('light')
  await page.viewport(1024, 768)
})

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', description: 'As on the card', minLength: 2 },
    age: { type: 'integer', title: 'Age', minimum: 0 },
    day: { type: 'string', format: 'date', title: 'Day' },
    news: { type: 'boolean', title: 'News' },
    size: { type: 'string', enum: ['s', 'm'], title: 'Size' },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, title: 'Tags', minItems: 1 },
    more: { type: 'object', title: 'More' },
  },
  required: ['name', 'age', 'size', 'tags'],
}

const states: [string, Partial<PendingRequest>, (() => Promise<unknown>)?][] = [
  ['with a countdown', { expiresAt: new Date(Date.now() + 3_600_000).toISOString() }],
  ['with details and data', { data: { reason: 'Because', details: 'Long\ntext', size: { a: [1, null] } } }],
  ['with hidden characters', { prompt: 'Delete \u202ea.txt?' }],
  ['with a form', { kind: 'input', data: { schema } }],
  [
    'with errors in its form',
    { kind: 'input', data: { schema } },
    async () => {
      await eventually(button('Submit')).toBeVisible()
      elementOf(button('Submit')).click()
      await eventually(page.getByRole('textbox', { name: 'Name' })).toHaveAttribute('aria-invalid', 'true')
    },
  ],
  [
    'with questions that lack an answer',
    { kind: 'question', data: { questions: [{ question: 'Which?', options: ['x', 'y'] }, { question: 'Why?' }] } },
    async () => {
      await eventually(button('Submit')).toBeVisible()
      elementOf(button('Submit')).click()
      await eventually(page.getByRole('textbox', { name: 'Why?' })).toHaveAttribute('aria-invalid', 'true')
    },
  ],
  ['with a JSON box', { kind: 'input', data: { schema: { type: 'array' } } }],
  ['with a link', { kind: 'authorization', url: 'https://idp.example/login' }],
  ['minimised to the bar', {}, () => userEvent.click(button('Minimise'))],
]

const surroundings = [
  ['light', 1024, 'ltr'],
  ['dark', 1024, 'ltr'],
  ['light', 320, 'ltr'],
  ['dark', 320, 'rtl'],
] as const

const violations = async (): Promise<string[]> =>
  (await axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)

describe.each(surroundings)('in %s, %d wide, %s', (scheme, width, dir) => {
  test.each(states)('a dialog %s breaks no rule and stays within the page', async (_name, request, act) => {
    await emulate(scheme)
    await page.viewport(width, 640)
    document.documentElement.dir = dir
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    ask(runner, request)
    ask(runner)
    await eventually(dialog()).toBeVisible()
    await act?.()
    expect(await violations()).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  })

  test('a yes that is not armed yet breaks no rule', async () => {
    await emulate(scheme)
    await page.viewport(width, 640)
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={60_000} />)
    ask(runner)
    await eventually(dialog()).toBeVisible()
    expect(await violations()).toEqual([])
  })

  test('a list of cards breaks no rule and stays within the page', async () => {
    await emulate(scheme)
    await page.viewport(width, 640)
    document.documentElement.dir = dir
    const runner = createToolRunner()
    await render(
      <Page runner={runner} presentation="inline" armingDelay={0}>
        <h2>Chat</h2>
        <PendingList />
      </Page>,
    )
    for (const [, request] of states) ask(runner, request)
    await eventually(page.getByRole('textbox', { name: 'Name' }).first()).toBeInTheDocument()
    expect(await violations()).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  })
})

describe('language and direction', () => {
  test('follow the document', async () => {
    document.documentElement.dir = 'rtl'
    const runner = createToolRunner()
    await render(<Page runner={runner} />)
    ask(runner)
    await eventually(dialog()).toBeVisible()
    expect(elementOf(dialog())).not.toHaveAttribute('dir')
    expect(getComputedStyle(elementOf(dialog())).direction).toBe('rtl')
  })

  test.each(['dialog', 'inline'] as const)('are those given, as %s', async (presentation) => {
    const runner = createToolRunner()
    await render(
      <Page runner={runner} presentation={presentation} locale="ar" dir="rtl">
        {presentation === 'inline' && <PendingList />}
      </Page>,
    )
    ask(runner)
    const shown = presentation === 'inline' ? page.getByRole('article') : dialog()
    await eventually(shown).toBeVisible()
    expect(elementOf(shown).closest('[lang="ar"][dir="rtl"]')).not.toBeNull()
    expect(getComputedStyle(elementOf(shown)).direction).toBe('rtl')
  })
})

describe('forced colours', () => {
  test('leave every button and field with an edge', async () => {
    const { cdp } = await import('vitest/browser')
    await cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value: 'active' }] })
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    ask(runner, { kind: 'input', data: { schema } })
    await eventually(page.getByRole('textbox', { name: 'Name' })).toBeVisible()
    expect(matchMedia('(forced-colors: active)').matches).toBe(true)
    const parts = [
      elementOf(button('Decline')),
      elementOf(button('Submit')),
      elementOf(page.getByRole('textbox', { name: 'Name' })),
    ]
    for (const part of [...parts, elementOf(dialog())]) {
      const { borderTopStyle, borderTopWidth } = getComputedStyle(part)
      expect([borderTopStyle, Number.parseFloat(borderTopWidth) > 0]).toEqual(['solid', true])
    }
    await press('Escape')
  })
})
