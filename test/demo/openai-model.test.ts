// @vitest-environment node
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createToolRunner } from 'assent/runner'
import { afterEach, expect, test } from 'vitest'
import { runAgent } from '../../demo/agent/agent-loop.js'
import type { Message, ModelReply } from '../../demo/agent/messages.js'
import { createOpenAiModel } from '../../demo/agent/openai-model.js'

interface Received {
  url: string | undefined
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
}

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

/** A real endpoint on this machine. Gives its base URL and what it was sent. */
async function endpoint(answer: (response: ServerResponse, turn: number) => void) {
  const received: Received[] = []
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    received.push({ url: request.url, headers: request.headers, body: JSON.parse(text) })
    answer(response, received.length)
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, received }
}

const stream = (response: ServerResponse, ...events: unknown[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  response.end()
}
const delta = (value: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: value, finish_reason }],
})
const callDelta = (index: number | undefined, id: string | undefined, name: string | undefined, args: unknown) =>
  delta({ tool_calls: [{ index, id, function: { name, arguments: args } }] })

const hello: Message[] = [{ role: 'user', content: 'hello' }]

async function complete(
  answer: (response: ServerResponse) => void,
  messages = hello,
): Promise<ModelReply & { chunks: string[]; received: Received[] }> {
  const { baseUrl, received } = await endpoint(answer)
  const chunks: string[] = []
  const model = createOpenAiModel({ baseUrl: `${baseUrl}/`, model: 'm', apiKey: 'secret' })
  const reply = await model(
    messages,
    createToolRunner({ tools: [{ name: 't', description: 'd', inputSchema: { type: 'object' }, execute: () => '' }] })
      .tools,
    new AbortController().signal,
    (chunk) => void chunks.push(chunk),
  )
  return { ...reply, chunks, received }
}

test('streams the text as it comes', async () => {
  const { text, chunks } = await complete((response) =>
    stream(
      response,
      delta({ role: 'assistant', content: '' }),
      delta({ content: 'Hel' }),
      delta({ content: 'lo' }),
      '[DONE]',
    ),
  )
  expect(text).toBe('Hello')
  expect(chunks).toEqual(['Hel', 'lo'])
})

test('sends model, key, messages and tools in the wire shape', async () => {
  const messages: Message[] = [
    { role: 'system', content: 's' },
    ...hello,
    { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 't', arguments: '{}' }] },
    { role: 'tool', toolCallId: 'c1', content: 'r', isError: true },
  ]
  const { received } = await complete((response) => stream(response, '[DONE]'), messages)
  expect(received[0]?.url).toBe('/v1/chat/completions')
  expect(received[0]?.headers.authorization).toBe('Bearer secret')
  expect(received[0]?.body).toEqual({
    model: 'm',
    stream: true,
    messages: [
      { role: 'system', content: 's' },
      { role: 'user', content: 'hello' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 't', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'r' },
    ],
    tools: [{ type: 'function', function: { name: 't', description: 'd', parameters: { type: 'object' } } }],
  })
})

test('sends what ended in the background in the role of the person, together with what they say next', async () => {
  const messages: Message[] = [
    ...hello,
    { role: 'assistant', content: 'Moved.', toolCalls: [] },
    { role: 'background', toolCallId: 'c1', toolName: 't', content: 'done', isError: false },
    { role: 'user', content: 'And?' },
  ]
  const { received } = await complete((response) => stream(response, '[DONE]'), messages)
  expect(received[0]?.body.messages).toEqual([
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: 'Moved.' },
    {
      role: 'user',
      content:
        'Reported by the app, not said by the person: a call in the background has ended.\n' +
        '{"tool_call_id":"c1","tool":"t","is_error":false,"output":"done"}\n\nAnd?',
    },
  ])
})

test('calls a tool whose name the endpoint does not take by the name it was told', async () => {
  const { baseUrl, received } = await endpoint((response, turn) => {
    if (turn > 1) return stream(response, delta({ content: 'Done.' }), '[DONE]')
    stream(response, callDelta(0, 'c1', 'tide_gauge_read', '{}'), delta({}, 'tool_calls'), '[DONE]')
  })
  await runAgent({
    model: createOpenAiModel({ baseUrl, model: 'm' }),
    runner: createToolRunner({ tools: [{ name: 'tide gauge/read', execute: () => '2.1 m' }] }),
    messages: hello,
  })
  expect(received[0]?.body.tools).toMatchObject([{ function: { name: 'tide_gauge_read' } }])
  expect(received[1]?.body.messages).toMatchObject([
    ...hello,
    { tool_calls: [{ id: 'c1', function: { name: 'tide_gauge_read' } }] },
    { tool_call_id: 'c1', content: '2.1 m' },
  ])
})

test('sends no authorization without a key', async () => {
  const { baseUrl, received } = await endpoint((response) => stream(response, '[DONE]'))
  await createOpenAiModel({ baseUrl, model: 'm', apiKey: '' })(
    hello,
    createToolRunner().tools,
    new AbortController().signal,
    () => {},
  )
  expect(received[0]?.headers.authorization).toBeUndefined()
  expect(received[0]?.body).not.toHaveProperty('tools')
})

test('puts the pieces of several tool calls together', async () => {
  const { toolCalls } = await complete((response) =>
    stream(
      response,
      callDelta(0, 'c1', 'write', ''),
      callDelta(0, undefined, undefined, '{"a":'),
      callDelta(1, 'c2', 'list', '{}'),
      callDelta(0, undefined, undefined, '1}'),
      delta({}, 'tool_calls'),
      '[DONE]',
    ),
  )
  expect(toolCalls).toEqual([
    { id: 'c1', name: 'write', arguments: '{"a":1}' },
    { id: 'c2', name: 'list', arguments: '{}' },
  ])
})

