// @vitest-environment node
import { type AnyTool, pending } from 'assent/core'
import { createToolRunner, type Runner } from 'assent/runner'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type Joined,
  type JoinQuestionsOptions,
  joinQuestions,
  type Shared,
  type SharedOutcome,
  type ShareEvent,
  type ShareQuestionsOptions,
  shareQuestions,
} from '../../src/adapters/yjs.js'
import { asking, flush, no, recorded, yes } from '../support/asking.js'
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
  vi.useRealTimers()
})

interface Owner extends Peer {
  runner: Runner
  shared: Shared
  events: ShareEvent[]
}

function owner(
  tools: AnyTool[],
  options: Partial<ShareQuestionsOptions> = {},
  runner = createToolRunner({ tools }),
): Owner {
  const peer = net.peer()
  runner.attach({}, 'dialog')
  const events: ShareEvent[] = []
  const shared = shareQuestions(runner, { ...peer, onEvent: (event) => events.push(event), ...options })
  handles.push(shared)
  return { ...peer, runner, shared, events }
}

interface Phone extends Peer {
  runner: Runner
  joined: Joined
  outcomes: SharedOutcome[]
}

function phone(options: Partial<JoinQuestionsOptions> = {}, peer = net.peer()): Phone {
  const runner = createToolRunner({})
  runner.attach({}, 'dialog')
  const outcomes: SharedOutcome[] = []
  const joined = joinQuestions(runner, { ...peer, onAnswered: (outcome) => outcomes.push(outcome), ...options })
  handles.push(joined)
  return { ...peer, runner, joined, outcomes }
}

const shownOn = ({ runner }: Phone) => runner.getState().pending
const promptsOn = (one: Phone): string[] => shownOn(one).map(({ request }) => request.prompt)
const questionsIn = ({ doc }: Peer) => doc.getMap<string>('assent')
const answersIn = ({ doc }: Peer) => doc.getMap<string>('assent/answers')
const refusedIn = ({ doc }: Peer) => doc.getMap<string>('assent/refused')
const openIn = (peer: Peer) => [...questionsIn(peer)].filter(([, text]) => JSON.parse(text).state === 'open')
const whys = ({ events }: Owner) => events.flatMap((event) => (event.type === 'refused' ? event.why : []))

/** Says yes on a phone to what is oldest there. */
function approveOn({ runner }: Phone, data?: Record<string, unknown>): void {
  const item = runner.head()
  if (!item) throw new Error('nothing to answer')
  expect(runner.answer(item.key, yes(item.request.id, data))).toBe(true)
}

/** Writes an answer as the kit would, save for what is given. */
function forge(
  peer: Peer,
  given: Record<string, unknown> = {},
  entry = 'x',
  envelope: Record<string, unknown> = {},
): void {
  const [key = '', seen = ''] = openIn(peer)[0] ?? []
  const { id } = JSON.parse(seen).view.request
  const said = JSON.stringify({ key, seen, answer: { id, ok: true }, ...given })
  answersIn(peer).set(`${key}/${entry}`, JSON.stringify({ v: 1, at: Date.now(), said, ...envelope }))
}

