import {
  type Answer,
  CANCELLED,
  errorResult,
  messageOf,
  type PendingRequest,
  pauseClock,
  refusal,
} from '../core/internal.js'
import { about, type Extra } from './about.js'
import { feedbackOf } from './call-result.js'
import { createCalls } from './calls.js'
import type { HistoryEntry } from './consent-types.js'
import { createHistory } from './history.js'
import { type HostParts, type Keeper, lateKeeper } from './keeper.js'
import { createPolicy, deedOf } from './policy.js'
import { createPublisher } from './publisher.js'
import { createQuestions } from './questions.js'
import { readRequest } from './read-request.js'
import { createRegistry, isToolText } from './registry.js'
import { runAll } from './run-all.js'
import { createRuns, type LiveRun } from './runs.js'
import { createStoredState } from './stored-state.js'
import type { PendingItem, Runner, RunnerState, ToolRunnerOptions } from './types.js'
import { createViews } from './views.js'

/** Makes a runner: tools in, questions kept, answers taken, results out (DESIGN 3). No React. Throws on unusable tools. */
export function createToolRunner<C = unknown>(options: ToolRunnerOptions<C> = {}): Runner {
  const publisher = createPublisher()
  const runs = createRuns()
  const { change, publish, version } = publisher
  let disposed = false
  let keeps: { readonly keeper: Keeper; readonly name: string | undefined } | undefined
  const registry = createRegistry(() => {
    // Whether a restored question can be answered may have changed.
    if (stored.tools.size > 0) publisher.publishSoon()
  })
  let state: { version: number; value: RunnerState } | undefined

  const policy = createPolicy(
    () => options.policy,
    () => {
      change()
      publish()
    },
  )
  const history = createHistory((entry) => {
    tell('onDecision', () => options.onDecision?.(entry()))
  })
  /** Without `persist` only what was handed out unasked is kept, in memory. */
  const keeper = (isNeeded = Boolean(options.persist)): Keeper | undefined => {
    if (!isNeeded || disposed) return undefined
    const name = typeof options.persist === 'object' ? options.persist.name : undefined
    // Another name is another person's, perhaps: what was shown of the first is not theirs.
    if (keeps && keeps.name !== name) forgetOthers()
    keeps ??= { keeper: lateKeeper(hostParts), name }
    return keeps.keeper
  }
  const forgetOthers = (): void => {
    keeps?.keeper.close()
    keeps = undefined
    for (const item of questions.list()) {
      if (item.restored) stored.drop(questions, item.key)
      // As at the end of a runner: its caller is told, and the question stays where it is stored. A yes here would run
      // what its row still offers to the other person.
      else if (kept.has(item)) {
        runOf(item)?.controller.abort(new DOMException('stored under another name', 'AbortError'))
        questions.cancel(({ key }) => key === item.key)
      }
    }
  }
  // Questions that are stored, and who settled them.
  const kept = new WeakMap<PendingItem, HistoryEntry['by']>()
  const stored = createStoredState()

  const tell = (name: string, say: () => void): void => {
    try {
      say()
    } catch (error) {
      console.error(`assent: ${name} threw.`, error)
    }
  }

  const runOf = ({ runId }: PendingItem): LiveRun | undefined => (runId === undefined ? undefined : runs.getLive(runId))

  const decided = (item: PendingItem, answer: Answer, by: HistoryEntry['by']): void => {
    const run = runOf(item)
    const onEnd = history.note(item, answer, by)
    if (run) {
      run.onEnd.push(onEnd)
      run.feedback = feedbackOf(answer)
    } else if (item.runId) {
      const { endedAt, status } = runs.get(item.runId) ?? {}
      // Its call was aborted while the storage was asked: that is how it ended.
      if (endedAt !== undefined) onEnd(status === 'done' || status === 'cancelled' ? status : 'failed')
      else stored.ends.set(item.runId, [...(stored.ends.get(item.runId) ?? []), onEnd])
    }
  }

  const known = (item: PendingItem): Answer | undefined => {
    if (!policy.canRemember(item) || item.isGate || !policy.isRemembered(deedOf(item))) return undefined
    const answer = { id: item.request.id, ok: true }
    decided(item, answer, 'rule')
    return answer
  }

  const questions = createQuestions({
    limit: () => options.maxOpen ?? 1000,
    known,
    onChange(item, settled, by = 'code') {
      const run = runOf(item)
      if (settled) stored.tools.delete(item.key)
      // Where several tabs may answer, what counts is noted when that is known.
      if (settled && kept.has(item)) kept.set(item, by === 'elsewhere' ? 'code' : by)
      else if (settled && by !== 'elsewhere' && !item.restored) decided(item, settled, by)
      if (run) {
        run.open += settled ? -1 : 1
        // First, for whoever begins now and looks around.
        runs.update(run)
        calls.asked(run)
      }
      change()
      // After a yes the tool runs first and the views hear of it then: the click's user activation is still there, and
      // React's commit does not come between (DESIGN 7.1).
      if (!(settled?.ok && run && !keeper())) publish()
    },
  })
  const views = createViews(publisher, questions.count)

  const ask = (
    request: PendingRequest,
    owner: LiveRun | undefined,
    signal: AbortSignal | undefined,
    extra: Extra = {},
    onOpen?: (item: PendingItem) => void,
  ): Promise<Answer> => {
    views.warnIfNone()
    return questions.ask(request, about(request, owner, options, policy, extra), signal, onOpen)
  }

  /** Asks, and where that outlasts the page says only then what the answer is when no other tab was first. */
  const askAndKeep = async (
    request: PendingRequest,
    owner: LiveRun | undefined,
    signal: AbortSignal | undefined,
    extra: Extra,
  ): Promise<Answer> => {
    const keep = owner ? (owner.keeper ?? keeper()) : keeper()
    if (!keep) return ask(request, owner, signal, extra)
    let item: PendingItem | undefined
    const answer = await ask(request, owner, signal, extra, (opened) => {
      item = opened
      kept.set(opened, 'code')
      keep.asked(opened, owner)
    })
    if (!item) return answer
    const counted = await keep.claim(item, answer, owner)
    if (!owner?.instead) decided(item, counted, kept.get(item) ?? 'code')
    return counted
  }

  /** A yes that is remembered answers what already waits for the same (DESIGN 5.6). */
  const answer: Runner['answer'] = (key, given, answerOptions) => {
    const item = questions.find(key)
    if (item && !isAnswerable(item) && given?.ok !== false) return false
    const taken = questions.answer(key, given)
    const remember = answerOptions?.remember
    if (remember && taken?.ok && item?.rememberable && !(taken.data && 'args' in taken.data)) {
      policy.remember(item, remember)
      for (const other of questions.list()) {
        // What was asked in another page was not looked at in this one.
        if (!other.rememberable || other.restored || !policy.isRemembered(deedOf(other))) continue
        questions.answer(other.key, { id: other.request.id, ok: true }, 'rule')
      }
      publish()
    }
    return taken !== undefined
  }

  const waitFor: Runner['waitFor'] = async (request, waitOptions) => {
    const signal = waitOptions?.signal
    const asked = readRequest(request)
    if (!asked) return refusal('', 'cancelled')
    if (disposed) return refusal(asked.id, 'cancelled')
    // A tool that asks inside execute: the question belongs to its call, whose clock stands still meanwhile.
    const resume = pauseClock(signal)
    try {
      const owner = signal && runs.ownerOf(signal)
      const extra = { asker: waitOptions?.asker }
      // What a running tool asks cannot be asked again without it.
      const isKept = !owner && waitOptions?.persist !== false
      return await (isKept ? askAndKeep(asked, undefined, signal, extra) : ask(asked, owner, signal, extra))
    } catch (error) {
      console.error(`assent: ${messageOf(error)}`)
      return refusal(asked.id, 'cancelled')
    } finally {
      resume()
      publish()
    }
  }

  const calls = createCalls({
    options,
    registry,
    runs,
    questions,
    publisher,
    policy,
    canDetach: () => options.detachable === true || views.hasTray(),
    keeper: (isNeeded) => keeper(isNeeded),
    stored,
    unasked: (request, owner, isGate) =>
      Object.freeze({
        ...about(request, owner, options, policy, { isGate }),
        key: request.id,
        request,
        seq: 0,
        askedAt: Date.now(),
      }),
    ask: (request, owner, isGate) => askAndKeep(request, owner, owner.controller.signal, { isGate }),
    onRule(request, owner, ok) {
      const said = about(request, owner, options, policy, { isGate: true })
      const item = { ...said, request, key: request.id, seq: 0, askedAt: Date.now() }
      decided(item, ok ? { id: request.id, ok } : refusal(request.id, 'declined'), 'rule')
    },
  })

  const abort = (id?: string, why = CANCELLED): void => {
    for (const { controller } of runs.live(id)) controller.abort(new DOMException(why, 'AbortError'))
    // What other tabs ask is theirs.
    if (id === undefined) questions.cancel(({ restored, runId }) => !restored || (restored === 'reload' && !runId))
    if (!keeps) return
    for (const record of runs.list()) {
      const isMeant = id === undefined || record.id === id || record.toolCallId === id
      if (!isMeant || record.endedAt !== undefined || runs.getLive(record.id)) continue
      // One that lives in another tab is its own; cancelled there when it is meant by its name.
      if (id !== undefined) keeps.keeper.abort(record.id)
      questions.cancel(({ key, runId, restored }) => {
        if (runId !== record.id || restored !== 'reload') return false
        stored.endings.set(key, 'aborted')
        return true
      })
    }
  }

  const isAnswerable: Runner['isAnswerable'] = ({ key, toolName }) => {
    const shown = stored.tools.get(key)
    const tool = toolName === undefined ? undefined : registry.get(toolName)
    return shown === undefined || (tool !== undefined && isToolText(shown, tool))
  }

  const hostParts: HostParts = {
    options,
    questions,
    runs,
    registry,
    policy,
    publisher,
    stored,
    answer,
    abort,
    decided,
    tell,
    goOn: calls.goOn,
    warnIfNone: views.warnIfNone,
    isDisposed: () => disposed,
  }

  const runner: Runner = {
    run: (name, args, runOptions) =>
      disposed ? Promise.resolve(errorResult(CANCELLED)) : calls.run(name, args, runOptions ?? {}),
    runAll: (turn, runOptions) => runAll(runner, turn, runOptions),
    detach: calls.detach,
    waitFor,
    answer,
    resume(request, given) {
      if (disposed) return Promise.resolve(errorResult(CANCELLED))
      return keeper(true)?.resume(request, given) ?? Promise.resolve(errorResult(CANCELLED))
    },
    restore: async () => keeper()?.restore(),
    isAnswerable,
    async runAgain(id) {
      const record = runs.get(id)
      if (disposed || record?.status !== 'interrupted' || record.isPartial || !registry.get(record.toolName))
        return false
      if (!((await keeper()?.takeOut(id)) ?? true)) return false
      runs.drop(id)
      calls.again(record)
      return true
    },
    forget(id) {
      if (!runs.forget(id)) return
      keeper()?.forget(id)
      change()
      publish()
    },
    register: registry.add,
    tools: registry.describe,
    abort: (id) => abort(id),
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
      keeps?.keeper.close()
      abort(undefined, 'disposed')
    },

    permissions: policy.list,
    revoke: policy.revoke,
    history: history.list,
    head: questions.head,
    find: questions.find,
    getRun: runs.get,
    count: questions.count,
    attach: views.attach,
    leader: views.leader,
  }

  for (const tool of options.tools ?? []) runner.register(tool)
  // On a server there is nothing to show again, and nobody to show it to.
  const hasStorage = typeof indexedDB !== 'undefined' || Boolean(Object(options.persist).storage)
  if (options.persist && hasStorage) void runner.restore()
  return runner
}
