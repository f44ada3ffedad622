// @vitest-environment node
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CoreInChild, coreInChild } from '../support/core-in-child.js'

// Few enough letters that no limit on the length of a text helps, and enough that two ways at each letter take minutes.
const LETTERS = [25, 27, 30]
const LIMIT = 5000

let core: CoreInChild
beforeAll(async () => {
  core = await coreInChild()
}, 60_000)
afterAll(() => core.dispose())

type Case = readonly [pattern: string, text: string]

/** What is said of each text under its pattern; undefined where nothing is said in time. */
async function decide(cases: readonly Case[]): Promise<unknown[]> {
  const said: unknown[] = []
  while (said.length < cases.length) {
    const script = `
      import { writeSync } from 'node:fs'
      for (const [pattern, text] of ${JSON.stringify(cases.slice(said.length))}) {
        const schema = { type: 'object', properties: { text: { type: 'string', pattern } } }
        writeSync(1, JSON.stringify(core.validateAnswer(schema, { text })) + '\\n')
      }`
    const { lines, isOver } = await core.run(script, LIMIT)
    said.push(...lines.map((line): unknown => JSON.parse(line)))
    // The next one is the one that did not end; the rest is tried without it.
    if (!isOver) said.push(undefined)
  }
  return said
}

const BAD: readonly (readonly [pattern: string, letter: string])[] = [
  ['^(a|a)*$', 'a'],
  ['^(?:a|a)*$', 'a'],
  ['^(a|a|a)+$', 'a'],
  ['^(a|aa)+$', 'a'],
  ['^(\\w|a)*$', 'a'],
  ['^([a-z]|[a-m])*$', 'a'],
  ['^(.|a)*$', 'a'],
  ['^((a|a))*$', 'a'],
  ['^(a|b|ab)*$', 'ab'],
  ['^(a+)+$', 'a'],
  ['^(a*)*$', 'a'],
  ['^(a+)*$', 'a'],
  ['^((a+))+$', 'a'],
  ['^(?:a{1,}){1,}$', 'a'],
  ['^([a-z]+\\.?)*$', 'a'],
  ['^(a|a?)+$', 'a'],
  ['^(x+x+)+y$', 'x'],
  ['^(\\d+|\\d+)*$', '1'],
]

it('the check of a short text ends under every bad pattern', async () => {
  const cases = BAD.flatMap(([pattern, letter]) =>
    LETTERS.map((length): Case => [pattern, `${letter.repeat(length)}!`]),
  )
  const said = await decide(cases)
  expect(cases.filter((_, at) => said[at] === undefined)).toEqual([])
}, 300_000)

it('a harmless pattern is decided there as here', async () => {
  const pattern = '^[a-z]+$'
  expect(
    await decide([
      [pattern, 'abc'],
      [pattern, 'a!'],
    ]),
  ).toEqual([[], [{ path: '/text', keyword: 'pattern', expected: `pattern "${pattern}"` }]])
})
