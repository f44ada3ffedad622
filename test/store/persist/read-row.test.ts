// @vitest-environment node
import type { PendingItem } from 'assent/runner'
import { createToolRunner } from 'assent/runner'
import { describe, expect, it } from 'vitest'
import { createMemoryStorage } from '../../../src/store/persist/memory-storage.js'
import { ROW_VERSIONS, readRow, readRows } from '../../../src/store/persist/read-row.js'
import type { StoredRow } from '../../../src/store/persist/stored-row.js'
import { asking, flush } from '../../support/asking.js'
import { item, problems, row } from './rows.js'

type Loose = Record<string, unknown>

const nested = (depth: number): unknown => (depth === 0 ? 0 : [nested(depth - 1)])
const circle: Loose = {}
circle.self = circle
const throwing = (member: string): unknown =>
  Object.defineProperty({ ...row() }, member, {
    enumerable: true,
    get() {
      throw new Error('poison')
    },
  })
const withRow = (rest: Loose): unknown => ({ ...row(), ...rest })
const withItem = (rest: Loose): unknown => ({ ...row(), item: { ...item(), ...rest } })
const withCall = (rest: Loose): unknown => ({ ...row(), call: { ...row().call, ...rest } })
const without = (member: keyof StoredRow): unknown => ({ ...row(), [member]: undefined })
const answered = (answer: unknown): unknown => ({ ...row(), status: 'answered', answer })

const { runId: _run, toolCallId: _call, toolName: _tool, args: _args, ...standalone } = item()

const isFrozen = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen))

const whole: StoredRow = row({
  status: 'done',
  item: item({
    request: {
      id: 'q1',
      kind: 'input',
      prompt: '',
      url: 'https://a.example',
      expiresAt: '2030-01-01T00:00:00Z',
      data: { schema: { type: 'object' }, 'x-own': [1, null] },
    },
    schema: { type: 'object' },
    danger: 'high',
    isGate: true,
    trusted: false,
    asker: { kind: 'server', name: 'files', origin: 'https://a.example', trusted: false },
    argsSchema: true,
    rememberable: 'always',
    expiresAt: Date.UTC(2030, 0, 1),
    source: 'mcp',
  }),
  answers: [{ id: 'q0', ok: true, data: { value: 'x' } }],
  approval: { id: 'gate', ok: true },
  answer: { id: 'q1', ok: false, reason: 'declined', data: { feedback: 'no' } },
  by: 'tab-2',
  isPartial: true,
  outcome: 'failed',
  result: { output: 'x', isError: true, metadata: { a: 1 } },
  endedAt: 2000,
})

