// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { highlight } from '../../demo/ui/highlight.js'

const typesOf = (source: string) => highlight(source).map(({ text, type }) => [text, type])

test('tells comments, strings and keywords from the rest', () => {
  expect(typesOf("const a = 'b' // c")).toEqual([
    ['const', 'keyword'],
    [' a = ', undefined],
    ["'b'", 'string'],
    [' ', undefined],
    ['// c', 'comment'],
  ])
})

test('takes a property that is named like a keyword for a name', () => {
  expect(typesOf('{ type: 1 }')).toEqual([['{ type: 1 }', undefined]])
})

test('takes no keyword inside a string', () => {
  expect(typesOf('`return x`')).toEqual([['`return x`', 'string']])
})

test('loses not a character of any story', () => {
  for (const file of readdirSync('demo/stories').filter((name) => /\.tsx?$/.test(name))) {
    const source = readFileSync(`demo/stories/${file}`, 'utf8')
    const tokens = highlight(source)
    expect(tokens.map(({ text }) => text).join('')).toBe(source)
    expect(new Set(tokens.map(({ start }) => start)).size).toBe(tokens.length)
  }
})