describe('a shared question', () => {
  it('is shown on the other device with what would run, and runs at its owner when it is approved there', async () => {
    const tool = asking('deploy', { prompt: 'Deploy?', data: { reason: 'Friday' } }, { source: 'CI' })
    const here = owner([tool], { user: { name: 'Ada' } })
    const there = phone({ user: { name: 'Bob' } })
    const result = here.runner.run('deploy', { site: 'docs' })
    await flush()
    const [item] = shownOn(there)
    expect(item?.request).toMatchObject({
      kind: 'approval',
      prompt: 'Deploy?',
      data: { reason: 'Friday', calls: [{ name: 'deploy', source: 'CI', input: { site: 'docs' } }], danger: 'medium' },
    })
    expect(item).toMatchObject({ trusted: false, asker: { kind: 'device', name: 'Ada', origin: 'deploy, CI' } })
    approveOn(there)
    expect(await result).toEqual({ output: 'done', isError: false })
    expect(tool.attempts).toHaveLength(2)
    expect(here.runner.count()).toBe(0)
    expect(there.outcomes).toMatchObject([{ taken: true, ok: true, by: { name: 'Bob' } }])
    expect(here.events.map(({ type }) => type)).toEqual(['shared', 'taken'])
  })

  it('is answered with data and with a reason as at its owner', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const tool = recorded('count', (_args, ctx) =>
      ctx.answer
        ? JSON.stringify(ctx.answer)
        : pending({ id: 'q', kind: 'input', prompt: 'How many?', data: { schema } }),
    )
    const here = owner([{ ...tool, onRefusal: 'retry' }])
    const there = phone()
    const first = here.runner.run('count')
    await flush()
    approveOn(there, { n: 3 })
    expect(JSON.parse((await first).output)).toEqual({ id: 'q', ok: true, data: { n: 3 } })
    const second = here.runner.run('count')
    await flush()
    const head = there.runner.head()
    there.runner.answer(head?.key ?? '', { ...no(head?.request.id ?? ''), data: { feedback: 'later' } })
    expect(JSON.parse((await second).output)).toEqual({
      id: 'q',
      ok: false,
      reason: 'declined',
      data: { feedback: 'later' },
    })
  })

  it('has the form that its owner gives a tool that asks without', async () => {
    const form = { type: 'object', properties: { env: { enum: ['staging'] } } }
    const runner = createToolRunner({ tools: [asking('t', { kind: 'input' })], answerSchemas: { t: form } })
    owner([], {}, runner)
    const there = phone()
    void runner.run('t')
    await flush()
    expect(shownOn(there)[0]?.schema).toEqual(form)
  })

  it('goes when its owner answers, and the others see who decided', async () => {
    const here = owner([asking('t')], { user: { name: 'Ada' } })
    const there = phone()
    void here.runner.run('t')
    await flush()
    here.runner.answer(here.runner.head()?.key ?? '', no(here.runner.head()?.request.id ?? ''))
    await flush()
    expect(shownOn(there)).toEqual([])
    expect(there.outcomes).toMatchObject([{ taken: undefined, ok: false, reason: 'declined', by: { name: 'Ada' } }])
  })

  it('goes without a name when its call is aborted', async () => {
    const here = owner([asking('t')], { user: { name: 'Ada' } })
    const there = phone()
    void here.runner.run('t')
    await flush()
    here.runner.abort()
    await flush()
    expect(there.outcomes).toMatchObject([{ ok: false, reason: 'cancelled', by: undefined }])
  })

  it('asks in the order in which it was asked, also who joins later', async () => {
    const here = owner([asking('t')])
    for (const prompt of ['a?', 'b?', 'c?']) void here.runner.waitFor({ id: prompt, kind: 'approval', prompt })
    await flush()
    const there = phone()
    await flush()
    expect(promptsOn(there)).toEqual(['a?', 'b?', 'c?'])
  })

  it('keeps two owners with the same ids apart', async () => {
    const [a, b] = [owner([asking('t', { id: 'q', prompt: 'A?' })]), owner([asking('t', { id: 'q', prompt: 'B?' })])]
    const there = phone()
    const [first, second] = [a.runner.run('t'), b.runner.run('t')]
    await flush()
    expect(promptsOn(there).sort()).toEqual(['A?', 'B?'])
    const item = shownOn(there).find(({ request }) => request.prompt === 'B?')
    there.runner.answer(item?.key ?? '', yes(item?.request.id ?? ''))
    expect((await second).isError).toBe(false)
    expect(a.runner.count()).toBe(1)
    a.runner.abort()
    await first
  })

  it('is not shared again by a runner that joined it, nor shown to the runner that shares it', async () => {
    const a = owner([asking('t', { prompt: 'A?' })])
    const b = owner([asking('t', { prompt: 'B?' })])
    for (const peer of [a, b]) handles.push(joinQuestions(peer.runner, peer))
    void a.runner.run('t')
    void b.runner.run('t')
    await flush()
    for (const peer of [a, b]) expect(peer.runner.count()).toBe(2)
    expect(openIn(a)).toHaveLength(2)
  })

  it('stays apart under another name', async () => {
    const here = owner([asking('t')], { name: 'one' })
    const [other, same] = [phone({ name: 'two' }), phone({ name: 'one' })]
    void here.runner.run('t')
    await flush()
    expect([shownOn(other).length, shownOn(same).length]).toEqual([0, 1])
  })
})

