import { act, render, screen, within } from '@testing-library/react'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { loadLateBodies } from '../../src/components/bodies/late-body.js'
import {
  createToolRunner,
  PendingList,
  type PendingRequest,
  ToolRunner,
  type ToolRunnerProps,
} from '../../src/index.js'
import { flush } from '../support/asking.js'

beforeAll(loadLateBodies)

type Data = Record<string, unknown>
const places = ['dialog', 'card'] as const

/** Asks, and gives what is shown: all text, and the entries under "Also sent". */
async function ask(
  request: Partial<PendingRequest>,
  place: (typeof places)[number],
  more: Partial<ToolRunnerProps> = {},
) {
  const runner = createToolRunner()
  render(
    <ToolRunner runner={runner} armingDelay={0} presentation={place === 'card' ? 'inline' : 'dialog'} {...more}>
      {place === 'card' && <PendingList />}
    </ToolRunner>,
  )
  await act(async () => {
    void runner.waitFor({ id: 'q', kind: 'approval', prompt: 'Do it?', ...request })
    await flush()
  })
  const shown = place === 'card' ? screen.getByRole('article') : document.querySelector('dialog')
  if (!(shown instanceof HTMLElement)) throw new Error('nothing is shown')
  const heading = within(shown).queryByRole('heading', { name: 'Also sent', hidden: true })
  const entries = [...(heading?.closest('section')?.querySelectorAll('[data-slot=entry]') ?? [])]
  return {
    shown,
    text: shown.textContent,
    sent: Object.fromEntries(
      entries.map((entry) => [
        entry.querySelector('dt')?.textContent?.replace(/ \(\d+\)$/, ''),
        entry.querySelector('dd')?.textContent,
      ]),
    ),
  }
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)

describe.each(places)('FAULT-13: everything that was sent is shown, in a %s', (place) => {
  // What stands under "Also sent", by what was sent.
  const odd: [string, Partial<PendingRequest>, string[]][] = [
    ['details that are a list', { data: { details: ['a', 'b'] } }, ['details']],
    ['details that are a number', { data: { details: 5 } }, ['details']],
    ['a reason that is an object', { data: { reason: { why: 'x' } } }, ['reason']],
    ['a reason that is null', { data: { reason: null } }, ['reason']],
    ['a schema that makes no form', { data: { schema: { type: 'string', title: 'T' } } }, ['schema']],
    ['questions that nobody asks here', { data: { questions: [{ question: 'Why?' }] } }, ['questions']],
    ['no choices', { data: { choices: [] } }, ['choices']],
    ['choices that are none', { data: { choices: [1, {}] } }, ['choices']],
    ['a choice with more to it', { data: { choices: ['a', { value: 'b', cost: 5 }] } }, ['choices']],
    ['a choice whose label is no text', { data: { choices: [{ value: 'b', label: ['x'] }] } }, ['choices']],
    ['several of no choices', { data: { multiple: true } }, ['multiple']],
    ['several, said oddly', { data: { choices: ['a'], multiple: 'yes' } }, ['multiple']],
    ['decisions that are none', { data: { decisions: ['escalate'] } }, ['decisions']],
    ['decisions that are an object', { data: { decisions: { approve: true } } }, ['decisions']],
    ['no decisions', { data: { decisions: [] } }, ['decisions']],
    ['an edit that cannot be offered', { data: { decisions: ['approve', 'edit'] } }, ['decisions']],
    ['a danger nobody knows', { data: { danger: 'extreme' } }, ['danger']],
    [
      'a danger that is less than another',
      { data: { danger: 'low', annotations: { destructiveHint: true } } },
      ['annotations'],
    ],
    ['annotations that say more', { data: { annotations: { readOnlyHint: true, title: 'Look' } } }, ['annotations']],
    ['annotations of other types', { data: { annotations: { readOnlyHint: 'yes' } } }, ['annotations']],
    ['annotations that are a text', { data: { annotations: 'safe' } }, ['annotations']],
    ['a source', { data: { source: { kind: 'app', name: 'Your Bank' } } }, ['source']],
    ['calls that are none', { data: { calls: ['rm'] } }, ['calls']],
    ['calls that are an object', { data: { calls: { name: 'rm' } } }, ['calls']],
    ['a path', { data: { path: ['a', 'b'] } }, ['path']],
    [
      'keys like those of Object.prototype',
      { data: JSON.parse('{"__proto__": 1, "constructor": 2}') },
      ['__proto__', 'constructor'],
    ],
    [
      'all that to a kind nobody knows',
      { kind: 'vote', data: { details: {}, schema: {}, questions: 1, choices: 2, multiple: true } },
      ['details', 'schema', 'questions', 'choices', 'multiple'],
    ],
    [
      'choices to fill in a form',
      { kind: 'input', data: { choices: ['a'], decisions: ['edit'] } },
      ['choices', 'decisions'],
    ],
    [
      'a danger where none is said',
      { kind: 'input', data: { danger: 'low', annotations: { readOnlyHint: true } } },
      ['danger', 'annotations'],
    ],
    [
      'a form of JSON alone',
      { kind: 'input', data: { schema: { type: 'array', items: { type: 'object' } } } },
      ['schema'],
    ],
    [
      'calls beside a form',
      { kind: 'input', data: { calls: [{ name: 'rm' }], schema: { type: 'string' } } },
      ['calls'],
    ],
    [
      'questions that cannot be read',
      { kind: 'question', data: { questions: [{ question: ['x'] }, 5] } },
      ['questions'],
    ],
    [
      'a question with more to it',
      { kind: 'question', data: { questions: [{ question: 'Why?', hint: 'h' }] } },
      ['questions'],
    ],
    [
      'an option that is none',
      { kind: 'question', data: { questions: [{ question: 'Why?', options: ['a', null] }] } },
      ['questions'],
    ],
    [
      'several of no options',
      { kind: 'question', data: { questions: [{ question: 'Why?', multiple: true }] } },
      ['questions'],
    ],
    ['a schema beside questions', { kind: 'question', data: { schema: {}, questions: ['Why?'] } }, ['schema']],
    [
      'a form beside a link',
      { kind: 'authorization', url: 'https://a.example/', data: { schema: {}, choices: ['a'] } },
      ['schema', 'choices'],
    ],
  ]
  test.each(odd)('%s', async (_what, request, keys) => {
    const { sent } = await ask(request, place)
    expect(Object.keys(sent)).toEqual(keys)
    for (const key of keys) {
      const value = Object.entries(request.data ?? {}).find(([name]) => name === key)?.[1]
      expect(sent[key]).toBe(typeof value === 'string' ? value : json(value))
    }
  })

  // What another part shows does not stand there twice.
  const usual: [string, Partial<PendingRequest>, string[]][] = [
    ['reason and details', { data: { reason: 'It is time', details: 'All of it' } }, ['It is time', 'All of it']],
    ['a danger', { data: { danger: 'high' } }, ['Cannot be undone']],
    ['what only reads', { data: { annotations: { readOnlyHint: true, destructiveHint: false } } }, ['Only reads']],
    [
      'choices',
      { data: { choices: ['Red', { value: 'g', label: 'Green', description: 'like grass' }] } },
      ['Red', 'Green', 'like grass'],
    ],
    ['several choices', { data: { choices: ['Red', 'Green'], multiple: true } }, ['Red', 'Choose any number']],
    ['decisions', { data: { decisions: ['approve', 'decline', 'respond'] } }, ['Approve', 'Decline', 'Reply instead']],
    ['calls', { data: { calls: [{ name: 'rm', input: { path: '/tmp/x' } }] } }, ['rm', '/tmp/x']],
    [
      'a form',
      {
        kind: 'input',
        data: {
          schema: { title: 'Trip', description: 'Where to', properties: { city: { type: 'string', title: 'City' } } },
        },
      },
      ['Trip', 'Where to', 'City'],
    ],
    [
      'what a secret is asked for',
      { kind: 'input', data: { schema: { properties: { password: { type: 'string', title: 'Password' } } } } },
      ['It asks for', 'Password'],
    ],
    [
      'a form of one field',
      { kind: 'input', data: { schema: { type: 'string', title: 'City', description: 'Where to' } } },
      ['City', 'Where to'],
    ],
    [
      'questions',
      {
        kind: 'question',
        data: {
          questions: [
            { question: 'Why?', header: 'H', options: ['a', { label: 'B', description: 'bee' }], multiple: true },
          ],
        },
      },
      ['Why?', 'H', 'bee'],
    ],
  ]
  test.each(usual)('%s once', async (_what, request, words) => {
    const { sent, text } = await ask(request, place)
    expect(sent).toEqual({})
    for (const word of words) expect(text).toContain(word)
  })

  test('data that is no object', async () => {
    const { text } = await ask({ data: ['a list', 5] as unknown as Data }, place)
    expect(text).toContain('a list')
  })

  test('beside a body of the app’s own, but for what that body is about', async () => {
    const dialogs = { input: () => <p>Own</p> }
    const { sent } = await ask({ kind: 'input', data: { schema: {}, details: [1], note: 'n' } }, place, { dialogs })
    expect(sent).toEqual({ details: json([1]), note: 'n' })
  })
})

