// @vitest-environment node
import type { AnyTool } from 'assent/core'
import { expect, test } from 'vitest'
import { createAgent } from '../../demo/agent/agent.js'
import type { ChatAction } from '../../demo/agent/chat-state.js'
import type { Message, Model, ModelReply } from '../../demo/agent/messages.js'
import { call } from './scripted.js'

const MOVED = 'Moved to the background: import. Its result will follow.'

/** An agent whose model is answered by hand, and whose one tool works until it is told to end. */
function play() {
  const actions: ChatAction[] = []
  const asked: Message[][] = []
  const replies: Array<(reply: Partial<ModelReply>) => void> = []
  let end = (_value: unknown): void => {}
  const work: AnyTool = {
    name: 'import',
    execute(_args, ctx) {
      const whole = new Promise((resolve) => {
        end = resolve
      })
      return ctx.detach ? Promise.race([whole, ctx.detach(whole)]) : whole
    },
  }
  const model: Model = (messages, _tools, signal) =>
    new Promise((resolve, reject) => {
      asked.push(structuredClone([...messages]))
      replies.push((reply) => resolve({ text: '', toolCalls: [], ...reply }))
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  const agent = createAgent(model, { tools: [work], detachable: true }, (action) => void actions.push(action))
  return {
    agent,
    actions,
    /** What the model was asked with, without the system's words; `turn` counts from 1. */
    async askedWith(turn: number) {
      await expect.poll(() => asked.length).toBe(turn)
      return asked[turn - 1]?.slice(1)
    },
    reply: (reply: Partial<ModelReply>) => replies.at(-1)?.(reply),
    async moveToBackground() {
      const run = () => agent.runner.getState().runs.find(({ isDetachable }) => isDetachable)
      await expect.poll(run).toBeDefined()
      agent.runner.detach(run()?.id ?? '')
    },
    end: (value: unknown) => end(value),
    idle: () => expect.poll(() => actions.at(-1)?.type).toBe('done'),
    asks: () => asked.length,
  }
}

const note = (content: string, isError = false): Message => ({
  role: 'background',
  toolCallId: 'c1',
  toolName: 'import',
  content,
  isError,
})

/** The person has asked for an import and moved it to the background; the model has the note and is to reply to it. */
async function inBackground() {
  const play_ = play()
  play_.agent.send('import')
  await play_.askedWith(1)
  play_.reply({ toolCalls: [call('c1', 'import')] })
  await play_.moveToBackground()
  const messages = await play_.askedWith(2)
  expect(messages?.at(-1)).toMatchObject({ role: 'tool', toolCallId: 'c1', content: MOVED })
  return play_
}

test('tells the model at once what came of a call in the background, when it is idle', async () => {
  const { end, reply, idle, askedWith, asks } = await inBackground()
  reply({ text: 'It goes on.' })
  await idle()
  end('imported 200 rows')
  const messages = await askedWith(3)
  expect(messages?.slice(-2)).toEqual([
    { role: 'assistant', content: 'It goes on.', toolCalls: [] },
    note('imported 200 rows'),
  ])
  reply({ text: 'It is in.' })
  await idle()
  expect(asks()).toBe(3)
})

test('keeps it for the next turn while the model speaks', async () => {
  const { end, reply, askedWith, actions, asks } = await inBackground()
  end('imported 200 rows')
  await expect.poll(() => actions.some(({ type }) => type === 'ended')).toBe(true)
  expect(asks()).toBe(2)
  reply({ text: 'It goes on.' })
  expect((await askedWith(3))?.slice(-2)).toEqual([
    { role: 'assistant', content: 'It goes on.', toolCalls: [] },
    note('imported 200 rows'),
  ])
})

test('tells the model of a call that the person cancelled in the background', async () => {
  const { agent, reply, idle, askedWith } = await inBackground()
  reply({ text: 'It goes on.' })
  await idle()
  agent.runner.abort('c1')
  expect((await askedWith(3))?.at(-1)).toEqual(note('cancelled', true))
})

test('leaves a call in the background alone when it is stopped, and tells its result with what the person says next', async () => {
  const { agent, end, idle, askedWith, actions, asks } = await inBackground()
  agent.stop()
  await idle()
  expect(agent.runner.getState().runs.at(-1)?.status).toBe('background')
  end('imported 200 rows')
  await expect.poll(() => actions.at(-1)?.type).toBe('ended')
  expect(asks()).toBe(2)
  agent.send('And?')
  expect((await askedWith(3))?.slice(-2)).toEqual([note('imported 200 rows'), { role: 'user', content: 'And?' }])
})

test('keeps what the person says while the model speaks for the next turn', async () => {
  const { agent, reply, askedWith } = play()
  agent.send('one')
  await askedWith(1)
  agent.send('two')
  reply({ text: 'First.' })
  expect(await askedWith(2)).toEqual([
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'First.', toolCalls: [] },
    { role: 'user', content: 'two' },
  ])
})

test('delivers each result once, and goes on with the model chosen meanwhile', async () => {
  const { agent, end, reply, idle, actions, asks } = await inBackground()
  reply({ text: 'It goes on.' })
  await idle()
  let heard: readonly Message[] = []
  agent.model = async (messages) => {
    heard = [...messages]
    return { text: 'Another voice.', toolCalls: [] }
  }
  end('imported 200 rows')
  await expect.poll(() => heard.at(-1)).toEqual(note('imported 200 rows'))
  await idle()
  expect(heard.filter(({ role }) => role === 'background')).toHaveLength(1)
  expect(actions.filter(({ type }) => type === 'ended')).toHaveLength(1)
  expect(asks()).toBe(2)
})
