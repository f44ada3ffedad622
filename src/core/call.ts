import { readAnswer, refusal } from './answer.js'
import { createCallClock } from './call-clock.js'
import { createCallEvents } from './call-events.js'
import { checkOutput } from './check-output.js'
import { hasExpired } from './expiry.js'
import { newId } from './ids.js'
import { inputResponseOf } from './input-response.js'
import { CANCELLED, messageOf, movedToBackground, timedOut } from './messages.js'
import { errorResult, normaliseResult } from './normalise-result.js'
import { pendingOf } from './pending.js'
import { copyOf, defined } from './plain-data.js'
import type { Args } from './prepare-args.js'
import type { RunToolOptions } from './run-tool.js'
import { outputCopy } from './schema-output.js'
import type { Answer, AnyTool, PendingRequest, RunContext, ToolResult, WaitFor } from './types.js'

/** What one call does to the world around the loop: it runs the tool, asks the host and tells the listeners. */
export interface Call {
  readonly signal: AbortSignal
  /** Whether the person moved it to the background. */
  isMoved(): boolean
  /** Work before the first attempt, with the whole budget for itself (DESIGN 8.5). */
  timed<T>(work: () => Promise<T>): Promise<T>
  /** One `execute` with a copy of `value`, the arguments as they run. */
  attempt(tool: AnyTool, value: Args, answers: readonly Answer[]): Promise<ToolResult>
  ask(host: WaitFor, request: PendingRequest): Promise<Answer>
  /**
   * Runs `loop` to its result; when the signal aborts to `cancelled`, or what the timeout says, at once; when the person
   * moves it, to the note. Never rejects.
   */
  settle(loop: () => Promise<ToolResult>): Promise<ToolResult>
}

export function createCall(toolName: string, options: RunToolOptions, controller: AbortController): Call {
  const { signal } = controller
  const { timeout, context, toolCallId = newId('call'), runId = toolCallId } = options
  const events = createCallEvents({ runId, toolCallId, toolName }, options.onEvent)
  const { emit } = events
  let ending = CANCELLED
  let isMoved = false
  let leave = (): void => {}
  const moved = new Promise<void>((resolve) => {
    leave = resolve
  })

  const emitCustomEvent: RunContext['emitCustomEvent'] = (name, value, how) => {
    if (name === 'progress' && options.resetTimeoutOnProgress) clock.reset()
    events.emitCustomEvent(name, value, how)
  }
  const close = (): void => {
    clock.stop()
    events.close()
  }

  const clock = createCallClock(signal, timeout, () => {
    ending = timedOut(timeout ?? 0)
    controller.abort(new DOMException(ending, 'TimeoutError'))
  })

  // A tool or a host that ignores the signal does not hold the call; what comes of it later is dropped.
  const untilAborted = (): Promise<ToolResult> =>
    new Promise((resolve) => {
      const stop = (): void => resolve(errorResult(ending))
      if (signal.aborted) stop()
      // The signal is the call's own: its listener goes with it.
      else signal.addEventListener('abort', stop)
    })

  return {
    signal,
    isMoved: () => isMoved,

    async timed(work) {
      clock.start()
      try {
        return await work()
      } finally {
        clock.stop()
      }
    },

    async attempt(tool, value, given) {
      const { onDetachable, files } = options
      // A tool may write to what it is given; what was decided stays.
      const answers = copyOf(given)
      const answer = answers.at(-1)
      const offer: { work?: unknown; isOver?: true; taken?: true } = {}
      const detach = (work: unknown): Promise<string> =>
        new Promise((resolve) => {
          if (offer.isOver) return
          offer.work = work
          // What the tool does after the work it offered was not offered.
          const end = (): void => {
            if (!offer.isOver && offer.work === work && !offer.taken) onDetachable?.(undefined)
          }
          Promise.resolve(work).then(end, end)
          onDetachable?.(() => {
            if (isMoved || offer.isOver || signal.aborted) return false
            isMoved = offer.taken = true
            // Its time is nobody's to limit any more.
            clock.stop()
            resolve(movedToBackground(toolName))
            emit({ type: 'detached' })
            leave()
            return true
          })
        })
      const ctx: RunContext = defined({
        signal,
        abortSignal: signal,
        toolCallId,
        emitCustomEvent,
        // Once it is in the background it is there.
        detach: onDetachable && !isMoved ? detach : undefined,
        timeout,
        context,
        answer,
        inputResponse: answer && inputResponseOf(answer),
        answers: answer && answers,
        files: files && { ...files },
      })
      clock.start()
      try {
        const running = tool.execute(outputCopy(value), ctx)
        let output = await (isMoved ? running : Promise.race([moved, running]))
        offer.isOver = true
        // What the tool made of the note is not what the work comes to.
        if (offer.taken) output = await offer.work
        return normaliseResult(toolName, await checkOutput(tool, output))
      } catch (error) {
        return errorResult(messageOf(error))
      } finally {
        offer.isOver = true
        onDetachable?.(undefined)
        clock.stop()
      }
    },

    async ask(host, request) {
      let answer = refusal(request.id, 'expired')
      if (!hasExpired(request)) {
        emit({ type: 'pending', request, pending: true })
        try {
          answer = readAnswer(request, await host(request, { signal }))
        } catch {
          // A host that throws or rejects is one that did not answer (rule 3).
          answer = refusal(request.id, 'cancelled')
        }
      }
      const { ok, reason } = answer
      if (!signal.aborted) emit({ type: 'answer', request, ok, reason })
      return answer
    },

    async settle(loop) {
      emit({ type: 'tool_call' })
      const whole = Promise.race([untilAborted(), loop()]).catch((error) => errorResult(messageOf(error)))
      const note = { output: movedToBackground(toolName), isError: false }
      const first = await Promise.race([moved, whole])
      const result = !isMoved && first ? first : note
      const pending = pendingOf(result) !== undefined
      emit({ type: 'tool_result', result, pending, isError: result.isError && !pending })
      if (result !== note) close()
      else {
        const rest = whole.finally(close)
        options.onMoved?.(rest)
      }
      return result
    },
  }
}
