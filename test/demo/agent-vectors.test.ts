// @vitest-environment node
// The rows of the handed contract that speak of an agent loop around the call (DESIGN 7.1). The `anthropic` rows run on
// the same loop: it knows no wire style. `usage` is not in the events: the demo's loop counts no tokens.
import { type Answer, type PendingRequest, pending, type Tool, type ToolResult } from 'assent/core'
import { createToolRunner, type ToolRunnerOptions } from 'assent/runner'
import { describe, expect, test } from 'vitest'
import { type AgentOutcome, runAgent } from '../../demo/agent/agent-loop.js'
import rows from '../cases/toolnexus-vectors.json' with { type: 'json' }
import { call, modelOf } from './scripted.js'

interface Attempt extends Partial<ToolResult> {
  pending?: PendingRequest
}
interface ToolRow {
  name: string
  args?: Record<string, unknown>
  delayMs?: number
  absent?: boolean
  attempts: Attempt[]
}
interface Row {
  id: string
  tool?: ToolRow
  tools?: ToolRow[]
  host?: {
    none?: boolean
    answer?: Omit<Answer, 'id'>
    delayMs?: number
    byId?: Record<string, Omit<Answer, 'id'>>
    delayById?: Record<string, number>
  }
  expect: {
    status?: string
    text?: string
    llmCalls?: number
    pending?: Partial<PendingRequest>
    results?: ToolResult[]
    resultMetadata?: unknown[]
    fedBack?: Array<{ id: string; content: string; is_error?: boolean }>
    hostCallCount?: number
    transcriptToolIds?: string[]
    executions?: Array<{ args?: unknown; answer: Answer | null }>
    executionCountByTool?: Record<string, number>
    events?: string[]
    pendingEvents?: unknown[]
    toolResultEvents?: unknown[]
  }
}

interface Observed {
  outcome: AgentOutcome
  fedBack: ToolResult[]
  executions: Array<{ tool: string; args: unknown; answer: Answer | null }>
  events: string[]
  pendingEvents: unknown[]
  toolResultEvents: unknown[]
  /** The events seen when the question became visible to a host. */
  eventsAtHost: string[]
  hostCalls: number
}

async function play({ tool, tools = tool ? [tool] : [], host }: Row): Promise<Observed> {
  const seen: Omit<Observed, 'outcome'> = {
    fedBack: [],
    executions: [],
    events: [],
    pendingEvents: [],
    toolResultEvents: [],
    eventsAtHost: [],
    hostCalls: 0,
  }
  const toTool = ({ name, attempts, delayMs = 0 }: ToolRow): Tool => {
    let attempt = 0
    return {
      name,
      description: name,
      inputSchema: { type: 'object' },
      async execute(args, ctx) {
        seen.executions.push({ tool: name, args, answer: ctx?.answer ?? null })
        if (delayMs) await new Promise((resolve) => setTimeout(resolve, delayMs))
        const { pending: request, output = '', isError = false } = attempts[attempt++] ?? {}
        return request ? pending(request) : { output, isError }
      },
    }
  }
  const onEvent: ToolRunnerOptions['onEvent'] = (event) => {
    if (event.type === 'tool_call') seen.events.push(`tool_call:${event.toolCallId}`)
    if (event.type === 'pending') {
      seen.events.push(`pending:${event.request.id}`)
      seen.pendingEvents.push({ type: 'pending', request: event.request })
    }
    if (event.type === 'tool_result') {
      const { output, isError } = event.result
      seen.events.push(`tool_result:${event.toolCallId}`)
      seen.toolResultEvents.push({ id: event.toolCallId, name: event.toolName, output, isError })
    }
  }
  const runner = createToolRunner({
    host: !host?.none,
    tools: tools.filter(({ absent }) => !absent).map(toTool),
    onEvent,
  })
  runner.attach({}, 'dialog')
  const asked = new Set<string>()
  runner.subscribe(() => {
    for (const { key, request } of runner.getState().pending) {
      const answer = host?.byId?.[request.id] ?? host?.answer
      if (asked.has(key) || !answer) continue
      asked.add(key)
      seen.hostCalls += 1
      seen.eventsAtHost.push(...seen.events)
      const delay = host?.delayById?.[request.id] ?? host?.delayMs ?? 0
      setTimeout(() => runner.answer(key, { id: request.id, ...answer }), delay)
    }
  })
  const calls = tools.map(({ name, args }, index) => call(`c${index + 1}`, name, args))
  const outcome = await runAgent({
    model: modelOf({ toolCalls: calls }, { text: 'The end.' }),
    runner,
    messages: [{ role: 'user', content: 'go' }],
    onEvent: (event) => {
      if (event.type === 'text' || event.type === 'done') seen.events.push(event.type)
      if (event.type === 'result') seen.fedBack.push(event.result)
    },
  })
  return { ...seen, outcome }
}

