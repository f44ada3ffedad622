// @vitest-environment node
import { type Answer, type PendingRequest, pending } from 'assent/core'
import { createToolRunner } from 'assent/runner'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Joined, joinQuestions, type Shared, type ShareEvent, shareQuestions } from '../../src/adapters/yjs.js'
import { flush, recorded } from '../support/asking.js'
import { gated } from '../support/consent.js'
import { type Network, network, type Peer } from '../support/yjs-link.js'

let net: Network
const handles: (Shared | Joined)[] = []
beforeEach(() => {
  net = network()
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  for (const handle of handles.splice(0)) handle.dispose()
  net.destroy()
})

interface Options {
  gate?: boolean
  verify?: (answer: Answer) => boolean
}

/** A question of a tool, shared. `given` has what the tool was given, `events` what became of answers. */
async function shared(request: Partial<PendingRequest>, { gate = false, verify }: Options = {}) {
  const asks = { id: 'q', kind: 'approval', prompt: 'Sure?', ...request }
  const tool = gate
    ? gated('t', Object(request.data))
    : recorded('t', (_args, ctx) => (ctx.answer ? 'done' : pending(asks)), { onRefusal: 'retry' })
  const runner = createToolRunner({ tools: [tool] })
  runner.attach({}, 'dialog')
  const peer = net.peer()
  const events: ShareEvent[] = []
  handles.push(shareQuestions(runner, { ...peer, verify, onEvent: (event) => events.push(event) }))
  const result = runner.run('t', { to: 'a' })
  await flush()
  return { ...peer, tool, runner, result, events }
}

type Owner = Awaited<ReturnType<typeof shared>>

function joined() {
  const runner = createToolRunner()
  runner.attach({}, 'dialog')
  handles.push(joinQuestions(runner, net.peer()))
  return runner
}

/** Writes an answer as another device could, in JSON text. */
function write({ doc }: Peer, answer: string): void {
  const [key = '', seen = ''] = [...doc.getMap<string>('assent')].find(([, text]) => /"state":"open"/.test(text)) ?? []
  const { id } = JSON.parse(seen).view.request
  const said = `{"key":${JSON.stringify(key)},"seen":${JSON.stringify(seen)},"answer":{"id":${JSON.stringify(id)},${answer}}}`
  doc.getMap('assent/answers').set(`${key}/x`, JSON.stringify({ v: 1, at: Date.now(), said }))
}

const whys = ({ events }: Owner) => events.flatMap((event) => (event.type === 'refused' ? event.why : []))
const yes = (data: unknown): string => `"ok":true,"data":${typeof data === 'string' ? data : JSON.stringify(data)}`

