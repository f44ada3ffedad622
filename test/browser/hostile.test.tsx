import '../../src/components/styles.css'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type AnyTool, createToolRunner, type PendingRequest, pending, type Runner } from '../../src/index.js'
import bugs from '../cases/bug-reports.json' with { type: 'json' }
import { ask, button, dialog, elementOf, eventually, Page, press, settle, tabTo } from '../support/page.js'

const caseOf = (id: string): { input?: unknown } => {
  const found = Object.values(bugs).find((bug) => bug.id === id)
  if (!found) throw new Error(`no ${id}`)
  return found
}

/** Waits for a part of the dialog that has no role of its own. */
const within = (selector: string) => expect.poll(() => elementOf(dialog()).querySelector(selector)).not.toBeNull()

/** Runs a tool that was called with these arguments and asks this. */
function call(runner: Runner, name: string, args: Record<string, unknown>, asked: Omit<PendingRequest, 'id'>) {
  const given: unknown[] = []
  const tool: AnyTool = {
    name,
    source: name,
    execute: (got, ctx) => {
      given.push(got)
      return ctx.answer ? 'done' : pending(asked)
    },
  }
  runner.register(tool)
  return { result: runner.run(name, args), given }
}

async function open(name: string, args: Record<string, unknown>, asked: Omit<PendingRequest, 'id'>) {
  const runner = createToolRunner()
  await render(<Page runner={runner} armingDelay={0} />)
  elementOf(button('Opener')).focus()
  const called = call(runner, name, args, asked)
  await eventually(dialog()).toBeVisible()
  if (asked.kind !== 'approval') await within('form')
  return { runner, ...called }
}

const question = (options: unknown[]): Omit<PendingRequest, 'id'> => ({
  kind: 'question',
  prompt: 'Which?',
  data: { questions: [{ question: 'Which?', options }] },
})

const form = (label: string): Omit<PendingRequest, 'id'> => ({
  kind: 'input',
  prompt: 'What?',
  data: {
    schema: {
      type: 'object',
      properties: {
        a: { type: 'string', title: label, description: label },
        b: { type: 'string', enum: ['x', 'y'], enumNames: [label, 'y'], title: 'B' },
        c: {
          type: 'array',
          items: {
            anyOf: [
              { const: 'p', title: label },
              { const: 'q', title: 'q' },
            ],
          },
          title: 'C',
        },
      },
    },
  },
})

/** Every place where a text of a tool, a model or a server is shown. */
const places: [string, (text: string) => Parameters<typeof open>][] = [
  ['the prompt', (text) => ['tool', {}, { kind: 'approval', prompt: text }]],
  ['an argument’s name', (text) => ['tool', { [text]: 1 }, { kind: 'approval', prompt: 'Sure?' }]],
  ['an argument', (text) => ['tool', { a: text }, { kind: 'approval', prompt: 'Sure?' }]],
  ['a nested argument', (text) => ['tool', { a: { b: [text], [text]: 1 } }, { kind: 'approval', prompt: 'Sure?' }]],
  ['the tool’s name and source', (text) => [text, {}, { kind: 'approval', prompt: 'Sure?' }]],
  [
    'details, reason and further data',
    (text) => ['tool', {}, { kind: 'approval', prompt: 'Sure?', data: { details: text, reason: text, [text]: text } }],
  ],
  ['an option', (text) => ['tool', {}, question([text, 'other'])]],
  ['an option’s description', (text) => ['tool', {}, question([{ value: 'v', label: text, description: text }])]],
  [
    'a question and its header',
    (text) => [
      'tool',
      {},
      { kind: 'question', prompt: 'Which?', data: { questions: [{ question: text, header: text }] } },
    ],
  ],
  ['a field’s title, description and choices', (text) => ['tool', {}, form(text)]],
  ['a kind nobody knows', (text) => ['tool', {}, { kind: 'approval', prompt: 'Sure?', data: { kind: text } }]],
]

const prints = (id: string): string[] =>
  (caseOf(id).input as string[]).map((name) => String.fromCodePoint(Number.parseInt(name.slice(2), 16)))
