// @vitest-environment node
import { pending, pendingOf, type Tool } from 'assent/core'
import { createToolRunner, type Runner } from 'assent/runner'
import { describe, expect, it } from 'vitest'
import { flush, no, yes } from './support/asking.js'

// The three tools of the seed document, written as its reader would write them.
const crunch: Tool = {
  name: 'crunch',
  description: 'Works in steps and stops when it is cancelled',
  inputSchema: { type: 'object', properties: { steps: { type: 'number' } } },
  source: 'custom',
  async execute(args, ctx) {
    const steps = Number(args.steps ?? 3)
    let done = 0
    while (done < steps) {
      if (ctx?.signal?.aborted) return { output: `cancelled after ${done} step(s)`, isError: true }
      done += 1
    }
    return { output: `completed ${done} step(s)`, isError: false }
  },
}

const fetchish: Tool = {
  name: 'fetchish',
  description: 'Stays within the budget of its caller',
  inputSchema: { type: 'object', properties: { url: { type: 'string' } } },
  source: 'custom',
  async execute(args, ctx) {
    const budget = ctx?.timeout ?? 30_000
    return budget < 100
      ? { output: `budget ${budget}ms is too small to try`, isError: true }
      : { output: `fetched ${args.url} within ${budget}ms`, isError: false }
  },
}

const deploy: Tool = {
  name: 'deploy',
  description: 'Asks for the environment first',
  inputSchema: { type: 'object', properties: {} },
  source: 'custom',
  async execute(_args, ctx) {
    const answer = ctx?.answer
    if (!answer) return pending({ kind: 'input', prompt: 'Which environment?' })
    if (!answer.ok) return { output: `declined: ${answer.reason ?? 'no reason'}`, isError: true }
    return { output: `deployed to ${String(answer.data?.env ?? 'unknown')}`, isError: false }
  },
}

const runnerOf = (options = {}): Runner => {
  const runner = createToolRunner({ tools: [crunch, fetchish, deploy], ...options })
  runner.attach({}, 'dialog')
  return runner
}

describe('the tools of the seed, called directly', () => {
  const aborted = AbortSignal.abort()

  it.each([
    ['crunch without a context', crunch, { steps: 3 }, undefined, 'completed 3 step(s)', false],
    ['crunch without arguments', crunch, {}, {}, 'completed 3 step(s)', false],
    ['crunch when it is cancelled', crunch, { steps: 3 }, { signal: aborted }, 'cancelled after 0 step(s)', true],
    ['fetchish with time', fetchish, { url: '/a' }, { timeout: 5000 }, 'fetched /a within 5000ms', false],
    ['fetchish with none', fetchish, { url: '/a' }, { timeout: 10 }, 'budget 10ms is too small to try', true],
    ['fetchish without a context', fetchish, { url: '/a' }, undefined, 'fetched /a within 30000ms', false],
  ] as const)('%s', async (_what, tool, args, ctx, output, isError) => {
    expect(await tool.execute(args, ctx)).toEqual({ output, isError })
  })

  it('deploy asks, then takes the answer or the no', async () => {
    const request = pendingOf(await deploy.execute({}))
    expect(request).toMatchObject({ kind: 'input', prompt: 'Which environment?' })
    const id = request?.id ?? ''
    expect(await deploy.execute({}, { answer: yes(id, { env: 'staging' }) })).toEqual({
      output: 'deployed to staging',
      isError: false,
    })
    expect(await deploy.execute({}, { answer: no(id) })).toEqual({ output: 'declined: declined', isError: true })
  })
})

describe('the tools of the seed, run by a runner', () => {
  it('crunch works, and is cancelled before it starts', async () => {
    const runner = runnerOf()
    expect(await runner.run('crunch', { steps: 3 })).toEqual({ output: 'completed 3 step(s)', isError: false })
    expect(await runner.run('crunch', {}, { signal: AbortSignal.abort() })).toEqual({
      output: 'cancelled',
      isError: true,
    })
  })

  it('fetchish sees the budget it was given and no invented one', async () => {
    const runner = runnerOf()
    expect((await runner.run('fetchish', { url: '/a' }, { timeout: 5000 })).output).toBe('fetched /a within 5000ms')
    expect((await runner.run('fetchish', { url: '/a' }, { timeout: 10 })).output).toBe(
      'budget 10ms is too small to try',
    )
    expect((await runner.run('fetchish', { url: '/a' })).output).toBe('fetched /a within 30000ms')
  })

  it('deploy says where it deployed to, with the form of answerSchemas', async () => {
    const schema = { type: 'object', properties: { env: { type: 'string', enum: ['staging', 'production'] } } }
    const runner = runnerOf({ answerSchemas: { deploy: schema } })
    const result = runner.run('deploy')
    await flush()
    const item = runner.head()
    expect(item?.schema).toEqual(schema)
    runner.answer(item?.key ?? '', yes(item?.request.id ?? '', { env: 'staging' }))
    expect(await result).toEqual({ output: 'deployed to staging', isError: false })
  })

  it.each([
    ['settle', 'declined/expired: Which environment?'],
    ['retry', 'declined: declined'],
  ])('deploy hears of a no with onRefusal %s', async (onRefusal, output) => {
    const runner = runnerOf({ onRefusal })
    const result = runner.run('deploy')
    await flush()
    const item = runner.head()
    runner.answer(item?.key ?? '', no(item?.request.id ?? ''))
    expect(await result).toMatchObject({ output, isError: true })
  })
})
