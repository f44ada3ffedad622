// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { coerce } from '../../../src/components/form/coerce.js'
import { readFields } from '../../../src/components/form/fields.js'
import { readJson } from '../../../src/components/form/read-json.js'

const short = (text: string): string => JSON.stringify(text.slice(0, 60))
const named = ([text, fault]: [string, string]): [string, string, string] => [short(text), fault, text]

const faults: [string, string][] = [
  ['9007199254740993', 'precision'],
  ['[1, {"a": -9007199254740993}]', 'precision'],
  ['0.1000000000000000055511151231257827', 'precision'],
  ['123456789012345678901', 'precision'],
  ['4e-324', 'precision'],
  ['1e400', 'range'],
  ['-1e999', 'range'],
  ['[1e-400]', 'range'],
  [`1${'0'.repeat(400)}`, 'range'],
  ['{"a":1,"a":2}', 'duplicate'],
  ['{"a":1,"\\u0061":2}', 'duplicate'],
  ['{"":1,"":1}', 'duplicate'],
  ['{"__proto__":1,"__proto__":2}', 'duplicate'],
  ['{"\\"":1,"\\u0022":2}', 'duplicate'],
  ['[{"x":{"y":[{"a":1, "b":{"a":2}, "a":3}]}}]', 'duplicate'],
  ['{"\u00e9":1,"\\u00E9":2}', 'duplicate'],
  ['['.repeat(101) + ']'.repeat(101), 'nested'],
  ['{"a":'.repeat(1e5) + 1 + '}'.repeat(1e5), 'nested'],
  ['['.repeat(1e6) + ']'.repeat(1e6), 'nested'],
  [`[${'{},'.repeat(1e5)}{}]`, 'nested'],
  ['', 'json'],
  ['{"a":1,}', 'json'],
  ['NaN', 'json'],
  ['+1', 'json'],
  ["{'a':1}", 'json'],
]

describe('FAULT-07: a box for JSON refuses what cannot be kept as it is written', () => {
  it.each(faults.map(named))('%s is %s', (_name, fault, text) => {
    expect(readJson(text)).toEqual({ fault })
    // The same in a field, in a box for the whole answer, and below the surface of both.
    const field = readFields({ type: 'object', properties: { v: {} } })
    const root = readFields({ type: 'object', minProperties: 0 })
    const errorOf = (form: typeof field, name: string) => coerce(form, new Map([[name, text]])).errors?.get(name)
    const isBlank = text === ''
    expect(errorOf(field, 'v')).toBe(isBlank ? undefined : fault)
    expect(errorOf(root, '')).toBe(isBlank ? 'required' : fault)
  })

  it.each(
    [
      '9007199254740991',
      '9007199254740992',
      '9007199254740992.0',
      '0.1',
      '0.10',
      '1E+2',
      '1e23',
      '100000000000000000000000',
      '5e-324',
      '1.7976931348623157e308',
      '0e999',
      '[{"a":1},{"a":1}]',
      '{"a":{"a":{"a":1}}}',
      '{"a":"a","b":["a","a"]}',
      '{"x\\\\":1,"x":2}',
      '{"a\\"":"1e400","{\\"a\\":1,\\"a\\":2}":"9007199254740993"}',
      '{"__proto__":{"a":1},"constructor":2}',
      ' [ null , true,\n"\\ud800" ] ',
      '['.repeat(100) + ']'.repeat(100),
    ].map((text) => [short(text), text] as const),
  )('%s is kept', (_name, text) => {
    const { value, fault } = readJson(text)
    expect(fault).toBeUndefined()
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)))
  })

  it('makes 0 of -0, which JSON cannot tell apart', () => {
    expect(readJson('[-0, {"a": -0.0}, "-0"]').value).toStrictEqual([0, { a: 0 }, '-0'])
  })

  it.each([
    ['one text', JSON.stringify('x"\\'.repeat(4e5))],
    ['one number', `0.${'10'.repeat(5e5)}`],
    ['zeros around a digit', `0.${'0'.repeat(5e5)}1${'0'.repeat(5e5)}`],
    ['many keys', `{${Array.from({ length: 8e4 }, (_, i) => `"key${i}":${i}`).join()}}`],
    ['backslashes before a quote', `"${'\\\\'.repeat(5e5)}"`],
  ] as const)('reads 1 MB in a moment: %s', (_what, text) => {
    const start = performance.now()
    readJson(text)
    expect(performance.now() - start).toBeLessThan(3000)
  })

  it('reads a number field of 50,000 digits and a letter in a moment', () => {
    const form = readFields({ type: 'object', properties: { n: { type: 'number' } } })
    const start = performance.now()
    expect(coerce(form, new Map([['n', `${'1'.repeat(5e4)}x`]])).errors?.get('n')).toBe('type')
    expect(performance.now() - start).toBeLessThan(1000)
  })
})
