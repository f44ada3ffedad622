import { readAnswer, refusal } from './answer.js'
import { createCallClock } from './call-clock.js'
import { hasExpired } from './expiry.js'
import { newId } from './ids.js'
import { CANCELLED, messageOf, timedOut } from './messages.js'
import { errorResult, normaliseResult } from './normalise-result.js'
import { pendingOf } from './pending.js'
import { copyOf, defined } from './plain-data.js'
import type { Args } from './prepare-args.js'
import type { RunToolOptions } from './run-tool.js'
import type { Answer, AnyTool, PendingRequest, RunContext, ToolEvent, ToolResult, WaitFor } from './types.js'

type Payload<E = ToolEvent> = E extends ToolEvent
  ? Omit<E, 'runId' | 'toolCallId' | 'toolName' | 'at' | 'pending' | 'isError'> & {
      pending?: boolean
      isError?: boolean
    }
  : never

/** What one call does to the world around the loop: it runs the tool, asks the host and tells the listeners. */
export interface Call {
  readonly signal: AbortSignal
  attempt(tool: AnyTool, args: Args, answers: readonly Answer[]): Promise<ToolResult>
  ask(host: WaitFor, request: PendingRequest): Promise<Answer>
  /** Runs `loop` to its result; when the signal aborts to `cancelled`, or what the timeout says, at once. Never rejects. */
  settle(loop: () => Promise<ToolResult>): Promise<ToolResult>
}

export function createCall(toolName: string, options: RunToolOptions, controller: AbortController): Call {
  const { signal } = controller
  const { timeout, context, toolCallId = newId('call'), runId = toolCallId } = options
  let { onEvent } = options
  let ending = CANCELLED

  const emit = (payload: Payload): void => {
    try {
      onEvent?.({ runId, toolCallId, toolName, at: Date.now(), isError: false, pending: false, ...payload })
    } catch (error) {
      console.error('assent: onEvent threw.', error)
    }
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

    async attempt(tool, args, answers) {
      const answer = answers.at(-1)
      const ctx: RunContext = defined({
        signal,
        abortSignal: signal,
        toolCallId,
        emitCustomEvent: (name, value) => emit({ type: 'custom', name, value }),
        timeout,
        context,
        answer,
        answers: answer && [...answers],
      })
      clock.start()
      try {
        return normaliseResult(toolName, await tool.execute(copyOf(args), ctx))
      } catch (error) {
        return errorResult(messageOf(error))
      } finally {
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
      const result = await Promise.race([untilAborted(), loop()]).catch((error) => errorResult(messageOf(error)))
      // A tool that never returns leaves no timer behind.
      clock.stop()
      const pending = pendingOf(result) !== undefined
      emit({ type: 'tool_result', result, pending, isError: result.isError && !pending })
      // After its end nothing more is said of a call (K25).
      onEvent = undefined
      return result
    },
  }
}
