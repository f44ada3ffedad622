// @vitest-environment node
import { type } from 'arktype'
import {
  type AnyTool,
  defineTool,
  pending,
  pendingOf,
  runTool,
  type StandardSchema,
  type ToolContext,
  type ToolResult,
} from 'assent/core'
import { createToolRunner, gated } from 'assent/runner'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { approveHead, flush } from '../support/asking.js'

type Run = (outputSchema: AnyTool['outputSchema'], execute: AnyTool['execute']) => Promise<ToolResult>

// Every way a tool's result can come about.
const ways: [string, Run][] = [
  ['runTool', (outputSchema, execute) => runTool({ name: 't', outputSchema, execute }, {})],
  [
    'runTool of a defineTool',
    (outputSchema, execute) => runTool(defineTool({ name: 't', description: '', outputSchema, execute }), {}),
  ],
  [
    'a defineTool called directly',
    (outputSchema, execute) => defineTool({ name: 't', description: '', outputSchema, execute }).execute({}),
  ],
  [
    'a runner',
    (outputSchema, execute) =>
      createToolRunner({ host: false, tools: [{ name: 't', outputSchema, execute }] }).run('t'),
  ],
  [
    'a runner whose tool a function gives',
    (outputSchema, execute) => {
      const runner = createToolRunner({ host: false })
      runner.register(() => ({ name: 't', outputSchema, execute }))
      return runner.run('t')
    },
  ],
  [
    'a runner of a gated tool',
    (outputSchema, execute) =>
      createToolRunner({ host: false, tools: [gated({ name: 't', outputSchema, execute }, { danger: 'low' })] }).run(
        't',
      ),
  ],
]

const libraries: [string, StandardSchema][] = [
  ['zod', z.object({ id: z.string(), size: z.object({ w: z.number() }) })],
  ['valibot', v.object({ id: v.string(), size: v.object({ w: v.number() }) })],
  ['arktype', type({ id: 'string', size: { w: 'number' } })],
]
const good = { id: 'a', size: { w: 1 } }

describe.each(ways)('by %s', (_way, run) => {
  it.each(libraries)('what %s takes is the output', async (_library, schema) => {
    expect(await run(schema, () => good)).toEqual({ output: JSON.stringify(good), isError: false })
    expect(await run(schema, async () => good)).toEqual({ output: JSON.stringify(good), isError: false })
  })

  it.each(libraries)('what %s does not take is an error that names the path', async (_library, schema) => {
    const wrong = await run(schema, () => ({ id: 'a', size: { w: 'wide' } }))
    expect(wrong.isError).toBe(true)
    expect(wrong.output).toMatch(/^t: its result cannot be used \(\/size\/w: .+\)$/)
    expect((await run(schema, () => undefined)).isError).toBe(true)
    expect((await run(schema, () => 'text')).isError).toBe(true)
  })

  it('what a transform makes of it is the output, made once', async () => {
    const made = vi.fn((text: string) => ({ length: text.length }))
    expect(await run(z.string().transform(made), () => 'four')).toEqual({ output: '{"length":4}', isError: false })
    expect(made).toHaveBeenCalledOnce()
    const inValibot = v.pipe(
      v.string(),
      v.transform((text) => text.length),
    )
    expect((await run(inValibot, () => 'four')).output).toBe('4')
    expect((await run(z.object({ a: z.number().default(5) }), () => ({}))).output).toBe('{"a":5}')
  })

  it('a schema that takes its time is waited for', async () => {
    const zod = z.string().refine(async (text) => (await Promise.resolve(text)) === 'ok', 'not ok')
    expect((await run(zod, () => 'ok')).output).toBe('ok')
    expect(await run(zod, () => 'ko')).toMatchObject({ isError: true, output: expect.stringContaining('not ok') })
    const valibot = v.pipeAsync(
      v.string(),
      v.checkAsync(async (text) => text === 'ok', 'not ok'),
    )
    expect((await run(valibot, () => 'ok')).output).toBe('ok')
    expect((await run(valibot, () => 'ko')).output).toContain('not ok')
  })

  it('a schema that throws or rejects is an error', async () => {
    const failing = (validate: StandardSchema['~standard']['validate']): StandardSchema => ({
      '~standard': { version: 1, vendor: 'test', validate },
    })
    const throwing = failing(() => {
      throw new Error('broken schema')
    })
    const rejecting = failing(() => Promise.reject(new Error('broken schema')))
    for (const schema of [throwing, rejecting]) {
      expect(await run(schema, () => 'x')).toMatchObject({ isError: true, output: expect.stringContaining('broken') })
    }
  })

  it('a suspension, a result and an error result are none of its business', async () => {
    const never = z.never()
    const request = { id: 'r', kind: 'input', prompt: 'Which?' }
    expect(pendingOf(await run(never, () => pending(request)))).toEqual(request)
    const result = { output: 'as it is', isError: false, metadata: { a: 1 } }
    expect(await run(never, () => result)).toEqual(result)
    expect(await run(never, () => ({ output: 'no', isError: true }))).toEqual({ output: 'no', isError: true })
  })

  it('a throw stays what was thrown', async () => {
    const result = await run(z.number(), () => {
      throw new Error('boom')
    })
    expect(result).toEqual({ output: 'boom', isError: true })
  })

  it('a JSON Schema is for the model alone', async () => {
    expect(await run({ type: 'number' }, () => 'text')).toEqual({ output: 'text', isError: false })
  })
})

