import { CANCELLED, errorResult, type PendingRequest, pauseClock, refusal, type WaitFor } from '../core/internal.js'
import { createCalls } from './calls.js'
import { createPublisher } from './publisher.js'
import { createQuestions } from './questions.js'
import { formSchema, readRequest } from './read-request.js'
import { createRegistry } from './registry.js'
import { callInfo, createRuns, type LiveRun } from './runs.js'
import type { Runner, RunnerState, ToolRunnerOptions } from './types.js'
import { createViews } from './views.js'

/** Makes a runner: tools in, questions kept, answers taken, results out (DESIGN 3). No React. Throws on unusable tools. */
export function createToolRunner(options: ToolRunnerOptions = {}): Runner {
  const registry = createRegistry()
  const publisher = createPublisher()
  const runs = createRuns()
  const { change, publish, version } = publisher
  let disposed = false
  let state: { version: number; value: RunnerState } | undefined

  const questions = createQuestions((item, settled) => {
    const run = item.runId === undefined ? undefined : runs.getLive(item.runId)
    if (run) {
      run.open += settled ? -1 : 1
      runs.update(run, { status: run.open > 0 ? 'waiting' : 'running' })
    }
    change()
    // After a yes the tool runs first and the views hear of it then: the click's user activation is still there, and
    // React's commit does not come between (DESIGN 7.1).
    if (!(settled?.ok && run)) publish()
  })
  const views = createViews(publisher, questions.count)

  const ask = (request: PendingRequest, owner: LiveRun | undefined, signal: AbortSignal | undefined) => {
    views.warnIfNone()
    const schema = formSchema(request, options.answerSchemas, owner?.record.toolName)
    return questions.ask(request, { call: owner && callInfo(owner), schema, signal })
  }

  const waitFor: WaitFor = async (request, waitOptions) => {
    const signal = waitOptions?.signal
    const asked = readRequest(request)
    if (!asked) return refusal('', 'cancelled')
    if (disposed) return refusal(asked.id, 'cancelled')
    // A tool that asks inside execute: the question belongs to its call, whose clock stands still meanwhile.
    const resume = pauseClock(signal)
    try {
      return await ask(asked, signal && runs.ownerOf(signal), signal)
    } finally {
      resume()
      publish()
    }
  }

  const run = createCalls({
    options,
    registry,
    runs,
    questions,
    publisher,
    hostOf: (owner) => (options.host === false ? undefined : (request) => ask(request, owner, owner.controller.signal)),
  })

  const abort = (id?: string): void => {
    for (const { controller } of runs.live(id)) controller.abort()
    if (id === undefined) questions.cancel()
  }

  const runner: Runner = {
    run: (name, args, runOptions = {}) =>
      disposed ? Promise.resolve(errorResult(CANCELLED)) : run(name, args, runOptions),
    waitFor,
    answer: questions.answer,
    register: registry.add,
    tools: registry.describe,
    abort,
    subscribe: publisher.subscribe,

    getState() {
      if (state?.version !== version()) {
        const value = Object.freeze({ pending: Object.freeze(questions.list()), runs: Object.freeze(runs.list()) })
        state = { version: version(), value }
      }
      return state.value
    },

    dispose() {
      disposed = true
      abort()
    },

    head: questions.head,
    find: questions.find,
    getRun: runs.get,
    count: questions.count,
    attach: views.attach,
    leader: views.leader,
  }

  for (const tool of options.tools ?? []) runner.register(tool)
  return runner
}
