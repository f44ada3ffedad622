// @vitest-environment node
import { type OfferedItem, offered, type PendingRequest } from 'assent/core'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { readFields } from '../../src/components/form/fields.js'
import { acceptsPlainYes } from '../../src/core/internal.js'
import { fieldNames } from '../../src/core/schema/field-names.js'
import { inputsVia, schemaCases, urlCases } from '../components/form/schema-cases.js'

type Data = Record<string, unknown>

const asked = (data?: Data, rest: Partial<PendingRequest> = {}): OfferedItem => ({
  request: { id: 'q', kind: 'approval', prompt: 'Sure?', ...(data && { data }), ...rest },
})
const input = (schema: unknown): OfferedItem => ({ ...asked({ schema }, { kind: 'input' }), schema })
const question = (...questions: unknown[]): OfferedItem => asked({ questions }, { kind: 'question' })

const yes = (data?: unknown): unknown => ({ id: 'q', ok: true, ...(data !== undefined && { data }) })
const no = (rest: Data = {}): unknown => ({ id: 'q', ok: false, ...rest })

const flat = (properties: Data, rest: Data = {}): Data => ({ type: 'object', properties, ...rest })

/** Every kind of question. */
const each: [string, OfferedItem][] = [
  ['an approval', asked()],
  ['an approval with choices', asked({ choices: ['a', 'b'] })],
  ['an approval that cannot be given', asked({ decisions: [] })],
  ['a form', input(flat({ n: { type: 'number' } }, { required: ['n'] }))],
  ['a form without a schema', asked(undefined, { kind: 'input' })],
  ['a question', question({ question: 'Which?', options: ['a', 'b'] })],
  ['an authorization', asked(undefined, { kind: 'authorization', url: 'https://host.example/' })],
  ['another kind', asked({ choices: [1] }, { kind: 'x-vendor/pick' })],
]

describe.each(each)('%s', (_kind, item) => {
  it.each<[string, unknown]>([
    ['nothing more', no()],
    ['a reason', no({ reason: 'declined' })],
    ['a close', no({ reason: 'cancelled' })],
    ['a time that ran out', no({ reason: 'expired' })],
    ['no data', no({ data: {} })],
    ['a few words', no({ reason: 'declined', data: { feedback: 'Not today.' } })],
    ['empty words', no({ data: { feedback: '' } })],
  ])('offers a no with %s', (_what, answer) => {
    expect(offered(item, answer)).toBe(true)
  })

  it.each<[string, unknown]>([
    ['of an unknown reason', no({ reason: 'rejected' })],
    ['whose words are none', no({ data: { feedback: 1 } })],
    ['whose words are a list', no({ data: { feedback: ['no'] } })],
    ['with more than words', no({ data: { feedback: 'no', args: {} } })],
    ['with a choice', no({ data: { choice: 'a' } })],
    ['with data that is none', no({ data: 'no' })],
    ['with a list for data', no({ data: [] })],
    ['with a member of its own', no({ args: {} })],
    ['to another question', { id: 'other', ok: false }],
    ['that says neither yes nor no', { id: 'q' }],
    ['that says it in another type', { id: 'q', ok: 0 }],
  ])('does not offer a no %s', (_what, answer) => {
    expect(offered(item, answer)).toBe(false)
  })

  it('offers no yes with a reason, to another question, or with a member of its own', () => {
    const members = [{ reason: 'declined' }, { id: 'other' }, { args: {} }, { ok: 1 }, { ok: 'true' }]
    for (const data of [undefined, {}, { choice: 'a' }, { n: 1 }, { value: 'x' }, { answers: ['a'] }])
      for (const more of members) expect(offered(item, { ...Object(yes(data)), ...more })).toBe(false)
  })

  it('offers no yes with keys that nobody asked for', () => {
    for (const data of [{}, { choice: 'a' }, { choice: 1 }, { n: 1 }, { value: 'x' }, { answers: ['a'] }])
      for (const key of ['admin', '__proto__', 'constructor', 'toString', '', 'isGate', 'feedback', 'args', 'approved'])
        expect([key, offered(item, yes(Object.fromEntries([...Object.entries(data), [key, true]])))]).toEqual([
          key,
          false,
        ])
  })

  it('survives everything that can be handed in', () => {
    const throwing = new Proxy(
      {},
      {
        get: () => {
          throw new Error('get')
        },
        ownKeys: () => {
          throw new Error('keys')
        },
      },
    )
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const cyclic: Data = { id: 'q', ok: true }
    cyclic.data = cyclic
    let deep: unknown = 'x'
    for (let depth = 0; depth < 50_000; depth++) deep = [deep]
    const getter = Object.defineProperty({ id: 'q', ok: true }, 'data', {
      enumerable: true,
      get: () => {
        throw new Error('data')
      },
    })
    const hostile: unknown[] = [throwing, proxy, cyclic, getter, yes({ deep }), yes(cyclic), yes({ choice: throwing })]
    const nothing: unknown[] = [undefined, null, true, 1, 'q', [], () => {}, Symbol('q'), 1n, new Map(), new Date(0)]
    for (const answer of [...hostile, ...nothing]) expect(offered(item, answer)).toBe(false)
    for (const data of [null, 'a', 1, [], ['a'], () => {}, new Map([['choice', 'a']]), new Date(0)])
      expect(offered(item, yes(data))).toBe(false)
    for (const broken of hostile) expect(offered(Object(broken), yes())).toBe(false)
    fc.assert(fc.property(fc.anything(), (data) => typeof offered(item, yes(data)) === 'boolean'))
    fc.assert(fc.property(fc.anything(), (answer) => !offered(item, answer)))
  })
})

