// @vitest-environment node
import { pendingOf } from 'assent/core'
import { createMemoryStorage, createToolRunner, type PersistOptions, type StoredRow } from 'assent/runner'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { redactor } from '../../../src/store/persist/redact.js'
import { asking, no, recorded, yes } from '../../support/asking.js'
import { createBrowser, openIds, quiet, statuses, type Tab } from '../../support/tabs.js'
import { row } from './rows.js'

const SECRET = 'hunter2'
const DONE = { output: 'done', isError: false }
let said: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  said = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => void vi.unstubAllGlobals())

const answerHead = ({ runner }: Tab, ok: boolean, data?: Record<string, unknown>): boolean => {
  const item = runner.head()
  if (!item) throw new Error('no question')
  const { id } = item.request
  return runner.answer(item.key, { ...(ok ? yes(id) : no(id)), ...(data && { data }) })
}
const hideArgs: PersistOptions['redact'] = (stored) => ({
  ...stored,
  ...(stored.call && { call: { ...stored.call, args: {} } }),
  ...(stored.item && { item: { ...stored.item, args: {} } }),
})

describe('redactor', () => {
  it('stores a row as it is where nothing is to be hidden', () => {
    const given = row()
    expect(redactor(undefined)(given)).toBe(given)
    expect(redactor((one) => one)(given)).toEqual(given)
  })

  it('marks a row whose arguments or question were changed', () => {
    expect(redactor(hideArgs)(row())).toMatchObject({ isPartial: true, call: { args: {} } })
    expect(redactor((one) => ({ ...one, item: undefined }))(row())).toMatchObject({ isPartial: true })
  })

  it('does not mark one of which something else was left out', () => {
    const given = row({ status: 'done', result: { output: SECRET, isError: false } })
    expect(redactor((one) => ({ ...one, result: undefined }))(given)).not.toHaveProperty('isPartial')
  })

  it('gives out a copy, and keeps what the runner goes by', () => {
    const given = row()
    const redacted = redactor((one) => Object.assign(one, { id: 'other', status: 'done', tab: 'x', startedAt: 0 }))(
      given,
    )
    expect(redacted).toMatchObject({ id: 'run-1', status: 'pending', tab: 'tab-1', startedAt: 1000 })
    expect(given).toEqual(row())
  })

  it('stores nothing where it says so, or throws', () => {
    expect(redactor(() => undefined)(row())).toBeUndefined()
    const throwing = redactor(() => {
      throw new Error('no')
    })
    expect(throwing(row())).toBeUndefined()
    expect(said).toHaveBeenCalledOnce()
  })
})

describe('a call whose arguments are hidden', () => {
  it('runs with them in its own page', async () => {
    const browser = createBrowser()
    const tool = asking('t')
    const one = await browser.open({ tools: [tool], persist: { redact: hideArgs } })
    const result = one.runner.run('t', { token: SECRET })
    await quiet()
    answerHead(one, true)
    expect(await result).toEqual(DONE)
    expect(tool.attempts.map(({ args }) => args)).toEqual([{ token: SECRET }, { token: SECRET }])
    await quiet()
    expect(JSON.stringify(browser.written)).not.toContain(SECRET)
  })

  it('does not go on after a reload, and says that not all of it is stored', async () => {
    const browser = createBrowser()
    const persist = { redact: hideArgs }
    const one = await browser.open({ tools: [asking('t')], persist })
    void one.runner.run('t', { token: SECRET })
    await quiet()
    one.crash()
    const tool = asking('t')
    const two = await browser.open({ tools: [tool], persist })
    expect([openIds(two), statuses(two), tool.attempts.length]).toEqual([[], ['failed'], 0])
    expect(two.results).toEqual([{ output: 'cannot go on: t?: not all of it is stored', status: 'failed' }])
  })

  it('is not answered from another tab', async () => {
    const browser = createBrowser()
    const persist = { redact: hideArgs }
    const one = await browser.open({ tools: [asking('t')], persist })
    const two = await browser.open({ tools: [asking('t')], persist })
    void one.runner.run('t', { token: SECRET })
    await quiet()
    expect([one.runner.count(), two.runner.count()]).toEqual([1, 0])
  })

  it('is not resumed with other arguments than it had', async () => {
    const tool = asking('t')
    const persist = { storage: createMemoryStorage(), redact: hideArgs }
    const runner = createToolRunner({ tools: [tool], host: false, persist })
    const request = pendingOf(await runner.run('t', { amount: 5 }))
    if (!request) throw new Error('not suspended')
    expect((await runner.resume(request, yes(request.id))).isError).toBe(true)
    expect(tool.attempts.map(({ args }) => args)).toEqual([{ amount: 5 }])
    runner.dispose()
  })
})

