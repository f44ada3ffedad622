// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { readRow } from '../../../src/store/persist/read-row.js'
import { isSameRequest, recordOfRow, rowOfItem, rowOfRun, turnOf } from '../../../src/store/persist/rows-of.js'
import type { LiveRun } from '../../../src/store/runs.js'
import { asking } from '../../support/asking.js'
import { item, row } from './rows.js'

const run = (rest: Partial<LiveRun> = {}): LiveRun => ({
  record: {
    id: 'run-1',
    toolCallId: 'call-1',
    toolName: 'deploy',
    args: { site: 'docs' },
    status: 'running',
    startedAt: 1000,
    events: [],
  },
  controller: new AbortController(),
  tool: asking('deploy', {}, { description: 'Deploys', source: 'app' }),
  onEnd: [],
  open: 0,
  callers: 1,
  joinKey: undefined,
  events: [],
  promise: Promise.resolve({ output: '', isError: false }),
  ...rest,
})

describe('the row of a call', () => {
  it('is plain data that reads back as it was: no controller, promise or function', () => {
    const stored = rowOfRun(run(), 'tab-1', { status: 'pending', item: item() })
    expect(JSON.parse(JSON.stringify(stored))).toEqual(stored)
    expect(readRow(stored)).toEqual(stored)
    expect(stored).toMatchObject({
      id: 'run-1',
      tab: 'tab-1',
      status: 'pending',
      startedAt: 1000,
      call: { toolCallId: 'call-1', toolName: 'deploy', args: { site: 'docs' } },
    })
  })

  it('says what the person was shown of its tool, and nothing where there is none', () => {
    const text = rowOfRun(run(), 't', { status: 'running' }).call?.tool
    expect(text).toContain('Deploys')
    expect(text).toContain('app')
    expect(rowOfRun(run({ tool: undefined }), 't', { status: 'running' }).call?.tool).toBe('')
  })

  it('has no member that is undefined', () => {
    const stored = rowOfRun(run(), 't', { status: 'done', result: undefined, approval: undefined })
    expect(Object.keys(stored).sort()).toEqual(['call', 'id', 'startedAt', 'status', 'tab', 'version'])
  })
})

describe('the row of a question no call asked', () => {
  it('goes by an id of its own, not by the request’s (K30)', () => {
    const stored = rowOfItem(item(), 'question-7', 'tab-1')
    expect(stored).toMatchObject({ id: 'question-7', status: 'pending', startedAt: 1000, item: item() })
    expect(stored.call).toBeUndefined()
  })
})

describe('the record of a row', () => {
  it.each([
    ['pending', undefined, 'waiting'],
    ['answered', undefined, 'waiting'],
    ['running', undefined, 'running'],
    ['done', undefined, 'done'],
    ['done', 'failed', 'failed'],
    ['done', 'cancelled', 'cancelled'],
    ['done', 'interrupted', 'interrupted'],
  ] as const)('of %s, outcome %s, is %s', (status, outcome, expected) => {
    expect(recordOfRow(row({ status, outcome }))?.status).toBe(expected)
  })

  it('is frozen, and has what is known of the call', () => {
    const result = { output: 'ok', isError: false }
    const record = recordOfRow(row({ status: 'done', result, endedAt: 2000 }))
    expect(record).toEqual({
      id: 'run-1',
      toolCallId: 'call-1',
      toolName: 'deploy',
      args: { site: 'docs' },
      status: 'done',
      startedAt: 1000,
      endedAt: 2000,
      result,
      events: [],
    })
    expect(Object.isFrozen(record)).toBe(true)
  })

  it('is none for a question no call asked', () => {
    expect(recordOfRow(row({ call: undefined }))).toBeUndefined()
  })
})

describe('what a call goes on with', () => {
  const answer = { id: 'q1', ok: true, data: { v: 0 } }

  it('is the question as it was shown, the arguments as they ran, and the answers in order', () => {
    const before = [{ id: 'q0', ok: true }]
    const stored = row({ turn: 2, answers: before, approval: { id: 'g', ok: true }, first: 'First?' })
    expect(turnOf(stored, answer)).toMatchObject({
      id: 'run-1',
      turn: 2,
      toolCallId: 'call-1',
      args: { site: 'docs' },
      item: item(),
      approval: { id: 'g', ok: true },
      first: 'First?',
      answers: before,
      answer,
    })
  })

  it('is the first of its questions where none came before', () => {
    expect(turnOf(row(), answer)).toMatchObject({ turn: 0, answers: [] })
  })

  it('is nothing without a call or a question', () => {
    expect(turnOf(row({ call: undefined }), answer)).toBeUndefined()
    expect(turnOf(row({ status: 'running', item: undefined }), answer)).toBeUndefined()
  })
})

describe('isSameRequest', () => {
  const request = { id: 'a', kind: 'input', prompt: 'p', data: { x: [1, { y: null }] } }

  it('does not care for the order of members', () => {
    expect(isSameRequest(request, { data: { x: [1, { y: null }] }, prompt: 'p', kind: 'input', id: 'a' })).toBe(true)
  })

  it.each([
    { ...request, id: 'b' },
    { ...request, prompt: 'q' },
    { ...request, url: 'https://x' },
    { ...request, data: { x: [1, { y: 0 }] } },
    null,
    undefined,
  ])('tells another apart (%#)', (other) => {
    expect(isSameRequest(request, other)).toBe(false)
  })
})