const written = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`

/** All a person can see or hear of the dialog. */
function heard(): string {
  const element = elementOf(dialog())
  const spoken = [...element.querySelectorAll('*'), element].flatMap((part) =>
    ['aria-label', 'title', 'alt', 'placeholder', 'aria-valuetext'].map((name) => part.getAttribute(name) ?? ''),
  )
  return [element.textContent, ...spoken].join('\n')
}

beforeEach(() => page.viewport(1024, 768))
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'alert')
})

describe.each(places)('markup in %s', (_place, make) => {
  test.each(caseOf('BUG-143').input as string[])('is text: %s (BUG-143)', async (text) => {
    const alert = vi.fn()
    Object.assign(globalThis, { alert })
    const runner = createToolRunner()
    const [name, args, asked] = make(text)
    const before = performance.getEntriesByType('resource').length
    await render(<Page runner={runner} armingDelay={0} />)
    call(runner, name, args, asked)
    await eventually(dialog()).toBeVisible()
    if (asked.kind !== 'approval') await within('form')
    const element = elementOf(dialog())
    expect(element.textContent).toContain(_place.includes('nested') ? JSON.stringify(text).slice(1, -1) : text)
    expect(element.querySelectorAll('a, img, script, iframe, object, embed, style, link')).toHaveLength(0)
    expect(element.querySelectorAll('form')).toHaveLength(asked.kind === 'approval' ? 0 : 1)
    const handlers = [...element.querySelectorAll('*')].flatMap(({ attributes }) =>
      [...attributes].filter(({ name }) => name.startsWith('on') || name === 'style'),
    )
    expect(handlers).toEqual([])
    const words = [...element.querySelectorAll('button')].map((each) => each.textContent)
    expect(words.filter((word) => word === 'Approve')).toHaveLength(asked.kind === 'approval' ? 1 : 0)
    await settle()
    expect(alert).not.toHaveBeenCalled()
    expect(
      performance
        .getEntriesByType('resource')
        .slice(before)
        .map(({ name }) => name)
        .join(),
    ).not.toContain('evil')
    runner.abort()
  })
})

describe.each(places)('a character that cannot be seen, in %s', (_place, make) => {
  test.each(['BUG-137', 'BUG-138'])('is written out, each of %s', async (id) => {
    const characters = prints(id)
    const text = characters.map((character, n) => `a${n}${character}z`).join('')
    const { given, runner, result } = await open(...make(text))
    const all = heard()
    for (const character of characters) {
      expect(all.includes(character), `raw ${written(character)}`).toBe(false)
      // JSON writes control characters out by itself.
      const json = JSON.stringify(character).slice(1, -1)
      expect(all.includes(written(character)) || (json !== character && all.includes(json)), written(character)).toBe(
        true,
      )
    }
    expect(
      dialog()
        .getByText(/hidden characters/i)
        .elements().length,
    ).toBeGreaterThan(0)
    // What the tool runs with is as it came.
    expect(given).toEqual([make(text)[1]])
    runner.abort()
    await result
  })
})

describe('text of other scripts', () => {
  test.each([
    ['Hebrew', 'למחוק את הקובץ?'],
    ['Arabic', 'هل تريد حذف الملف؟'],
    ['a family', 'Hello 👨‍👩‍👧‍👦 and 🏳️‍🌈'],
    ['a flag', 'To 🇩🇪'],
    ['a keycap', 'Press 1️⃣'],
  ])('is no alarm: %s (BUG-141)', async (_name, text) => {
    await open('tool', { code: `${text}\n\tindented` }, { kind: 'approval', prompt: text })
    const element = elementOf(dialog())
    expect(element.textContent).toContain(text)
    expect(element.textContent).toContain(`${text}\n\tindented`)
    expect(element.textContent).not.toContain('\\u{')
  })

  test('keeps the line breaks of an argument in sight (BUG-141)', async () => {
    await open('tool', { code: 'one\ntwo' }, { kind: 'approval', prompt: 'Sure?' })
    const value = [...elementOf(dialog()).querySelectorAll('dd')].find((each) => each.textContent === 'one\ntwo')
    expect(getComputedStyle(value as Element).whiteSpace).toMatch(/pre|break-spaces/)
  })
})

const actions = ['Decline', 'Approve']

const inView = (name: string): void => {
  const { left, top, right, bottom } = elementOf(button(name)).getBoundingClientRect()
  expect(left).toBeGreaterThanOrEqual(0)
  expect(top).toBeGreaterThanOrEqual(0)
  expect(right).toBeLessThanOrEqual(innerWidth)
  expect(bottom).toBeLessThanOrEqual(innerHeight)
}

const noSideways = (): void => {
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth)
  const { left, right } = elementOf(dialog()).getBoundingClientRect()
  expect(left).toBeGreaterThanOrEqual(0)
  expect(right).toBeLessThanOrEqual(innerWidth)
  expect(elementOf(dialog()).scrollWidth).toBeLessThanOrEqual(elementOf(dialog()).clientWidth)
}

const deep = (depth: number): unknown => (depth === 0 ? 'bottom' : { level: deep(depth - 1) })

const large: [string, Parameters<typeof open>][] = [
  [
    '50,000 characters in an argument (BUG-152)',
    ['tool', { text: 'lorem ipsum '.repeat(4200) }, { kind: 'approval', prompt: 'Sure?' }],
  ],
  ['a prompt of 100,000 characters', ['tool', {}, { kind: 'approval', prompt: 'lorem '.repeat(16_700) }]],
  [
    'a word of 5,000 characters (BUG-153)',
    ['tool', { word: 'x'.repeat(5000) }, { kind: 'approval', prompt: 'y'.repeat(5000) }],
  ],
  ['a name of 5,000 characters', ['z'.repeat(5000), { ['k'.repeat(5000)]: 1 }, { kind: 'approval', prompt: 'Sure?' }]],
  [
    '200 arguments (BUG-153)',
    [
      'tool',
      Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`key${n}`, n])),
      { kind: 'approval', prompt: 'Sure?' },
    ],
  ],
  ['arguments 50 deep (BUG-153)', ['tool', { deep: deep(50) }, { kind: 'approval', prompt: 'Sure?' }]],
  ['10,000 hidden characters', ['tool', {}, { kind: 'approval', prompt: '\u202e\u202d'.repeat(5000) }]],
]

describe.each([
  [1024, 768],
  [800, 600],
  [320, 480],
  // 200 % zoom on a small laptop.
  [640, 360],
])('at %d by %d', (width, height) => {
  test.each(large)('%s leaves the buttons in view, and all of it within reach', async (_name, given) => {
    await page.viewport(width, height)
    await open(...given)
    for (const name of [...actions, 'Close']) inView(name)
    noSideways()
    const content = elementOf(dialog()).querySelector<HTMLElement>('[data-slot="content"]')
    if (!content) throw new Error('no content')
    expect(content.scrollHeight).toBeGreaterThan(content.clientHeight)
    expect(content.clientHeight).toBeGreaterThan(40)
    await tabTo({ element: () => content })
    const before = content.scrollTop
    await userEvent.keyboard('{End}')
    await expect.poll(() => content.scrollTop).toBeGreaterThan(before)
    await press('Escape')
  })

  test('a form with 40 fields leaves the buttons in view', async () => {
    await page.viewport(width, height)
    const properties = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`field${n}`, { type: 'string', title: `Field ${n} ${'long'.repeat(60)}` }]),
    )
    await open('tool', {}, { kind: 'input', prompt: 'Fill in', data: { schema: { type: 'object', properties } } })
    for (const name of ['Decline', 'Submit', 'Close']) inView(name)
    noSideways()
  })

  test('options and addresses without a space stay within', async () => {
    await page.viewport(width, height)
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    ask(runner, { ...question(['o'.repeat(2000), 'p'.repeat(2000)]) })
    await eventually(page.getByRole('radio').first()).toBeInTheDocument()
    noSideways()
    for (const name of ['Decline', 'Submit', 'Close']) inView(name)
    await press('Escape')
    ask(runner, {
      kind: 'authorization',
      prompt: 'Sign in',
      url: `https://${'a.'.repeat(100)}example/${'b'.repeat(3000)}`,
    })
    await eventually(page.getByRole('link')).toBeInTheDocument()
    noSideways()
    for (const name of ['Decline', "I've finished", 'Close']) inView(name)
  })
})

