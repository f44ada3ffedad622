// @vitest-environment node
import { format } from '@cfworker/json-schema'
import { describe, expect, it, vi } from 'vitest'
import { defineTool, type Issue, validateAnswer } from '../../src/core/index.js'
import { compileSchema, uncheckable } from '../../src/core/schema/index.js'

const check = (schema: unknown, value: unknown): Issue[] => compileSchema(schema)(value)
const verdict = (pattern: string, text: string): string | undefined =>
  check({ pattern }, text).map(({ keyword, expected }) => `${keyword}: ${expected}`)[0]
const mismatch = (pattern: string): string => `pattern: pattern ${JSON.stringify(pattern)}`
const undecided = (pattern: string): string => `${mismatch(pattern)}, which cannot be checked safely`

describe('a pattern that an engine backtracks over', () => {
  it.each<[pattern: string, good: string, bad: string]>([
    [`${'a?'.repeat(60)}${'a'.repeat(60)}$`, 'a'.repeat(60), 'a'.repeat(59)],
    [`^${'(a|ab)?'.repeat(25)}$`, 'ab'.repeat(25), `${'ab'.repeat(25)}!`],
    [`^${'(\\w|a)'.repeat(28)}$`, 'a'.repeat(28), `${'a'.repeat(27)}!`],
    ['^(\\w|a){28}$', 'a'.repeat(28), `${'a'.repeat(27)}!`],
    ['^(a|a)*$', 'a'.repeat(25), `${'a'.repeat(25)}!`],
    ['^([a-z]+\\.)*[a-z]+$', 'www.example.org', '../../etc/passwd; rm -rf /'],
    ['^(a+)+$', 'a'.repeat(5000), `${'a'.repeat(5000)}!`],
    ['^(a|a)*b', `${'a'.repeat(5000)}b`, 'a'.repeat(5000)],
    ['(x+x+)+y', `${'x'.repeat(3000)}y`, 'x'.repeat(3000)],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', `${'a'.repeat(2000)}.Aa`, 'a'.repeat(2000)],
    ['^(.*)*$', 'x'.repeat(3000), `${'x'.repeat(3000)}\n`],
    ['^(a*)*b$', `${'a'.repeat(3000)}b`, 'a'.repeat(3000)],
    ['a*a*a*a*a*b', `${'a'.repeat(2000)}b`, 'a'.repeat(2000)],
    ['\\s+$', `a${' '.repeat(9000)}`, `${' '.repeat(9000)}a`],
    [
      '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
      'some.body@example.com',
      'a'.repeat(3000),
    ],
    [
      '^(https?:\\/\\/)?([\\da-z.-]+)\\.([a-z.]{2,6})([/\\w .-]*)*\\/?$',
      'https://example.com/a/b',
      `https://example.com/${'a'.repeat(3000)}!`,
    ],
    ['^(?:(?:\\w+-)*\\w+)+$', 'ab-cd-ef', `${'ab-'.repeat(999)}!`],
    ['^(?=(a+)+$)a*$', 'aaa', `${'a'.repeat(2000)}!`],
    ['^(?!.*(a+)+b)\\w*$', 'a'.repeat(2000), `${'a'.repeat(2000)}b`],
    ['(?<=^(a+)+)!$', `${'a'.repeat(2000)}!`, `${'a'.repeat(2000)}?`],
    ['^(?:[a-z0-9-]{1,63}\\.){1,127}[a-z]{2,63}$', 'a-b.example.org', `${'a-b.'.repeat(120)}1`],
    ['^((?:a{0,20}){0,20})b$', `${'a'.repeat(400)}b`, 'a'.repeat(900)],
  ])('FAULT-25: %s is decided', (pattern, good, bad) => {
    expect(verdict(pattern, good)).toBeUndefined()
    expect(verdict(pattern, bad)).toBe(mismatch(pattern))
    expect(validateAnswer({ pattern }, bad)).toHaveLength(1)
    expect(uncheckable({ pattern })).toEqual([])
  })

  it.each<[pattern: string, text: string]>([
    ['^(a+)+\\1$', `${'a'.repeat(40)}!`],
    ['^(?<x>a|ab)*\\k<x>c$', 'ab'.repeat(40)],
    ['(((a{0,100}){0,100}){0,100}){0,100}b', 'a'.repeat(60)],
    ['^(?:a|a?){1,100000}\\b!$', 'a'.repeat(60)],
    ['(', 'x'],
    ['(?i)yes', 'yes'],
    ['(?P<year>\\d+)', '2024'],
  ])('FAULT-25: %s, which nothing can check, is refused and told', (pattern, text) => {
    expect(verdict(pattern, text)).toBe(undecided(pattern))
    expect(uncheckable({ properties: { a: { pattern } } })).toEqual(['#/properties/a/pattern'])
  })

  it.each<[string, object, unknown]>([
    ['not', { not: { pattern: '^(a+)+\\1$' } }, 'a'.repeat(40)],
    ['anyOf', { anyOf: [{ pattern: '^(a+)+\\1$' }, true] }, 'a'.repeat(40)],
    ['oneOf', { oneOf: [{ pattern: '^(a+)+\\1$' }, true] }, 'a'.repeat(40)],
    ['if', { if: { pattern: '^(a+)+\\1$' }, else: false }, 'a'.repeat(40)],
    ['contains', { contains: { pattern: '^(a+)+\\1$' }, minContains: 0 }, ['a'.repeat(40)]],
    ['propertyNames', { propertyNames: { pattern: '^(a+)+\\1$' } }, { ['a'.repeat(40)]: 1 }],
    ['patternProperties', { patternProperties: { '^(a+)+\\1$': true } }, { ['a'.repeat(40)]: 1 }],
  ])('a pattern that cannot be checked refuses the value under %s too', (_keyword, schema, value) => {
    expect(check(schema, value)[0]?.expected).toMatch('cannot be checked safely')
    expect(validateAnswer(schema, value)).not.toEqual([])
  })

  it.each<[pattern: string, good: string, bad: string]>([
    ['^(["\']).*\\1$', '"quoted"', '"quoted\''],
    ['^(?!.*(.)\\1{2}).+$', 'aabb', 'aabbb'],
    ['^(?<c>\\w)\\k<c>$', 'aa', 'ab'],
  ])('%s looks back, cannot take long, and is decided', (pattern, good, bad) => {
    expect(verdict(pattern, good)).toBeUndefined()
    expect(verdict(pattern, bad)).toBe(mismatch(pattern))
    expect(uncheckable({ pattern })).toEqual([])
  })

  it.each<[pattern: string, good: string, bad: string]>([
    ['^(?=.*[A-Z])(?=.*\\d).{8,}$', 'Passw0rdX', 'password'],
    ['^[\\s\\S]{1,100000}$', 'x'.repeat(100_000), ''],
    ['^[^]$', '\ud83d', 'ab'],
    ['^\\u{1F600}$', '😀', '😁'],
    ['^\\ud83d\\ude00$', '😀', '😁'],
    ['^a.b$', 'a\ud83db', 'a\nb'],
    ['^x{,5}$', 'x{,5}', 'xxx'],
    ['^{a}]$', '{a}]', 'a'],
    ['^[\\p{L}\\-\\_]+$', 'é-_', 'é '],
    ['^\\c$', '\\c', 'c'],
    ['^\\k<n>$', 'k<n>', 'n'],
    ['^\\i\\_$', 'i_', 'i'],
    ['^(?<n>a)\\k<n>$', 'aa', 'a'],
    ['^[a-z]+$', 'a'.repeat(1e6), `${'a'.repeat(1e6)}!`],
    ['^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$', 'abcd'.repeat(250_000), 'abc'],
    ['@corp\\.example$', `${'x'.repeat(1e6 - 13)}@corp.example`, 'x'.repeat(1e6)],
    ['^$', '', ' '],
    ['a{1,5000}b', `${'a'.repeat(1000)}b`, 'a'.repeat(1000)],
  ])('%s means what it means in a browser', (pattern, good, bad) => {
    expect(verdict(pattern, good)).toBeUndefined()
    expect(verdict(pattern, bad)).toBe(mismatch(pattern))
  })

  it('names the place of every pattern that cannot be checked, and of no other', () => {
    const bad = '^(a+)+\\1$'
    const schema = {
      properties: { 'a/b': { pattern: bad }, fine: { pattern: '^(a+)+$' } },
      patternProperties: { [bad]: { items: { pattern: bad } } },
      $defs: { x: { $id: 'x', pattern: bad } },
    }
    expect(uncheckable(schema)).toEqual(
      expect.arrayContaining([
        '#/properties/a~1b/pattern',
        `#/patternProperties/${bad}`,
        `#/patternProperties/${bad}/items/pattern`,
      ]),
    )
    expect(uncheckable({ pattern: bad })).toEqual(['#/pattern'])
    expect(uncheckable({ properties: { fine: { pattern: '^(a+)+$' } } })).toEqual([])
  })

  it('is told to the developer once a tool', () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {})
    const make = () =>
      defineTool({
        name: 'looks-back',
        description: 'x',
        inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+\\1$' } } },
        execute: () => 'done',
      })
    make()
    make()
    expect(told.mock.calls).toEqual([[expect.stringMatching(/"looks-back".*#\/properties\/a\/pattern/)]])
  })

  it('as a name of properties decides what is additional', () => {
    const schema = { patternProperties: { '^x-': { type: 'string' }, '^(a+)+$': {} }, additionalProperties: false }
    const found = check(schema, { 'x-a': 1, aaa: 1, other: 1 }).map(({ path, keyword }) => `${path} ${keyword}`)
    expect(found).toEqual(['/x-a type', '/other additionalProperties'])
  })

  it('that is none is ignored in an answer, as a name too', () => {
    const schema = {
      properties: { a: { pattern: '(' } },
      patternProperties: { '(': false },
      additionalProperties: false,
    }
    expect(validateAnswer(schema, { a: 'x', b: 1 })).toEqual([])
  })
})

describe('the cost of a check', () => {
  const objects = (count: number) => Array.from({ length: count }, (_, i) => ({ id: i, tags: ['a', { b: i % 7 }] }))
  const reordered = (count: number) => objects(count).map(({ id, tags }) => ({ tags, id }))

  it('FAULT-26: 30,000 objects that must differ', () => {
    expect(check({ uniqueItems: true }, objects(30_000))).toEqual([])
    expect(check({ uniqueItems: true }, [...objects(10_000), reordered(3)[2]])).toMatchObject([
      { keyword: 'uniqueItems' },
    ])
  })

  it('FAULT-26: 20,000 values of which each is one of 2,000', () => {
    const schema = { items: { enum: objects(2000) } }
    const values = Array.from({ length: 10 }, () => reordered(2000)).flat()
    expect(check(schema, values)).toEqual([])
    expect(check(schema, reordered(2001))).toMatchObject([{ path: '/2000', keyword: 'enum' }])
    expect(check({ items: { const: objects(2000) } }, [reordered(2000), reordered(1999)])).toMatchObject([
      { path: '/1', keyword: 'const' },
    ])
  })

  it.each<[string, unknown, unknown]>([
    ['true and "true"', ['true', '1', 'null', '{}', '[]'], [true, 1, null, {}, []]],
    ['lists and objects', [[], ['a', 'b'], ['a,b'], { 0: 'a', 1: 'b' }], ['a', {}, ['b', 'a'], { a: 'b' }]],
    ['numbers', [0, 1.5, 1e21], ['0', 1, 1e20]],
  ])('tells %s apart', (_what, options, others) => {
    const schema = { items: { enum: options } }
    expect(check(schema, options)).toEqual([])
    expect(check(schema, others)).toHaveLength(Array.isArray(others) ? others.length : 0)
    expect(check({ uniqueItems: true }, [options, others].flat())).toEqual([])
  })

  const nest = (levels: number, make: (inner: object) => object): object =>
    Array.from({ length: levels }).reduce<object>((inner) => make(inner), { type: 'string' })
  const wide = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`name${i}`, i]))
  const list = (count: number) => Array.from({ length: count }, (_, i) => i)

  it.each<[string, object, unknown]>([
    ['alternatives in alternatives', { items: nest(10, (inner) => ({ anyOf: [inner, inner] })) }, list(1000)],
    ['alternatives of items', { items: nest(12, (inner) => ({ oneOf: [inner, inner] })) }, list(5000)],
    [
      'a list in which each must contain',
      nest(9, (inner) => ({ contains: inner, items: inner })),
      [[[[[[[[list(9000)]]]]]]]],
    ],
    [
      'references that branch with the depth',
      { type: 'object', properties: { a: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } },
      JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`),
    ],
    [
      'many names by many patterns',
      { patternProperties: Object.fromEntries(list(500).map((i) => [`^(a|b${i})*c$`, true])) },
      wide(5000),
    ],
    [
      'many values of which each must have many properties',
      { items: { required: list(2000).map(String) } },
      list(10_000).map(() => ({})),
    ],
    [
      'one slow pattern for many texts',
      { items: { pattern: '^(a+)+$' } },
      list(2000).map(() => `${'a'.repeat(2000)}!`),
    ],
    [
      'lists in lists that must all differ',
      { $ref: '#/$defs/x', $defs: { x: { uniqueItems: true, items: { $ref: '#/$defs/x' } } } },
      JSON.parse(`${'['.repeat(150)}${JSON.stringify(list(20_000))}${']'.repeat(150)}`),
    ],
  ])('ends for %s: the value is refused, saying why', (_what, schema, value) => {
    expect(check(schema, value)).toEqual([
      { path: '', keyword: 'limit', expected: 'less: this takes too long to check' },
    ])
    expect(validateAnswer(schema, value)).toMatchObject([{ keyword: 'limit' }])
  })

  it('lets a large and honest value pass', () => {
    const row = {
      type: 'object',
      properties: {
        id: { type: 'integer', minimum: 0 },
        name: { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$' },
        mail: { format: 'email' },
      },
      required: ['id', 'name'],
      additionalProperties: false,
    }
    const rows = list(10_000).map((id) => ({ id, name: 'some-name', mail: 'a.b@example.org' }))
    expect(check({ type: 'array', items: row, uniqueItems: true }, rows)).toEqual([])
    expect(check({ additionalProperties: { type: 'number' } }, wide(20_000))).toEqual([])
  })

  it('says all that is wrong with 50,000 values', () => {
    expect(check({ items: { type: 'string' } }, list(50_000))).toHaveLength(50_000)
  })

  it.each(Object.keys(format))(
    'holds for the format %s and a megabyte',
    (name) => {
      for (const text of ['a', 'a.', '/a', '1:', 'a@', '-a']) {
        expect(Array.isArray(check({ format: name }, text.repeat(1e6 / text.length)))).toBe(true)
      }
    },
    20_000,
  )
})

describe('a type name that nobody knows', () => {
  it.each([['String'], ['date'], [['string', 'Foo']], [['Foo']], ['']])(
    'FAULT-33: %j asks for nothing in an answer',
    (type) => {
      expect(validateAnswer({ type: 'object', properties: { a: { type } } }, { a: 'x' })).toEqual([])
      expect(validateAnswer({ properties: { a: { type, minLength: 2 } } }, { a: 'x' })).toMatchObject([
        { keyword: 'minLength' },
      ])
    },
  )

  it.each([['String'], ['date'], [['string', 'Foo']]])('FAULT-33: %j is a developer’s error in a tool', (type) => {
    expect(() => compileSchema({ properties: { a: { type } } })).toThrow('#/properties/a/type')
  })
})
