// @vitest-environment node
import { expect, it } from 'vitest'
import { flush, yes } from '../support/asking.js'
import { gated, runnerOf, shown } from '../support/consent.js'

const REFUSED = { output: expect.stringContaining('pay'), isError: true }

/** A gate with these decisions that is answered with edits. */
async function edited(decisions: readonly ('approve' | 'edit' | 'decline' | 'respond')[] | undefined, data: object) {
  const tool = gated('pay', { decisions })
  const runner = runnerOf([tool])
  const result = runner.run('pay', { euro: 900 })
  const { key, request } = await shown(runner)
  runner.answer(key, yes(request.id, { ...data }))
  await flush()
  // A runner that leaves the question open has run nothing either; it is closed here.
  for (const item of runner.getState().pending) runner.answer(item.key, { id: item.request.id, ok: false })
  return { tool, result: await result }
}

it.each([
  [undefined],
  [['approve']],
  [['approve', 'decline']],
  [['approve', 'respond', 'decline']],
  [['decline']],
] as const)('edits at a gate that offers %j run nothing, whatever they say', async (decisions) => {
  for (const args of [{ euro: 9 }, {}, { euro: 900 }, null]) {
    const { tool, result } = await edited(decisions, { args })
    expect(tool.seen).toEqual([])
    expect(result).toMatchObject(REFUSED)
  }
})

it('the same edits run where the gate offers Edit', async () => {
  const { tool, result } = await edited(['approve', 'edit'], { args: { euro: 9 } })
  expect(tool.seen.map(({ args }) => args)).toEqual([{ euro: 9 }])
  expect(result).toMatchObject({ output: 'ran', isError: false, metadata: { edited: true, args: { euro: 9 } } })
})
