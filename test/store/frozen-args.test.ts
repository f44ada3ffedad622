// @vitest-environment node
import { type } from 'arktype'
import type { AnyTool } from 'assent/core'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { yes } from '../support/asking.js'
import { gated, runnerOf, shown } from '../support/consent.js'

const ARGS = { to: 'ada', list: [{ euro: 9 }] }
const jsonSchema = { type: 'object' }

const schemas: [string, Pick<AnyTool, 'inputSchema' | 'jsonSchema'>][] = [
  ['a JSON Schema', { inputSchema: jsonSchema }],
  ['zod', { inputSchema: z.object({ to: z.string(), list: z.array(z.object({ euro: z.number() })) }) }],
  [
    'zod with a transform',
    { inputSchema: z.object({ to: z.string().trim(), list: z.array(z.looseObject({})) }), jsonSchema },
  ],
  ['valibot', { inputSchema: v.object({ to: v.string(), list: v.array(v.object({ euro: v.number() })) }), jsonSchema }],
  ['arktype', { inputSchema: type({ to: 'string', list: type({ euro: 'number' }).array() }), jsonSchema }],
]

/** Writes to everything that hangs on a value, as a careless view would; what refuses to be changed throws. */
function scribble(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const part of Object.values(value)) scribble(part)
  for (const change of [{ to: 'eve' }, { euro: 900 }, { extra: true }]) {
    try {
      Object.assign(value, change)
    } catch {
      // Frozen, as it should be.
    }
  }
  if (!Array.isArray(value)) return
  try {
    value.push({ euro: 900 })
  } catch {
    // Frozen, as it should be.
  }
}

describe.each(schemas)('arguments checked by %s', (_name, schema) => {
  it('run as they were shown, whatever is written to the shown ones before the yes', async () => {
    const tool = gated('pay', { ...schema, decisions: ['approve', 'edit'] })
    const runner = runnerOf([tool])
    const result = runner.run('pay', ARGS)
    const item = await shown(runner)
    expect(item.args).toEqual(ARGS)
    scribble(item.args)
    scribble(runner.getState().runs[0]?.args)
    expect(item.args).toEqual(ARGS)
    runner.answer(item.key, yes(item.request.id))
    await result
    expect(tool.seen.map(({ args }) => args)).toEqual([ARGS])
  })

  it('run as they were shown, whatever a subscriber writes to them at each change', async () => {
    const tool = gated('pay', schema)
    const runner = runnerOf([tool])
    runner.subscribe(() => {
      for (const { args } of runner.getState().pending) scribble(args)
      for (const { args } of runner.getState().runs) scribble(args)
    })
    const result = runner.run('pay', ARGS)
    const item = await shown(runner)
    runner.answer(item.key, yes(item.request.id))
    await result
    expect(tool.seen.map(({ args }) => args)).toEqual([ARGS])
  })

  it('run as they were called, whatever the predicate writes to them', async () => {
    const tool = gated('pay', {
      ...schema,
      needsApproval: (args) => {
        scribble(args)
        return true
      },
    })
    const runner = runnerOf([tool])
    const result = runner.run('pay', ARGS)
    const item = await shown(runner)
    expect(item.args).toEqual(ARGS)
    runner.answer(item.key, yes(item.request.id))
    await result
    expect(tool.seen.map(({ args }) => args)).toEqual([ARGS])
  })
})
