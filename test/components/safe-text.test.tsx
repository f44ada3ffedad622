import { render } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { escapeText, hasUnsafe, SafeText } from '../../src/components/safe-text.js'

function show(text: string): HTMLElement {
  const { container } = render(<SafeText>{text}</SafeText>)
  return container.firstElementChild as HTMLElement
}

/** The text with its marks in brackets. */
const marked = (text: string): string =>
  [...show(text).childNodes]
    .map((node) => (node instanceof HTMLElement ? `[${node.dataset.slot} ${node.textContent}]` : node.textContent))
    .join('')

const FOLD = (count: number): string => `[fold ⟨${count} blank characters⟩]`

describe('SafeText', () => {
  it('isolates the direction of a text and leaves it as it is', () => {
    const element = show('a <b>\n\tc  d')
    expect(element.outerHTML).toBe('<bdi>a &lt;b&gt;\n\tc  d</bdi>')
  })

  it.each([
    ['a\u202Eb', 'a[escape \\u{202E}]b'],
    ['\u200B', '[escape \\u{200B}]'],
    ['a\u{E0041}b\u00A0', 'a[escape \\u{E0041}]b[escape \\u{A0}]'],
    ['a\u202E\u202Db', 'a[escape \\u{202E}][escape \\u{202D}]b'],
    ['\u3164'.repeat(3), '[escape \\u{3164}\\u{3164}\\u{3164}]'],
    ['\u2800'.repeat(8), `[escape ${'\\u{2800}'.repeat(8)}]`],
    ['\u2800'.repeat(9), '[escape ⟨9 × \\u{2800}⟩]'],
    ['\u{E0041}'.repeat(500), '[escape ⟨500 × \\u{E0041}⟩]'],
    ['a\rb\r\nc', 'a[escape \\u{D}]b\r\nc'],
    ['\uD800x', '[escape \\u{D800}]x'],
  ])('writes out what cannot be seen: %j (BUG-137, BUG-138)', (text, shown) => {
    expect(marked(text)).toBe(shown)
  })

  it.each([
    ['a        b', 'a        b'],
    ['a         b', `a${FOLD(9)}b`],
    [`a${' '.repeat(48)}b`, `a${FOLD(48)}b`],
    ['a \t \t \t \t \tb', `a${FOLD(10)}b`],
    [`a${' '.repeat(48)}`, `a${FOLD(48)}`],
    [`${' '.repeat(32)}b`, `${' '.repeat(32)}b`],
    [`${' '.repeat(33)}b`, `${FOLD(33)}b`],
    [`a\n${' '.repeat(20)}b`, `a\n${' '.repeat(20)}b`],
    ['a\n\n\nb', 'a\n\n\nb'],
    ['a\n\n\n\nb', `a${FOLD(4)}b`],
    ['a\r\n\r\n\r\n\r\nb', `a${FOLD(8)}b`],
    ['a\n \n\t\n  \nb', `a${FOLD(8)}b`],
    [`a${'\n'.repeat(500)}  b`, `a${FOLD(500)}  b`],
    ['a\u0301\u0302\u0303\u0304b', 'a\u0301\u0302\u0303\u0304b'],
    ['a\u0301\u0302\u0303\u0304\u0305b', 'a\u0301\u0302\u0303\u0304[escape \\u{305}]b'],
    [`a${'\u0301'.repeat(104)}b`, 'a\u0301\u0301\u0301\u0301[escape ⟨100 × \\u{301}⟩]b'],
  ])('folds long gaps and piles of marks: %j', (text, shown) => {
    expect(marked(text)).toBe(shown)
  })

  it('keeps code and nested JSON as they are indented', () => {
    const code = `if (a) {\n${' '.repeat(24)}b()\n}\n\n\nc()`
    const json = JSON.stringify({ a: { b: { c: { d: { e: { f: [1, { g: 2 }] } } } } } }, null, 2)
    expect([marked(code), marked(json)]).toEqual([code, json])
  })

  it.each([
    ['Hebrew with points', 'בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים'],
    ['Arabic with vowels', 'بِسْمِ ٱللَّٰهِ'],
    ['Persian with a non-joiner', 'می‌خواهم'],
    ['Hindi with a joiner', 'क्‍ष'],
    ['Vietnamese, decomposed', 'Việt Nam'.normalize('NFD')],
    ['Thai', 'ที่นี่'],
    ['a family, a flag, a keycap', '👨‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 1️⃣ 👍🏽'],
  ])('raises no alarm for %s (BUG-141)', (_name, text) => {
    expect(show(text).innerHTML).toBe(text)
    expect(hasUnsafe(text)).toBe(false)
  })

  // A joiner that joins nothing is hidden: two texts that look alike would differ by it.
  it.each([
    ['a letter', '👨\u200Da', '👨[escape \\u{200D}]a'],
    ['a blank', '👨\u200D b', '👨[escape \\u{200D}] b'],
    ['a digit', '❤️\u200D1', '❤️[escape \\u{200D}]1'],
    ['nothing', '👍🏽\u200D', '👍🏽[escape \\u{200D}]'],
    ['another joiner', '👨\u200D\u200D👩', '👨[escape \\u{200D}\\u{200D}]👩'],
  ])('writes out a joiner between an emoji and %s', (_what, text, shown) => {
    expect(marked(text)).toBe(shown)
    expect(hasUnsafe(text)).toBe(true)
  })

  it('never puts a hidden character into the page, nor into an attribute (BUG-138)', () => {
    const text = `a\u202E${'\u200B'.repeat(20)}${'\u0301'.repeat(30)}\u2028${' '.repeat(30)}`
    expect(hasUnsafe(show(text).outerHTML)).toBe(false)
  })

  it('writes out every one of many, in the text itself when they are too many for elements of their own', () => {
    const element = show(`${'a\u202E'.repeat(30_000)}${' '.repeat(50)}b`)
    expect(element.textContent).toBe(`${'a\\u{202E}'.repeat(30_000)}⟨50 blank characters⟩b`)
    expect(element.childElementCount).toBeLessThan(1100)
  })

  it('renders without a page', () => {
    expect(renderToString(<SafeText>{'a\u202E'}</SafeText>)).toBe(
      '<bdi>a<span data-slot="escape">\\u{202E}</span></bdi>',
    )
  })

  const long: [string, string][] = [
    ['plain', 'lorem ipsum '.repeat(8334)],
    ['blanks', ' '.repeat(100_000)],
    ['nearly gaps', 'x        '.repeat(11_111)],
    ['blanks and line breaks', `${' '.repeat(30)}\n`.repeat(3226)],
    ['line breaks with long blanks', `${' '.repeat(33_000)}\n`.repeat(3)],
    ['one hidden character', '\u202E'.repeat(100_000)],
    ['marks', 'a\u0301\u0302\u0303\u0304'.repeat(20_000)],
    ['emoji', '👨‍👩‍👧‍👦'.repeat(9091)],
    ['Arabic', 'مرحبا '.repeat(16_667)],
  ]
  it.each(long)('takes 100,000 characters at once: %s', (_name, text) => {
    expect(text.length).toBeGreaterThan(98_000)
    const start = performance.now()
    hasUnsafe(text)
    show(text)
    expect(performance.now() - start).toBeLessThan(400)
  })
})

describe('escapeText', () => {
  it('writes out what cannot be seen and leaves the rest', () => {
    expect(escapeText('a\u202Eb  \u200B')).toBe('a\\u{202E}b  \\u{200B}')
    expect(escapeText('\u{E0041}\uD800')).toBe('\\u{E0041}\\u{D800}')
  })
})