describe('what leaves', () => {
  it('is what share returns, and the other side is told what did not', async () => {
    const here = owner([asking('pay', { prompt: 'Pay?', data: { iban: 'DE1', reason: 'rent' } })], {
      share: (_item, usual) => ({
        ...usual,
        args: { to: usual.args?.to },
        request: { ...usual.request, data: { reason: 'rent' } },
      }),
    })
    const there = phone()
    const result = here.runner.run('pay', { to: 'Bob', amount: 3 })
    await flush()
    expect([...questionsIn(here).values()].join()).not.toMatch(/DE1|amount":/)
    expect(shownOn(there)[0]?.request.data).toMatchObject({
      calls: [{ name: 'pay', input: { to: 'Bob' } }],
      details: 'Not all of it is shown here. Withheld by the other device: "iban", "amount".',
    })
    expect(shownOn(there)[0]?.request.data).not.toHaveProperty('withheld')
    approveOn(there)
    expect((await result).isError).toBe(false)
  })

  it.each([
    ['share says so', () => undefined],
    [
      'share throws',
      () => {
        throw new Error('broken')
      },
    ],
  ])('is nothing when %s', async (_when, share) => {
    const here = owner([asking('t')], { share })
    const there = phone()
    void here.runner.run('t')
    await flush()
    expect([questionsIn(here).size, shownOn(there).length, here.events[0]?.type]).toEqual([0, 0, 'kept'])
  })

  it('is no question that is too long to be shown', async () => {
    const here = owner([asking('t')])
    void here.runner.run('t', { text: 'x'.repeat(300_000) })
    await flush()
    expect(questionsIn(here).size).toBe(0)
    expect(here.events).toMatchObject([{ type: 'kept', why: 'it is too long' }])
  })

  it('has no argument that is named like a secret', async () => {
    const here = owner([asking('login')])
    const there = phone()
    void here.runner.run('login', { user: 'ada', apiKey: 'k-1', deep: [{ db_password: 'p-1' }] })
    await flush()
    expect([...questionsIn(here).values()].join()).not.toMatch(/k-1|p-1/)
    expect(shownOn(there)[0]?.request.data).toMatchObject({
      calls: [{ input: { user: 'ada', apiKey: '•••', deep: [{ db_password: '•••' }] } }],
      details: expect.stringContaining('"apiKey", "deep"'),
    })
  })

  it('is what the details say first, and then what was sent there', async () => {
    const here = owner([asking('t', { url: 'https://a.test/', data: { details: 'Long.' } })], {
      share: (_item, { request: { url: _, ...request } }) => ({ request }),
    })
    const there = phone()
    void here.runner.run('t')
    await flush()
    expect(shownOn(there)[0]?.request.data?.details).toBe(
      'Not all of it is shown here. Withheld by the other device: the link, the arguments, the name of the tool.\n\nLong.',
    )
  })

  it('is said in the words of the app, and in ours where they fail', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const here = owner([asking('t')])
    const there = phone({ words: { withheld: (names) => `Zurückgehalten: ${names}` } })
    const broken = () => {
      throw new Error('no words')
    }
    const other = phone({ words: { withheld: broken } })
    void here.runner.run('t', { token: 'k-1' })
    await flush()
    expect(shownOn(there)[0]?.request.data?.details).toBe('Zurückgehalten: args.token')
    expect(shownOn(other)[0]?.request.data?.details).toMatch(/Withheld by the other device: "token"\.$/)
    expect(error).toHaveBeenCalledWith('assent: words threw.', expect.any(Error))
  })

  it('is named on one line, however an argument is called and however many they are', async () => {
    const here = owner([asking('t')], { share: (_item, { request }) => ({ request, toolName: 't', args: {} }) })
    const there = phone()
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`a${n}`, n]))
    void here.runner.run('t', { [`x\n\nVerified by Ada${'!'.repeat(500)}`]: 1, ...many })
    await flush()
    const details = String(shownOn(there)[0]?.request.data?.details)
    expect(details).toMatch(/"x\\n\\nVerified by Ada!+", "a0", .*"a18", and 6 more\.$/)
    expect(details.length).toBeLessThan(400)
  })

  it('is nothing where what should name it cannot be read', async () => {
    const there = phone()
    const mallory = net.peer()
    mallory.awareness.setLocalStateField('assent', { owners: ['own-m'] })
    for (const [n, withheld] of [{ a: 1 }, 'args', [1, null]].entries()) {
      const view = { request: { id: 'q', kind: 'approval', prompt: 'p' }, withheld }
      questionsIn(mallory).set(`own-m/${n}`, JSON.stringify({ v: 1, at: n, state: 'open', view }))
    }
    await flush()
    expect(shownOn(there).map(({ request }) => request.data?.details)).toEqual([undefined, undefined, undefined])
  })

  it('leaves what was sent as details and is no text to be seen', async () => {
    const here = owner([asking('t', { data: { details: { a: 1 } } })])
    const there = phone()
    void here.runner.run('t', { token: 'k-1' })
    await flush()
    expect(shownOn(there)[0]?.request.data).toMatchObject({
      details: expect.stringContaining('token'),
      sent_details: { a: 1 },
    })
  })
})

describe('an answer that is not taken', () => {
  const cases: [string, string, (peer: Peer, seen: string) => void][] = [
    ['is no JSON', 'malformed', (peer) => answersIn(peer).set(`${openIn(peer)[0]?.[0]}/x`, '{')],
    ['has no ok', 'malformed', (peer) => forge(peer, { answer: { id: 'q' } })],
    ['has an ok that is no boolean', 'malformed', (peer) => forge(peer, { answer: { id: 'q', ok: 1 } })],
    ['has data that is no object', 'malformed', (peer) => forge(peer, { answer: { id: 'q', ok: true, data: [] } })],
    ['is of another version', 'malformed', (peer) => forge(peer, {}, 'x', { v: 2 })],
    ['has another id', 'other question', (peer) => forge(peer, { answer: { id: 'other', ok: true } })],
    ['speaks of another entry', 'other question', (peer) => forge(peer, { key: 'own-1/1' })],
    [
      'saw something else',
      'not what was shared',
      (peer, seen) => forge(peer, { seen: seen.replace('Really', 'Maybe') }),
    ],
    [
      'edits the arguments',
      'not offered',
      (peer) => forge(peer, { answer: { id: 'q', ok: true, data: { args: {} } } }),
    ],
    ['replies', 'not offered', (peer) => forge(peer, { answer: { id: 'q', ok: true, data: { feedback: 'x' } } })],
    ['chooses', 'not offered', (peer) => forge(peer, { answer: { id: 'q', ok: true, data: { choice: 'x' } } })],
    ['is enormous', 'malformed', (peer) => forge(peer, { by: 'x'.repeat(1_100_000) })],
  ]
  it.each(cases)('%s: it is removed, told, and nothing runs', async (_what, why, write) => {
    const tool = asking('t', { id: 'q', prompt: 'Really?' })
    const here = owner([tool])
    const there = phone()
    void here.runner.run('t')
    await flush()
    write(there, openIn(there)[0]?.[1] ?? '')
    await flush()
    expect([tool.attempts.length, here.runner.count(), answersIn(here).size]).toEqual([1, 1, 0])
    expect(whys(here)).toEqual([why])
    approveOn(there)
    await flush()
    expect(tool.attempts).toHaveLength(2)
  })

  it('does not fit the form', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const here = owner([asking('t', { id: 'q', kind: 'input', data: { schema } })])
    void here.runner.run('t')
    await flush()
    for (const data of [{}, { n: 'three' }]) forge(here, { answer: { id: 'q', ok: true, data } }, JSON.stringify(data))
    await flush()
    expect([whys(here), here.runner.count()]).toEqual([['not offered', 'not offered'], 1])
  })

  it('leaves the valid one beside it', async () => {
    const tool = asking('t')
    const here = owner([tool])
    const there = phone()
    const result = here.runner.run('t')
    await flush()
    here.doc.transact(() => forge(here, { key: 'x' }))
    approveOn(there)
    expect((await result).isError).toBe(false)
    expect(answersIn(here).size).toBe(0)
  })
})

