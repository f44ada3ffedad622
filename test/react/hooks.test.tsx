import { act, renderHook, waitFor } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { describe, expect, test, vi } from 'vitest'
import {
  createToolRunner,
  type Runner,
  ToolRunner,
  usePending,
  useRun,
  useRuns,
  useToolRunner,
} from '../../src/index.js'
import { asking } from '../support/asking.js'

const inside =
  (runner: Runner) =>
  ({ children }: { children: ReactNode }): ReactNode => (
    <StrictMode>
      <ToolRunner runner={runner} presentation="none">
        {children}
      </ToolRunner>
    </StrictMode>
  )

async function waiting(count: number) {
  const runner = createToolRunner({ tools: [asking('a')] })
  for (let n = 0; n < count; n++) void runner.run('a', { n })
  await waitFor(() => expect(runner.count()).toBe(count))
  return runner
}

const hooks = {
  usePending: () => usePending(),
  'usePending with an inline filter': () => usePending(({ toolName }) => toolName === 'a'),
  'usePending with a filter for none': () => usePending(() => false),
  useRuns: () => useRuns(),
  'useRuns with an inline filter': () => useRuns(({ status }) => status === 'waiting'),
  'useRun of none': () => useRun(undefined),
  'useRun of an unknown one': () => useRun('nope'),
  useToolRunner: () => useToolRunner(),
}

describe.each(Object.entries(hooks))('%s', (_name, hook) => {
  test.each([0, 3])(
    'gives the same value until something changes, with %d waiting, and no loop (BUG-171)',
    async (count) => {
      const error = vi.spyOn(console, 'error')
      const runner = await waiting(count)
      let renders = 0
      const { result, rerender } = renderHook(
        () => {
          renders++
          return hook()
        },
        { wrapper: inside(runner) },
      )
      const first = result.current
      rerender()
      rerender()
      expect(result.current).toBe(first)
      expect(renders).toBeLessThan(12)
      expect(error).not.toHaveBeenCalled()
      runner.abort()
    },
  )
})

describe('usePending', () => {
  test('is oldest first, its items keep their identity, and a filter holds', async () => {
    const runner = await waiting(3)
    const { result } = renderHook(() => ({ all: usePending(), some: usePending(({ args }) => args?.n !== 1) }), {
      wrapper: inside(runner),
    })
    expect(result.current.all.map(({ args }) => args?.n)).toEqual([0, 1, 2])
    expect(result.current.some).toEqual([result.current.all[0], result.current.all[2]])
    const [, second, third] = result.current.all
    act(() => void result.current.all[0]?.approve())
    await waitFor(() => expect(result.current.all).toHaveLength(2))
    expect(result.current.all[0]).toBe(second)
    expect(result.current.all[1]).toBe(third)
    runner.abort()
  })

  test('holds plain data of the request and its call, which nobody can change (K15)', async () => {
    const runner = await waiting(1)
    const { result } = renderHook(() => usePending(), { wrapper: inside(runner) })
    const [item] = result.current
    expect(item).toMatchObject({ toolName: 'a', args: { n: 0 }, request: { kind: 'approval', prompt: 'a?' } })
    expect([item, item?.request, item?.args].every(Object.isFrozen)).toBe(true)
    runner.abort()
  })
})

describe('useRun and useRuns', () => {
  test('follow a call from start to end', async () => {
    const runner = createToolRunner({ tools: [asking('a')] })
    const { result } = renderHook(() => ({ runs: useRuns(), waiting: useRuns(({ status }) => status === 'waiting') }), {
      wrapper: inside(runner),
    })
    const ids: string[] = []
    let call: Promise<unknown> = Promise.resolve()
    await act(async () => {
      call = runner.run('a', {}, { onStart: (run) => ids.push(run.id) })
    })
    const one = renderHook(() => useRun(ids[0]), { wrapper: inside(runner) })
    await waitFor(() => expect(one.result.current?.status).toBe('waiting'))
    expect(result.current.waiting).toHaveLength(1)
    await act(async () => {
      const head = runner.head()
      runner.answer(head?.key ?? '', { id: head?.request.id ?? '', ok: true })
      await call
    })
    await waitFor(() => expect(one.result.current?.status).toBe('done'))
    expect(result.current.waiting).toEqual([])
    expect(result.current.runs.map(({ status, result: end }) => [status, end?.output])).toEqual([['done', 'done']])
  })
})

describe('useToolRunner', () => {
  test('gives functions that work on their own', async () => {
    const runner = createToolRunner({ tools: [asking('a')] })
    const { result } = renderHook(() => useToolRunner(), { wrapper: inside(runner) })
    const { run, abort, waitFor: ask } = result.current
    const call = run('a')
    const answer = ask({ id: 'w', kind: 'approval', prompt: '?' })
    await waitFor(() => expect(runner.count()).toBe(2))
    abort()
    expect((await call).output).toBe('cancelled')
    expect((await answer).reason).toBe('cancelled')
  })
})
