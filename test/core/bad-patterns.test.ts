// @vitest-environment node
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CoreInChild, coreInChild } from '../support/core-in-child.js'

// Few enough letters that no limit on the length of a text helps, and enough that two ways at each letter take minutes.
const LETTERS = [25, 27, 30]
const LIMIT = 5000
// What none of the patterns takes, also those with a dot.
const END = '\n'

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
    LETTERS.map((length): Case => [pattern, `${letter.repeat(length)}${END}`]),
  )
  const said = await decide(cases)
  expect(cases.filter((_, at) => said[at] === undefined)).toEqual([])
}, 300_000)

const times = (count: number, text: string): string => text.repeat(count)

it('no bad pattern lets a text pass unchecked: what does not fit has an issue (FAULT-25)', async () => {
  const cases: Case[] = [
    ...BAD.map(([pattern, letter]): Case => [pattern, `${times(27, letter)}${END}`]),
    [`^${times(60, 'a?')}${times(60, 'a')}$`, times(59, 'a')],
    [`^(a|ab)?${times(25, '(a|ab)?')}$`, `${times(25, 'a')}c`],
    [`^${times(28, '(\\w|a)')}$`, `${times(28, 'a')}!`],
    ['^([a-z]+\\.)*[a-z]+$', '../../etc/passwd; rm -rf /'],
  ]
  const said = await decide(cases)
  const isRefused = (issues: unknown): boolean => Array.isArray(issues) && issues.length > 0
  expect(cases.filter((_, at) => !isRefused(said[at]))).toEqual([])
}, 300_000)

it('what fits a bad pattern is taken, or refused as too costly, in time', async () => {
  const cases = BAD.map(([pattern, letter]): Case => [pattern, pattern.endsWith('y$') ? 'xxxxy' : times(27, letter)])
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