describe('verify', () => {
  it.each([
    ['says false', () => false],
    ['says nothing', () => undefined as unknown as boolean],
    ['says something else than true', () => 'yes' as unknown as boolean],
    ['says no later', async () => false],
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['fails later', () => Promise.reject(new Error('no'))],
  ])('that %s takes nothing, and the question is asked again where it was answered', async (_how, verify) => {
    const tool = asking('t')
    const here = owner([tool], { verify })
    const there = phone()
    void here.runner.run('t')
    await flush()
    approveOn(there)
    expect(shownOn(there)).toEqual([])
    await flush()
    expect([tool.attempts.length, whys(here), answersIn(here).size]).toEqual([1, ['not verified'], 0])
    expect(there.outcomes).toMatchObject([{ taken: false, ok: undefined }])
    expect(shownOn(there)).toHaveLength(1)
  })

  it('is given the answer, the claim, the question and what was signed', async () => {
    const key = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
    const bytes = (text: string) => new TextEncoder().encode(text)
    const verify = vi.fn<NonNullable<ShareQuestionsOptions['verify']>>(
      async (_answer, _by, _item, { statement, proof }) =>
        crypto.subtle.verify('HMAC', key, Uint8Array.from(proof as number[]), bytes(statement)),
    )
    const tool = asking('t', { id: 'q' })
    const here = owner([tool], { verify })
    const sign = async (statement: string) => [
      ...new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(statement))),
    ]
    const there = phone({ user: { name: 'Bob', id: 7 }, sign })
    const result = here.runner.run('t')
    await flush()
    forge(here, { by: { name: 'Bob', id: 7 } }, 'x', { proof: [1, 2, 3] })
    await vi.waitFor(() => expect(whys(here)).toEqual(['not verified']))
    approveOn(there)
    expect((await result).isError).toBe(false)
    expect(verify).toHaveBeenLastCalledWith(
      { id: 'q', ok: true },
      { name: 'Bob', id: 7 },
      expect.objectContaining({ toolName: 't' }),
      { statement: expect.stringContaining('"ok":true'), proof: expect.any(Array) },
    )
  })

  it('that takes its time changes nothing once the question was answered', async () => {
    let say = (_ok: boolean): void => {}
    const tool = asking('t', { id: 'q' })
    const here = owner([tool], { verify: () => new Promise((resolve) => (say = resolve)) })
    const there = phone()
    const result = here.runner.run('t')
    await flush()
    approveOn(there)
    await flush()
    here.runner.answer('q', no('q'))
    await result
    // The next call asks under the same id and key.
    void here.runner.run('t')
    await flush()
    say(true)
    await flush()
    expect([here.runner.count(), whys(here), tool.attempts.length]).toEqual([1, ['too late'], 2])
  })
})

