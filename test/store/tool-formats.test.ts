// @vitest-environment node
import type { AnyTool } from 'assent/core'
import { createToolRunner, type Runner, type ToolFormat } from 'assent/runner'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createToldNames } from '../../src/store/tool-formats.js'
import { recorded } from '../support/asking.js'

const FORMATS: ToolFormat[] = ['openai', 'anthropic', 'gemini']
const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const read: AnyTool = { name: 'read', description: 'Reads a file', inputSchema: schema, execute: () => 'text' }
const bare: AnyTool = { name: 'bare', execute: () => '' }

/** The names a model is told, whatever the format. */
function namesIn(runner: Runner, format: ToolFormat): unknown[] {
  const told = runner.tools(format)
  if (format === 'openai') return told.map((tool) => Object(tool.function).name)
  if (format === 'anthropic') return told.map((tool) => tool.name)
  return (Object(told[0]).functionDeclarations as { name: string }[]).map(({ name }) => name)
}

/** A runner whose tools each say their own name. */
const named = (...names: string[]): Runner =>
  createToolRunner({ tools: names.map((name) => recorded(name, () => `I am ${name}`)) })

describe('the shape of each format', () => {
  const runner = createToolRunner({ tools: [read, bare] })

  it('is what OpenAI takes', () => {
    expect(runner.tools('openai')).toEqual([
      { type: 'function', function: { name: 'read', description: 'Reads a file', parameters: schema } },
      { type: 'function', function: { name: 'bare', description: '', parameters: { type: 'object' } } },
    ])
  })

  it('is what Anthropic takes', () => {
    expect(runner.tools('anthropic')).toEqual([
      { name: 'read', description: 'Reads a file', input_schema: schema },
      { name: 'bare', description: '', input_schema: { type: 'object' } },
    ])
  })

  it('is what Gemini takes', () => {
    expect(runner.tools('gemini')).toEqual([
      {
        functionDeclarations: [
          { name: 'read', description: 'Reads a file', parameters: schema },
          { name: 'bare', description: '', parameters: { type: 'object' } },
        ],
      },
    ])
  })

  it('is our own without one, with the names as they are', () => {
    expect(named('a b').tools()).toEqual([{ name: 'a b', description: 'a b', inputSchema: { type: 'object' } }])
  })

  it('carries the JSON Schema of a Standard Schema', () => {
    const tools: AnyTool[] = [
      { ...bare, name: 'zod', inputSchema: z.object({ n: z.number() }) },
      { ...bare, name: 'valibot', inputSchema: v.object({ n: v.number() }), jsonSchema: schema },
    ]
    const [zod, valibot] = createToolRunner({ tools }).tools('anthropic')
    expect(zod?.input_schema).toMatchObject({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] })
    expect(valibot?.input_schema).toEqual(schema)
  })

  it('is JSON, and says nothing of a tool but this', () => {
    const tool: AnyTool = { ...read, source: 'secret source', needsApproval: true, sequential: true, danger: 'high' }
    for (const format of FORMATS) {
      const told = createToolRunner({ tools: [tool] }).tools(format)
      expect(JSON.parse(JSON.stringify(told))).toEqual(told)
      expect(JSON.stringify(told)).not.toMatch(/secret|needsApproval|sequential|danger/)
    }
  })

  it('is there without tools, and follows what comes and goes', () => {
    const runner = createToolRunner()
    expect([runner.tools('openai'), runner.tools('anthropic')]).toEqual([[], []])
    const remove = runner.register({ ...bare, name: 'x y' })
    expect(namesIn(runner, 'openai')).toEqual(['x_y'])
    runner.register({ ...bare, name: 'z' })
    expect(namesIn(runner, 'gemini')).toEqual(['x_y', 'z'])
    remove()
    expect(namesIn(runner, 'anthropic')).toEqual(['z'])
  })
})