describe('a call of which a part of the question is left out', () => {
  const hideItem: PersistOptions['redact'] = (stored) => ({ ...stored, item: undefined })

  it('goes on in its own page, also when the storage is read meanwhile', async () => {
    const browser = createBrowser()
    const persist = { redact: hideItem }
    const one = await browser.open({ tools: [asking('t')], persist })
    const result = one.runner.run('t')
    const answer = one.runner.waitFor({ id: 'q', kind: 'approval', prompt: SECRET })
    await quiet()
    const two = await browser.open({ tools: [asking('t')], persist })
    await quiet()
    answerHead(one, true)
    answerHead(one, true)
    expect([await result, await answer]).toEqual([DONE, yes('q')])
    expect([two.runner.count(), two.results]).toEqual([0, []])
    expect(JSON.stringify(browser.written)).not.toContain(SECRET)
  })
})

describe.each([
  ['undefined', () => undefined],
  [
    'an error',
    () => {
      throw new Error('no')
    },
  ],
])('a row for which redact gives %s', (_what, redact) => {
  it('is not stored, and its call goes on in its page', async () => {
    const browser = createBrowser()
    const tool = asking('t')
    const one = await browser.open({ tools: [tool], persist: { redact } })
    const result = one.runner.run('t', { token: SECRET })
    const answer = one.runner.waitFor({ id: 'q', kind: 'approval', prompt: SECRET })
    await quiet()
    expect(await browser.rows()).toEqual([])
    answerHead(one, true)
    answerHead(one, true)
    expect([await result, await answer]).toEqual([DONE, yes('q')])
    await quiet()
    expect(await browser.rows()).toEqual([])
    expect(browser.written.filter(({ call, item }) => call || item)).toEqual([])
    one.crash()
    const two = await browser.open({ tools: [tool] })
    expect([two.runner.count(), statuses(two)]).toEqual([0, []])
  })

  it('is not stored also where the storage takes its time and the answer comes at once', async () => {
    const below = createMemoryStorage()
    const storage = {
      ...below,
      delete: (id: string) => quiet(5).then(() => below.delete(id)),
      claim: (...rest: Parameters<typeof below.claim>) => quiet(1).then(() => below.claim(...rest)),
    }
    const tool = asking('t')
    const runner = createToolRunner({ tools: [tool], persist: { storage, redact } })
    await runner.restore()
    await quiet()
    const answer = runner.waitFor({ id: 'q', kind: 'approval', prompt: 'q?' })
    const result = runner.run('t')
    for (let turn = 0; turn < 50 && runner.count() < 2; turn++) await null
    for (const item of runner.getState().pending) runner.answer(item.key, yes(item.request.id))
    expect([await result, await answer]).toEqual([DONE, yes('q')])
    runner.dispose()
  })

  it('is not resumed: nobody could know what it was', async () => {
    const tool = asking('t')
    const persist = { storage: createMemoryStorage(), redact }
    const runner = createToolRunner({ tools: [tool], host: false, persist })
    const request = pendingOf(await runner.run('t'))
    if (!request) throw new Error('not suspended')
    expect((await runner.resume(request, yes(request.id))).output).toBe('no such suspension: t?')
    expect(tool.attempts).toHaveLength(1)
    runner.dispose()
  })
})

/** Every row that was ever written and what the storage holds, as text. */
const atRest = async (browser: ReturnType<typeof createBrowser>): Promise<string> =>
  JSON.stringify([browser.written, await browser.rows()])