describe('why an answer was not taken', () => {
  const OPEN = 'The question is still open.'

  it('is told where it was given, and stands in the reason of the question that is asked again', async () => {
    const here = owner([asking('t', { data: { reason: 'Friday' } })], { verify: () => false })
    const there = phone()
    void here.runner.run('t')
    await flush()
    expect(shownOn(there)[0]?.request.data?.reason).toBe('Friday')
    approveOn(there)
    await flush()
    expect(there.outcomes).toMatchObject([{ taken: false, why: 'not verified', ok: undefined }])
    const text = `Your answer was not taken: the other device could not verify that it may come from you. ${OPEN}`
    expect(shownOn(there)[0]?.request.data?.reason).toBe(`${text}\n\nFriday`)
    expect(here.runner.head()?.request.data?.reason).toBe('Friday')
  })

  it('is told each time, and is forgotten with the answer that is taken', async () => {
    let isFine = false
    const here = owner([asking('t')], { verify: () => isFine })
    const there = phone({ words: { notTaken: (why) => `Nein (${why})` } })
    const result = here.runner.run('t')
    await flush()
    for (const _ of [1, 2]) {
      approveOn(there)
      await flush()
      expect(shownOn(there)[0]?.request.data?.reason).toBe('Nein (not verified)')
    }
    isFine = true
    approveOn(there)
    expect((await result).isError).toBe(false)
    await flush()
    expect(there.outcomes.map(({ taken, why }) => [taken, why])).toEqual([
      [false, 'not verified'],
      [false, 'not verified'],
      [true, undefined],
    ])
    expect(refusedIn(here).size).toBe(0)
    void here.runner.run('t')
    await flush()
    expect(shownOn(there)[0]?.request.data).not.toHaveProperty('reason')
  })

  it('is that another was first where it was decided otherwise', async () => {
    const here = owner([asking('t', { id: 'q' })])
    const there = phone()
    void here.runner.run('t')
    await flush()
    net.cut(there)
    approveOn(there)
    await flush()
    here.runner.answer('q', no('q'))
    net.join(there)
    await flush()
    expect(there.outcomes).toMatchObject([{ taken: false, why: 'too late', ok: false }])
  })

  it('is known also where its owner had to put the question right', async () => {
    const here = owner([asking('t', { prompt: 'Delete a.txt?' })])
    const [there, mallory] = [phone(), net.peer()]
    void here.runner.run('t')
    await flush()
    net.cut(here)
    for (const [key, text] of questionsIn(mallory)) questionsIn(mallory).set(key, text.replace('Delete', 'Read'))
    await flush()
    approveOn(there)
    await flush()
    net.join(here)
    await flush()
    expect(there.outcomes.at(-1)).toMatchObject({ taken: false })
    expect(promptsOn(there)).toEqual(['Delete a.txt?'])
    expect(shownOn(there)[0]?.request.data?.reason).toMatch(/^Your answer was not taken/)
  })

  it('is that it could not be signed', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const here = owner([asking('t')])
    const there = phone({ sign: () => Promise.reject(new Error('no key')) })
    void here.runner.run('t')
    await flush()
    approveOn(there)
    await flush()
    expect(there.outcomes).toMatchObject([{ taken: false, why: 'not signed' }])
    expect(shownOn(there)[0]?.request.data?.reason).toBe(`Your answer was not sent: it could not be signed. ${OPEN}`)
  })

  it('is unknown where nobody says it, or says what cannot be read', async () => {
    for (const said of [
      undefined,
      7,
      '{',
      '{"v":1,"at":1,"why":"because"}',
      `{"v":1,"at":1,"why":"${'x'.repeat(900)}"}`,
    ]) {
      const here = owner([asking('t')])
      const there = phone()
      void here.runner.run('t')
      await flush()
      net.cut(here)
      approveOn(there)
      await flush()
      there.doc.transact(() => {
        for (const entry of answersIn(there).keys()) {
          answersIn(there).delete(entry)
          if (said !== undefined) there.doc.getMap<unknown>('assent/refused').set(entry, said)
        }
      })
      await flush()
      expect(there.outcomes).toMatchObject([{ taken: false, why: undefined }])
      expect(shownOn(there)[0]?.request.data?.reason).toBe(`Your answer was not taken. ${OPEN}`)
      for (const handle of [here.shared, there.joined]) handle.dispose()
    }
  })

  it('leaves no more than a hundred notes, and none when the owner goes', async () => {
    const here = owner([asking('t')])
    const mallory = net.peer()
    void here.runner.run('t')
    await flush()
    for (let n = 0; n < 120; n++) forge(mallory, { key: 'own-1/1' }, `x${n}`)
    await flush()
    expect([whys(here).length, refusedIn(mallory).size]).toEqual([120, 100])
    here.shared.dispose()
    expect(refusedIn(mallory).size).toBe(0)
  })
})

describe('two answers at once', () => {
  it('run the tool once; one of them is told that it was taken', async () => {
    const tool = asking('t')
    const here = owner([tool])
    const [one, two] = [phone({ user: { name: 'Bob' } }), phone({ user: { name: 'Cy' } })]
    const result = here.runner.run('t')
    await flush()
    net.cut(here)
    approveOn(one)
    approveOn(two)
    await flush()
    net.join(here)
    expect((await result).isError).toBe(false)
    await flush()
    expect(tool.attempts).toHaveLength(2)
    const outcomes = [...one.outcomes, ...two.outcomes]
    expect(outcomes.map(({ taken }) => taken).sort()).toEqual([false, true])
    expect(new Set(outcomes.map(({ by }) => JSON.stringify(by))).size).toBe(1)
    expect(answersIn(here).size).toBe(0)
  })

  it('of the owner and somebody else: the owner’s own is there first', async () => {
    const tool = asking('t', { id: 'q' })
    const here = owner([tool])
    const there = phone()
    const result = here.runner.run('t')
    await flush()
    net.cut(there)
    approveOn(there)
    await flush()
    here.runner.answer('q', no('q'))
    net.join(there)
    expect((await result).output).toBe('declined/expired: t?')
    await flush()
    expect(tool.attempts).toHaveLength(1)
    expect(there.outcomes).toMatchObject([{ taken: false, ok: false }])
  })
})