const loop = ['L01', 'L03', 'L05', 'L06', 'L08', 'L09', 'L13', 'L14', 'L15', 'L26', 'L28', 'C01', 'C03', 'C05']
const names = [...loop, 'D01', 'D02', 'D03', 'D05', 'S01', 'S02', 'S03']
const byName = new Map((rows as unknown as Row[]).map((row) => [row.id, row]))

describe('the agent loop follows the contract', () => {
  test.each(names)('%s', async (name) => {
    const row = byName.get(name)
    if (!row) throw new Error(`The handed vectors have no row ${name}.`)
    const want = row.expect
    const { outcome, ...seen } = await play(row)
    const toolMessages = outcome.messages.filter((message) => message.role === 'tool')
    if (want.status) expect(outcome.status).toBe(want.status)
    if (want.text) expect(outcome.text).toBe(want.text)
    if (want.llmCalls) expect(outcome.turns).toBe(want.llmCalls)
    if (want.pending) expect(outcome.request).toMatchObject(want.pending)
    // A runner says in the metadata why a call was refused; the vectors speak of results without a runner.
    if (want.results) expect(seen.fedBack).toMatchObject(want.results)
    if (want.resultMetadata) expect(seen.fedBack.map(({ metadata }) => metadata ?? null)).toEqual(want.resultMetadata)
    if (want.fedBack) expect(toolMessages).toHaveLength(want.fedBack.length)
    for (const [index, { id, content, is_error }] of (want.fedBack ?? []).entries()) {
      expect(toolMessages[index]).toMatchObject({ toolCallId: id, content, ...(is_error && { isError: true }) })
    }
    if (want.hostCallCount !== undefined) expect(seen.hostCalls).toBe(want.hostCallCount)
    if (want.transcriptToolIds) expect(toolMessages.map((m) => m.toolCallId)).toEqual(want.transcriptToolIds)
    if (want.executions) expect(seen.executions).toMatchObject(want.executions)
    for (const [tool, count] of Object.entries(want.executionCountByTool ?? {})) {
      expect(seen.executions.filter((execution) => execution.tool === tool)).toHaveLength(count)
    }
    if (want.events) {
      expect(seen.events).toEqual(want.events.filter((event) => event !== 'usage'))
      expect(seen.eventsAtHost).toEqual(['tool_call:c1', 'pending:r1'])
    }
    if (want.pendingEvents) expect(seen.pendingEvents).toEqual(want.pendingEvents)
    if (want.toolResultEvents) expect(seen.toolResultEvents).toEqual(want.toolResultEvents)
  })
})

describe('what the handed rows leave open', () => {
  test('a result beside a suspension is kept, in call order', async () => {
    const row: Row = {
      id: 'own',
      host: { none: true },
      tools: [
        { name: 'fast', attempts: [{ output: 'F', isError: false }] },
        { name: 'p', attempts: [{ pending: { id: 'r1', kind: 'approval', prompt: 'Proceed?' } }] },
      ],
      expect: {},
    }
    const { outcome, fedBack } = await play(row)
    expect(outcome).toMatchObject({ status: 'pending', turns: 1, request: { id: 'r1' } })
    expect(fedBack).toEqual([
      { output: 'F', isError: false },
      { output: 'Proceed?', isError: true },
    ])
  })
})