describe.each(FORMATS)('the names in %s', (format) => {
  it.each([
    ['git hub.repo/list', 'git_hub_repo_list'],
    ['ok-name_1', 'ok-name_1'],
    ['é', '_'],
    ['日本', '__'],
    ['a\nb', 'a_b'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), 'x'.repeat(64)],
    [`${'é'.repeat(70)}`, '_'.repeat(64)],
  ])('%j is %j', async (name, told) => {
    const runner = named(name)
    expect(namesIn(runner, format)).toEqual([told])
    expect((await runner.run(told)).output).toBe(`I am ${name}`)
    expect((await runner.run(name)).output).toBe(`I am ${name}`)
  })

  it.each([
    [['a b', 'a.b', 'a/b']],
    [['a b', 'a_b']],
    [['a_b', 'a b']],
    [['a b', 'a.b', 'a_b_2', 'a_b_3']],
    [['é', 'è', '_']],
    [['x'.repeat(64), 'x'.repeat(65), 'x'.repeat(66), `${'x'.repeat(64)} `]],
    [['__proto__', '__proto _', 'constructor', 'toString']],
  ])('of %j are each its own, fit, and reach the right tool', async (names) => {
    const runner = named(...names)
    const told = namesIn(runner, format).map(String)
    expect(new Set(told).size).toBe(names.length)
    expect(told.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([])
    const results = await Promise.all(told.map((name) => runner.run(name)))
    expect(results.map(({ output }) => output)).toEqual(names.map((name) => `I am ${name}`))
  })

  it('of tools whose names fit are left alone, whoever came first', () => {
    expect(namesIn(named('a b', 'a_b'), format)).toEqual(['a_b_2', 'a_b'])
  })

  it('reach the right tool, whatever came and went since others were told', async () => {
    const runner = createToolRunner()
    const add = (name: string) => runner.register(recorded(name, () => `I am ${name}`))
    const reached = async () => {
      const told = namesIn(runner, format).map(String)
      const results = await Promise.all(told.map((name) => runner.run(name)))
      return results.map(({ output }) => output.replace('I am ', ''))
    }
    const names = () => runner.tools().map(({ name }) => name)
    const steps = ['a b', 'a_b', 'a.b', 'a_b_2', 'a_b_3', 'a/b']
    const removals: (() => void)[] = []
    for (const name of steps) {
      removals.push(add(name))
      expect(await reached()).toEqual(names())
    }
    for (const [index, remove] of removals.entries()) {
      remove()
      expect(await reached()).toEqual(names())
      if (index % 2) add(steps[index - 1] ?? '')
      expect(await reached()).toEqual(names())
    }
  })

  it('never reach another tool than the one they were told of', async () => {
    const runner = createToolRunner()
    const remove = runner.register(recorded('a b', () => 'I am a b'))
    runner.register(recorded('a.b', () => 'I am a.b'))
    const [first, second] = namesIn(runner, format).map(String)
    remove()
    // A model that was told of both still calls the one that went.
    expect(await runner.run(first ?? '')).toMatchObject({ isError: true })
    expect((await runner.run(second ?? '')).output).toBe('I am a.b')
  })
})

describe('names that are alike to the end', () => {
  it.each([9, 120, 1100])('fit and are each its own, %d of them', async (count) => {
    const runner = named(...Array.from({ length: count }, (_none, n) => `${'y'.repeat(64)}${n}`))
    const told = namesIn(runner, 'openai').map(String)
    expect(new Set(told).size).toBe(count)
    expect(Math.max(...told.map(({ length }) => length))).toBe(64)
    expect((await runner.run(told.at(-1) ?? '')).output).toBe(`I am ${'y'.repeat(64)}${count - 1}`)
  })

  it('cost the same however many there are', () => {
    const tries = (count: number): number => {
      const names = Array.from({ length: count }, (_none, n) => `${'y'.repeat(64)}${n}`)
      const slice = vi.spyOn(String.prototype, 'slice')
      try {
        createToldNames().of(names)
        return slice.mock.calls.length
      } finally {
        slice.mockRestore()
      }
    }
    expect(tries(400)).toBeLessThan(tries(100) * 6)
  })
})

describe('a call by the name a model was told', () => {
  it('has the tool’s own name in its record, its events and its question', async () => {
    const names: string[] = []
    const runner = createToolRunner({
      tools: [recorded('git hub/list', () => 'listed', { needsApproval: true })],
      onEvent: ({ toolName }) => names.push(toolName),
    })
    runner.attach({}, 'dialog')
    void runner.run('git_hub_list')
    await null
    await new Promise((resolve) => setTimeout(resolve))
    expect(runner.head()).toMatchObject({ toolName: 'git hub/list', request: { prompt: 'Allow git hub/list?' } })
    expect([runner.getState().runs[0]?.toolName, ...new Set(names)]).toEqual(['git hub/list', 'git hub/list'])
    runner.dispose()
  })

  it('is the same call as one by the tool’s own name', async () => {
    const tool = recorded('a b', () => 'once')
    const runner = createToolRunner({ tools: [tool] })
    const results = ['a b', 'a_b'].map((name) => runner.run(name, {}, { toolCallId: 'c' }))
    await Promise.all(results)
    expect(tool.attempts).toHaveLength(1)
  })

  it('says its name when there is no such tool', async () => {
    expect((await named('a b').run('a.b')).output).toBe('Unknown tool: a.b')
  })
})

