// @vitest-environment node
import { type AnyTool, pending, type ToolEvent } from 'assent/core'
import type { HistoryEntry, ToolRunnerOptions } from 'assent/runner'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { asking, flush, no, recorded, yes } from '../support/asking.js'
import { approveNext, gated, request, runnerOf, shown } from '../support/consent.js'

const START = Date.UTC(2026, 0, 1)
const never = (): Promise<never> => new Promise(() => {})
const throwing = (): never => {
  throw new Error('no')
}

beforeEach(() => void vi.useFakeTimers({ now: START }))
afterEach(() => void vi.useRealTimers())

/** Runs a call to its end, its one question answered with this. */
async function decided(tool: AnyTool, answer: object, options: ToolRunnerOptions = {}, args: unknown = {}) {
  const runner = runnerOf([tool], options)
  const result = runner.run(tool.name, args, { toolCallId: 'c1' })
  const { key, request: asked } = await shown(runner)
  runner.answer(key, { id: asked.id, ok: true, ...answer })
  await result
  return runner.history()
}

describe('an entry', () => {
  it('says who asked for what, what was decided by whom, when and after how long, and what came of it', async () => {
    const tool = gated('rm', { source: 'files', danger: 'high' })
    const runner = runnerOf([tool])
    const result = runner.run('rm', { path: '/a' }, { toolCallId: 'c1' })
    const { runId } = await shown(runner)
    vi.setSystemTime(START + 2500)
    await approveNext(runner)
    expect(runner.history()[0]).not.toHaveProperty('outcome')
    await result
    expect(runner.history()).toEqual([
      {
        id: 1,
        at: START + 2500,
        waited: 2500,
        kind: 'approval',
        prompt: 'Allow rm?',
        danger: 'high',
        runId,
        toolCallId: 'c1',
        toolName: 'rm',
        source: 'files',
        args: { path: '/a' },
        decision: 'approved',
        edited: false,
        by: 'person',
        outcome: 'done',
      },
    ])
  })

  it('of a question no call asked names its asker and its page', async () => {
    const runner = runnerOf([])
    const asker = { kind: 'server', name: 'crm', origin: 'https://crm.example', trusted: false }
    const answer = runner.waitFor(request('a', { kind: 'authorization', url: 'https://crm.example/login' }), { asker })
    runner.answer('a', no('a'))
    await answer
    expect(runner.history()).toEqual([
      {
        id: 1,
        at: START,
        waited: 0,
        kind: 'authorization',
        prompt: 'a?',
        url: 'https://crm.example/login',
        danger: 'medium',
        asker,
        decision: 'declined',
        edited: false,
        by: 'person',
      },
    ])
  })

  it.each<[object, string, boolean]>([
    [{}, 'approved', false],
    [{ data: {} }, 'approved', false],
    [{ data: { args: { a: 2 } } }, 'approved', true],
    [{ data: { args: {} } }, 'approved', true],
    [{ ok: false, reason: 'declined' }, 'declined', false],
    [{ ok: false, reason: 'cancelled' }, 'cancelled', false],
    [{ ok: false, reason: 'expired' }, 'expired', false],
    [{ ok: false }, 'cancelled', false],
    [{ ok: false, reason: 'declined', data: { args: { a: 2 } } }, 'declined', false],
  ])('of %j says %s, edited: %s', async (answer, decision, edited) => {
    const history = await decided(gated('t', { decisions: ['approve', 'edit', 'decline'] }), answer)
    expect(history).toMatchObject([{ decision, edited, by: 'person' }])
  })

  it.each<[string, (tool: AnyTool) => AnyTool, object, HistoryEntry['outcome']]>([
    ['ran', (tool) => tool, {}, 'done'],
    ['was refused', (tool) => tool, { ok: false }, 'failed'],
    ['threw', (tool) => ({ ...tool, execute: throwing }), {}, 'failed'],
    ['is unresolved', (tool) => ({ ...tool, execute: () => pending(request('r')) }), {}, 'failed'],
  ])('of a call that %s', async (what, make, answer, outcome) => {
    const runner = runnerOf([make(gated('t'))])
    const result = runner.run('t')
    const { key, request: asked } = await shown(runner)
    runner.answer(key, { id: asked.id, ok: true, ...answer })
    await flush()
    if (what === 'is unresolved') {
      await approveNext(runner)
      await result
      expect(runner.history().map((entry) => entry.outcome)).toEqual([outcome, outcome])
    } else {
      await result
      expect(runner.history().map((entry) => entry.outcome)).toEqual([outcome])
    }
  })

  it('of a call that was aborted while it ran, and while it asked', async () => {
    const runner = runnerOf([gated('hangs', {}, never), gated('waits')])
    const results = [runner.run('hangs'), runner.run('waits')]
    await approveNext(runner)
    await flush()
    runner.abort()
    await Promise.all(results)
    expect(runner.history()).toMatchObject([
      { toolName: 'hangs', decision: 'approved', by: 'person', outcome: 'cancelled' },
      { toolName: 'waits', decision: 'cancelled', by: 'code', outcome: 'cancelled' },
    ])
  })

  it('of what expired is decided by nobody', async () => {
    const expiresAt = new Date(START + 1000).toISOString()
    const runner = runnerOf([])
    const answers = [runner.waitFor(request('a', { expiresAt })), runner.waitFor(request('b', { expiresAt }))]
    vi.setSystemTime(START + 1000)
    expect(runner.answer('b', yes('b'))).toBe(false)
    await vi.advanceTimersByTimeAsync(1000)
    await Promise.all(answers)
    expect(runner.history()).toMatchObject([
      { prompt: 'b?', decision: 'expired', by: 'code' },
      { prompt: 'a?', decision: 'expired', by: 'code' },
    ])
  })

  it('is made of each decision once, in the order they were made', async () => {
    const runner = runnerOf([])
    const answers = ['a', 'b', 'c'].map((id) => runner.waitFor(request(id)))
    for (const id of ['c', 'a', 'c', 'b', 'a']) runner.answer(id, yes(id))
    await Promise.all(answers)
    expect(runner.history().map(({ id, prompt }) => `${id} ${prompt}`)).toEqual(['1 c?', '2 a?', '3 b?'])
  })

  it('is made of no answer that settled nothing, and of no call that asked nothing', async () => {
    const runner = runnerOf([recorded('plain', () => '')])
    await runner.run('plain')
    void runner.waitFor(request('a'))
    runner.answer('a', yes('b'))
    runner.answer('b', yes('b'))
    expect(runner.history()).toEqual([])
    runner.abort()
  })

  it('of a call that its own question and the gate asked gets the outcome on both', async () => {
    const tool = gated('t', {}, (_args, ctx) => (ctx.answer ? 'done' : pending(request('own'))))
    const runner = runnerOf([tool])
    const result = runner.run('t')
    await approveNext(runner)
    await approveNext(runner)
    await result
    expect(runner.history().map(({ prompt, outcome }) => `${prompt} ${outcome}`)).toEqual([
      'Allow t? done',
      'own? done',
    ])
  })
})