describe('FAULT-37: what is no text is shown as text', () => {
  const odd: [string, unknown, string][] = [
    ['an object', { name: 'x' }, '"name": "x"'],
    ['a list', ['a', 'b'], '"a"'],
    ['a number', 5, '5'],
    ['a symbol', Symbol('who'), 'Symbol(who)'],
    ['a function', function who() {}, 'who'],
    ['a big number', 5n, '5'],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), '"a": 1'],
    ['one that holds itself', cyclic(), '[object Object]'],
    [
      'one that throws',
      {
        toJSON() {
          throw new Error('no')
        },
        toString() {
          throw new Error('no')
        },
      },
      'object',
    ],
  ]

  function cyclic(): object {
    const value: Record<string, unknown> = {}
    value.self = value
    return value
  }

  // As a runner of the app's own would hand them out; the kit's makes texts of them before they are here.
  async function show(more: Data): Promise<string | null> {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const runner = createToolRunner()
    const item = {
      key: 'k',
      request: { id: 'k', kind: 'approval', prompt: 'Sure?' },
      seq: 1,
      askedAt: 0,
      danger: 'medium',
      trusted: true,
      ...more,
    }
    const state = { pending: [item], runs: [] }
    const own = { ...runner, getState: () => state, head: () => item, find: () => item, count: () => 1 }
    const { container } = render(
      <ToolRunner runner={own as unknown as typeof runner} armingDelay={0} presentation="inline">
        <h1>The app</h1>
        <PendingList />
      </ToolRunner>,
    )
    await act(flush)
    expect(screen.getByRole('heading', { name: 'The app' })).toBeVisible()
    expect(error).not.toHaveBeenCalled()
    return container.textContent
  }

  test.each(odd)('a source that is %s', async (_what, source, text) => {
    expect(await show({ toolName: 'rm', source })).toContain(text)
  })

  test.each(odd)('an asker’s name, origin and kind that are %s', async (_what, value, text) => {
    for (const asker of [
      { kind: 'server', name: value },
      { kind: 'server', name: 'n', origin: value },
      { kind: value, name: 'n' },
    ]) {
      expect(await show({ asker })).toContain(text)
      document.body.replaceChildren()
    }
  })
})
