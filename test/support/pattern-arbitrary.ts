import fc from 'fast-check'

const CHARACTERS = ['a', 'b', 'c', '0', '_', ' ', '-', 'é', '漢', '👍', '\n', '\ud83d', 'A', '.']
const LITERALS = [
  'a',
  'b',
  'c',
  '0',
  '-',
  'é',
  '👍',
  '\\.',
  '\\n',
  '\\x61',
  '\\u0061',
  '\\u{1F44D}',
  '\\ud83d\\udc4d',
  '\\/',
  '\\cJ',
  '[\\0a]',
]
const SETS = [
  '.',
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '\\p{L}',
  '\\P{L}',
  '\\p{Lu}',
  '\\p{Script=Han}',
  '[abc]',
  '[^abc]',
  '[a-c0-9_-]',
  '[]',
  '[^]',
  '[\\w.]',
  '[^\\s\\d]',
  '[\\]\\\\^]',
  '[\\p{L}\\d]',
  '[👍a]',
  '[\\u{1F300}-\\u{1FFFF}]',
  '[\\b-]',
  '[.|()*]',
]
const QUANTIFIERS = ['*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{1,3}?', '{2,}', '{0}', '{0,}', '{1}', '{3,5}']

const { pattern } = fc.letrec<{ pattern: string; term: string; atom: string }>((tie) => ({
  pattern: fc
    .array(
      fc.array(tie('term'), { maxLength: 4 }).map((terms) => terms.join('')),
      { minLength: 1, maxLength: 3 },
    )
    .map((choices) => choices.join('|')),
  term: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: tie('atom'), weight: 4 },
    { arbitrary: fc.tuple(tie('atom'), fc.constantFrom(...QUANTIFIERS)).map((parts) => parts.join('')), weight: 5 },
    { arbitrary: fc.constantFrom('^', '$', '\\b', '\\B'), weight: 2 },
    {
      arbitrary: fc
        .tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('pattern'))
        .map(([open, inner]) => `${open}${inner})`),
      weight: 1,
    },
  ),
  atom: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: fc.constantFrom(...LITERALS), weight: 5 },
    { arbitrary: fc.constantFrom(...SETS), weight: 5 },
    {
      arbitrary: fc.tuple(fc.constantFrom('(', '(?:'), tie('pattern')).map(([open, inner]) => `${open}${inner})`),
      weight: 3,
    },
  ),
}))

/** Patterns of all that the u flag knows but back references. */
export const patterns: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: pattern, weight: 3 },
  { arbitrary: pattern.map((inner) => `^(?:${inner})$`), weight: 2 },
  { arbitrary: pattern.map((inner) => `(?<name>${inner})(?:${inner})*$`), weight: 1 },
)

export const texts: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 8 }).map((letters) => letters.join('')),
  fc.array(fc.constantFrom('a', 'b', 'ab', 'c'), { maxLength: 40 }).map((letters) => letters.join('')),
  fc.tuple(fc.constantFrom('a', 'ab', '0', ' '), fc.nat(50)).map(([letters, times]) => `${letters.repeat(times)}!`),
)
