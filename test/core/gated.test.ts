// @vitest-environment node
import { type AnyTool, createToolRunner } from 'assent'
import { gated } from 'assent/runner'
import { describe, expect, it, vi } from 'vitest'
import { refusedAs } from '../support/asking.js'

/** A foreign tool: an object of a class, with a private field and members on its prototype. */
class Counter {
  #count = 0
  get name() {
    return 'count'
  }
  get description() {
    return 'Counts'
  }
  execute({ by }: Record<string, unknown>) {
    this.#count += Number(by)
    return `at ${this.#count}`
  }
}

async function answerGate(tool: AnyTool, ok: boolean) {
  const runner = createToolRunner({ tools: [tool] })
  runner.attach({}, 'dialog')
  const result = runner.run(tool.name, { by: 2 })
  await vi.waitFor(() => expect(runner.count()).toBe(1))
  const item = runner.head()
  runner.answer(item?.key ?? '', { id: item?.request.id ?? '', ok, ...(!ok && { reason: 'declined' as const }) })
  return { item, result: await result }
}

describe('gated', () => {
  it('asks before a foreign tool runs, which keeps its own this', async () => {
    const { item, result } = await answerGate(gated(new Counter(), { needsApproval: true, danger: 'high' }), true)
    expect(item).toMatchObject({ isGate: true, danger: 'high', request: { prompt: 'Allow count?' } })
    expect(result).toEqual({ output: 'at 2', isError: false })
  })

  it('does not run it after a no', async () => {
    const tool = { name: 'send', execute: vi.fn() }
    const { result } = await answerGate(gated(tool, { needsApproval: true }), false)
    expect(result).toEqual(refusedAs('Allow send?'))
    expect(tool.execute).not.toHaveBeenCalled()
  })

  it('takes a frozen tool, leaves it as it is, and keeps what it says of itself', () => {
    const tool = Object.freeze({
      name: 'send',
      source: 'mail',
      trusted: false,
      danger: 'low' as const,
      execute: () => 'sent',
    })
    const before = { ...tool }
    const made = gated(tool, { danger: 'medium', decisions: ['approve', 'edit', 'decline'], needsApproval: undefined })
    expect(made).toMatchObject({ name: 'send', source: 'mail', trusted: false, danger: 'medium' })
    expect('needsApproval' in made).toBe(false)
    expect(tool).toEqual(before)
  })

  it('says so when the tool cannot be used', () => {
    expect(() => gated({ name: '', execute: () => '' }, {})).toThrow('cannot be used: no name')
  })
})