describe('a very long prompt', () => {
  test('is shown in full', async () => {
    const prompt = Array.from({ length: 10_000 }, (_, n) => `word${n} `).join('')
    await open('tool', {}, { kind: 'approval', prompt })
    expect(elementOf(dialog()).textContent).toContain(prompt)
  })
})

describe('500 questions at once', () => {
  test('show the oldest, and every one of them can be answered', async () => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const questions = Array.from({ length: 500 }, (_, n) => ask(runner, { prompt: `Q${n}` }))
    await eventually(page.getByText('1 of 500')).toBeVisible()
    expect(dialog().elements()).toHaveLength(1)
    for (let n = 0; n < 3; n++) {
      await eventually(dialog().getByText(`Q${n}`, { exact: true })).toBeVisible()
      await press('Escape')
    }
    await eventually(page.getByText('1 of 497')).toBeVisible()
    for (const item of runner.getState().pending) runner.answer(item.key, { id: item.request.id, ok: true })
    const answers = await Promise.all(questions.map(({ answer }) => answer))
    expect(answers.map(({ ok }) => ok)).toEqual(questions.map((_, n) => n >= 3))
    await eventually(dialog()).not.toBeInTheDocument()
  })
})

describe('arguments', () => {
  test('are all shown, with the tool (BUG-156)', async () => {
    await open(
      'transfer',
      { to: 'x', amount: 5, note: '', flag: '5', list: [1, { a: null }] },
      { kind: 'approval', prompt: 'Sure?' },
    )
    const text = heard()
    for (const part of ['transfer', 'to', 'amount', 'note', 'flag', 'list', '"5"', '""', 'null'])
      expect(text).toContain(part)
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'a.b', ' '])(
    'named %j are own data (K19)',
    async (name) => {
      const args = JSON.parse(`{${JSON.stringify(name)}:"its value"}`)
      const { result, given } = await open('tool', args, { kind: 'approval', prompt: 'Sure?', data: args })
      expect(heard().match(/its value/g)).toHaveLength(2)
      await userEvent.click(button('Approve'))
      expect((await result).output).toBe('done')
      expect(given.map((each) => JSON.stringify(each))).toEqual([JSON.stringify(args), JSON.stringify(args)])
    },
  )

  test.each([['"foo"'], ['[1]'], ['3'], ['true'], ['""']])(
    'that are no object never crash: %s (BUG-158)',
    async (json) => {
      const runner = createToolRunner()
      await render(<Page runner={runner} />)
      const { result } = call(runner, 'tool', JSON.parse(json), { kind: 'approval', prompt: 'Sure?' })
      expect((await result).isError).toBe(true)
      expect(dialog().elements()).toEqual([])
      await eventually(button('Opener')).toBeVisible()
    },
  )

  test.each([['null'], [undefined]])('that are missing are none: %s (BUG-158)', async (json) => {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const { result } = call(runner, 'tool', json === undefined ? json : JSON.parse(json), {
      kind: 'approval',
      prompt: 'Sure?',
    })
    await userEvent.click(button('Approve'))
    expect((await result).output).toBe('done')
  })
})

