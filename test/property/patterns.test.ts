// @vitest-environment node
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { compileSchema } from '../../src/core/schema/index.js'
import { matcherOf, simulationOf, type Test } from '../../src/core/schema/pattern/matcher.js'
import { parse } from '../../src/core/schema/pattern/parse.js'
import { EngineWorker } from '../support/engine-worker.js'
import { patterns, texts } from '../support/pattern-arbitrary.js'
import { runs, seed } from './settings.js'

// What one text may cost; 50 ms where nothing else runs.
const MOST_STEPS = 1e6

const engine = new EngineWorker()
afterAll(() => engine.end())

const steps = (test: Test, text: string): [result: boolean | undefined, steps: number] => {
  const budget = { left: Number.MAX_SAFE_INTEGER }
  const result = test(text, budget)
  return [result, Number.MAX_SAFE_INTEGER - budget.left]
}

describe('patterns', () => {
  it(`are decided as the engine decides them, in bounded steps (PROPERTY_SEED=${seed})`, async () => {
    const wrong: unknown[] = []
    const seen = { matches: 0, misses: 0, tooSlowForTheEngine: 0, mostSteps: 0 }
    const count = Math.max(1, Math.round(runs / 5))
    const samples = fc.sample(fc.tuple(patterns, fc.array(texts, { minLength: 5, maxLength: 5 })), {
      numRuns: count,
      seed,
    })
    for (const [pattern, values] of samples) {
      const expected = await engine.ask(pattern, values, 2000)
      if (!expected) seen.tooSlowForTheEngine++
      // The simulation alone too: where the engine is cheap it would not be asked.
      const simulated = simulationOf(parse(pattern))?.test ?? (() => undefined)
      const check = compileSchema({ pattern })
      values.forEach((text, i) => {
        const [result, cost] = steps(simulated, text)
        seen.mostSteps = Math.max(seen.mostSteps, cost)
        seen[result ? 'matches' : 'misses']++
        const passes = check(text).length === 0
        const { found = passes, begins = result } = expected?.[i] ?? {}
        if (result === undefined || result !== begins || (passes !== found && passes !== begins)) {
          wrong.push({ pattern, text, result, passes, found, begins })
        }
      })
    }
    console.info(`patterns: seed ${seed}, ${JSON.stringify(seen)}`)
    expect(wrong).toEqual([])
    expect(seen.mostSteps).toBeLessThan(MOST_STEPS)
    // Otherwise the sample says nothing.
    expect(Math.min(seen.matches, seen.misses)).toBeGreaterThan(count / 2)
  }, 600_000)

  it.each<[pattern: string, letters: string]>([
    ['^(a+)+$', 'a'],
    ['^(a|a)*b', 'a'],
    [`^${'(a|ab)?'.repeat(25)}$`, 'ab'],
    [`^${'a?'.repeat(40)}${'a'.repeat(40)}$`, 'a'],
    ['^(\\w|a){28}$', 'a'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
    ['^(.*)*!$', 'x'],
    ['^(.*?,){11}P', '1,'],
    ['(x+x+)+y', 'x'],
    ['^(\\d+|\\d+\\.)*$', '1'],
    ['^(?:.|[\\r\\n])*?\\*\\/$', '*'],
    ['([^\\s]+\\s*)+;$', 'a '],
    ['^\\s+|\\s+$', ' '],
    ['^((a{0,100}){0,100}){0,100}$', 'a'],
    ['^(a{0,30}){0,30}$', 'a'],
    ['^a{1,100000}$', 'a'],
    ['a{1,5000}b', 'a'],
    ['^(?:a{1,2000}){1,2000}$', 'a'],
    ['^(([^<>()[\\]\\\\.,;:\\s@"]+(\\.[^<>()[\\]\\\\.,;:\\s@"]+)*)|(".+"))@(([a-z]+\\.)+[a-z]{2,})$', 'a.'],
    ['^([a-zA-Z0-9_\\-.]+)@(([a-zA-Z0-9-]+\\.)+)([a-zA-Z]{2,4}|[0-9]{1,3})$', 'a@a.'],
    ['^(?:(?:https?|ftp):\\/\\/)?(?:\\S+(?::\\S*)?@)?(?:[a-z0-9]-*)*[a-z0-9]+(?:\\.(?:[a-z0-9]-*)*[a-z0-9]+)*$', 'a-'],
    ['^(?=(?:[a-z]+)+$)(?!.*(?:aa)+b).*$', 'a'],
    ['(?<=(a+)+)b', 'a'],
    ['^(a+)+\\1$', 'a'],
    ['^(.*)(.*)(.*)\\1\\2\\3!$', 'ab'],
  ])(
    'like %s stay within their steps for long texts, and never pass unchecked',
    async (pattern, letters) => {
      for (const length of [30, 1000, 50_000]) {
        const text = `${letters.repeat(length / letters.length)}\u0000`
        const [result, cost] = steps(matcherOf(pattern).test, text)
        expect(cost).toBeLessThanOrEqual(MOST_STEPS * 3)
        const issues = compileSchema({ pattern })(text)
        expect(issues.length === 0).toBe(result === true)
        const expected = await engine.ask(pattern, [text], 1000)
        if (result !== undefined && expected) expect(expected).toEqual([{ found: result, begins: result }])
      }
    },
    30_000,
  )
})