describe('a plain yes', () => {
  it.each<[string, OfferedItem, boolean]>([
    ['an approval', asked(), true],
    ['another kind', asked(undefined, { kind: 'x-vendor/go' }), true],
    ['an approval whose data cannot be read', asked(undefined, { data: 'x' as unknown as Data }), true],
    ['decisions with approve', asked({ decisions: ['approve', 'edit', 'respond', 'decline'] }), true],
    ['decisions with approve and an unknown one', asked({ decisions: ['approve', 'launch'] }), true],
    ['decisions that are empty', asked({ decisions: [] }), false],
    ['decisions without approve', asked({ decisions: ['edit', 'respond', 'decline'] }), false],
    ['unknown decisions', asked({ decisions: ['APPROVE', 'yes', 1, null] }), false],
    ['decisions that are no list', asked({ decisions: 'approve' }), false],
    ['decisions that are nothing', asked({ decisions: null }), false],
    ['decisions like a list', asked({ decisions: { 0: 'approve', length: 1 } }), false],
    ['choices', asked({ choices: ['a'] }), false],
    ['choices that are none', asked({ choices: [1, null, {}, []] }), true],
    ['choices that are no list', asked({ choices: 'a' }), true],
    ['a form', input(flat({ a: { type: 'string' } }, { required: ['a'] })), false],
    ['a form without a schema', asked(undefined, { kind: 'input' }), false],
    ['a question', question({ question: 'Which?' }), false],
  ])('is offered by %s or not', (_what, item, isOffered) => {
    expect([offered(item, yes()), offered(item, yes({}))]).toEqual([isOffered, isOffered])
    expect(acceptsPlainYes(item)).toBe(isOffered)
  })

  it('is one where several may be chosen, but not one to give without looking', () => {
    const item = asked({ choices: ['a'], multiple: true })
    expect([offered(item, yes()), acceptsPlainYes(item)]).toEqual([true, false])
  })

  it('fits a form that asks nothing', () => {
    for (const schema of [flat({}), flat({ a: { type: 'string' } })]) expect(offered(input(schema), yes({}))).toBe(true)
  })
})