const options = { kind: 'question', data: { questions: [{ question: 'Which?', options: ['1', 'b'] }] } }
const several = { kind: 'question', data: { questions: [{ question: 'Which?', options: ['1', 'b'], multiple: true }] } }
const form = {
  kind: 'input',
  data: { schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
}
const editable = { data: { decisions: ['approve', 'edit', 'respond'] } }
const approvalForm = {
  kind: 'input',
  data: {
    schema: {
      type: 'object',
      properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object', properties: { to: {} } } },
    },
  },
}

describe('FAULT-31: an answer from another device that was not offered', () => {
  it.each<[string, Partial<PendingRequest>, string]>([
    ['is not among the options', options, yes({ answers: ['c'] })],
    ['is a list for a single choice', options, yes({ answers: [['b']] })],
    ['has another type than the option', options, yes({ answers: [1] })],
    ['is one answer too many', options, yes({ answers: ['b', 'b'] })],
    ['has a key beside the answers', options, yes({ answers: ['b'], admin: true })],
    ['has __proto__ beside the answers', options, yes('{"answers":["b"],"__proto__":{"admin":true}}')],
    ['has only __proto__', options, yes('{"__proto__":{"answers":["b"]}}')],
    ['is a plain yes to a question', options, '"ok":true'],
    ['names an option twice', several, yes({ answers: [['b', 'b']] })],
    ['is one for several', several, yes({ answers: ['b'] })],
    ['is of no option among several', several, yes({ answers: [['b', 'x']] })],
    ['is longer than all that was asked', several, yes({ answers: [Array(100_000).fill('b')] })],
    ['has a key that the form does not', form, yes({ n: 1, admin: true })],
    ['has __proto__ in the form', form, yes('{"n":1,"__proto__":{"a":1}}')],
    ['has constructor in the form', form, yes({ n: 1, constructor: 1 })],
    ['does not fit the form', form, yes({ n: '1' })],
    ['is deeper than any form', form, yes(`{"n":${'['.repeat(50_000)}${']'.repeat(50_000)}}`)],
    ['is another text than asked', { kind: 'input' }, yes({ value: 'x', more: 'y' })],
    ['is of another type than the choice', { data: { choices: [{ value: 1, label: '1' }] } }, yes({ choice: '1' })],
    ['is a list for one choice', { data: { choices: ['a', 'b'] } }, yes({ choices: ['a'] })],
    ['has a choice and arguments', { data: { choices: ['a'] } }, yes({ choice: 'a', args: {} })],
    ['chooses twice', { data: { choices: ['a'], multiple: true } }, yes({ choices: ['a', 'a'] })],
    ['edits, where that was not offered', {}, yes({ args: { to: 'b' } })],
    ['edits, where that is offered at home', editable, yes({ args: { to: 'b' } })],
    ['edits what a form approves', approvalForm, yes({ approved: true, editedArgs: { to: 'b' } })],
    ['says in a form that it does not approve', approvalForm, yes({ approved: false })],
    ['has keys beside a plain yes', {}, yes({ isAdmin: true })],
    ['replies with more than words', editable, yes({ feedback: 'x', args: {} })],
    ['replies with no words', editable, yes({ feedback: ' ' })],
    ['has data with a sign-in', { kind: 'authorization', url: 'https://host.example/' }, yes({ code: '1' })],
    ['signs in where nothing can be opened', { kind: 'authorization', url: 'javascript:alert(1)' }, '"ok":true'],
    ['has more than words in a no', {}, '"ok":false,"reason":"declined","data":{"feedback":"x","args":{}}'],
    ['approves what can only be declined', { data: { decisions: [] } }, '"ok":true'],
  ])('%s: is refused, and reaches nothing', async (_what, request, answer) => {
    const owner = await shared(request)
    write(owner, answer)
    await flush()
    expect([whys(owner), owner.runner.count()]).toEqual([['not offered'], 1])
    const item = owner.runner.head()
    owner.runner.answer(item?.key ?? '', { id: 'q', ok: false, reason: 'declined' })
    await owner.result
    expect(owner.tool).toMatchObject({ attempts: [{}, { answer: { ok: false } }] })
  })

  it('is refused at the gate, where a reply would be a yes', async () => {
    const owner = await shared({ data: { decisions: ['approve', 'edit', 'respond'] } }, { gate: true })
    for (const data of [{ feedback: 'wait' }, { args: { to: 'b' } }]) {
      write(owner, yes(data))
      await flush()
    }
    expect([whys(owner), owner.runner.count()]).toEqual([['not offered', 'not offered'], 1])
  })
})

describe('an answer from another device that was offered', () => {
  it.each<[string, Partial<PendingRequest>, string, unknown]>([
    ['a plain yes', {}, '"ok":true', undefined],
    ['a plain yes with no data in it', {}, yes({}), {}],
    ['one option', options, yes({ answers: ['1'] }), { answers: ['1'] }],
    ['several options in another order', several, yes({ answers: [['b', '1']] }), { answers: [['b', '1']] }],
    ['a form', form, yes({ n: 3 }), { n: 3 }],
    ['a text', { kind: 'input' }, yes({ value: 'x' }), { value: 'x' }],
    [
      'a choice',
      { data: { choices: [{ value: { a: 1 }, label: 'A' }] } },
      yes({ choice: { a: 1 } }),
      { choice: { a: 1 } },
    ],
    [
      'choices',
      { data: { choices: ['a', 'b'], multiple: true } },
      yes({ choices: ['b', 'a'] }),
      { choices: ['b', 'a'] },
    ],
    ['a reply', editable, yes({ feedback: 'later' }), { feedback: 'later' }],
    ['an approval in a form', approvalForm, yes({ approved: true }), { approved: true }],
    ['a sign-in', { kind: 'authorization', url: 'https://host.example/' }, '"ok":true', undefined],
  ])('%s: is all that the tool gets', async (_what, request, answer, data) => {
    const owner = await shared(request)
    write(owner, answer)
    await owner.result
    expect(owner.tool).toMatchObject({ attempts: [{}, {}] })
    const [, second] = Object(owner.tool).attempts
    expect(second.answer).toEqual({ id: 'q', ok: true, ...(data !== undefined && { data }) })
    expect(Object.getPrototypeOf(second.answer)).toBe(Object.prototype)
  })

  it('is what was written, whatever verify does to it', async () => {
    const verify = (answer: Answer): boolean => {
      Object.assign(answer, { data: { answers: ['c'], admin: true } })
      return true
    }
    const owner = await shared(options, { verify })
    write(owner, yes({ answers: ['b'] }))
    await owner.result
    expect(Object(owner.tool).attempts[1].answer.data).toEqual({ answers: ['b'] })
  })
})

describe('what another device offers', () => {
  it('is no editing, and at the gate no reply', async () => {
    await shared({ data: { decisions: ['approve', 'edit', 'respond'] } }, { gate: true })
    await shared(editable)
    const phone = joined()
    await flush()
    expect(phone.getState().pending.map(({ request }) => request.data?.decisions)).toEqual([
      ['approve'],
      ['approve', 'respond'],
    ])
  })

  it.each<[string, object]>([
    ['as it is', Object(approvalForm.data.schema)],
    ['behind a reference', { $ref: '#/$defs/F', $defs: { F: approvalForm.data.schema } }],
  ])('is no editing in a form that is an approval, %s', async (_what, schema) => {
    const owner = await shared({ kind: 'input', data: { schema } })
    const phone = joined()
    await flush()
    const item = phone.head()
    expect(item?.schema).toMatchObject({ type: 'object', properties: { approved: { type: 'boolean' } } })
    expect(JSON.stringify(Object(item?.schema).properties)).not.toContain('editedArgs')
    phone.answer(item?.key ?? '', { id: item?.request.id ?? '', ok: true, data: { approved: true } })
    await owner.result
    expect(Object(owner.tool).attempts[1].answer.data).toEqual({ approved: true })
  })

  it('leaves a form with a field named args alone', async () => {
    const schema = { type: 'object', properties: { args: { type: 'string' }, editedArgs: { type: 'object' } } }
    const owner = await shared({ kind: 'input', data: { schema } })
    write(owner, yes({ args: 'x', editedArgs: {} }))
    await owner.result
    expect(Object(owner.tool).attempts[1].answer.data).toEqual({ args: 'x', editedArgs: {} })
  })
})