describe('data that is not what it says', () => {
  const rubbish: [string, unknown][] = [
    ['null', null],
    ['a number', 3],
    ['a text', 'data'],
    ['a list', [1, 2]],
    ['questions that are no list', { questions: 'one' }],
    ['a null question', { questions: [null] }],
    ['options that are no list', { questions: [{ question: 'Q', options: 'a' }] }],
    [
      'rubbish options',
      { questions: [{ question: { no: 1 }, options: [null, {}, [], 5, '', { label: 4 }], multiple: 'yes' }] },
    ],
    ['many empty questions', { questions: [{}, {}, {}] }],
    ['a schema that is null', { schema: null }],
    ['a schema that is a text', { schema: 'object' }],
    [
      'a schema with rubbish fields',
      { schema: { type: 'object', properties: { a: null, b: 3, c: { type: 'nope' } }, required: 'a' } },
    ],
    [
      'a schema with a bad pattern',
      { schema: { type: 'object', properties: { a: { type: 'string', pattern: '(' } } } },
    ],
    ['rubbish everywhere', { reason: 3, details: [], source: 'me', danger: 'purple', annotations: 1, calls: 'x' }],
  ]

  test.each(
    ['approval', 'input', 'question', 'authorization', 'other'].flatMap((kind) =>
      rubbish.map(([name, data]) => [kind, name, data] as const),
    ),
  )('in a question of kind %s never crashes: %s', async (kind, _name, data) => {
    const error = vi.spyOn(console, 'error')
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const { id, answer } = ask(runner, { kind, data: data as Record<string, unknown> })
    await eventually(dialog()).toBeVisible()
    await settle()
    await userEvent.click(button('Decline'))
    expect(await answer).toEqual({ id, ok: false, reason: 'declined' })
    expect(error).not.toHaveBeenCalled()
  })

  test('never says who asks: the request’s own source is data like any other', async () => {
    await open('tool', {}, { kind: 'approval', prompt: 'Sure?', data: { source: { kind: 'mcp', name: 'Your Bank' } } })
    expect(heard()).not.toMatch(/Your Bank.*asks/)
    expect(document.querySelector('[data-slot="entries"]')?.textContent).toContain('Your Bank')
  })

  test('never names the buttons', async () => {
    await open(
      'tool',
      {},
      { kind: 'approval', prompt: 'Sure?', data: { labels: { approve: 'No' }, approve: 'No', submit: 'No' } },
    )
    await eventually(button('Approve')).toBeVisible()
    expect(button('No').elements()).toEqual([])
  })
})

