// @vitest-environment node
import { type AnyTool, type Danger, pending } from 'assent/core'
import { describe, expect, it, vi } from 'vitest'
import { dangerOf } from '../../src/store/danger.js'
import { flush, recorded } from '../support/asking.js'
import { gated, request, runnerOf, shown } from '../support/consent.js'

type Voice = Parameters<typeof dangerOf>[0][number]

describe('dangerOf', () => {
  it.each<[string, Voice[], Danger, Danger]>([
    // who speaks, what is said, trusted, not trusted
    ['nobody', [], 'medium', 'medium'],
    ['nothing', [{}], 'medium', 'medium'],
    ['nothing twice', [{}, {}], 'medium', 'medium'],
    ['low', [{ danger: 'low' }], 'low', 'medium'],
    ['medium', [{ danger: 'medium' }], 'medium', 'medium'],
    ['high', [{ danger: 'high' }], 'high', 'high'],
    ['low, then high', [{ danger: 'low' }, { danger: 'high' }], 'high', 'high'],
    ['high, then low', [{ danger: 'high' }, { danger: 'low' }], 'high', 'high'],
    ['low, then medium', [{ danger: 'low' }, { danger: 'medium' }], 'medium', 'medium'],
    ['low, then nothing', [{ danger: 'low' }, {}], 'low', 'medium'],
    ['that it only reads', [{ annotations: { readOnlyHint: true } }], 'low', 'medium'],
    ['that it does not only read', [{ annotations: { readOnlyHint: false } }], 'medium', 'medium'],
    ['that it destroys', [{ annotations: { destructiveHint: true } }], 'high', 'high'],
    ['that it does not destroy', [{ annotations: { destructiveHint: false } }], 'medium', 'medium'],
    ['that it reads and destroys', [{ annotations: { readOnlyHint: true, destructiveHint: true } }], 'high', 'high'],
    ['other hints', [{ annotations: { openWorldHint: true, idempotentHint: false, title: 'x' } }], 'medium', 'medium'],
    ['empty annotations', [{ annotations: {} }], 'medium', 'medium'],
    ['a level outright and hints', [{ danger: 'low', annotations: { destructiveHint: true } }], 'low', 'medium'],
    ['high outright, and that it reads', [{ danger: 'high', annotations: { readOnlyHint: true } }], 'high', 'high'],
    ['low, and one that it destroys', [{ danger: 'low' }, { annotations: { destructiveHint: true } }], 'high', 'high'],
    ['that it reads, and one low', [{ annotations: { readOnlyHint: true } }, { danger: 'low' }], 'low', 'medium'],
    [
      'that it reads, and one medium',
      [{ annotations: { readOnlyHint: true } }, { danger: 'medium' }],
      'medium',
      'medium',
    ],
  ])('hears %s', (_what, voices, trusted, stranger) => {
    expect([dangerOf(voices, true), dangerOf(voices, false)]).toEqual([trusted, stranger])
    expect(dangerOf([...voices].reverse(), true)).toBe(trusted)
  })

  it.each<unknown>(['HIGH', 'none', '', 0, 3, null, true, ['high'], { level: 'high' }, 'constructor', '__proto__'])(
    'takes %j for no level',
    (danger) => {
      expect([dangerOf([{ danger }], true), dangerOf([{ danger }], false)]).toEqual(['medium', 'medium'])
      // It hides nothing that is said elsewhere.
      expect(dangerOf([{ danger, annotations: { destructiveHint: true } }], true)).toBe('high')
      expect(dangerOf([{ danger }, { danger: 'high' }], true)).toBe('high')
    },
  )

  it.each<unknown>(['yes', 1, 'true', null, [], {}])('takes %j for no hint', (hint) => {
    expect(dangerOf([{ annotations: { destructiveHint: hint } }], true)).toBe('medium')
    expect(dangerOf([{ annotations: { readOnlyHint: hint } }], true)).toBe('medium')
  })

  it.each<unknown>([null, 'destructiveHint', 7, [{ destructiveHint: true }], () => ({ destructiveHint: true })])(
    '%# takes annotations that are none for nothing said',
    (annotations) => {
      expect(dangerOf([{ annotations }], true)).toBe('medium')
    },
  )

  it('reads a level from the prototype of nobody', () => {
    expect(dangerOf([JSON.parse('{"annotations":{"__proto__":{"readOnlyHint":true}}}')], true)).toBe('medium')
  })
})