describe('an answer’s data', () => {
  const tools = () => [
    asking('own', { kind: 'input' }),
    recorded('gate', () => 'done', { needsApproval: true }),
    asking('both', { kind: 'input' }, { needsApproval: true }),
    asking('hears', { kind: 'input' }, { onRefusal: 'retry' }),
  ]
  const play = async (persist: PersistOptions, at: 'reload' | 'tab' | 'here') => {
    const browser = createBrowser()
    const one = await browser.open({ tools: tools(), persist })
    for (const { name } of tools()) void one.runner.run(name)
    void one.runner.waitFor({ id: 'q', kind: 'input', prompt: 'q?' })
    await quiet()
    if (at === 'reload') one.crash()
    const two = await browser.open({ tools: tools(), persist })
    await quiet()
    const tab = at === 'here' ? one : two
    for (let turn = 0; turn < 10 && tab.runner.head(); turn++) {
      answerHead(tab, turn !== 1, { v: SECRET })
      await quiet()
    }
    expect([one, two].filter((each) => !each.isDead()).map(({ runner }) => runner.count())).toEqual(
      at === 'reload' ? [0] : [0, 0],
    )
    return browser
  }

  it.each(['here', 'tab', 'reload'] as const)('never rests where it is not allowed to (answered: %s)', async (at) => {
    expect(await atRest(await play({}, at))).not.toContain(SECRET)
  })

  it.each(['here', 'tab', 'reload'] as const)('is gone when all is done where it is (answered: %s)', async (at) => {
    const browser = await play({ keepAnswers: true }, at)
    expect(JSON.stringify(browser.written)).toContain(SECRET)
    expect(JSON.stringify(await browser.rows())).not.toContain(SECRET)
  })

  it('does not rest beside a suspension that nobody was asked', async () => {
    const browser = createBrowser()
    const make = () => [asking('t', {}, { needsApproval: true, maxQuestions: 2 })]
    const one = await browser.open({ tools: make(), host: false })
    const gate = pendingOf(await one.runner.run('t'))
    if (!gate) throw new Error('not suspended')
    const own = pendingOf(await one.runner.resume(gate, yes(gate.id, { feedback: SECRET })))
    if (!own) throw new Error('not suspended')
    await quiet()
    expect(await atRest(browser)).not.toContain(SECRET)
    expect(await one.runner.resume(own, yes(own.id, { v: SECRET }))).toEqual(DONE)
    await quiet()
    expect(await atRest(browser)).not.toContain(SECRET)
  })

  it('is what redact says where it may rest', async () => {
    const browser = createBrowser()
    const redact = ({ answer, ...rest }: StoredRow): StoredRow => ({
      ...rest,
      ...(answer && { answer: { id: answer.id, ok: answer.ok } }),
    })
    const one = await browser.open({ tools: [asking('t')], persist: { keepAnswers: true, redact } })
    void one.runner.run('t')
    await quiet()
    answerHead(one, true, { v: SECRET })
    await quiet()
    expect(await atRest(browser)).not.toContain(SECRET)
  })

  it('that a refusal was given with does not rest either', async () => {
    const browser = createBrowser()
    const one = await browser.open({ tools: [asking('t')] })
    const result = one.runner.run('t')
    await quiet()
    answerHead(one, false, { feedback: SECRET })
    expect((await result).metadata).toEqual({ reason: 'declined', feedback: SECRET })
    await quiet()
    expect(await atRest(browser)).not.toContain(SECRET)
  })

  it.each(['after the claim', 'in the run'] as const)('rests after a crash only where it may (%s)', async (when) => {
    for (const keepAnswers of [true, false]) {
      const browser = createBrowser()
      let crash = (): void => {}
      const tool = recorded('t', (_args, ctx) => {
        if (!ctx.answer)
          return { output: '', isError: true, metadata: { pending: { id: 'r', kind: 'input', prompt: 'r' } } }
        crash()
        return new Promise(() => {})
      })
      const one = await browser.open({ tools: [tool], persist: { keepAnswers } })
      void one.runner.run('t')
      await quiet()
      crash = one.crash
      if (when === 'after the claim') {
        one.onStep = ({ method, phase }) => method === 'claim' && phase === 'after' && one.crash()
      }
      answerHead(one, true, { v: SECRET })
      await quiet()
      expect((await atRest(browser)).includes(SECRET)).toBe(keepAnswers)
      const two = await browser.open({ tools: [tool], persist: { keepAnswers } })
      expect(statuses(two)).toEqual(['interrupted'])
      expect(JSON.stringify(await browser.rows())).not.toContain(SECRET)
    }
  })
})