describe('a network that is cut', () => {
  it('keeps the answer until it is back', async () => {
    const tool = asking('t')
    const here = owner([tool])
    const there = phone()
    const result = here.runner.run('t')
    await flush()
    net.cut(there)
    await flush()
    expect(shownOn(there)).toHaveLength(1)
    approveOn(there)
    await flush()
    expect(tool.attempts).toHaveLength(1)
    net.join(there)
    expect((await result).isError).toBe(false)
    await flush()
    expect(there.outcomes).toMatchObject([{ taken: true }])
  })

  it('does not keep a question alive that expires meanwhile, by its owner’s clock', async () => {
    vi.useFakeTimers()
    const tool = asking('t', { expiresAt: new Date(Date.now() + 5000).toISOString() })
    const here = owner([tool])
    const there = phone()
    const result = here.runner.run('t')
    await flush()
    net.cut(there)
    approveOn(there)
    await flush()
    vi.advanceTimersByTime(5000)
    net.join(there)
    expect((await result).output).toBe('declined/expired: t?')
    await flush()
    expect(tool.attempts).toHaveLength(1)
    expect(there.outcomes).toMatchObject([{ taken: false, ok: false, reason: 'expired' }])
  })

  it('takes a question off the screen after the grace, and back on when its owner is', async () => {
    vi.useFakeTimers()
    const here = owner([asking('t')])
    const there = phone({ grace: 1000 })
    void here.runner.run('t')
    await flush()
    net.cut(here)
    await flush()
    expect(shownOn(there)).toHaveLength(1)
    vi.advanceTimersByTime(1000)
    await flush()
    expect(shownOn(there)).toEqual([])
    net.join(here)
    await flush()
    expect(shownOn(there)).toHaveLength(1)
    expect(here.runner.count()).toBe(1)
  })

  it('does not ask again what was answered before its owner went', async () => {
    vi.useFakeTimers()
    const tool = asking('t')
    const here = owner([tool])
    const there = phone({ grace: 1000 })
    const result = here.runner.run('t')
    await flush()
    net.cut(here)
    approveOn(there)
    await flush()
    vi.advanceTimersByTime(1000)
    await flush()
    expect(there.outcomes).toMatchObject([{ taken: false, ok: undefined }])
    net.join(here)
    expect((await result).isError).toBe(false)
    await flush()
    expect([tool.attempts.length, shownOn(there).length]).toEqual([2, 0])
    expect(there.outcomes.at(-1)).toMatchObject({ taken: true, ok: true })
  })
})

describe('an owner that goes', () => {
  it('takes its questions along when it is disposed, and they stay open at home', async () => {
    const here = owner([asking('t')])
    const there = phone()
    void here.runner.run('t')
    await flush()
    here.shared.dispose()
    await flush()
    expect([shownOn(there).length, openIn(there).length, here.runner.count()]).toEqual([0, 0, 1])
    expect(here.awareness.getLocalState()).toEqual({})
  })

  it('and comes back as another shares them under another key', async () => {
    const here = owner([asking('t')])
    const there = phone()
    const result = here.runner.run('t')
    await flush()
    const [before] = shownOn(there)
    here.shared.dispose()
    handles.push(shareQuestions(here.runner, here))
    await flush()
    const [after] = shownOn(there)
    expect(after?.key).not.toBe(before?.key)
    approveOn(there)
    expect((await result).isError).toBe(false)
  })

  it('leaves nothing for good: an hour later whoever is there removes it', async () => {
    vi.useFakeTimers()
    const here = owner([asking('t')])
    const there = phone({ grace: 1000 })
    void here.runner.run('t')
    await flush()
    net.cut(here)
    approveOn(there)
    await flush()
    vi.advanceTimersByTime(50 * 60_000)
    expect([questionsIn(there).size, answersIn(there).size]).toEqual([1, 1])
    vi.advanceTimersByTime(11 * 60_000)
    expect(questionsIn(there).size).toBe(0)
    vi.advanceTimersByTime(60_000)
    expect(answersIn(there).size).toBe(0)
    net.join(here)
    await flush()
    // It lives after all, and says its question again.
    expect(openIn(there)).toHaveLength(1)
    expect(shownOn(there)).toHaveLength(1)
  })

  it('is never seen where its questions lie since long', async () => {
    const here = owner([asking('t')])
    void here.runner.run('t')
    await flush()
    net.cut(here)
    const helper = net.peer()
    for (const [key, text] of questionsIn(here)) questionsIn(helper).set(key, text)
    const there = phone()
    await flush()
    expect(shownOn(there)).toEqual([])
  })

  it('is known without awareness by its beat', async () => {
    vi.useFakeTimers()
    const none = { awareness: undefined, grace: 6000 }
    const here = owner([asking('t')], none)
    const there = phone(none)
    void here.runner.run('t')
    await flush()
    expect(shownOn(there)).toEqual([])
    vi.advanceTimersByTime(1000)
    await flush()
    expect(shownOn(there)).toHaveLength(1)
    vi.advanceTimersByTime(60_000)
    await flush()
    expect(shownOn(there)).toHaveLength(1)
    net.cut(here)
    vi.advanceTimersByTime(6000)
    await flush()
    expect(shownOn(there)).toEqual([])
  })
})

