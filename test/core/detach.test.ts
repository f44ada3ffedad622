// @vitest-environment node
import {
  type AnyTool,
  pending,
  type RunContext,
  type RunToolOptions,
  runTool,
  type ToolEvent,
  type ToolResult,
} from 'assent/core'
import { describe, expect, it, vi } from 'vitest'
import { countListeners, flush, yes } from '../support/asking.js'

const NOTE = { output: 'Moved to the background: job. Its result will follow.', isError: false }
const CANCELLED = { output: 'cancelled', isError: true }

const race = (work: Promise<unknown>, { detach }: RunContext): Promise<unknown> =>
  detach ? Promise.race([work, detach(work)]) : work

/** A call of the loop itself, whose caller plays the person that moves it. */
function started(options: RunToolOptions = {}, execute?: (ctx: RunContext, work: Promise<unknown>) => unknown) {
  let end = (_value: unknown): void => {}
  const work = new Promise<unknown>((resolve) => {
    end = resolve
  })
  const offers: (undefined | (() => boolean))[] = []
  const rest: Promise<ToolResult>[] = []
  const events: ToolEvent[] = []
  const tool: AnyTool = { name: 'job', execute: (_args, ctx) => (execute ? execute(ctx, work) : race(work, ctx)) }
  const result = runTool(
    tool,
    {},
    {
      onDetachable: (move) => offers.push(move),
      onMoved: (promise) => rest.push(promise),
      onEvent: (event) => events.push(event),
      ...options,
    },
  )
  return { result, end, offers, rest, events, move: () => offers.at(-1)?.() }
}

describe('a call that its host can move', () => {
  it('is told as one once its tool offers it, and no more when the attempt is over', async () => {
    const { result, end, offers, rest } = started()
    await flush()
    expect(offers).toEqual([expect.any(Function)])
    end('worked')
    expect(await result).toEqual({ output: 'worked', isError: false })
    expect([offers.at(-1), rest]).toEqual([undefined, []])
  })

  it('ends with the note and goes on, and says what becomes of it', async () => {
    const { result, end, rest, move, events } = started()
    await flush()
    expect([move(), await result]).toEqual([true, NOTE])
    end({ n: 1 })
    expect(await Promise.all(rest)).toEqual([{ output: '{"n":1}', isError: false }])
    expect(events.map(({ type }) => type)).toEqual(['tool_call', 'detached', 'tool_result'])
  })

  it('is moved once, and not any more when it is over', async () => {
    const first = started()
    await flush()
    const move = first.offers[0]
    expect([move?.(), move?.()]).toEqual([true, false])
    const second = started()
    await flush()
    second.end('worked')
    await second.result
    expect([second.offers[0]?.(), second.rest]).toEqual([false, []])
  })

  it('is moved only while it was not aborted', async () => {
    const controller = new AbortController()
    const { result, offers } = started({ signal: controller.signal })
    await flush()
    controller.abort()
    expect([offers[0]?.(), await result]).toEqual([false, CANCELLED])
  })

  it('does not hear of its caller’s signal any more, which keeps no listener (K37)', async () => {
    const controller = new AbortController()
    const listeners = countListeners(controller.signal)
    const { result, end, rest, move } = started({ signal: controller.signal })
    await flush()
    move()
    controller.abort()
    expect(await result).toEqual(NOTE)
    expect(listeners.live()).toBe(0)
    end('worked')
    expect(await rest[0]).toEqual({ output: 'worked', isError: false })
  })

  it('hears of its host’s own controller, with its reason', async () => {
    const controller = new AbortController()
    const reasons: unknown[] = []
    const { rest, move } = started({ controller }, (ctx, work) => {
      ctx.signal.addEventListener('abort', () => reasons.push(ctx.signal.reason))
      return race(work, ctx)
    })
    await flush()
    move()
    await flush()
    controller.abort('mine')
    expect([await rest[0], reasons]).toEqual([CANCELLED, ['mine']])
  })

  it('asks on, and its next attempt cannot be moved again', async () => {
    const keys: boolean[] = []
    const waitFor = vi.fn(async ({ id }: { id: string }) => yes(id))
    const { end, rest, move } = started({ waitFor }, (ctx, work) => {
      keys.push('detach' in ctx)
      return ctx.answer ? 'answered' : race(work, ctx)
    })
    await flush()
    move()
    end(pending({ kind: 'approval', prompt: '?' }))
    await flush()
    expect([await rest[0], keys]).toEqual([{ output: 'answered', isError: false }, [true, false]])
    expect(waitFor).toHaveBeenCalledOnce()
  })

  it('that nobody is told of goes on all the same', async () => {
    let ended = false
    const { result, end, move } = started({ onMoved: undefined }, (ctx, work) =>
      race(
        work.then((value) => {
          ended = true
          return value
        }),
        ctx,
      ),
    )
    await flush()
    move()
    expect(await result).toEqual(NOTE)
    end('worked')
    await flush()
    expect(ended).toBe(true)
  })

  it('survives a tool that throws after it was moved, and one that throws before', async () => {
    const late = started({}, async (ctx, work) => {
      await race(work, ctx)
      throw new Error('after the note')
    })
    await flush()
    late.move()
    expect(await late.result).toEqual(NOTE)
    late.end('worked')
    expect(await late.rest[0]).toEqual({ output: 'worked', isError: false })
    const early = started({}, (ctx, work) => {
      void ctx.detach?.(work)
      throw new Error('at once')
    })
    expect(await early.result).toEqual({ output: 'at once', isError: true })
    expect([early.offers[0]?.(), early.rest]).toEqual([false, []])
  })
})
