import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import {
  type Answer,
  createToolRunner,
  PendingList,
  type PendingRequest,
  ToolRunner,
  type ToolRunnerProps,
} from '../../src/index.js'

/** Every word of the kit, from wherever its parts keep theirs. */
const every: Record<string, string> = Object.assign(
  {},
  ...Object.values(
    import.meta.glob<Record<string, unknown>>('../../src/components/**/*labels.ts', { eager: true }),
  ).flatMap((module) => Object.values(module)),
)

/** Every word replaced by its own name, with its blanks kept. */
const replaced = Object.fromEntries(
  Object.entries(every).map(([name, text]) => [
    name,
    `⟦${name}${[...text.matchAll(/\{\w+\}/g)].map(String).join('')}⟧`,
  ]),
)

async function show(request: Partial<PendingRequest>, props: Partial<ToolRunnerProps>) {
  const runner = createToolRunner()
  render(
    <ToolRunner runner={runner} armingDelay={0} {...props}>
      {props.presentation === 'inline' && <PendingList />}
    </ToolRunner>,
  )
  let answer: Promise<Answer> | undefined
  await act(async () => {
    answer = runner.waitFor({ id: 'w', kind: 'approval', prompt: 'P', ...request })
  })
  await screen.findByText('P')
  return { runner, answer }
}

describe('labels', () => {
  test('replace one word and leave the others', async () => {
    await show({}, { labels: { approve: 'Freigeben' } })
    expect(screen.getByRole('button', { name: 'Freigeben' })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Decline' })).toBeInTheDocument()
  })

  test('follow the props while a dialog is open', async () => {
    const runner = createToolRunner()
    const { rerender } = render(<ToolRunner runner={runner} labels={{ approve: 'Ja' }} />)
    await act(async () => void runner.waitFor({ id: 'w', kind: 'approval', prompt: 'P' }))
    expect(screen.getByRole('button', { name: 'Ja' })).toBeInTheDocument()
    rerender(<ToolRunner runner={runner} labels={{ approve: 'Oui' }} />)
    expect(screen.getByRole('button', { name: 'Oui' })).toBeInTheDocument()
  })

  test.each([undefined, null])('that are %s are the default ones, and no button is lost', async (nothing) => {
    const labels = { approve: nothing, decline: nothing, titleApproval: nothing } as unknown as NonNullable<
      ToolRunnerProps['labels']
    >
    await show({}, { labels })
    expect(screen.getByRole('button', { name: 'Approve' })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Decline' })).toBeInTheDocument()
    expect(screen.getByRole('alertdialog', { name: 'Approval needed' })).toBeInTheDocument()
  })

  test('keep a dollar sign and a brace of the prompt as they are', async () => {
    await show({ prompt: 'P' }, { presentation: 'inline' })
    const runner = createToolRunner()
    render(
      <ToolRunner runner={runner} presentation="inline">
        <PendingList />
      </ToolRunner>,
    )
    await act(async () => void runner.waitFor({ id: 'x', kind: 'approval', prompt: '$& {prompt} {count} $1' }))
    expect(screen.getByText('New question: $& {prompt} {count} $1')).toBeInTheDocument()
  })

  test('name the button with the exact default words', () => {
    expect(every).toMatchObject({
      approve: 'Approve',
      decline: 'Decline',
      submit: 'Submit',
      finished: "I've finished",
      close: 'Close',
      previous: 'Previous',
      next: 'Next',
      approveAll: 'Approve all',
      openLink: 'Open link {host}',
    })
  })
})

/** What stands in the page besides what the request brought and the signs × – *. */
function english(container: Element): string[] {
  const words: string[] = []
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) words.push(node.textContent ?? '')
  for (const part of container.querySelectorAll('*')) {
    words.push(...['aria-label', 'title', 'placeholder', 'alt'].map((name) => part.getAttribute(name) ?? ''))
  }
  return words.map((word) => word.replace(/⟦.*?⟧/gs, '').trim()).filter((word) => /[a-z]{2,}/i.test(word))
}

const soon = (): string => new Date(Date.now() + 60_000).toISOString()
const schema = {
  type: 'object',
  properties: {
    ta: { type: 'string', title: 'T' },
    tb: { type: 'boolean', title: 'T' },
    tc: { type: 'string', enum: ['v', ''], title: 'T' },
    td: { type: 'array', items: { enum: ['v'] }, title: 'T' },
    te: { type: 'object', title: 'T' },
    tf: { type: 'string', format: 'date', title: 'T' },
    '': { type: 'string' },
  },
  required: ['ta', 'tc'],
}

const shows: [string, Partial<PendingRequest>][] = [
  ['approval', { expiresAt: soon(), data: { reason: 'R', details: 'D', more: 'M' } }],
  ['unknown kind', { kind: 'x' }],
  ['hidden characters', { prompt: 'P', data: { more: '\u202e' } }],
  ['input', { kind: 'input', data: { schema } }],
  ['free input', { kind: 'input' }],
  [
    'secret',
    {
      kind: 'input',
      data: { schema: { type: 'object', properties: { tp: { type: 'string', format: 'password', title: 'T' } } } },
    },
  ],
  [
    'question',
    {
      kind: 'question',
      data: { questions: [{ question: 'Q', options: ['O'] }, { options: ['O'], multiple: true }, {}] },
    },
  ],
  ['authorization', { kind: 'authorization', url: 'https://h.example/' }],
  ['unusable address', { kind: 'authorization', url: 'ftp:x' }],
  ['no address', { kind: 'authorization' }],
]

describe('every word can be replaced', () => {
  test.each(shows)('in a dialog: %s', async (_name, request) => {
    const { runner } = await show(request, { labels: replaced })
    await act(async () => void runner.waitFor({ id: 'second', kind: 'approval', prompt: 'P2' }))
    await act(() => new Promise((resolve) => setTimeout(resolve, 100)))
    const submit = screen.queryByRole('button', { name: '⟦submit⟧' })
    if (submit) await userEvent.click(submit)
    const given = /^(R|D|M|T|Q|O|P2?|v|more|https:\/\/|h\.example|ftp:x|.*data|example|\d|w|x|te|ta)/
    expect(english(document.body).filter((word) => !given.test(word) && !/\\u\{/.test(word))).toEqual([])
  })

  test('on cards and in the bar', async () => {
    await show({}, { labels: replaced, presentation: 'inline' })
    expect(english(document.body)).toEqual([])
  })

  test('in the bar of a minimised dialog', async () => {
    await show({}, { labels: replaced })
    await userEvent.click(screen.getByRole('button', { name: '⟦minimise⟧' }))
    const bar = screen.getByRole('region', { name: '⟦list⟧' })
    expect(within(bar).getByRole('status')).toHaveTextContent('⟦waiting1⟧')
    expect(english(document.body)).toEqual([])
  })

  test('and none of the words is left unused', async () => {
    const fs = await vi.importActual<typeof import('node:fs')>('node:fs')
    const sources = fs
      .readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !/labels\.ts$/.test(path))
      .map((path) => fs.readFileSync(`src/${path}`, 'utf8'))
      .join('\n')
    // A field's error is looked up by its keyword.
    const unused = Object.keys(every).filter(
      (name) => !name.startsWith('error') && !new RegExp(`\\b${name}\\b`).test(sources),
    )
    expect(unused).toEqual([])
  })
})
