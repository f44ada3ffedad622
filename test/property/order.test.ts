// @vitest-environment node
import { isDeepStrictEqual } from 'node:util'
import { type AnyTool, pending } from 'assent/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createQueue } from '../../src/store/queue.js'
import { no, yes } from '../support/asking.js'
import { approveNext, gated, runnerOf } from '../support/consent.js'
import { parameters } from './settings.js'

interface Plan {
  gate: boolean
  answer: 'yes' | 'no' | 'abort'
}

const plans = fc.array(fc.record<Plan>({ gate: fc.boolean(), answer: fc.constantFrom('yes', 'yes', 'no', 'abort') }), {
  minLength: 1,
  maxLength: 6,
})

describe('calls that wait for each other’s time', () => {
  it('each end with their own answer, in whatever order tools and people come (K1, K5, K6)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), plans, async (scheduler, calls) => {
        const ran = calls.map(() => 0)
        const tool: AnyTool = {
          name: 't',
          needsApproval: ({ n }) => calls[Number(n)]?.gate === true,
          async execute({ n }, { answer }) {
            ran[Number(n)] = (ran[Number(n)] ?? 0) + 1
            await scheduler.schedule(Promise.resolve(), `tool ${n}`)
            return answer ? `${n} ${answer.data?.to}` : pending({ kind: 'approval', prompt: `${n}?` })
          },
        }
        const runner = runnerOf([tool])
        const seen = new Set<number>()
        runner.subscribe(() => {
          for (const { seq, key, request, args, isGate } of runner.getState().pending) {
            if (seen.has(seq)) continue
            seen.add(seq)
            const n = Number(args?.n)
            const plan = isGate ? 'yes' : calls[n]?.answer
            void scheduler.schedule(Promise.resolve(), `person ${n}`).then(() => {
              if (plan === 'abort') runner.abort(`c${n}`)
              else runner.answer(key, plan === 'yes' ? yes(request.id, { to: n }) : no(request.id))
            })
          }
        })
        const results = Promise.all(calls.map((_plan, n) => runner.run('t', { n }, { toolCallId: `c${n}` })))
        await scheduler.waitFor(results)
        expect((await results).map(({ output }) => output)).toEqual(
          calls.map(({ answer }, n) =>
            answer === 'yes' ? `${n} ${n}` : answer === 'no' ? `declined/expired: ${n}?` : 'cancelled',
          ),
        )
        expect(ran).toEqual(calls.map(({ answer }) => (answer === 'yes' ? 2 : 1)))
        expect([runner.count(), runner.getState().runs.some(({ status }) => status === 'waiting')]).toEqual([0, false])
      }),
      parameters(0.2),
    )
  }, 120_000)
})

describe('a yes remembered for these arguments', () => {
  const keys = fc.constantFrom('a', 'b', '', '0', '__proto__', 'constructor', 'toJSON', 'length')
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(null, true, false, 0, -0, 1, '', '1', 'null', '{}'),
      fc.string(),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('record'),
    ),
    record: fc.array(fc.tuple(keys, tie('value')), { maxLength: 4 }).map(Object.fromEntries),
  }))
  const shuffled = (value: unknown): unknown =>
    typeof value !== 'object' || value === null
      ? value
      : Array.isArray(value)
        ? value.map(shuffled)
        : Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, part]) => [key, shuffled(part)]),
          )
  const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

  it('covers the calls whose arguments say the same, and no others (K21)', async () => {
    await fc.assert(
      fc.asyncProperty(values.record, values.record, fc.boolean(), async (first, other, alike) => {
        const second = alike ? shuffled(first) : other
        const runner = runnerOf([gated('t')], { policy: { remember: true } })
        const before = runner.run('t', first)
        await approveNext(runner, undefined, { remember: { for: 'args', until: 'session' } })
        await before
        const after = runner.run('t', second)
        for (let turn = 0; turn < 40; turn++) await null
        const asked = runner.count() > 0
        runner.abort()
        await after
        expect(asked).toBe(!isDeepStrictEqual(asJson(first), asJson(second)))
      }),
      parameters(0.2),
    )
  }, 120_000)
})

describe('the queue', () => {
  const arrivals = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', ''), fc.integer({ min: 1, max: 30 })), {
    minLength: 1,
    maxLength: 12,
  })

  it('keeps nobody waiting for long, loses none and keeps each source in its order', () => {
    fc.assert(
      fc.property(arrivals, fc.nat({ max: 40 }), (bursts, served) => {
        const queue = createQueue<{ source: string; n: number }>()
        let n = 0
        for (const [source, count] of bursts) {
          for (let one = 0; one < count; one++) queue.add({ source, n: ++n }, source)
        }
        const last = new Map<string, number>()
        const next = () => {
          const entry = queue.head()
          if (!entry) return undefined
          expect(queue.head()).toBe(entry)
          expect(entry.n).toBeGreaterThan(last.get(entry.source) ?? 0)
          last.set(entry.source, entry.n)
          queue.remove(entry, entry.source)
          return entry
        }
        let count = 0
        while (count < served && next()) count++
        const late = { source: 'late', n: ++n }
        queue.add(late, 'late')
        const sources = new Set(bursts.map(([source]) => source)).size
        let before = 0
        // Ten of each are served by age; beyond that everybody has a turn.
        while (next() !== late) expect(++before).toBeLessThanOrEqual(10 * sources + sources + 1)
        while (next()) before++
        expect(count + before + 1).toBe(n)
      }),
      parameters(0.2),
    )
  }, 120_000)
})