describe('readRow', () => {
  it.each<[string, StoredRow]>([
    ['a call whose question waits', row()],
    ['a question no call asked', row({ call: undefined, item: standalone })],
    ['every member there is', whole],
    ['a call that ended, without its question', row({ status: 'done', item: undefined, outcome: 'done' })],
    ['a call that runs', row({ status: 'running', answer: { id: 'q1', ok: true } })],
  ])('takes %s', (_what, given) => {
    expect(readRow(given)).toEqual(given)
  })

  it('takes the item of a real question as it was', async () => {
    const runner = createToolRunner({ tools: [asking('deploy', { expiresAt: '2100-01-01T00:00:00+01:00' })] })
    runner.attach({}, 'dialog')
    void runner.run('deploy', { site: 'docs' })
    await flush()
    const [open] = runner.getState().pending
    const storage = createMemoryStorage()
    await storage.put(row({ item: open }))
    expect(readRow((await storage.all())[0])?.item).toEqual(open)
    runner.dispose()
  })

  it('gives a copy that nobody can change', () => {
    const given = structuredClone(whole)
    const read = readRow(given)
    expect(isFrozen(read)).toBe(true)
    Object.assign(given.item?.request ?? {}, { prompt: 'changed' })
    expect(read).toEqual(whole)
  })

  it('keeps any name of an argument as its own (K19)', () => {
    const args: unknown = JSON.parse('{"__proto__":{"ok":true},"constructor":1,"":2,"a.b":3}')
    const read = readRow(withItem({ args }))
    expect(JSON.stringify(read?.item?.args)).toBe(JSON.stringify(args))
    expect(Object.getPrototypeOf(read?.item?.args)).toBe(Object.prototype)
  })

  it('leaves out what no row, item, call or asker has', () => {
    const strange: unknown = JSON.parse('{"__proto__":{"status":"done"},"approve":"x","toString":1}')
    const read = readRow({
      ...row(),
      ...(strange as object),
      call: { ...row().call, ...(strange as object) },
      item: { ...item({ asker: { kind: 'a', name: 'b' } }), ...(strange as object) },
    })
    expect(read).toEqual(row({ item: item({ asker: { kind: 'a', name: 'b' } }) }))
    expect(Object.keys(read?.item ?? {})).not.toContain('approve')
  })

  it.each<[string, Partial<PendingItem>, unknown, number | undefined]>([
    ['later than its request says', { expiresAt: 9e15 }, '2030-01-01T00:00:00Z', Date.UTC(2030, 0, 1)],
    ['never, though its request does', {}, '2030-01-01T00:00:00Z', Date.UTC(2030, 0, 1)],
    ['though its request does not', { expiresAt: 1 }, undefined, undefined],
    ['at a time nobody can read', { expiresAt: 1 }, 'soon', undefined],
  ])('goes by the request where the item ends %s', (_what, rest, expiresAt, end) => {
    const request = { id: 'q1', kind: 'approval', prompt: 'P', expiresAt }
    expect(readRow(withItem({ ...rest, request }))?.item?.expiresAt).toBe(end)
  })

  it.each<[string, unknown]>([
    [
      'a request whose other fields are of any type',
      { id: 'q1', kind: 'x', prompt: 'P', url: 5, data: 'x', expiresAt: {} },
    ],
    ['a prompt of 6 MB', { id: 'q1', kind: 'x', prompt: 'x'.repeat(6e6) }],
  ])('takes %s, as a runner does', (_what, request) => {
    expect(readRow(withItem({ request }))?.item?.request).toEqual(request)
  })

  it('counts a circle, a map and a date for what JSON makes of them', () => {
    const data = { at: new Date(0), map: new Map([['a', 1]]), none: undefined }
    const read = readRow(withItem({ request: { id: 'q1', kind: 'x', prompt: 'P', data } }))
    expect(read?.item?.request.data).toEqual({ at: '1970-01-01T00:00:00.000Z', map: {} })
    expect(readRow(withItem({ args: circle }))).toBeUndefined()
  })

  const WRONG: [string, unknown][] = [
    ['nothing', undefined],
    ['the text "{"', '{'],
    ['the text "null"', 'null'],
    ['null', null],
    ['the text "[]"', '[]'],
    ['[]', []],
    ['{}', {}],
    ['5', 5],
    ['6 MB of text', 'x'.repeat(6e6)],
    ['6 MB that are no row', { version: 1, id: 'run-1', junk: 'x'.repeat(6e6) }],
    ['a function', () => row()],
    ['a map', new Map(Object.entries(row()))],
    ['a row as prototype', Object.create(row())],
    ['a row that throws when it is looked at', throwing('status')],
    ['a version that throws when it is looked at', throwing('version')],
    [
      'a proxy that throws',
      new Proxy(row(), {
        ownKeys: () => {
          throw new Error('poison')
        },
      }),
    ],
    ['another kind of version', withRow({ version: '1' })],
    ['a version between two', withRow({ version: 1.5 })],
    ['a version nobody leads on from', withRow({ version: 0 })],
    ['a version below all', withRow({ version: -1 })],
    ['no version', without('version')],
    ['no id', without('id')],
    ['an empty id', withRow({ id: '' })],
    ['an id that is no text', withRow({ id: 5 })],
    ['no status', without('status')],
    ['an unknown status', withRow({ status: 'approved' })],
    ['a status from the prototype', withRow({ status: 'constructor' })],
    ['no tab', without('tab')],
    ['no start', without('startedAt')],
    ['a start that is no number', withRow({ startedAt: Number.NaN })],
    ['a start without end', withRow({ startedAt: Number.POSITIVE_INFINITY })],
    ['an end that is text', withRow({ endedAt: 'now' })],
    ['a call that is null', withRow({ call: null })],
    ['a call that is a list', withRow({ call: [] })],
    ['a call without tool name', withCall({ toolName: undefined })],
    ['a call without id', withCall({ toolCallId: 7 })],
    ['a call whose arguments are a list', withCall({ args: [] })],
    ['a call whose arguments are null', withCall({ args: null })],
    ['a call without what was shown of the tool', withCall({ tool: undefined })],
    ['a call of another tool than the question', withCall({ toolName: 'other' })],
    ['a question that waits and is not there', without('item')],
    ['an answered question that is not there', withRow({ status: 'answered', item: undefined })],
    ['a question that is null', withRow({ item: null })],
    ['a question that is text', withRow({ item: 'item' })],
    ['a question without key', withItem({ key: undefined })],
    ['a request that is null', withItem({ request: null })],
    ['a request without prompt', withItem({ request: { id: 'q1', kind: 'approval' } })],
    ['a request whose id is a number', withItem({ request: { id: 1, kind: 'approval', prompt: 'P' } })],
    [
      'a request nested too deep',
      withItem({ request: { id: 'q1', kind: 'x', prompt: 'P', data: { a: nested(300) } } }),
    ],
    [
      'a request nested without end',
      withItem({ request: { id: 'q1', kind: 'x', prompt: 'P', data: { a: nested(5000) } } }),
    ],
    [
      'a request with too many values',
      withItem({ request: { id: 'q1', kind: 'x', prompt: 'P', data: { a: Array(1e5 + 1).fill([]) } } }),
    ],
    ['arguments that are a list', withItem({ args: [1] })],
    ['arguments with a big integer', withItem({ args: { a: 1n } })],
    ['a place in the queue that is none', withItem({ seq: 'first' })],
    ['no time of asking', withItem({ askedAt: null })],
    ['an unknown danger', withItem({ danger: 'none' })],
    ['no word on trust', withItem({ trusted: undefined })],
    ['trust that is text', withItem({ trusted: 'yes' })],
    ['a gate that is none', withItem({ isGate: false })],
    ['an asker that is text', withItem({ asker: 'server' })],
    ['an asker without name', withItem({ asker: { kind: 'server' } })],
    ['an asker whose origin is an object', withItem({ asker: { kind: 'a', name: 'b', origin: {} } })],
    ['a tool name that is an object', withItem({ toolName: {} })],
    ['a source that is a number', withItem({ source: 1 })],
    ['a schema of the arguments that is text', withItem({ argsSchema: '{}' })],
    ['an unknown time of remembering', withItem({ rememberable: 'forever' })],
    ['an unknown way of being restored', withItem({ restored: true })],
    ['an answer that is true', answered(true)],
    ['an answer without ok', answered({ id: 'q1' })],
    ['an answer whose ok is text', answered({ id: 'q1', ok: 'true' })],
    ['an answer to another question (K3)', answered({ id: 'q2', ok: true })],
    ['an answer whose data is a list', answered({ id: 'q1', ok: true, data: [] })],
    ['an answer with an unknown reason', answered({ id: 'q1', ok: false, reason: 'rejected' })],
    ['earlier answers that are no list', withRow({ answers: { id: 'q0', ok: true } })],
    ['an earlier answer that is null', withRow({ answers: [null] })],
    ['an approval that is true', withRow({ approval: true })],
    ['a giver that is no text', withRow({ by: 5 })],
    ['a part that is text', withRow({ isPartial: 'yes' })],
    ['an unknown outcome', withRow({ outcome: 'ok' })],
    ['a result that is text', withRow({ result: 'done' })],
    ['a result without output', withRow({ result: { isError: false } })],
    ['a result whose metadata is a list', withRow({ result: { output: '', isError: false, metadata: [] } })],
  ]

  it.each(WRONG)('takes no %s for a row', (_what, value) => {
    expect(readRow(value)).toBeUndefined()
  })

  it('lets each of them pass alone: the rows around are read (K29)', () => {
    const { onProblem, told } = problems()
    const values = WRONG.flatMap(([, value]) => [value, row()])
    const { rows, newer } = readRows(values, onProblem)
    expect(rows).toEqual(WRONG.map(() => row()))
    expect(newer).toEqual([])
    expect(told.map(({ kind }) => kind)).toEqual(WRONG.map(() => 'row'))
    expect(told.every(({ error }) => error instanceof Error)).toBe(true)
  })
})

