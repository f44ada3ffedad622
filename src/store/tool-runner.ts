import {
  type Answer,
  CANCELLED,
  errorResult,
  frozenJson,
  hasExpired,
  messageOf,
  type PendingRequest,
  pauseClock,
  refusal,
  type ToolResult,
  takeAnswer,
} from '../core/internal.js'
import { withoutPasswords } from '../core/secrets/without-secrets.js'
import { about, type Extra } from './about.js'
import { pauseCalls } from './call-clocks.js'
import { feedbackOf } from './call-result.js'
import { assertSignals } from './callers.js'
import { createCalls } from './calls.js'
import { checkEdit } from './check-edit.js'
import type { HistoryEntry } from './consent-types.js'
import { createHistory } from './history.js'
import { type HostParts, type Keeper, lateKeeper } from './keeper.js'
import { createPolicy } from './policy.js'
import { createPublisher } from './publisher.js'
import { createQuestions } from './questions.js'
import { readAsker } from './read-asker.js'
import { readRequest } from './read-request.js'
import { createRegistry, identityOf, isSameTool, isToolText } from './registry.js'
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
    // As it was shown with the question, whatever is registered under its name by now (DESIGN 8.4).
    (item) => {
      const tool = item.toolName === undefined ? undefined : registry.get(item.toolName)
      return item.runId !== undefined && runs.getLive(item.runId) ? runOf(item)?.shown : tool && identityOf(tool)
    },
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
      if (endedAt !== undefined) onEnd({ outcome: status === 'done' || status === 'cancelled' ? status : 'failed' })
      else stored.ends.set(item.runId, [...(stored.ends.get(item.runId) ?? []), onEnd])
    }
  }

  const known = (item: PendingItem): Answer | undefined => {
    if (!policy.canRemember(item) || item.isGate || !policy.isRemembered(item)) return undefined
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

  /** The calls whose tool runs again, or for the first time, with the answer to their question. */
  const askers = new WeakMap<PendingItem, LiveRun>()

  /** Asks, and where that outlasts the page says only then what the answer is when no other tab was first. */
  const askAndKeep = async (
    request: PendingRequest,
    owner: LiveRun | undefined,
    signal: AbortSignal | undefined,
    extra: Extra,
  ): Promise<Answer> => {
    const keep = owner ? (owner.keeper ?? keeper()) : keeper()
    let item: PendingItem | undefined
    // A person's time is not charged to the calls around this one (DESIGN 8.5).
    const resume = pauseCalls(owner?.parent)
    const onOpen = (opened: PendingItem): void => {
      item = opened
      if (owner) askers.set(opened, owner)
      if (keep) kept.set(opened, 'code')
      keep?.asked(opened, owner)
    }
    let answer: Answer
    try {
      answer = await ask(request, owner, signal, extra, onOpen)
    } finally {
      resume()
    }
    if (!item || !keep) return answer
    const counted = await keep.claim(item, answer, owner)
    if (!owner?.instead) decided(item, counted, kept.get(item) ?? 'code')
    return counted
  }

  /** Whether the tool that a yes would run is no longer the one that was shown (DESIGN 8.3). */
  const hasChanged = (item: PendingItem): boolean => {
    const { shown, record } = askers.get(item) ?? {}
    const now = record && registry.get(record.toolName)
    return shown !== undefined && !(now && isSameTool(shown, now))
  }

  /** Takes a question back whose tool has changed: the gate asks again, a tool's own question ends its call. */
  const takeBack = (item: PendingItem): void => {
    const run = askers.get(item)
    if (run) run[item.isGate ? 'isChanged' : 'isToolGone'] = true
    questions.answer(item.key, refusal(item.request.id, 'cancelled'), 'code')
  }

  /** A yes that is remembered answers what already waits for the same (DESIGN 5.6). */
  const answer: Runner['answer'] = (key, given, answerOptions) => {
    const item = questions.find(key)
    const copy = item && takeAnswer(item.request, given)
    if (!item || !copy) return false
    if (copy.ok && !isAnswerable(item)) return false
    if (copy.ok && !hasExpired(item.request) && hasChanged(item)) {
      takeBack(item)
      return false
    }
    const taken = questions.answer(key, copy)
    const remember = answerOptions?.remember
    if (remember && taken?.ok && item.rememberable && !(taken.data && 'args' in taken.data)) {
      policy.remember(item, remember)
      for (const other of questions.list()) {
        // What was asked in another page was not looked at in this one.
        if (!other.rememberable || other.restored || hasChanged(other) || !policy.isRemembered(other)) continue
        questions.answer(other.key, { id: other.request.id, ok: true }, 'rule')
      }
      publish()
    }
    return taken !== undefined
  }

  const waitFor: Runner['waitFor'] = async (request, waitOptions) => {
    const asked = readRequest(request)
    if (!asked) return refusal('', 'cancelled')
    let resume = (): void => {}
    try {
      const { signal, within = signal, persist, asker } = waitOptions ?? {}
      assertSignals(signal, within)
      // The call that asks is over, and so is what it asks.
      if (disposed || runs.isOver(within) || within?.aborted) return refusal(asked.id, 'cancelled')
      const owner = runs.ownerOf(within)
      // A tool that asks inside execute: the question belongs to its call, whose clock stands still meanwhile.
      resume = owner ? pauseCalls(owner) : pauseClock(within)
      const extra = { asker: withoutPasswords(readAsker(asker)) }
      // What a running tool asks cannot be asked again without it.
      const isKept = !owner && persist !== false
      return await (isKept ? askAndKeep(asked, undefined, signal, extra) : ask(asked, owner, signal, extra))
    } catch (error) {
      console.error(`assent: ${messageOf(error)}`)
      return refusal(asked.id, 'cancelled')
    } finally {
      resume()
      publish()
    }
  }

  /** An entry point that never rejects, whatever untyped code gives it. */
  const settled = async (start: () => Promise<ToolResult> | undefined): Promise<ToolResult> => {
    try {
      return (disposed ? undefined : await start()) ?? errorResult(CANCELLED)
    } catch (error) {
      return errorResult(messageOf(error))
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
    run: (name, args, runOptions) => settled(() => calls.run(name, args, runOptions ?? {})),
    runAll: (turn, runOptions) => runAll(runner, turn, runOptions),
    detach: calls.detach,
    waitFor,
    answer,
    async checkEdit(key, args) {
      const item = questions.find(key)
      const run = item && askers.get(item)
      return checkEdit(item, run, args, policy)
    },
    resume: (request, given) => settled(() => keeper(true)?.resume(frozenJson(request), given)),
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