describe('who decided', () => {
  it('is a rule for what rules and remembered permissions say', async () => {
    const rules = [
      { tool: 'never', decision: 'deny' as const },
      { tool: 'free', decision: 'allow' as const },
    ]
    const runner = runnerOf([gated('never'), gated('free'), gated('t'), asking('own')], {
      policy: { rules, remember: true },
    })
    await runner.run('never')
    await runner.run('free')
    for (const name of ['t', 'own']) {
      const result = runner.run(name)
      await approveNext(runner, undefined, { remember: { for: 'args', until: 'session' } })
      await result
      await runner.run(name)
    }
    expect(
      runner.history().map(({ toolName, decision, by, outcome }) => [toolName, decision, by, outcome].join(' ')),
    ).toEqual([
      'never declined rule failed',
      'free approved rule done',
      't approved person done',
      't approved rule done',
      'own approved person done',
      'own approved rule done',
    ])
  })

  it('is nobody where nothing had to be decided', async () => {
    const runner = runnerOf([gated('t', { needsApproval: false })], { policy: { remember: true } })
    await runner.run('t')
    expect(runner.history()).toEqual([])
  })
})

describe('what is never in it', () => {
  it('is an answer’s data: no form, no feedback (K32)', async () => {
    const events: HistoryEntry[] = []
    const onDecision = (entry: HistoryEntry) => events.push(entry)
    const tool = recorded('t', (_args, ctx) => (ctx.answer ? 'done' : pending(request('r', { kind: 'input' }))))
    const history = [
      ...(await decided(tool, { data: { code: 'hunter2' } }, { onDecision })),
      ...(await decided(tool, { ok: false, data: { feedback: 'hunter2' } }, { onDecision })),
    ]
    expect([history.length, events.length]).toEqual([2, 2])
    expect(JSON.stringify([history, events])).not.toContain('hunter2')
  })

  it.each([
    'password',
    'Password',
    'passwd',
    'pwd',
    'passphrase',
    'passcode',
    'password2',
    'passwordConfirm',
    'DB_PASSWORD_PROD',
    'secret',
    'clientSecret',
    'client_secret',
    'token',
    'accessToken',
    'access_token',
    'apiKey',
    'api_key',
    'api-key',
    'API KEY',
    'accessKey',
    'privateKey',
    'private_key',
    'signingKey',
    'encryption_key',
    'credential',
    'credentials',
    'cvv',
    'cvc',
    'otp',
    'pin',
    'PIN',
    'pinCode',
    'pin_code',
    'mfaCode',
    'securityCode',
    'verification_code',
    'authorization',
    'Cookie',
    ...['Passwort', 'Kennwort', 'contraseña', 'contrasena', 'mot_de_passe', 'senha', 'clave', 'wachtwoord'],
    ...[
      'hasło',
      'haslo',
      'пароль',
      '密码',
      '密碼',
      'パスワード',
      'كلمة المرور',
      'userPassword2',
      'cardNumber',
      'IBAN',
      'ssn',
    ],
    ...['geheim_code', 'signing-key', 'parola_password'],
  ])('is a value under the name %s, however deep', async (name) => {
    const args = { [name]: 'hunter2', deep: [{ [name]: { inner: 'hunter2' } }], x: 'kept' }
    const [entry] = await decided(gated('t'), {}, {}, args)
    expect(JSON.stringify(entry)).not.toContain('hunter2')
    expect(Object.keys(entry?.args ?? {})).toEqual([name, 'deep', 'x'])
    expect(entry?.args?.x).toBe('kept')
  })

  it.each(['path', 'site', 'name', 'monkey', 'keyboard', 'spinner', 'shipping', 'opinion', 'author', 'topic'])(
    'is not a value under an ordinary name: %s',
    async (name) => {
      const [entry] = await decided(gated('t'), {}, {}, { [name]: 'kept' })
      expect(entry?.args).toEqual({ [name]: 'kept' })
    },
  )

  it('is what was shown, changed: the arguments that ran and the record stay whole', async () => {
    const tool = gated('t')
    const runner = runnerOf([tool])
    const result = runner.run('t', { token: 'hunter2' })
    const item = await approveNext(runner)
    await result
    expect([item.args, tool.seen[0]?.args]).toEqual([{ token: 'hunter2' }, { token: 'hunter2' }])
  })

  it('is a request’s data, however large', async () => {
    const runner = runnerOf([])
    for (let call = 0; call < 20; call++) {
      const answer = runner.waitFor(request(`q${call}`, { data: { big: 'x'.repeat(100_000) } }))
      runner.answer(`q${call}`, no(`q${call}`))
      await answer
    }
    expect(JSON.stringify(runner.history()).length).toBeLessThan(20_000)
  })
})