describe('FAULT-22: a name that was told for one tool and is another’s own', () => {
  const AMBIGUOUS =
    /^Ambiguous tool name: (.+): it was told for another tool before; list the tools again and use the names listed then$/

  /** Adds tools that say their own name. */
  const adder = (runner: Runner) => (name: string) => runner.register(recorded(name, () => `I am ${name}`))
  const outputs = async (runner: Runner, names: readonly unknown[]): Promise<string[]> =>
    (await Promise.all(names.map((name) => runner.run(String(name))))).map(({ output }) => output)

  it.each<[string, (runner: Runner) => unknown]>([
    ['listed', (runner) => namesIn(runner, 'openai')],
    ['listed twice', (runner) => [namesIn(runner, 'openai'), namesIn(runner, 'openai')]],
    ['listed in two formats', (runner) => [namesIn(runner, 'gemini'), namesIn(runner, 'anthropic')]],
    ['used by a model of an earlier page', (runner) => runner.run('a_b')],
  ])('runs neither, %s', async (_how, told) => {
    const runner = named('a.b')
    await told(runner)
    const tool = recorded('a_b', () => 'I am a_b')
    runner.register(tool)
    const result = await runner.run('a_b')
    expect(result).toMatchObject({ isError: true, output: expect.stringMatching(AMBIGUOUS) })
    expect(tool.attempts).toEqual([])
    expect(await outputs(runner, ['a.b'])).toEqual(['I am a.b'])
  })

  it('gives each a name of its own in the next list, and stays an error', async () => {
    const runner = named('a.b')
    namesIn(runner, 'openai')
    adder(runner)('a_b')
    for (const format of FORMATS) {
      const told = namesIn(runner, format)
      expect([told, new Set(told).size]).toEqual([['a_b_2', 'a_b_3'], 2])
      expect(await outputs(runner, told)).toEqual(['I am a.b', 'I am a_b'])
      expect(await outputs(runner, ['a_b'])).toEqual([expect.stringMatching(AMBIGUOUS)])
    }
  })

  it('stays an error while the other tool is there, also without the one that was told', async () => {
    const runner = createToolRunner()
    const add = adder(runner)
    const removeTold = add('a.b')
    namesIn(runner, 'openai')
    const removeOwn = add('a_b')
    removeTold()
    expect(await outputs(runner, ['a_b'])).toEqual([expect.stringMatching(AMBIGUOUS)])
    expect(await outputs(runner, namesIn(runner, 'openai'))).toEqual(['I am a_b'])
    add('a.b')
    removeOwn()
    expect(await outputs(runner, ['a_b'])).toEqual(['I am a.b'])
    add('a_b')
    expect(await outputs(runner, ['a_b'])).toEqual([expect.stringMatching(AMBIGUOUS)])
  })

  it('is never given to a tool that comes later', async () => {
    const runner = createToolRunner()
    const add = adder(runner)
    add('a.b')()
    add('a.b')
    namesIn(runner, 'openai')
    for (const name of ['a b', 'a/b', 'a_b', 'a_b_2', 'a_b_3']) add(name)
    const told = namesIn(runner, 'openai')
    expect(new Set(told).size).toBe(6)
    expect(told).not.toContain('a_b')
    expect(await outputs(runner, told)).toEqual(runner.tools().map(({ name }) => `I am ${name}`))
    expect(await outputs(runner, ['a_b'])).toEqual([expect.stringMatching(AMBIGUOUS)])
    // Free when the list was made, these belong to the tools that bear them.
    expect(await outputs(runner, ['a_b_2', 'a_b_3'])).toEqual(['I am a_b_2', 'I am a_b_3'])
  })

  it('is every name that two lists took', async () => {
    const runner = named('a.b', 'a b')
    expect(namesIn(runner, 'openai')).toEqual(['a_b', 'a_b_2'])
    const add = adder(runner)
    add('a_b_2')
    expect(await outputs(runner, ['a_b', 'a_b_2'])).toEqual(['I am a.b', expect.stringMatching(AMBIGUOUS)])
    const told = namesIn(runner, 'openai')
    expect(told[0]).toBe('a_b')
    expect(await outputs(runner, told)).toEqual(['I am a.b', 'I am a b', 'I am a_b_2'])
  })

  it('is a cut one too', async () => {
    const long = 'x'.repeat(70)
    const runner = named(long)
    const [cut] = namesIn(runner, 'gemini')
    adder(runner)(String(cut))
    expect(await outputs(runner, [cut])).toEqual([expect.stringMatching(AMBIGUOUS)])
    const told = namesIn(runner, 'gemini').map(String)
    expect(told.every((name) => name.length <= 64)).toBe(true)
    expect(await outputs(runner, told)).toEqual([`I am ${long}`, `I am ${cut}`])
  })

  it('is none in an app that tells no names', async () => {
    const runner = named('a.b')
    expect(await outputs(runner, ['x', 'a b', 'a.b'])).toEqual(['Unknown tool: x', 'Unknown tool: a b', 'I am a.b'])
    adder(runner)('a_b')
    expect(await outputs(runner, ['a_b', 'a.b'])).toEqual(['I am a_b', 'I am a.b'])
  })

  it('is none where both were there when the names were told', async () => {
    const runner = named('a.b', 'a_b')
    expect(namesIn(runner, 'openai')).toEqual(['a_b_2', 'a_b'])
    expect(await outputs(runner, ['a_b', 'a_b_2', 'a.b'])).toEqual(['I am a_b', 'I am a.b', 'I am a.b'])
  })

  it('asks nobody and tells no events', async () => {
    const events = vi.fn()
    const runner = createToolRunner({ tools: [recorded('a.b', () => '')], onEvent: events })
    runner.attach({}, 'dialog')
    namesIn(runner, 'openai')
    runner.register(recorded('a_b', () => '', { needsApproval: true }))
    const results = await runner.runAll([{ name: 'a_b' }, { name: 'a_b' }])
    expect(results.every(({ isError, output }) => isError && AMBIGUOUS.test(output))).toBe(true)
    expect([runner.count(), events.mock.calls]).toEqual([0, []])
  })
})