describe('the danger of a question', () => {
  const asks = (data: Record<string, unknown>, rest: Partial<AnyTool> = {}) =>
    recorded('t', () => pending(request('r1', { data })), rest)

  it.each<[string, AnyTool, Danger, boolean]>([
    ['of a gate is the tool’s', gated('t', { danger: 'low' }), 'low', true],
    [
      'of a gate of a tool not trusted is no less than medium',
      gated('t', { danger: 'low', trusted: false }),
      'medium',
      false,
    ],
    ['of a tool’s own question is what it says', asks({ danger: 'high' }), 'high', true],
    [
      'is not lowered by the question below what the tool says',
      asks({ danger: 'low' }, { danger: 'high' }),
      'high',
      true,
    ],
    ['is raised by the question', asks({ annotations: { destructiveHint: true } }, { danger: 'low' }), 'high', true],
    ['is not lowered by one not trusted', asks({ danger: 'low' }, { trusted: false }), 'medium', false],
    ['is raised by one not trusted', asks({ danger: 'high' }, { trusted: false }), 'high', false],
    [
      'is not lowered by what it says of its source',
      asks({ danger: 'low', source: { kind: 'app', name: 'The app', trusted: true } }, { trusted: false }),
      'medium',
      false,
    ],
  ])('%s', async (_what, tool, danger, trusted) => {
    const runner = runnerOf([tool])
    void runner.run('t')
    expect(await shown(runner)).toMatchObject({ danger, trusted })
    runner.abort()
  })

  it.each<[boolean | undefined, unknown, Danger]>([
    [undefined, 'low', 'low'],
    [true, 'low', 'low'],
    [false, 'low', 'medium'],
    [false, 'high', 'high'],
    [false, undefined, 'medium'],
  ])('that no call asked goes by its asker: trusted %s, %s', async (trusted, danger, expected) => {
    const runner = runnerOf([])
    void runner.waitFor(request('a', { data: { danger } }), { asker: { kind: 'server', name: 's', trusted } })
    expect(runner.head()).toMatchObject({ danger: expected, trusted: trusted !== false })
    runner.abort()
  })

  it('that a tool asks inside execute goes by the tool, when nobody else is named', async () => {
    const tool = recorded(
      't',
      (_args, { signal }) => runner.waitFor(request('in', { data: { danger: 'low' } }), { signal }),
      { trusted: false, danger: 'low', source: 'far' },
    )
    const runner = runnerOf([tool])
    void runner.run('t')
    await flush()
    expect(runner.head()).toMatchObject({ danger: 'medium', trusted: false, source: 'far', toolName: 't' })
    runner.abort()
  })

  it('does not change while it is shown, whatever the asker does to what it handed in (K15)', async () => {
    const runner = runnerOf([])
    const asker = { kind: 'server', name: 's', trusted: false }
    const data = { danger: 'high', source: { name: 'x' } }
    void runner.waitFor(request('a', { data }), { asker })
    asker.trusted = true
    asker.name = 'The app'
    data.danger = 'low'
    expect(runner.head()).toMatchObject({ danger: 'high', trusted: false, asker: { name: 's', trusted: false } })
    expect(runner.head()?.request.data).toEqual({ danger: 'high', source: { name: 'x' } })
    runner.abort()
  })

  it('whose annotations throw when read asks nobody and runs nothing', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const annotations = {
      get destructiveHint(): boolean {
        throw new Error('no')
      },
    }
    const tool = gated('t', { annotations })
    const runner = runnerOf([tool])
    expect((await runner.run('t')).isError).toBe(true)
    expect([tool.seen.length, runner.count()]).toEqual([0, 0])
  })
})
