// @vitest-environment node
import { type } from 'arktype'
import { type AnyTool, defineTool, pending, pendingOf, runTool } from 'assent/core'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jsonSchemaOf } from '../../src/core/tool-schema.js'

const describeSum = { name: 'sum', description: 'Adds two numbers' }
const json = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
} as const

const sums: [string, AnyTool][] = [
  ['a JSON Schema', defineTool({ ...describeSum, inputSchema: json, execute: ({ a, b }) => a + b })],
  [
    'zod',
    defineTool({
      ...describeSum,
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      execute: ({ a, b }) => a + b,
    }),
  ],
  [
    'valibot',
    defineTool({
      ...describeSum,
      inputSchema: v.object({ a: v.number(), b: v.number() }),
      jsonSchema: json,
      execute: ({ a, b }) => a + b,
    }),
  ],
  [
    'arktype',
    defineTool({ ...describeSum, inputSchema: type({ a: 'number', b: 'number' }), execute: ({ a, b }) => a + b }),
  ],
]

describe.each(sums)('a tool defined with %s', (_what, sum) => {
  it('runs with valid arguments', async () => {
    expect(await runTool(sum, { a: 1, b: 2 })).toEqual({ output: '3', isError: false })
  })

  it('names what is wrong with invalid ones', async () => {
    const result = await runTool(sum, { a: 1, b: 'x' })
    expect(result.isError).toBe(true)
    expect(result.output).toMatch(/^Invalid arguments for sum: \/b: /)
  })

  it('tells a model the JSON Schema of its arguments', () => {
    expect(jsonSchemaOf(sum)).toMatchObject({
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    })
  })

  it('is called directly without a context', async () => {
    expect(await sum.execute({ a: 1, b: 2 }, undefined as never)).toEqual({ output: '3', isError: false })
  })
})

describe('what execute returns', () => {
  const returning = (value: unknown) => defineTool({ name: 't', description: '', execute: () => value })

  it.each<[unknown, string]>([
    ['text', 'text'],
    [undefined, ''],
    [null, 'null'],
    [{ a: [1] }, '{"a":[1]}'],
    [Promise.resolve(false), 'false'],
  ])('%j becomes the output %j', async (value, output) => {
    expect(await returning(value).execute({})).toEqual({ output, isError: false })
  })

  it('passes through as a full result', async () => {
    const result = { output: 'x', isError: true, metadata: { status: 404 } }
    expect(await returning(result).execute({})).toEqual(result)
  })

  it('passes through as a suspension', async () => {
    expect(pendingOf(await returning(pending({ kind: 'input', prompt: 'Name?' })).execute({}))?.prompt).toBe('Name?')
  })

  it.each<[string, () => unknown, string]>([
    [
      'a throw',
      () => {
        throw new Error('boom')
      },
      'boom',
    ],
    ['a rejection', () => Promise.reject(new Error('boom')), 'boom'],
    [
      'a thrown text',
      () => {
        throw 'boom'
      },
      'boom',
    ],
  ])('is an error result for %s', async (_what, execute, output) => {
    expect(await defineTool({ name: 't', description: '', execute }).execute({})).toEqual({ output, isError: true })
  })
})

describe('the context of execute', () => {
  const keys = defineTool({
    name: 't',
    description: '',
    execute: (_args, ctx) => ({
      keys: Object.keys(ctx).sort(),
      same: ctx.signal === ctx.abortSignal,
      aborted: ctx.signal.aborted,
    }),
  })
  const always = ['abortSignal', 'emitCustomEvent', 'signal', 'toolCallId']
  const aborted = AbortSignal.abort()

  it.each([
    ['none', undefined, always, false],
    ['an empty one', {}, always, false],
    ['only a signal', { signal: aborted }, always, true],
    ['only an abortSignal', { abortSignal: aborted }, always, true],
    ['a timeout', { timeout: 5 }, [...always.slice(0, 3), 'timeout', 'toolCallId'], false],
  ] as const)('is complete when the caller gives %s', async (_what, ctx, expected, isAborted) => {
    const { output } = await keys.execute({}, ctx)
    expect(JSON.parse(output)).toEqual({ keys: [...expected], same: true, aborted: isAborted })
  })

  it('takes events nobody listens to', async () => {
    const tool = defineTool({
      name: 't',
      description: '',
      execute: (_args, ctx) => ctx.emitCustomEvent('progress', {}),
    })
    expect(await tool.execute({})).toEqual({ output: '', isError: false })
  })
})

describe('a definition that cannot be used throws and says what to do', () => {
  const execute = () => ''

  it.each<[string, () => unknown, RegExp]>([
    [
      'no name',
      () => defineTool({ description: '', execute } as never),
      /assent: the tool "undefined" cannot be used: no name/,
    ],
    [
      'an empty name',
      () => defineTool({ name: '', description: '', execute }),
      /assent: the tool "" cannot be used: no name/,
    ],
    [
      'no execute',
      () => defineTool({ name: 't', description: '' } as never),
      /assent: the tool "t" cannot be used: no execute/,
    ],
    [
      'a broken schema',
      () => defineTool({ name: 't', description: '', inputSchema: { type: 'nonsense' }, execute }),
      /assent: the tool "t" cannot be used: /,
    ],
    [
      'a schema that cannot tell its JSON Schema',
      () => defineTool({ name: 't', description: '', inputSchema: v.object({}), execute }),
      /assent: the tool "t" cannot be used: no jsonSchema/,
    ],
    ['nothing at all', () => defineTool(undefined as never), /assent: the tool "undefined" cannot be used: no name/],
  ])('%s', (_what, define, message) => {
    expect(define).toThrow(message)
  })
})