describe('a choice', () => {
  const values = [1, '1', false, null, '', { a: 1, b: [2] }, []]
  const choices = [...values.map((value) => ({ value, label: 'same' })), 'text', { label: 'no value' }, 7]

  it('is one of the values, of its own type', () => {
    const item = asked({ choices })
    for (const choice of [...values, 'text', { b: [2], a: 1 }]) expect(offered(item, yes({ choice }))).toBe(true)
    for (const choice of [
      2,
      '2',
      true,
      'false',
      'null',
      'same',
      7,
      undefined,
      {},
      [1],
      [[]],
      { a: 1 },
      { a: 1, b: [2], c: 3 },
    ])
      expect([choice, offered(item, yes({ choice }))]).toEqual([choice, false])
  })

  it('is one alone, and several in a list', () => {
    const one = asked({ choices })
    const several = asked({ choices, multiple: true })
    expect(offered(one, yes({ choices: [1] }))).toBe(false)
    expect(offered(several, yes({ choice: 1 }))).toBe(false)
    expect(offered(asked({ choices, multiple: 'true' }), yes({ choices: [1] }))).toBe(false)
    for (const list of [[], [1], [null, 1], ['text', '1', 1], [{ b: [2], a: 1 }, []]])
      expect([list, offered(several, yes({ choices: list }))]).toEqual([list, true])
    for (const list of [
      [1, 1],
      [2],
      ['1', 2],
      1,
      '1',
      null,
      { 0: 1 },
      [[1]],
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
    ])
      expect([list, offered(several, yes({ choices: list }))]).toEqual([list, false])
    expect(offered(several, yes({ choices: [1], choice: 1 }))).toBe(false)
  })

  it('is none where nothing can be chosen', () => {
    for (const data of [undefined, { choices: [] }, { choices: [3] }, { choices, decisions: ['edit'] }])
      for (const given of [{ choice: 1 }, { choices: [] }, { choices: [1] }])
        expect([data, given, offered(asked({ ...data, multiple: 'choices' in given }), yes(given))]).toEqual([
          data,
          given,
          false,
        ])
  })

  it('answers a question that has no questions', () => {
    expect(offered(asked({ choices }, { kind: 'question' }), yes({ choice: 1 }))).toBe(true)
    expect(offered(asked({ choices }, { kind: 'question' }), yes({ answers: ['text'] }))).toBe(false)
    expect(offered(asked({ choices, questions: ['Which?'] }, { kind: 'question' }), yes({ choice: 1 }))).toBe(false)
  })

  it('out of very many costs a look at each, and no more', () => {
    const looks = (count: number): number => {
      const many = Array.from({ length: count }, (_none, n) => ({ value: n }))
      const item = asked({ choices: many, multiple: true })
      const stringify = vi.spyOn(JSON, 'stringify')
      try {
        expect(offered(item, yes({ choices: many.map(({ value }) => value) }))).toBe(true)
        expect(offered(item, yes({ choices: Array(4 * count).fill(1) }))).toBe(false)
        return stringify.mock.calls.length
      } finally {
        stringify.mockRestore()
      }
    }
    expect(looks(4000)).toBeLessThan(looks(1000) * 6)
  })
})

describe('a reply', () => {
  const item = asked({ decisions: ['approve', 'respond'] })

  it('is written text, where it is offered', () => {
    expect(offered(item, yes({ feedback: 'later' }))).toBe(true)
    expect(offered(asked({ decisions: ['respond'], choices: ['a'] }), yes({ feedback: 'neither' }))).toBe(true)
    for (const feedback of ['', ' \n', 1, null, ['later'], {}]) expect(offered(item, yes({ feedback }))).toBe(false)
    expect(offered(asked(), yes({ feedback: 'later' }))).toBe(false)
    expect(offered(asked({ decisions: ['approve', 'decline'] }), yes({ feedback: 'later' }))).toBe(false)
  })

  it('is a no at the gate', () => {
    expect(offered({ ...item, isGate: true }, yes({ feedback: 'later' }))).toBe(false)
    expect(offered({ ...item, isGate: true }, no({ reason: 'declined', data: { feedback: 'later' } }))).toBe(true)
  })
})

