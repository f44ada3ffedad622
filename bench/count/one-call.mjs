// The call that is counted: its tool asks once, the person says yes, the tool runs.

/**
 * A tool that asks once: `tool` with a question of its own, for which it runs twice, and `gate` by the runner's, before its
 * one run. `around` runs its body, so that what the tool itself does can be told apart.
 */
export function toolThatAsks(kind, { pending }, around = (work) => work()) {
  const inputSchema = { type: 'object', properties: { id: { type: 'string' } } }
  const ask = ({ id }, { answer }) => (answer ? `${id}: ran` : pending({ id, kind: 'approval', prompt: `Run ${id}?` }))
  const work = kind === 'gate' ? async ({ id }) => `${id}: ran` : async (args, ctx) => ask(args, ctx)
  const execute = (args, ctx) => around(() => work(args, ctx))
  return { name: 'step', inputSchema, needsApproval: kind === 'gate', execute }
}

/**
 * A person who says yes to each question in a task of its own, as a click is. No promise is made here.
 * Returns the function that ends it.
 */
function sayYes(runner) {
  let seen
  return runner.subscribe(() => {
    const question = runner.head()
    if (!question || question.key === seen) return
    seen = question.key
    setImmediate(() => runner.answer(question.key, { id: question.request.id, ok: true }))
  })
}

/** Starts one call. */
export const start = (runner, id) => runner.run('step', { id }, { toolCallId: id })

/** Hears its result; throws when the tool did not run. */
export function hear(running, id, onResult) {
  running.then((result) => {
    if (result.output !== `${id}: ran`) throw new Error(`The call ended with ${JSON.stringify(result)}.`)
    onResult()
  })
}

/** One call to its result. */
export const runOnce = (runner, id) => new Promise((resolve) => hear(start(runner, id), id, resolve))

/** Until what goes on after a result has ended. */
export const rest = () => new Promise((resolve) => setTimeout(resolve, 50))

/** Calls `count` with a warm runner for each case: who asks, and whether the call is stored. */
export async function eachCase({ core, store }, count, around) {
  const cases = []
  for (const asks of ['tool', 'gate'])
    for (const where of ['memory', 'storage']) {
      const persist = where === 'storage' && { name: 'count', storage: store.createMemoryStorage() }
      const runner = store.createToolRunner({ tools: [toolThatAsks(asks, core, around)], persist })
      const stop = sayYes(runner)
      // Enough calls for what is loaded late to be there.
      for (let n = 0; n < 20; n++) await runOnce(runner, `warm-${n}`)
      await rest()
      cases.push({ asks, where, ...(await count(runner, { asks, where })) })
      stop()
      runner.dispose()
    }
  return cases
}
