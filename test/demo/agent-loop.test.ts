// @vitest-environment node
import { pending, type Tool } from 'assent/core'
import { createToolRunner } from 'assent/runner'
import { expect, test } from 'vitest'
import { type AgentEvent, runAgent } from '../../demo/agent/agent-loop.js'
import type { Message } from '../../demo/agent/messages.js'
import { call, modelOf } from './scripted.js'

const ask: Message[] = [{ role: 'user', content: 'go' }]

const tool = (name: string, execute: Tool['execute']): Tool => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  execute,
})

const echo = tool('echo', (args) => ({ output: JSON.stringify(args), isError: false }))

test('ends with the text of a model that calls nothing', async () => {
  const model = modelOf({ text: 'Hello.' })
  const outcome = await runAgent({ model, runner: createToolRunner(), messages: ask })
  expect(outcome).toMatchObject({ status: 'done', text: 'Hello.', turns: 1 })
  expect(outcome.messages.at(-1)).toEqual({ role: 'assistant', content: 'Hello.', toolCalls: [] })
})

test('leaves the messages it was given alone', async () => {
  const messages = [...ask]
  await runAgent({ model: modelOf({ text: 'Hello.' }), runner: createToolRunner(), messages })
  expect(messages).toEqual(ask)
})

test('sends the tools of the runner to the model', async () => {
  const seen: string[] = []
  await runAgent({
    model: async (_messages, tools) => {
      seen.push(...tools().map(({ name }) => name))
      return { text: '', toolCalls: [] }
    },
    runner: createToolRunner({ tools: [echo] }),
    messages: ask,
  })
  expect(seen).toEqual(['echo'])
})

test('runs the calls of a turn side by side and feeds their results back in call order', async () => {
  const order: string[] = []
  const slow = tool('slow', async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    order.push('slow')
    return { output: 'slow', isError: false }
  })
  const fast = tool('fast', () => {
    order.push('fast')
    return { output: 'fast', isError: false }
  })
  const model = modelOf({ toolCalls: [call('c1', 'slow'), call('c2', 'fast')] }, { text: 'Both.' })
  await runAgent({ model, runner: createToolRunner({ tools: [slow, fast] }), messages: ask })
  expect(order).toEqual(['fast', 'slow'])
  expect(model.sent[1]?.slice(2)).toEqual([
    { role: 'tool', toolCallId: 'c1', content: 'slow', isError: false },
    { role: 'tool', toolCallId: 'c2', content: 'fast', isError: false },
  ])
})

test('hands the tool the id of the call', async () => {
  const ids: unknown[] = []
  const tools = [tool('t', (_args, ctx) => ({ output: String(ids.push(ctx?.toolCallId)), isError: false }))]
  await runAgent({
    model: modelOf({ toolCalls: [call('c7', 't')] }, {}),
    runner: createToolRunner({ tools }),
    messages: ask,
  })
  expect(ids).toEqual(['c7'])
})

test('reads missing arguments as none', async () => {
  const model = modelOf({ toolCalls: [{ id: 'c1', name: 'echo', arguments: '' }] }, {})
  await runAgent({ model, runner: createToolRunner({ tools: [echo] }), messages: ask })
  expect(model.sent[1]?.at(-1)).toMatchObject({ content: '{}', isError: false })
})

test('answers arguments that are not JSON with an error, runs the others and goes on', async () => {
  const model = modelOf(
    { toolCalls: [{ id: 'c1', name: 'echo', arguments: '{"a":' }, call('c2', 'echo', { b: 1 })] },
    { text: 'Sorry.' },
  )
  const outcome = await runAgent({ model, runner: createToolRunner({ tools: [echo] }), messages: ask })
  const [first, second] = model.sent[1]?.slice(2) ?? []
  expect(first).toMatchObject({ toolCallId: 'c1', isError: true })
  expect(first?.content).toMatch(/^The arguments of echo are not JSON: /)
  expect(second).toMatchObject({ toolCallId: 'c2', content: '{"b":1}', isError: false })
  expect(outcome.status).toBe('done')
})

test('answers a call of an unknown tool with an error and goes on', async () => {
  const model = modelOf({ toolCalls: [call('c1', 'nope')] }, { text: 'Sorry.' })
  await runAgent({ model, runner: createToolRunner(), messages: ask })
  expect(model.sent[1]?.at(-1)).toMatchObject({ content: 'Unknown tool: nope', isError: true })
})

test('stops at the turn limit, with every call answered and none of the last turn run', async () => {
  let ran = 0
  const tools = [tool('t', () => ({ output: String(++ran), isError: false }))]
  let id = 0
  const outcome = await runAgent({
    model: async () => ({ text: 'again', toolCalls: [call(`c${++id}`, 't')] }),
    runner: createToolRunner({ tools }),
    messages: ask,
    maxTurns: 3,
  })
  expect(outcome).toMatchObject({ status: 'turn-limit', turns: 3 })
  expect(ran).toBe(2)
  expect(outcome.messages.at(-1)).toMatchObject({
    toolCallId: 'c3',
    content: 'not run: the limit of 3 turns is reached',
    isError: true,
  })
})

