import {
  type AnyTool,
  ambiguous,
  CANCELLED,
  copyOf,
  errorResult,
  type Files,
  frozenJson,
  messageOf,
  newId,
  type PendingRequest,
  pendingOf,
  type RunToolOptions,
  readFiles,
  refused,
  runTool,
  type ToolEvent,
  type ToolResult,
  type WaitFor,
} from '../core/internal.js'
import { withoutPasswords } from '../core/secrets/without-secrets.js'
import { type AskingParts, createAsking } from './asking.js'
import { createBackground } from './background.js'
import { feedbackOf, recordOf, resultOf, statusOf } from './call-result.js'
import { aborted, assertSignals, follow, tell } from './callers.js'
import type { Change } from './history.js'
import type { StoredTurn } from './keeper.js'
import type { Questions } from './questions.js'
import { identityOf, isSameTool, isToolText } from './registry.js'
import { joinKeyOf } from './restored-calls.js'
import type { LiveRun } from './runs.js'
import type { StoredState } from './stored-state.js'
import { createTurns } from './turns.js'
import type { PendingItem, RunOptions, RunRecord } from './types.js'

const NO_ARGS = Object.freeze({})

interface Parts extends AskingParts {
  questions: Questions
  /** Whether the person can move a call to the background. */
  canDetach: () => boolean
  /** The question of a suspension nobody was asked, as it would have been shown. */
  unasked: (request: PendingRequest, run: LiveRun, isGate: boolean) => PendingItem
  stored: StoredState
}

/** Starts calls and follows them. */
export interface Calls {
  run(name: string, args: unknown, options: RunOptions): Promise<ToolResult>
  detach(id: string): boolean
  /** Runs a call on from a question that was stored. */
  goOn(turn: StoredTurn, isTold: boolean): Promise<ToolResult>
  /** Runs a call again that was interrupted; its result is told. */
  again(record: RunRecord): void
  /** A question of a call opened or was settled. */
  asked(run: LiveRun): void
}

const newRun = (record: Omit<RunRecord, 'status' | 'events'>): LiveRun => ({
  record: { ...record, status: 'running', events: Object.freeze([]) },
  controller: new AbortController(),
  tool: undefined,
  onEnd: [],
  open: 0,
  callers: 0,
  events: [],
  joinKey: undefined,
  promise: Promise.resolve(errorResult(CANCELLED)),
})