test('copes with calls without index or id and with arguments that are an object', async () => {
  const { toolCalls } = await complete((response) =>
    stream(
      response,
      callDelta(undefined, 'c1', 'a', { x: 1 }),
      callDelta(undefined, 'c2', 'b', '{}'),
      delta({}, 'stop'),
    ),
  )
  expect(toolCalls).toEqual([
    { id: 'c1', name: 'a', arguments: '{"x":1}' },
    { id: 'c2', name: 'b', arguments: '{}' },
  ])
  server?.close()
  const { toolCalls: anonymous } = await complete((response) =>
    stream(response, callDelta(0, undefined, 'a', '{}'), '[DONE]'),
  )
  expect(anonymous[0]?.id).toMatch(/./)
})

test('takes a reply in one piece from an endpoint that does not stream', async () => {
  const { text, chunks, toolCalls } = await complete((response) => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
    const message = { content: 'Hi', tool_calls: [{ id: 'c1', function: { name: 't', arguments: '{}' } }] }
    response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }))
  })
  expect({ text, chunks }).toEqual({ text: 'Hi', chunks: ['Hi'] })
  expect(toolCalls).toEqual([{ id: 'c1', name: 't', arguments: '{}' }])
})

test.each([
  ['its own words', 401, JSON.stringify({ error: { message: 'bad key' } }), 'The endpoint answered 401: bad key'],
  ['a plain error', 404, JSON.stringify({ error: 'no such model' }), 'The endpoint answered 404: no such model'],
  ['text', 502, 'Bad gateway', 'The endpoint answered 502: Bad gateway'],
  ['null', 500, 'null', 'The endpoint answered 500: null'],
])('reports a refusal in %s', async (_name, status, body, message) => {
  await expect(complete((response) => response.writeHead(status).end(body))).rejects.toThrow(message)
})

test('reports an error that comes in the stream', async () => {
  await expect(
    complete((response) => stream(response, delta({ content: 'Hel' }), { error: { message: 'overloaded' } })),
  ).rejects.toThrow('overloaded')
})

test('reports a line that is not JSON', async () => {
  await expect(complete((response) => stream(response, '<html>'))).rejects.toThrow('not JSON: <html>')
})

test('refuses a reply that was cut off, so that half a call does not run', async () => {
  await expect(complete((response) => stream(response, callDelta(0, 'c1', 'wipe', '{}')))).rejects.toThrow(
    'closed the stream before its reply was complete',
  )
})

test('takes a finish reason as the end where [DONE] is missing', async () => {
  const { text } = await complete((response) => stream(response, delta({ content: 'Hi' }, 'stop')))
  expect(text).toBe('Hi')
})

test('ignores usage and other chunks without a choice', async () => {
  const { text } = await complete((response) =>
    stream(response, delta({ content: 'Hi' }), { choices: [], usage: { total_tokens: 3 } }, null, '[DONE]'),
  )
  expect(text).toBe('Hi')
})

test('says where it tried when nobody listens there', async () => {
  const { baseUrl } = await endpoint(() => {})
  await new Promise((resolve) => server?.close(resolve))
  const model = createOpenAiModel({ baseUrl, model: 'm' })
  await expect(model(hello, createToolRunner().tools, new AbortController().signal, () => {})).rejects.toThrow(
    `Could not reach ${baseUrl}/chat/completions.`,
  )
})

test('hangs up when it is aborted in the middle of a reply', async () => {
  const controller = new AbortController()
  let hangUp = (): void => {}
  const hungUp = new Promise<void>((resolve) => {
    hangUp = resolve
  })
  const { baseUrl } = await endpoint((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${JSON.stringify(delta({ content: 'Hel' }))}\n\n`)
    response.on('close', hangUp)
  })
  const outcome = await runAgent({
    model: createOpenAiModel({ baseUrl, model: 'm' }),
    runner: createToolRunner(),
    messages: hello,
    signal: controller.signal,
    onEvent: ({ type }) => {
      if (type === 'text') controller.abort()
    },
  })
  expect(outcome).toMatchObject({ status: 'stopped', text: 'Hel' })
  await hungUp
})

test('drives a tool over two turns, unreadable arguments included', async () => {
  const { baseUrl, received } = await endpoint((response, turn) => {
    if (turn > 1) return stream(response, delta({ content: 'Done.' }), '[DONE]')
    stream(
      response,
      callDelta(0, 'c1', 'echo', '{"a":1}'),
      callDelta(1, 'c2', 'echo', '{"a"'),
      delta({}, 'tool_calls'),
      '[DONE]',
    )
  })
  const echo = {
    name: 'echo',
    description: 'Says its arguments',
    execute: (args: Record<string, unknown>) => args,
  }
  const outcome = await runAgent({
    model: createOpenAiModel({ baseUrl, model: 'm' }),
    runner: createToolRunner({ tools: [echo] }),
    messages: hello,
  })
  expect(outcome).toMatchObject({ status: 'done', text: 'Done.', turns: 2 })
  const sent = received[1]?.body.messages as Array<{ role: string; tool_call_id?: string; content: string }>
  expect(sent.slice(2).map(({ tool_call_id }) => tool_call_id)).toEqual(['c1', 'c2'])
  expect(sent[2]?.content).toBe('{"a":1}')
  expect(sent[3]?.content).toMatch(/^The arguments of echo are not JSON/)
})