describe('the document', () => {
  const tampered = (text: string): string => text.replace('Delete a.txt?', 'Read a.txt?')

  it('that somebody changed runs nothing that was not shared', async () => {
    const tool = asking('t', { prompt: 'Delete a.txt?' })
    const here = owner([tool])
    const [there, mallory] = [phone(), net.peer()]
    void here.runner.run('t')
    await flush()
    net.cut(here)
    for (const [key, text] of questionsIn(mallory)) questionsIn(mallory).set(key, tampered(text))
    await flush()
    expect(promptsOn(there)).toEqual(['Read a.txt?'])
    approveOn(there)
    await flush()
    net.join(here)
    await flush()
    expect([tool.attempts.length, whys(here)]).toEqual([1, ['not what was shared']])
    // The owner has put it right, and it is asked again as it is.
    expect(promptsOn(there)).toEqual(['Delete a.txt?'])
    approveOn(there)
    await flush()
    expect(tool.attempts).toHaveLength(2)
  })

  it('is put right while the owner is there: what it wrote, and nothing else under its name', async () => {
    const here = owner([asking('t', { prompt: 'Delete a.txt?' })])
    const mallory = net.peer()
    void here.runner.run('t')
    await flush()
    const [[key = '', text = ''] = []] = openIn(here)
    questionsIn(mallory).set(key, tampered(text))
    questionsIn(mallory).set(`${key}9`, text)
    await flush()
    expect([...questionsIn(mallory)]).toEqual([[key, text]])
    questionsIn(mallory).delete(key)
    await flush()
    expect(questionsIn(mallory).get(key)).toBe(text)
  })

  it.each<[string, unknown]>([
    ['a number', 7],
    ['bytes', new Uint8Array(3)],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['another version', '{"v":2,"at":1,"state":"open"}'],
    ['no request', '{"v":1,"at":1,"state":"open","view":{}}'],
    ['a request without words', '{"v":1,"at":1,"state":"open","view":{"request":{"id":"a","kind":"b","prompt":4}}}'],
    [
      'an url that is none',
      '{"v":1,"at":1,"state":"open","view":{"request":{"id":"a","kind":"b","prompt":"p","url":{}}}}',
    ],
    [
      'something deep',
      `{"v":1,"at":1,"state":"open","view":{"request":{"id":"a","kind":"b","prompt":"p","data":{"x":${'['.repeat(9000)}${']'.repeat(9000)}}}}}`,
    ],
    [
      'something enormous',
      JSON.stringify({
        v: 1,
        at: 1,
        state: 'open',
        view: { request: { id: 'a', kind: 'b', prompt: 'x'.repeat(300_000) } },
      }),
    ],
  ])('with %s in it shows nothing for that and goes on', async (_what, value) => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const here = owner([asking('t')])
    const there = phone()
    const mallory = net.peer()
    mallory.awareness.setLocalStateField('assent', { owners: ['own-m'] })
    mallory.doc.getMap<unknown>('assent').set('own-m/1', value)
    mallory.doc.getMap<unknown>('assent').set('', value)
    mallory.doc.getMap<unknown>('assent/answers').set('own-m/1/x', value)
    const result = here.runner.run('t')
    await flush()
    expect(promptsOn(there)).toEqual(['t?'])
    approveOn(there)
    expect((await result).isError).toBe(false)
    expect(answersIn(there).size).toBe(1)
    expect(error.mock.calls.filter(([text]) => !/waitFor\(\) needs plain data/.test(String(text)))).toEqual([])
  })

  it('loses an answer’s data in the same transaction in which it says what was decided', async () => {
    const here = owner([asking('t', { kind: 'input' })])
    const there = phone()
    const result = here.runner.run('t')
    await flush()
    const left: number[] = []
    there.doc.on('afterTransaction', () => {
      if (questionsIn(there).size > openIn(there).length) left.push(answersIn(there).size)
    })
    approveOn(there, { value: 'typed' })
    await result
    await flush()
    expect(left[0]).toBe(0)
  })

  it('keeps no answer’s data, and the last hundred outcomes', async () => {
    const here = owner([asking('t', { kind: 'input' })])
    const there = phone()
    for (let n = 0; n < 105; n++) {
      const result = here.runner.run('t')
      await flush()
      approveOn(there, { value: `typed-${n}` })
      await result
      await flush()
    }
    expect(questionsIn(there).size).toBe(100)
    expect(JSON.stringify([questionsIn(there), answersIn(there)])).not.toContain('typed')
    expect(there.outcomes).toHaveLength(105)
  })
})