describe('the address of an authorization', () => {
  const { ok, bad } = caseOf('BUG-146').input as { ok: string[]; bad: string[] }

  async function asked(url: string) {
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const question = ask(runner, { kind: 'authorization', prompt: 'Sign in', url })
    await eventually(dialog()).toBeVisible()
    await within('[data-slot="link"], [data-slot="notice"]')
    return question
  }

  test.each(ok)('%s is a link named by its host (BUG-146)', async (url) => {
    await asked(url)
    const { host } = new URL(url)
    const link = page.getByRole('link', { name: `Open link ${host}`, exact: true })
    await eventually(link).toHaveAttribute('href', url)
    await eventually(link).toHaveAttribute('target', '_blank')
    await eventually(link).toHaveAttribute('rel', expect.stringContaining('noopener'))
    expect(heard()).toContain(url)
  })

  test.each(bad)('%j is no link, is told and cannot be said to be done (BUG-146)', async (url) => {
    const { id, answer } = await asked(url)
    expect(elementOf(dialog()).querySelectorAll('a, [href]')).toHaveLength(0)
    await eventually(page.getByRole('note')).toBeVisible()
    expect(elementOf(dialog()).textContent).toContain(url.trim() === '' ? 'No address' : url)
    expect(button("I've finished").elements()).toEqual([])
    await userEvent.click(button('Decline'))
    expect(await answer).toEqual({ id, ok: false, reason: 'declined' })
  })

  test.each([
    ['https://bank.example@evil.example/', 'evil.example'],
    ['https://evil.example:8443/bank.example', 'evil.example:8443'],
    ['https://bank.example.evil.example/#bank.example', 'bank.example.evil.example'],
    ['https://xn--80ak6aa92e.com/', 'xn--80ak6aa92e.com'],
    ['https://аррӏе.com/', 'xn--80ak6aa92e.com'],
    ['HTTPS://IDP.EXAMPLE', 'idp.example'],
    ['http:\\\\evil.example\\x', 'evil.example'],
    ['https://idp.example/\u202efdp.exe', 'idp.example'],
  ])('%s says its real host', async (url, host) => {
    await asked(url)
    await eventually(page.getByRole('link', { name: `Open link ${host}`, exact: true })).toBeVisible()
    expect(elementOf(dialog()).querySelector('[data-slot="host"]')?.textContent).toBe(host)
    expect(heard()).not.toContain('\u202e')
  })

  test('opens only on a click, and opening is no answer (BUG-148)', async () => {
    const opened: string[] = []
    const stop = (event: Event): void => {
      const link = event.target instanceof Element && event.target.closest('a')
      if (!link) return
      opened.push(`${link.getAttribute('href')} ${event.defaultPrevented}`)
      event.preventDefault()
    }
    document.addEventListener('click', stop)
    const { id, answer, answers } = await asked('https://idp.example/login')
    await settle()
    expect(opened).toEqual([])
    await userEvent.click(page.getByRole('link'))
    await userEvent.click(page.getByRole('link'))
    expect(opened).toEqual(['https://idp.example/login false', 'https://idp.example/login false'])
    await settle()
    expect(answers).toEqual([])
    await eventually(dialog()).toBeVisible()
    await userEvent.click(button("I've finished"))
    expect(await answer).toEqual({ id, ok: true })
    document.removeEventListener('click', stop)
  })

  test('may be cancelled after it was opened (BUG-148)', async () => {
    const { answer } = await asked('https://idp.example/login')
    await press('Escape')
    expect((await answer).reason).toBe('cancelled')
  })
})

describe('an answer', () => {
  test('is neither logged nor left in the page or its storage (BUG-186)', async () => {
    const logged: unknown[] = []
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, method).mockImplementation((...words) => void logged.push(...words))
    }
    const events: unknown[] = []
    const runner = createToolRunner({ onEvent: (event) => events.push(event) })
    await render(<Page runner={runner} armingDelay={0} />)
    const { result } = call(runner, 'tool', {}, { kind: 'input', prompt: 'Your name?' })
    await userEvent.fill(page.getByRole('textbox'), 'hunter2')
    await userEvent.click(button('Submit'))
    await result
    expect(
      JSON.stringify([logged, events, { ...localStorage }, { ...sessionStorage }, runner.getState()]),
    ).not.toContain('hunter2')
    expect(document.documentElement.outerHTML).not.toContain('hunter2')
  })
})