describe('an outputSchema', () => {
  it('is held against the second attempt, too', async () => {
    const tool: AnyTool = {
      name: 't',
      outputSchema: z.object({ env: z.enum(['staging']) }),
      execute: (_args, { answer }) => (answer ? { env: answer.data?.env } : pending({ kind: 'input', prompt: '?' })),
    }
    const runner = createToolRunner({ tools: [tool] })
    runner.attach({}, 'dialog')
    const answered = async (env: string) => {
      const result = runner.run('t')
      await flush()
      approveHead(runner, { env })
      return result
    }
    expect(await answered('staging')).toEqual({ output: '{"env":"staging"}', isError: false })
    expect((await answered('moon')).output).toMatch(/^t: its result cannot be used \(\/env: /)
  })

  it('takes what JSON can say though no clone can', async () => {
    const execute = () => ({ link: new URL('https://example.com/a') })
    const without = await runTool({ name: 't', execute }, {})
    expect(without.output).toBe('{"link":"https://example.com/a"}')
    const outputSchema = z.object({ link: z.instanceof(URL) })
    expect(await runTool({ name: 't', outputSchema, execute }, {})).toEqual(without)
  })

  const NOTE = { output: 'Moved to the background: t. Its result will follow.', isError: false }
  const outputSchema = z.object({ n: z.number() })
  const job = (ctx: ToolContext, work: Promise<unknown>) => (ctx.detach ? Promise.race([work, ctx.detach(work)]) : work)
  const makers: [string, (work: Promise<unknown>) => AnyTool][] = [
    ['a plain tool', (work) => ({ name: 't', outputSchema, execute: (_args, ctx) => job(ctx, work) })],
    [
      'a defineTool',
      (work) => defineTool({ name: 't', description: '', outputSchema, execute: (_args, ctx) => job(ctx, work) }),
    ],
  ]

  it.each(makers)('says nothing against the note of a moved call of %s, and checks its work', async (_what, make) => {
    for (const [n, output] of [
      [1, '{"n":1}'],
      ['one', expect.stringMatching(/^t: its result cannot be used \(\/n: /)],
    ]) {
      let end = (): void => {}
      const work = new Promise((resolve) => {
        end = () => resolve({ n })
      })
      const onResult = vi.fn()
      const runner = createToolRunner({ tools: [make(work)], detachable: true, onResult })
      const result = runner.run('t', {}, { toolCallId: 'c' })
      await flush()
      runner.detach('c')
      expect(await result).toEqual(NOTE)
      end()
      await flush()
      expect(onResult.mock.calls.map(([given]) => given.output)).toEqual([output])
    }
  })

  it('says nothing against the note when another host moves a defineTool it calls directly', async () => {
    const tool = defineTool({
      name: 't',
      description: '',
      outputSchema,
      execute: (_args, ctx) => job(ctx, new Promise(() => {})),
    })
    expect(await tool.execute({}, { detach: async () => NOTE.output })).toEqual(NOTE)
  })
})