/** Starts calls, lets several callers share one, moves them to the background, and keeps their records. */
export function createCalls(parts: Parts): Calls {
  const { options, registry, runs, questions, publisher, canDetach } = parts
  const { keeper, unasked, stored } = parts
  const { hostOf, gateOf } = createAsking(parts)
  const { change, publish, publishSoon } = publisher
  const turns = createTurns(runs, publisher, () => options.concurrency)
  const { offer, detach } = createBackground(runs, turns, publisher)

  const start = (name: string, args: unknown, runOptions: RunOptions, joinKey?: string, files?: Files): LiveRun => {
    const { toolCallId } = runOptions
    const id = newId('run')
    const run = newRun({
      id,
      toolCallId: toolCallId ?? id,
      toolName: name,
      args: NO_ARGS,
      startedAt: Date.now(),
    })
    run.joinKey = joinKey
    run.files = files
    runs.add(run)
    change()
    run.promise = execute(run, args, runOptions)
    publish()
    return run
  }

  const execute = async (run: LiveRun, args: unknown, runOptions: RunOptions): Promise<ToolResult> => {
    // One microtask: an effect that StrictMode mounts, cleans up and mounts again runs its call once.
    await null
    run.parent = runs.ownerOf(runOptions.within ?? runOptions.signal)
    const earlier = await earlierOf(run)
    if (earlier !== undefined) return finish(run, await stored.calls.whenOver(earlier, run.controller.signal))
    await turns.take(run, isSequential(run))
    let rest: Promise<ToolResult> | undefined
    // A tool may throw even where it is only looked at.
    const outcome = await loop(run, args, runOptions, (whole) => {
      rest = whole
    }).catch((error) => errorResult(messageOf(error)))
    if (!rest) return keepUnasked(run, finish(run, outcome))
    // What its callers were given is the note; what it comes to is told on its own.
    void rest.then((result) => keepUnasked(run, finish(run, result))).then((result) => deliver(run, result))
    return outcome
  }

  /** The same call of an earlier page, which waits here: an agent that begins anew from its transcript asks for it again. */
  const earlierOf = async ({ joinKey, controller }: LiveRun): Promise<string | undefined> => {
    const keep = joinKey === undefined ? undefined : keeper()
    if (!keep) return undefined
    // What waits is known once the storage was read.
    await Promise.race([keep.restore(), aborted(controller.signal)])
    return stored.calls.find(joinKey ?? '')
  }

  const isSequential = ({ record }: LiveRun): boolean => {
    try {
      return registry.get(record.toolName)?.sequential === true
    } catch {
      // A tool that throws where it is looked at says so when it is run.
      return false
    }
  }

  /** A suspension that is handed out is stored first, or nobody could go on with it. */
  const keepUnasked = async (run: LiveRun, result: ToolResult): Promise<ToolResult> => {
    const request = withoutPasswords(pendingOf(result))
    if (request && !run.isAtGate) run.first ??= request.prompt
    if (request) await (run.keeper ?? keeper(true))?.ended(run, unasked(request, run, run.isAtGate === true))
    return result
  }

  const finish = (run: LiveRun, outcome: ToolResult): ToolResult => {
    const result = run.instead?.result ?? resultOf(run, outcome)
    const { id } = run.record
    // What it asked inside execute and did not wait for has nobody left to answer to.
    if (run.open > 0) questions.cancel(({ runId }) => runId === id)
    const status = run.instead?.status ?? statusOf(result, run.controller.signal)
    const record = recordOf(result)
    runs.finish(run, status, pendingOf(record) ? withoutPasswords(record) : record)
    if (!pendingOf(result)) void run.keeper?.ended(run)
    turns.leave(run, true)
    const ended: Change = { outcome: status === 'interrupted' ? 'failed' : status }
    for (const tell of run.onEnd) tell(ended)
    change()
    publish()
    return result
  }

  const deliver = (run: LiveRun, result: ToolResult): void => {
    try {
      options.onResult?.(result, run.record)
    } catch (error) {
      console.error('assent: onResult threw.', error)
    }
  }

  const onEvent = (run: LiveRun, event: ToolEvent): void => {
    if (event.type === 'custom') {
      const { name, value, at } = event
      runs.note(run, Object.freeze({ name, value, at }))
      publishSoon()
    }
    if (event.type === 'answer' && !event.ok) {
      run.refusal = { reason: event.reason ?? 'cancelled', output: refused(event.request.prompt) }
    }
    options.onEvent?.(event)
  }

  const loop = async (
    run: LiveRun,
    args: unknown,
    { timeout = options.timeout, resetTimeoutOnProgress = options.resetTimeoutOnProgress }: RunOptions,
    onMoved: RunToolOptions['onMoved'],
  ): Promise<ToolResult> => {
    const { controller, record } = run
    const { id: runId, toolCallId, toolName: name } = record
    const tool = registry.get(name)
    const { turn } = run
    const isShown = (now: AnyTool): boolean => run.shown !== undefined && isSameTool(run.shown, now)
    run.tool = tool
    run.shown = tool && identityOf(tool)
    // A no needs no tool: it is what the person said, whatever became of the tool.
    if (turn && !turn.answer.ok && !(tool && isToolText(turn.tool, tool)))
      return errorResult(refused(turn.item.request.prompt))
    return runTool(tool, args, {
      name,
      runId,
      toolCallId,
      controller,
      timeout,
      resetTimeoutOnProgress,
      onMoved,
      asShown: withoutPasswords,
      // Looked at for each attempt: the tray may come and go.
      get onDetachable(): RunToolOptions['onDetachable'] {
        return canDetach() ? (move) => offer(run, move) : undefined
      },
      onRefusal: options.onRefusal,
      maxQuestions: options.maxQuestions,
      // Looked at for each question: the answer that is there already is one host, and the person is another.
      get waitFor(): WaitFor | undefined {
        return hostOf(run, false)
      },
      gate: gateOf(run, tool),
      ...(run.files && { files: run.files }),
      ...(turn && {
        restored: {
          request: turn.item.isGate ? undefined : turn.item.request,
          answers: turn.answers,
          first: turn.first,
        },
      }),
      ...(options.context !== undefined && { context: options.context }),
      onEvent: (event) => onEvent(run, event),
      current: () => {
        const now = registry.get(name)
        return now && isShown(now) ? publishing(run, now) : undefined
      },
    })
  }

  /** The tool with the answer of the gate, and with the views told right after it has begun. */
  const publishing = (run: LiveRun, tool: AnyTool): AnyTool => ({
    name: tool.name,
    outputSchema: tool.outputSchema,
    onRefusal: tool.onRefusal,
    maxQuestions: tool.maxQuestions,
    trusted: tool.trusted,
    execute(args, ctx) {
      const { approval } = run
      run.hasBegun = true
      try {
        return tool.execute(args, approval ? { ...ctx, approval: copyOf(approval) } : ctx)
      } finally {
        publish()
      }
    },
  })

  const run: Calls['run'] = (asked, args, runOptions) => {
    const name = registry.nameOf(asked)
    if (name === undefined) return Promise.resolve(errorResult(ambiguous(asked)))
    const { signal, within, toolCallId } = runOptions
    assertSignals(signal, within)
    // The call whose tool asks for this one has ended, and this one would have ended with it.
    if (runs.isOver(within)) return Promise.resolve(errorResult(CANCELLED))
    const files = readFiles(runOptions.files)
    let given = args
    let joinKey: string | undefined
    try {
      // As they are now: the caller may write to them before the call starts.
      given = frozenJson(args)
      if (toolCallId !== undefined) joinKey = joinKeyOf(toolCallId, name, given, files)
    } catch {
      // Arguments that are no JSON are refused in the call, which says why.
    }
    const run = runs.twin(joinKey) ?? start(name, given, runOptions, joinKey, files)
    tell(runOptions.onStart, run)
    return follow(run, [signal, within])
  }

  const goOn: Calls['goOn'] = (turn, isTold) => {
    const { id, toolCallId, toolName, args, startedAt, item, answer, answers, approval, first } = turn
    const run: LiveRun = {
      ...newRun({ id, toolCallId, toolName, args, startedAt, isRestored: true }),
      onEnd: stored.takeEnds(id),
      feedback: feedbackOf(answer),
      callers: 1,
      turn,
      given: { answer, isGate: item.isGate === true },
      approval,
      answers,
      first,
      questions: turn.turn,
      keeper: keeper(true),
    }
    runs.add(run)
    change()
    let isJoined = false
    run.onEnd.push(({ outcome }) => {
      if (!outcome) return
      // Who asked for the same call again waits for it: its result has a promise after all.
      isJoined = stored.calls.over(id, run.record.result ?? errorResult(CANCELLED))
    })
    run.promise = execute(run, args, {}).then((result) => {
      // None is told after the runner's end: what is stored of the call waits for the next page.
      if (isTold && !isJoined && !run.isDetached && keeper(true)) deliver(run, result)
      return result
    })
    publish()
    return run.promise
  }

  const again: Calls['again'] = ({ toolName, args, toolCallId }) => {
    const run = start(toolName, args, { toolCallId })
    runs.update(run, { isRestored: true })
    void run.promise.then((result) => run.isDetached || deliver(run, result))
  }

  return {
    run,
    goOn,
    again,
    detach: (id) => runs.live(id).some(detach),
    asked(run) {
      if (run.open > 0) turns.leave(run)
      else turns.goOn(run)
    },
  }
}
