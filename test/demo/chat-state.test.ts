// @vitest-environment node
import { expect, test } from 'vitest'
import { type ChatAction, type ChatState, chat, emptyChat } from '../../demo/agent/chat-state.js'
import { call } from './scripted.js'

const play = (...actions: ChatAction[]): ChatState => actions.reduce(chat, emptyChat)
const outcome = (status: 'done' | 'stopped' | 'failed' | 'turn-limit' | 'pending', text = ''): ChatAction => ({
  type: 'done',
  outcome: { status, text, messages: [], turns: 1 },
})

test('puts streamed text into one entry, and the text after a call into the next', () => {
  const { entries } = play(
    { type: 'user', text: 'go' },
    { type: 'text', chunk: 'On ' },
    { type: 'text', chunk: 'it.' },
    { type: 'reply', reply: { text: 'On it.', toolCalls: [call('c1', 'a')] } },
    { type: 'result', call: call('c1', 'a'), result: { output: 'x', isError: false } },
    { type: 'text', chunk: 'Done.' },
  )
  expect(entries.map(({ type }) => type)).toEqual(['user', 'assistant', 'call', 'assistant'])
  expect(entries[1]).toMatchObject({ text: 'On it.', open: false })
  expect(entries[2]).toMatchObject({ refused: false, result: { output: 'x' } })
  expect(entries[3]).toMatchObject({ text: 'Done.', open: true })
})

test('marks the refused call and no other', () => {
  const { entries } = play(
    { type: 'reply', reply: { text: '', toolCalls: [call('c1', 'a'), call('c2', 'a')] } },
    { type: 'refused', toolCallId: 'c2' },
  )
  expect(entries).toMatchObject([{ refused: false }, { refused: true }])
})

test('is busy while the loop is at work', () => {
  expect(play({ type: 'begin' }).busy).toBe(true)
  expect(play({ type: 'begin' }, outcome('done')).busy).toBe(false)
})

test('shows beside the note what a call in the background came to, and says it where the conversation is', () => {
  const { entries } = play(
    { type: 'reply', reply: { text: '', toolCalls: [call('c1', 'a')] } },
    { type: 'result', call: call('c1', 'a'), result: { output: 'moved', isError: false } },
    { type: 'user', text: 'and now?' },
    { type: 'ended', toolCallId: 'c1', toolName: 'a', result: { output: 'x', isError: false } },
  )
  expect(entries).toMatchObject([
    { type: 'call', result: { output: 'moved' }, ended: { output: 'x' } },
    { type: 'user' },
    { type: 'notice', text: 'a has ended in the background.' },
  ])
})

test('keeps what the model says in one piece when a notice comes in between', () => {
  const { entries } = play(
    { type: 'text', chunk: 'On ' },
    { type: 'ended', toolCallId: 'c1', toolName: 'a', result: { output: 'x', isError: false } },
    { type: 'text', chunk: 'it.' },
  )
  expect(entries).toMatchObject([{ type: 'assistant', text: 'On it.' }, { type: 'notice' }])
})

test.each([
  ['stopped', 'Stopped.'],
  ['failed', 'no quota'],
  ['turn-limit', 'Stopped: the model asked for tools too many times in a row.'],
  ['pending', 'Nobody is here to be asked: no quota'],
] as const)('says how it ended when it ends as %s', (status, text) => {
  expect(play(outcome(status, 'no quota')).entries).toEqual([{ id: 0, type: 'notice', text }])
})

test('gives every entry an id of its own', () => {
  const { entries } = play(
    { type: 'user', text: 'a' },
    { type: 'reply', reply: { text: '', toolCalls: [call('c1', 'a'), call('c2', 'a')] } },
    outcome('stopped'),
  )
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
})
