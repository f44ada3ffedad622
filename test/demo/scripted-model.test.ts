// @vitest-environment node
import { createToolRunner } from 'assent/runner'
import { expect, test } from 'vitest'
import type { Message } from '../../demo/agent/messages.js'
import { planCalls } from '../../demo/agent/plan-calls.js'
import { createScriptedModel, HELP } from '../../demo/agent/scripted-model.js'

const model = createScriptedModel({ pace: 0 })
const noTools = createToolRunner().tools
const never = new AbortController().signal
const say = (content: string): Message[] => [{ role: 'user', content }]
const reply = (messages: Message[]) => model(messages, noTools, never, () => {})

test.each([
  ['list the files', [{ name: 'list_files', args: {} }]],
  ['What files do I have?', [{ name: 'list_files', args: {} }]],
  ['write notes.txt: buy milk', [{ name: 'write_file', args: { name: 'notes.txt', text: 'buy milk' } }]],
  ['Write notes.txt with “two words”', [{ name: 'write_file', args: { name: 'notes.txt', text: 'two words' } }]],
  ['delete notes.txt', [{ name: 'delete_file', args: { name: 'notes.txt' } }]],
  [
    'please delete a.txt and b.txt.',
    [
      { name: 'delete_file', args: { name: 'a.txt' } },
      { name: 'delete_file', args: { name: 'b.txt' } },
    ],
  ],
  ['copy "hello there"', [{ name: 'copy_to_clipboard', args: { text: 'hello there' } }]],
  ['deploy', [{ name: 'deploy', args: {} }]],
  ['Fetch the timetable', [{ name: 'fetch_json', args: { path: 'sample.json' } }]],
  ['crunch 10', [{ name: 'crunch', args: { steps: 10 } }]],
  ['crunch', [{ name: 'crunch', args: { steps: 5 } }]],
  ['import 300 rows', [{ name: 'import_rows', args: { rows: 300 } }]],
  ['import', [{ name: 'import_rows', args: { rows: 200 } }]],
  ['sing', []],
])('understands “%s”', (sentence, calls) => {
  expect(planCalls(sentence)).toEqual(calls)
})

test('explains what it can do when it does not understand', async () => {
  expect(await reply(say('sing'))).toEqual({ text: HELP, toolCalls: [] })
})

test('writes the arguments of its calls as JSON, each call with an id of its own', async () => {
  const { toolCalls } = await reply(say('delete a.txt and b.txt'))
  expect(toolCalls.map((call) => JSON.parse(call.arguments))).toEqual([{ name: 'a.txt' }, { name: 'b.txt' }])
  expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(2)
})

test('reports the results of the last turn only', async () => {
  const result = (toolCallId: string, content: string, isError = false): Message => ({
    role: 'tool',
    toolCallId,
    content,
    isError,
  })
  const messages: Message[] = [
    ...say('deploy'),
    { role: 'assistant', content: '', toolCalls: [] },
    result('c1', 'old'),
    { role: 'assistant', content: 'ok', toolCalls: [] },
    ...say('delete a.txt and b.txt'),
    { role: 'assistant', content: '', toolCalls: [] },
    result('c2', 'deleted a.txt'),
    result('c3', 'declined/expired: Delete b.txt?', true),
  ]
  const { text, toolCalls } = await reply(messages)
  expect(text).toBe('• Done: deleted a.txt\n• Not done: declined/expired: Delete b.txt?')
  expect(toolCalls).toEqual([])
})

test('reports what ended in the background, and does not take its words for a request', async () => {
  const { text, toolCalls } = await reply([
    ...say('import 300 rows'),
    { role: 'assistant', content: 'Done.', toolCalls: [] },
    { role: 'background', toolCallId: 'c1', toolName: 'import_rows', content: 'import 300 rows', isError: false },
  ])
  expect(text).toBe('From the background. Done: import 300 rows')
  expect(toolCalls).toEqual([])
})

test('streams exactly its text, in several chunks', async () => {
  const chunks: string[] = []
  const { text } = await model(say('hello'), noTools, never, (chunk) => void chunks.push(chunk))
  expect(chunks.length).toBeGreaterThan(3)
  expect(chunks.join('')).toBe(text)
})

test('stops speaking when it is aborted', async () => {
  const controller = new AbortController()
  const chunks: string[] = []
  const run = model(say('hello'), noTools, controller.signal, (chunk) => {
    if (chunks.push(chunk) === 2) controller.abort()
  })
  await expect(run).rejects.toThrow()
  expect(chunks).toHaveLength(2)
})