describe('edited arguments', () => {
  const argsSchema = flat({ n: { type: 'integer', maximum: 5 } }, { required: ['n'] })
  const item: OfferedItem = { ...asked({ decisions: ['approve', 'edit'] }), argsSchema, args: { n: 1 } }

  it('fit their schema, where editing is offered', () => {
    for (const args of [{ n: 2 }, { n: 1 }, { n: 2, more: true }]) expect(offered(item, yes({ args }))).toBe(true)
    for (const args of [{}, { n: 6 }, { n: '2' }, null, 'n', [], [{ n: 2 }]])
      expect([args, offered(item, yes({ args }))]).toEqual([args, false])
    expect(offered(item, yes({ args: { n: 2 }, feedback: 'x' }))).toBe(false)
    expect(offered(item, yes({ editedArgs: { n: 2 } }))).toBe(false)
  })

  it.each<[string, Data | undefined]>([
    ['no decisions', undefined],
    ['decisions without it', { decisions: ['approve', 'respond'] }],
    ['a choice to make', { decisions: ['approve', 'edit'], choices: ['a'] }],
    ['decisions that cannot be read', { decisions: 'edit' }],
  ])('are not offered with %s', (_what, data) => {
    expect(offered({ ...item, ...asked(data) }, yes({ args: { n: 2 } }))).toBe(false)
  })

  it('are an object where nothing is known of them', () => {
    const open = { ...asked({ decisions: ['edit'] }), argsSchema: true }
    expect(offered(asked({ decisions: ['edit'] }), yes({ args: {} }))).toBe(false)
    expect([{}, { x: 1 }].map((args) => offered(open, yes({ args })))).toEqual([true, true])
    expect([null, [], 'x'].map((args) => offered(open, yes({ args })))).toEqual([false, false, false])
    expect(offered(open, yes())).toBe(false)
  })

  it('are JSON and nothing else', () => {
    class Point {
      n = 2
    }
    const open = { ...asked({ decisions: ['edit'] }), argsSchema: true }
    const odd = [
      new Point(),
      new Map(),
      { n: Number.NaN },
      { n: new Date(0) },
      { n: Array(1) },
      { n: 1n },
      { toJSON: () => ({}) },
    ]
    for (const args of odd) expect(offered(open, yes({ args }))).toBe(false)
    expect(offered(open, yes({ args: Object.assign(Object.create(null), { n: 2, gone: undefined }) }))).toBe(true)
  })

  it('may keep what did not fit before', () => {
    const schema = flat({ when: { type: 'string' }, n: { type: 'integer' }, 'a/b': { type: 'string' } })
    const was = { ...item, argsSchema: schema, args: { when: 0, n: 1, 'a/b': 1 } }
    expect(offered(was, yes({ args: { when: 0, n: 2, 'a/b': 1 } }))).toBe(true)
    expect(offered(was, yes({ args: { when: 1, n: 2, 'a/b': 1 } }))).toBe(false)
    expect(offered(was, yes({ args: { when: 0, n: 2, 'a/b': 2 } }))).toBe(false)
  })
})

