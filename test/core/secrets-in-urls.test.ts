// @vitest-environment node
import { authRequired, offered, pending, pendingOf, runTool, type ToolEvent } from 'assent/core'
import { createMemoryStorage } from 'assent/runner'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as Y from 'yjs'
import { shareQuestions } from '../../src/adapters/yjs.js'
import { withoutPasswords } from '../../src/core/secrets/without-secrets.js'
import { flush, yes } from '../support/asking.js'
import { gated, request, runnerOf, shown } from '../support/consent.js'

afterEach(() => void vi.restoreAllMocks())

const WORD = 'hunter2'

const withPassword = [
  'https://user:hunter2@host.example/',
  'HTTPS://USER:hunter2@HOST.EXAMPLE/',
  'http://:hunter2@host/',
  'https://user:hunter2@host:8443/p?q#f',
  'https://user@mail.example:hunter2@smtp.example',
  'postgres://u:hunter2@db/x',
  'redis://:hunter2@r:6379',
  'mongodb+srv://u:hunter2@c/',
  'jdbc:mysql://u:hunter2@h/db',
  'git+https://u:hunter2@g/x.git',
  'blob:https://u:hunter2@h/x',
  'https:user:hunter2@h',
  'https:/user:hunter2@h',
  'https:\\\\user:hunter2@h',
  'https:///user:hunter2@h',
  '//user:hunter2@h/x',
  'https://user:p@hunter2@h/',
  'https://user:a:hunter2:b@h',
  'https://user:hunter2:80@h',
  'https://user:hunter2@[::1]:80/',
  'https://u:hunter2/x@h/',
  'https://u:x#hunter2@h/',
  'https://u:x?hunter2@h/',
  'https://u:#hunter2@h/',
  'https://user%3Ahunter2@h',
  'https://user:\u200Bhunter2@h/',
  'https://üser:hunter2ü@h/',
  'https://a.example/login?next=https%3A%2F%2Fuser%3Ahunter2%40h%2F&x=1',
  'https://a.example/?n=https%253A%252F%252Fuser%253Ahunter2%2540h',
  'https://a.example/?n=https://user:hunter2@h&x=a@b',
  'Sign in at https://user:hunter2@host.example/ please',
  'see <https://user:hunter2@h/>',
  'a,https://u:hunter2@h,https://v:hunter2@h2',
  '{"url":"https://u:hunter2@h","m":"x@y"}',
]

const withoutOne = [
  'https://host.example/',
  'https://host:8080/@user',
  'https://user@host:80/x',
  'https://[::1]:3000/@x',
  'http://localhost:3000/path?x=a@b',
  'https://registry.example/@scope/pkg',
  'https://medium.example/@user:foo@bar',
  'https://a.example/?redirect_uri=https%3A%2F%2Fapp.example%3A3000%2Fcb&login_hint=bob%40example.com',
  'https://a.example/?redirect_uri=https%3A%2F%2Fapp.example%3A3000&login_hint=bob%40example.com',
  'https://a.example/?redirect_uri=https://app.example:3000&login_hint=bob@example.com',
  'mailto:bob@example.com',
  'git@git.example:foo/bar.git',
  'ssh://git@git.example:22/foo',
  'https://a.b:80 and bob@example.com',
  '{"h":"https://a.b","m":"x@y.z"}',
  '<a href="https://a.b:80">x@y</a>',
  'time 12:30 @ the office',
  'https://example.com#a:b@c',
  'C:\\Users\\a@b',
  'https://host/a:b@c',
]

describe('a password in an address (FAULT-30)', () => {
  it.each(withPassword)('is left out of %j', (text) => {
    const clean = withoutPasswords({ text, list: [{ deep: text }] })
    expect(JSON.stringify(clean)).not.toContain(WORD)
    expect(clean.text).toContain('•••')
    expect(withoutPasswords(clean)).toEqual(clean)
  })

  it.each(withoutOne)('is none in %j', (text) => {
    expect(withoutPasswords(text)).toBe(text)
  })

  it.each(['//a:', 'https:a:', '/', ':', '@:', '%2f', '%25', '//a:b', '//%3a', '=//u:&@'])(
    'is looked for in bounded time in many %j',
    (part) => {
      const start = performance.now()
      withoutPasswords(`//${part.repeat(100_000 / part.length)}`)
      expect(performance.now() - start).toBeLessThan(2000)
    },
  )
})

const URL_WITH = `https://user:${WORD}@host.example/`
const asked = {
  kind: 'authorization',
  prompt: `Sign in at ${URL_WITH}`,
  url: URL_WITH,
  data: { reason: URL_WITH, details: `see ${URL_WITH}`, deep: [{ x: URL_WITH }], schema: { title: URL_WITH } },
}
const asks = (data: object = {}) => ({
  name: 'login',
  description: 'login',
  execute: (_args: unknown, ctx: { answer?: unknown }) => (ctx.answer ? 'in' : pending({ ...asked, ...data })),
})