describe('a device that joined', () => {
  it('answers nothing when it is disposed, or its runner is', async () => {
    const here = owner([asking('t')])
    const [one, two] = [phone(), phone()]
    void here.runner.run('t')
    await flush()
    one.joined.dispose()
    two.runner.dispose()
    await flush()
    expect([shownOn(one).length, here.runner.count(), here.events.length]).toEqual([0, 1, 1])
    expect(answersIn(here).size).toBe(0)
  })

  it('cancels with Close, as at home', async () => {
    const here = owner([asking('t')])
    const there = phone()
    const result = here.runner.run('t')
    await flush()
    const head = there.runner.head()
    there.runner.answer(head?.key ?? '', no(head?.request.id ?? '', 'cancelled'))
    expect((await result).output).toBe('declined/expired: t?')
  })

  it('whose clock is ahead expires nothing but its own view', async () => {
    const here = owner([asking('t', { expiresAt: new Date(Date.now() + 60_000).toISOString() })])
    void here.runner.run('t')
    await flush()
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 120_000)
    const there = phone()
    await flush()
    now.mockRestore()
    expect([shownOn(there).length, here.runner.count(), answersIn(here).size]).toEqual([0, 1, 0])
  })

  it('whose answer cannot be signed is asked again', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const here = owner([asking('t')])
    const there = phone({ sign: () => Promise.reject(new Error('no key')) })
    void here.runner.run('t')
    await flush()
    approveOn(there)
    await flush()
    expect([shownOn(there).length, answersIn(here).size]).toEqual([1, 0])
    expect(error).toHaveBeenCalledWith('assent: an answer could not be signed: no key')
  })

  it('believes who asks when the app says so', async () => {
    const here = owner([asking('t')], { user: { name: 'Ada' } })
    const there = phone({ trusted: true })
    void here.runner.run('t')
    await flush()
    expect(shownOn(there)[0]).toMatchObject({ trusted: true, asker: { name: 'Ada' } })
  })

  it('takes a second step where its owner says that a yes does much', async () => {
    const here = owner([asking('t', { data: { danger: 'high' } })])
    const there = phone()
    void here.runner.run('t')
    await flush()
    expect(shownOn(there)[0]?.danger).toBe('high')
  })
})

describe('a runner that has another question under the same id', () => {
  it('answers the one that was joined, and tells it apart', async () => {
    const here = owner([asking('t', { id: 'q' })], { user: { name: 'Ada' } })
    const result = here.runner.run('t')
    await flush()
    const [key = ''] = openIn(here)[0] ?? []
    const peer = net.peer()
    const runner = createToolRunner({})
    runner.attach({}, 'dialog')
    void runner.waitFor({ id: key, kind: 'approval', prompt: 'Mine?' })
    const outcomes: SharedOutcome[] = []
    const joined = joinQuestions(runner, { ...peer, onAnswered: (outcome) => outcomes.push(outcome) })
    handles.push(joined)
    await flush()
    const item = runner.getState().pending.find(({ asker }) => asker?.kind === 'device')
    expect(item?.key).not.toBe(key)
    // The app's own is on top, and it is not the owner's question that is looked at.
    expect(here.shared.lookers('q')).toEqual([])
    expect(joined.lookers(item?.key ?? '')).toMatchObject([{ name: 'Ada' }])
    expect(joined.lookers(key)).toEqual([])
    runner.answer(item?.key ?? '', no(item?.request.id ?? ''))
    expect((await result).output).toBe('declined/expired: t?')
    await flush()
    expect(outcomes).toMatchObject([{ key: item?.key, taken: true, ok: false }])
    expect(runner.count()).toBe(1)
  })
})

describe('presence', () => {
  it('tells who has a question on top, on both sides', async () => {
    const here = owner([asking('t', { id: 'q' })], { user: { name: 'Ada' } })
    const there = phone({ user: { name: 'Bob' } })
    const heard = vi.fn()
    here.shared.subscribe(heard)
    void here.runner.run('t')
    await flush()
    expect(here.shared.lookers('q')).toEqual([{ clientId: there.awareness.clientID, name: 'Bob' }])
    expect(there.joined.lookers(shownOn(there)[0]?.key ?? '')).toEqual([
      { clientId: here.awareness.clientID, name: 'Ada' },
    ])
    expect(heard).toHaveBeenCalled()
    there.joined.dispose()
    expect(here.shared.lookers('q')).toEqual([])
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'x'],
    ['wrong types', { owners: 'x', looking: 1, user: 7 }],
    ['wrong lists', { owners: [1, null, {}], looking: {}, user: { name: {} } }],
  ])('survives a client that says %s', async (_what, field) => {
    const here = owner([asking('t', { id: 'q' })])
    const there = phone()
    const mallory = net.peer()
    mallory.awareness.setLocalStateField('assent', field)
    void here.runner.run('t')
    await flush()
    expect(here.shared.lookers('q')).toHaveLength(1)
    expect(shownOn(there)).toHaveLength(1)
  })

  it('says it again when a provider dropped it', async () => {
    const here = owner([asking('t')])
    const there = phone()
    void here.runner.run('t')
    here.awareness.setLocalState(null)
    here.awareness.setLocalState({})
    await flush()
    expect(shownOn(there)).toHaveLength(1)
  })

  it('leaves the rest of the state alone', async () => {
    const here = owner([asking('t')])
    here.awareness.setLocalStateField('cursor', 3)
    here.shared.dispose()
    expect(here.awareness.getLocalState()).toEqual({ cursor: 3, assent: undefined })
  })
})