describe('a form', () => {
  it.each(inputsVia('form').filter(([, , { expect: e }, { valid }]) => valid && !e?.approval && e?.root !== 'json'))(
    'of the case %s, input %i: what it sends is offered, and nothing more',
    (_name, _i, { schema }, { data }) => {
      expect(offered(input(schema), yes(data))).toBe(true)
      expect(offered(input(schema), yes({ ...data, nobody_asked: 1 }))).toBe(false)
    },
  )

  it.each(inputsVia('form').filter(([, , { expect: e }, { valid }]) => valid && e?.root === 'json'))(
    'of the case %s, input %i: what its JSON box sends is offered',
    (_name, _i, { schema }, { data }) => {
      expect(offered(input(schema), yes(data))).toBe(true)
    },
  )

  it.each(inputsVia('answer').filter(([, , , { valid }]) => !valid))(
    'of the case %s, input %i, does not take what its schema refuses',
    (_name, _i, { schema }, { value }) => {
      expect(offered(input(schema), yes(value))).toBe(false)
    },
  )

  it.each(schemaCases.map(({ name, schema }) => [name, schema] as const))(
    'of the case %s has its fields',
    (_name, schema) => {
      const { root, fields } = readFields(schema)
      const names = fieldNames(schema)
      expect(names && new Set(names)).toEqual(root === 'fields' ? new Set(fields.map(({ name }) => name)) : undefined)
    },
  )

  it.each<[string, unknown, Data[], Data[]]>([
    [
      'with optional fields',
      flat({ a: { type: 'string' }, b: { type: 'number' } }),
      [{}, { a: 'x' }, { a: '', b: 1 }],
      [{ c: 1 }, { a: 1 }, { a: null }],
    ],
    ['that allows more than it asks', flat({ a: {} }, { additionalProperties: true }), [{}, { a: [1] }], [{ b: 1 }]],
    [
      'that types what more there is',
      flat({ a: {} }, { additionalProperties: { type: 'string' } }),
      [{ a: 1 }],
      [{ b: 'x' }],
    ],
    ['that requires what it does not describe', flat({}, { required: ['a'] }), [{ a: 1 }], [{}, { a: 1, b: 2 }]],
    [
      'that asks for __proto__',
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
      [JSON.parse('{"__proto__":"x"}'), {}],
      [JSON.parse('{"__proto__":{"a":1}}'), { constructor: 'x' }],
    ],
    [
      'behind a reference',
      { $ref: '#/$defs/A', $defs: { A: flat({ a: { type: 'string' } }) } },
      [{ a: 'x' }],
      [{ a: 'x', b: 1 }, { a: 1 }],
    ],
    ['in a lone allOf', { allOf: [flat({ a: { type: 'string' } })] }, [{ a: 'x' }], [{ b: 1 }]],
    [
      'that may be null',
      { anyOf: [flat({ a: { type: 'string' } }), { type: 'null' }] },
      [{ a: 'x' }],
      [{ a: 'x', b: 1 }],
    ],
    ['of any object', { type: 'object', minProperties: 1 }, [{ a: 1 }, { value: 1, b: 2 }], [{}]],
    [
      'of one of two',
      {
        oneOf: [
          flat({ a: { type: 'string' } }, { required: ['a'] }),
          flat({ b: { type: 'string' } }, { required: ['b'] }),
        ],
      },
      [{ a: 'x' }, { b: 'x' }, { a: 'x', more: 1 }],
      [{}, { a: 1 }, { value: { a: 'x' } }],
    ],
    [
      'of a text',
      { type: 'string', maxLength: 3 },
      [{ value: 'abc' }, { value: '' }],
      [{}, { value: 'abcd' }, { value: 1 }, { value: 'a', b: 1 }, { a: 'b' }],
    ],
    ['of a number', { type: 'integer' }, [{ value: 3 }], [{ value: 0.5 }, { value: '3' }, {}]],
    ['of yes or no', { type: 'boolean' }, [{ value: false }], [{ value: 'false' }, {}]],
    [
      'of options',
      { enum: ['a', 1] },
      [{ value: 'a' }, { value: 1 }],
      [{ value: 'b' }, { value: '1' }, {}, { value: ['a'] }],
    ],
    [
      'of several options',
      { type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true },
      [{ value: ['b', 'a'] }, { value: [] }],
      [{ value: ['c'] }, { value: ['a', 'a'] }, { value: 'a' }, { a: 1 }],
    ],
    ['of anything', true, [{}, { a: 1 }, { value: 3 }], []],
    ['of nothing', false, [], [{}, { a: 1 }, { value: 3 }]],
    ['that is a date', flat({ d: { type: 'string', format: 'date' } }), [{ d: '2026-02-28' }], [{ d: '2026-02-30' }]],
  ])('%s', (_what, schema, can, cannot) => {
    for (const data of can) expect([data, offered(input(schema), yes(data))]).toEqual([data, true])
    for (const data of cannot) expect([data, offered(input(schema), yes(data))]).toEqual([data, false])
  })

  it('without a schema is one text', () => {
    const item = asked(undefined, { kind: 'input' })
    expect(offered(item, yes({ value: 'x' }))).toBe(true)
    for (const data of [{}, { value: 1 }, { value: ['x'] }, { value: null }, { text: 'x' }, { value: 'x', more: 1 }])
      expect(offered(item, yes(data))).toBe(false)
  })

  it('is the app’s where the request has none', () => {
    const schema = flat({ env: { enum: ['staging'] } })
    const item: OfferedItem = { ...asked(undefined, { kind: 'input' }), schema }
    expect([{ env: 'staging' }, { env: 'prod' }, { value: 'x' }].map((data) => offered(item, yes(data)))).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('a form that is an approval', () => {
  const approved = { type: 'boolean' }
  const editedArgs = flat({ to: { type: 'string' } }, { required: ['to'] })

  it('is approved or declined, and nothing else', () => {
    const item = input(flat({ approved }))
    expect(offered(item, yes({ approved: true }))).toBe(true)
    for (const data of [
      undefined,
      {},
      { approved: false },
      { approved: 'true' },
      { approved: true, editedArgs: {} },
      { approved: true, note: '' },
      { args: {} },
    ])
      expect([data, offered(item, yes(data))]).toEqual([data, false])
  })

  it.each<[string, unknown]>([
    ['as it is', flat({ approved, editedArgs })],
    [
      'behind references',
      {
        $ref: '#/$defs/F',
        $defs: {
          F: flat({ approved: { $ref: '#/$defs/Y' }, editedArgs: { $ref: '#/$defs/A' } }),
          Y: approved,
          A: editedArgs,
        },
      },
    ],
  ])('may be edited, %s', (_what, schema) => {
    const item = input(schema)
    for (const data of [{ approved: true }, { approved: true, editedArgs: { to: 'b' } }])
      expect(offered(item, yes(data))).toBe(true)
    for (const edited of [{}, { to: 1 }, null, [], 'b', true])
      expect([edited, offered(item, yes({ approved: true, editedArgs: edited }))]).toEqual([edited, false])
    expect(offered(item, yes({ editedArgs: { to: 'b' } }))).toBe(false)
    expect(offered(item, yes({ approved: false, editedArgs: { to: 'b' } }))).toBe(false)
  })
})

describe('a question', () => {
  it.each<[string, unknown[], unknown[], unknown[]]>([
    [
      'with options',
      [{ question: 'Which?', options: ['a', 'b'] }],
      [['a'], ['b']],
      [[], ['c'], [['a']], ['a', 'b'], [''], 'a', { 0: 'a' }, [null], [0], ['A'], ['a ']],
    ],
    [
      'with several options',
      [{ question: 'Which?', options: ['a', 'b'], multiple: true }],
      [[[]], [['a']], [['b', 'a']]],
      [['a'], [['c']], [['a', 'a']], [[['a']]], [null], [{}], [], [['a', 1]]],
    ],
    ['in writing', [{ question: 'Why?' }], [['because'], ['a\nb']], [[''], [' '], [1], [['because']], [null], []]],
    [
      'in writing, though it says several',
      [{ question: 'Why?', multiple: true }],
      [['because']],
      [[[]], [['because']]],
    ],
    [
      'with options of any sort',
      [{ question: 'Which?', options: [1, true, { value: 'v', label: 'L' }, { label: 'only' }, null, {}, 1] }],
      [['1'], ['true'], ['v'], ['only']],
      [[1], [true], ['L'], ['null'], ['[object Object]']],
    ],
    [
      'of a list',
      [{ question: 'A?', options: ['a'] }, { question: 'B?' }, 'C?'],
      [['a', 'b', 'c']],
      [
        ['a', 'b'],
        ['a', 'b', 'c', 'd'],
        ['b', 'a', 'c'],
        ['a', '', 'c'],
      ],
    ],
    ['that cannot be read', [], [['anything']], [[], ['a', 'b'], [['a']], ['']]],
  ])('%s', (_what, questions, can, cannot) => {
    const item = question(...questions)
    for (const answers of can) expect([answers, offered(item, yes({ answers }))]).toEqual([answers, true])
    for (const answers of cannot) expect([answers, offered(item, yes({ answers }))]).toEqual([answers, false])
    expect(offered(item, yes({ answers: can[0], more: 1 }))).toBe(false)
    expect(offered(item, yes({ answer: can[0] }))).toBe(false)
  })
})

describe('an authorization', () => {
  it.each(urlCases.map(({ url, openable }) => [url, openable] as const))('at %j', (url, openable) => {
    const item = asked(undefined, { kind: 'authorization', url })
    expect([offered(item, yes()), offered(item, yes({}))]).toEqual([openable, openable])
    expect(offered(item, yes({ code: '1' }))).toBe(false)
  })

  it('without an address offers a no', () => {
    for (const url of [undefined, '', 5, null, ['https://host.example/']])
      expect(offered(asked(undefined, { kind: 'authorization', url: url as string }), yes())).toBe(false)
  })
})