describe('the list', () => {
  it('is plain, frozen JSON, the same object until something is decided', async () => {
    const args = JSON.parse('{"__proto__":{"a":1},"constructor":"c","list":[null,{"x":1.5}]}')
    const tool = gated('t')
    const runner = runnerOf([tool])
    const result = runner.run('t', args)
    await approveNext(runner)
    await result
    const history = runner.history()
    expect(JSON.parse(JSON.stringify(history))).toEqual(history)
    expect(Object.keys(history[0]?.args ?? {})).toEqual(['__proto__', 'constructor', 'list'])
    expect(runner.history()).toBe(history)
    expect(Object.isFrozen(history) && Object.isFrozen(history[0]) && Object.isFrozen(history[0]?.args)).toBe(true)
    void runner.waitFor(request('a'))
    expect(runner.history()).toBe(history)
    runner.answer('a', yes('a'))
    expect(runner.history()).not.toBe(history)
  })

  it('keeps the newest 500, each with a number of its own', async () => {
    const runner = runnerOf([])
    for (let call = 1; call <= 1234; call++) {
      void runner.waitFor(request(`q${call}`))
      runner.answer(`q${call}`, call % 2 ? yes(`q${call}`) : no(`q${call}`))
      // Each reading writes all entries anew, so only where a limit could be passed.
      if ([1, 499, 500, 501, 999, 1000, 1001].includes(call)) {
        expect([runner.history().length, runner.history().at(-1)?.id]).toEqual([Math.min(call, 500), call])
      }
    }
    const history = runner.history()
    expect([history.length, history[0]?.id, history.at(-1)?.id, history.at(-1)?.prompt]).toEqual([
      500,
      735,
      1234,
      'q1234?',
    ])
  })

  it('survives arguments that JSON cannot say', async () => {
    const tool = gated('t')
    const runner = runnerOf([tool])
    for (const value of [Number.NaN, new Set(['a']), new Date(0), undefined, Number.POSITIVE_INFINITY]) {
      const result = runner.run('t', { value })
      await flush()
      if (runner.count() > 0) await approveNext(runner)
      await result
    }
    expect(() => JSON.stringify(runner.history())).not.toThrow()
    expect(JSON.parse(JSON.stringify(runner.history()))).toEqual(runner.history())
  })
})