describe('a request with one (FAULT-30)', () => {
  it.each(['a tool', 'waitFor'])('of %s has none in the item, the events, the history or a row', async (who) => {
    const storage = createMemoryStorage()
    const events: ToolEvent[] = []
    const decisions: unknown[] = []
    const runner = runnerOf([asks()], {
      persist: { storage },
      onEvent: (event) => events.push(event),
      onDecision: (entry) => decisions.push(entry),
    })
    const result = who === 'a tool' ? runner.run('login') : runner.waitFor(request('q', asked))
    await vi.waitUntil(() => runner.head() !== undefined)
    const { key, request: seen } = await shown(runner)
    expect(seen).toMatchObject({ url: 'https://user:•••@host.example/', prompt: expect.stringContaining('•••') })
    await vi.waitUntil(async () => (await storage.all()).length > 0)
    const waiting = await storage.all()
    const state = JSON.stringify(runner.getState())
    runner.answer(key, { id: seen.id, ok: false, reason: 'declined' })
    await result
    await flush()
    const all = [seen, events, decisions, runner.history(), waiting, await storage.all(), state, runner.getState()]
    expect(JSON.stringify(all)).not.toContain(WORD)
    expect(runner.history()).toHaveLength(1)
    runner.dispose()
  })

  it('has none in the asker', async () => {
    const runner = runnerOf([])
    void runner.waitFor(request('q'), { asker: { kind: 'server', name: 'crm', origin: URL_WITH } })
    const { key } = await shown(runner)
    expect(runner.head()?.asker?.origin).toBe('https://user:•••@host.example/')
    runner.answer(key, yes('q'))
    expect(JSON.stringify(runner.history())).not.toContain(WORD)
  })

  it('does not share it', async () => {
    const doc = new Y.Doc()
    const runner = runnerOf([gated('t')])
    const shared = shareQuestions(runner, { doc })
    void runner.waitFor(
      request('q', { ...asked, data: { ...asked.data, calls: [{ name: 'x', input: { u: URL_WITH } }] } }),
    )
    void runner.run('t', { u: URL_WITH, contraseña: 'other' })
    await flush()
    const left = JSON.stringify(doc.getMap('assent').toJSON())
    expect(doc.getMap('assent').size).toBe(2)
    expect(left).not.toContain(WORD)
    expect(left).not.toContain('other')
    shared.dispose()
    runner.dispose()
  })

  it('keeps the arguments that run, also of the calls under review', async () => {
    const tool = gated('t')
    const runner = runnerOf([tool])
    const result = runner.run('t', { u: URL_WITH })
    const item = await shown(runner)
    expect(item.args).toEqual({ u: URL_WITH })
    runner.answer(item.key, yes(item.request.id))
    await result
    expect(tool.seen[0]?.args).toEqual({ u: URL_WITH })
    expect(runner.history()[0]?.args).toEqual({ u: 'https://user:•••@host.example/' })
    const calls = [{ id: 'c', name: 'x', input: { u: URL_WITH }, description: URL_WITH }]
    void runner.waitFor(request('q', { data: { calls } }))
    const { request: seen } = await shown(runner)
    expect(seen.data?.calls).toEqual([{ ...calls[0], description: 'https://user:•••@host.example/' }])
    runner.dispose()
  })

  it('is found again by who resumes with what the tool wrote', async () => {
    const storage = createMemoryStorage()
    const runner = runnerOf([asks()], { host: false, persist: { storage } })
    const result = await runner.run('login')
    const wire = pendingOf(result)
    expect(wire?.url).toBe(URL_WITH)
    expect(JSON.stringify([await storage.all(), runner.getState()])).not.toContain(WORD)
    if (!wire) throw new Error('no suspension')
    expect((await runner.resume(wire, yes(wire.id))).output).toBe('in')
    runner.dispose()
  })

  it('is shown without it when a row was written before this was so', async () => {
    const storage = createMemoryStorage()
    const first = runnerOf([], { persist: { storage } })
    void first.waitFor(request('q', { url: 'https://user:x@host.example/' }))
    await vi.waitUntil(async () => (await storage.all()).length > 0)
    for (const row of await storage.all()) {
      const old = JSON.parse(JSON.stringify(row).replaceAll('•••', WORD))
      expect(JSON.stringify(old)).toContain(WORD)
      await storage.put(old)
    }
    first.dispose()
    const next = runnerOf([], { persist: { storage } })
    await next.restore()
    await vi.waitUntil(() => next.head() !== undefined)
    expect(next.head()?.request.url).toBe('https://user:•••@host.example/')
    next.dispose()
  })

  it('stays on the wire of runTool as the tool wrote it', async () => {
    const waitFor = vi.fn(async ({ id }: { id: string }) => yes(id))
    await runTool(asks(), {}, { waitFor })
    expect(waitFor).toHaveBeenCalledWith(expect.objectContaining(asked), expect.anything())
    expect((await runTool(asks(), {})).metadata?.pending).toMatchObject(asked)
    expect(authRequired(URL_WITH).output).toContain(WORD)
  })
})

it('choices whose passwords are hidden cannot be taken, so that no mark is sent for a value', async () => {
  const runner = runnerOf([])
  const answer = runner.waitFor(
    request('q', { data: { choices: ['https://u:one@h.example', 'https://u:two@h.example'] } }),
  )
  const item = await shown(runner)
  expect(JSON.stringify(item)).not.toMatch(/one@|two@/)
  for (const data of [undefined, { choice: 'https://u:•••@h.example' }, { choice: 'https://u:one@h.example' }]) {
    expect(offered(item, yes('q', data))).toBe(false)
  }
  runner.abort()
  await answer
})