test('ends as failed with the reason when the model fails', async () => {
  const outcome = await runAgent({ model: modelOf(new Error('no quota')), runner: createToolRunner(), messages: ask })
  expect(outcome).toMatchObject({ status: 'failed', text: 'no quota', messages: ask })
})

test('does not ask the model when it is aborted before it starts', async () => {
  const model = modelOf({ text: 'Hello.' })
  const outcome = await runAgent({ model, runner: createToolRunner(), messages: ask, signal: AbortSignal.abort() })
  expect(outcome).toMatchObject({ status: 'stopped', turns: 0 })
  expect(model.sent).toEqual([])
})

test('keeps the text that had come when it is aborted while the model speaks', async () => {
  const controller = new AbortController()
  const outcome = await runAgent({
    model: async (_messages, _tools, signal, onText) => {
      onText('Half a ')
      controller.abort()
      onText('dropped')
      signal.throwIfAborted()
      return { text: 'never', toolCalls: [] }
    },
    runner: createToolRunner(),
    messages: ask,
    signal: controller.signal,
  })
  expect(outcome).toMatchObject({ status: 'stopped', text: 'Half a ' })
  expect(outcome.messages.at(-1)).toEqual({ role: 'assistant', content: 'Half a ', toolCalls: [] })
})

test('answers every call and asks no more when it is aborted while a person is asked', async () => {
  const controller = new AbortController()
  const runner = createToolRunner({
    tools: [tool('t', () => pending({ id: 'r1', kind: 'approval', prompt: 'Proceed?' })), echo],
    onEvent: ({ type }) => {
      if (type === 'pending') controller.abort()
    },
  })
  runner.attach({}, 'dialog')
  const model = modelOf({ toolCalls: [call('c1', 't'), call('c2', 'echo')] }, { text: 'never' })
  const outcome = await runAgent({ model, runner, messages: ask, signal: controller.signal })
  expect(outcome.status).toBe('stopped')
  expect(model.sent).toHaveLength(1)
  expect(outcome.messages.filter(({ role }) => role === 'tool')).toHaveLength(2)
  expect(runner.count()).toBe(0)
})

test('tells its steps in order', async () => {
  const events: string[] = []
  const onEvent = (event: AgentEvent): void => void events.push(event.type)
  const model = modelOf({ text: 'On it.', toolCalls: [call('c1', 'echo')] }, { text: 'Done.' })
  await runAgent({ model, runner: createToolRunner({ tools: [echo] }), messages: ask, onEvent })
  expect(events).toEqual(['text', 'reply', 'result', 'text', 'reply', 'done'])
})

test('hands on the note of a call that is moved to the background, as its result', async () => {
  const runner = createToolRunner({
    tools: [{ name: 'slow', execute: (_args, ctx) => ctx.detach?.(new Promise(() => {})) }, echo],
    detachable: true,
  })
  const moved = new Promise<void>((resolve) => {
    const stop = runner.subscribe(() => {
      const run = runner.getState().runs.find(({ isDetachable }) => isDetachable)
      if (!run) return
      stop()
      runner.detach(run.id)
      resolve()
    })
  })
  const model = modelOf({ toolCalls: [call('c1', 'slow'), call('c2', 'echo')] }, { text: 'Both.' })
  const outcome = await runAgent({ model, runner, messages: ask })
  await moved
  expect(outcome.status).toBe('done')
  expect(model.sent[1]?.slice(2)).toEqual([
    {
      role: 'tool',
      toolCallId: 'c1',
      content: 'Moved to the background: slow. Its result will follow.',
      isError: false,
    },
    { role: 'tool', toolCallId: 'c2', content: '{}', isError: false },
  ])
  runner.dispose()
})

test('keeps each result with its call where some calls cannot be read', async () => {
  const broken = (id: string) => ({ id, name: 'echo', arguments: '{' })
  const toolCalls = [call('c1', 'echo', { a: 1 }), broken('c2'), call('c3', 'echo', { a: 3 }), broken('c4')]
  const model = modelOf({ toolCalls }, {})
  await runAgent({ model, runner: createToolRunner({ tools: [echo] }), messages: ask })
  const told = model.sent[1]
    ?.slice(2)
    .map((message) => message.role === 'tool' && [message.toolCallId, message.isError])
  expect(told).toEqual([
    ['c1', false],
    ['c2', true],
    ['c3', false],
    ['c4', true],
  ])
  expect(model.sent[1]?.[4]?.content).toBe('{"a":3}')
})