describe('onDecision', () => {
  it('is told each decision as it is made, once, as the history has it', async () => {
    const told: HistoryEntry[] = []
    const runner = runnerOf([gated('t')], { onDecision: (entry) => told.push(entry) })
    const result = runner.run('t', { token: 'hunter2' })
    await approveNext(runner)
    expect(told).toMatchObject([{ id: 1, toolName: 't', decision: 'approved', by: 'person', args: { token: '•••' } }])
    await result
    void runner.waitFor(request('a'))
    runner.abort()
    expect(told.map(({ id, decision, by }) => `${id} ${decision} ${by}`)).toEqual([
      '1 approved person',
      '2 cancelled code',
    ])
  })

  it('that throws is told in the console and changes nothing', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const tool = gated('t')
    const runner = runnerOf([tool], { onDecision: throwing })
    const listener = vi.fn()
    const [first, second] = [runner.run('t'), runner.run('t')]
    await flush()
    runner.subscribe(listener)
    const item = runner.head()
    expect(runner.answer(item?.key ?? '', yes(item?.request.id ?? ''))).toBe(true)
    expect((await first).output).toBe('ran')
    runner.abort()
    expect((await second).output).toBe('cancelled')
    expect([runner.count(), runner.getState().runs.map(({ status }) => status)]).toEqual([0, ['done', 'cancelled']])
    expect(error).toHaveBeenCalledTimes(2)
    expect(listener).toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('may answer, ask and abort', async () => {
    let turns = 0
    const runner = runnerOf([gated('t')], {
      onDecision() {
        if (turns++ > 3) return
        const next = runner.head()
        if (next) runner.answer(next.key, no(next.request.id))
        void runner.waitFor(request(`more${turns}`))
        if (turns === 3) runner.abort()
      },
    })
    const results = [1, 2, 3].map(() => runner.run('t'))
    await flush()
    await approveNext(runner)
    await flush()
    runner.abort()
    const outputs = (await Promise.all(results)).map(({ output }) => output)
    expect(outputs).toHaveLength(3)
    expect(runner.count()).toBe(0)
    const ids = runner.history().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('is not an event: the events say nothing of an answer’s data either', async () => {
    const events: ToolEvent[] = []
    const runner = runnerOf([gated('t')], { onEvent: (event) => events.push(event) })
    const result = runner.run('t')
    await approveNext(runner, { feedback: 'hunter2' })
    await result
    expect(JSON.stringify(events)).not.toContain('hunter2')
  })
})