describe('readRows', () => {
  it('tells the id of a row that is none, where it has one', () => {
    const { onProblem, kinds } = problems()
    readRows([withRow({ tab: 5 }), '{', withRow({ id: 7 }), throwing('id')], onProblem)
    expect(kinds()).toEqual(['row run-1', 'row', 'row', 'row'])
  })

  it('keeps what a newer version wrote apart, and as it is', () => {
    const { onProblem, told } = problems()
    const later = { version: 2, id: 'run-9', something: 'else' }
    expect(readRows([later, row()], onProblem)).toEqual({ rows: [row()], newer: [later] })
    expect(told).toEqual([])
    expect(readRow(later)).toBeUndefined()
  })

  it('reads a list of a thousand', () => {
    const rows = Array.from({ length: 1000 }, (_, n) => row({ id: `run-${n}` }))
    expect(readRows(rows, () => {}).rows).toEqual(rows)
  })
})

describe('an older row', () => {
  const old = { version: 1, id: 'run-1', state: 'waiting', rest: row() }
  const versions = {
    current: 3,
    migrations: {
      1: ({ state, ...rest }: Readonly<Loose>) => ({ ...rest, status: state === 'waiting' ? 'pending' : state }),
      2: ({ rest, ...own }: Readonly<Loose>) => ({ ...(rest as object), ...own }),
    },
  }

  it('goes through each migration in turn', () => {
    expect(readRow(old, versions)).toEqual(row({ version: 3 }))
  })

  it('starts at its own version', () => {
    expect(readRow({ version: 2, status: 'running', rest: row() }, versions)).toEqual(
      row({ version: 3, status: 'running' }),
    )
    expect(readRow(row({ version: 3 }), versions)).toEqual(row({ version: 3 }))
  })

  it.each<[string, unknown, Loose]>([
    ['no migration leads on', old, { 1: versions.migrations[1] }],
    [
      'a migration throws',
      old,
      {
        ...versions.migrations,
        2: () => {
          throw new Error('no')
        },
      },
    ],
    ['a migration makes no row of it', old, { 1: () => ({}), 2: () => ({}) }],
    ['a migration gives nothing', old, { 1: () => undefined, 2: versions.migrations[2] }],
  ])('is dropped where %s', (_what, value, migrations) => {
    const { onProblem, kinds } = problems()
    const given = { current: 3, migrations: migrations as typeof versions.migrations }
    expect(readRows([value], onProblem, given)).toEqual({ rows: [], newer: [] })
    expect(kinds()).toEqual(['row run-1'])
  })

  it('is not needed yet: version 1 is the first', () => {
    expect(ROW_VERSIONS).toEqual({ current: 1, migrations: {} })
  })
})
