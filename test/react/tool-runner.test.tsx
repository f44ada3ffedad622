import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, StrictMode, useEffect, useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  type AnyTool,
  createToolRunner,
  pending,
  type Runner,
  type ToolResult,
  ToolRunner,
  type ToolRunnerProps,
  usePending,
  useToolRunner,
} from '../../src/index.js'
import { asking, flush, recorded } from '../support/asking.js'

afterEach(() => vi.useRealTimers())

/** Hands out what the hook gives. */
function Tap({ onRunner }: { onRunner: (runner: Runner) => void }): ReactNode {
  onRunner(useToolRunner().runner)
  return null
}

function mount(props: ToolRunnerProps = {}, Mode: React.ElementType = StrictMode) {
  let runner: Runner | undefined
  const view = (now: ToolRunnerProps) => (
    <Mode>
      <ToolRunner presentation="none" {...now}>
        <Tap
          onRunner={(given) => {
            runner = given
          }}
        />
        {now.children}
      </ToolRunner>
    </Mode>
  )
  const { rerender, unmount } = render(view(props))
  return {
    runner: () => runner as Runner,
    update: (next: ToolRunnerProps) => rerender(view(next)),
    unmount,
  }
}

const Plain = ({ children }: { children: ReactNode }) => children

const ended = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30))

const constant = (name: string, output: string): AnyTool => ({ name, description: name, execute: () => output })

describe('the tools prop', () => {
  test('gives the tools from the first render on', async () => {
    const results: string[] = []
    function Early(): ReactNode {
      const { run } = useToolRunner()
      useEffect(() => {
        void run('a').then(({ output }) => results.push(output))
      }, [run])
      return null
    }
    render(
      <ToolRunner tools={[constant('a', 'ran')]}>
        <Early />
      </ToolRunner>,
    )
    await waitFor(() => expect(results).toEqual(['ran']))
  })

  test('adds, removes and replaces tools as it changes (K9)', async () => {
    const { runner, update } = mount({ tools: [constant('a', 'a1'), constant('b', 'b1')] })
    update({ tools: [constant('a', 'a2'), constant('c', 'c1')] })
    expect((await runner().run('a')).output).toBe('a2')
    expect(await runner().run('b')).toEqual({ output: 'Unknown tool: b', isError: true })
    expect((await runner().run('c')).output).toBe('c1')
    expect(
      runner()
        .tools()
        .map(({ name }) => name),
    ).toEqual(['a', 'c'])
  })

  test('keeps the runner, its questions and their promises over every change', async () => {
    const { runner, update } = mount({ tools: [asking('a')] })
    const before = runner()
    const result = before.run('a')
    await waitFor(() => expect(before.count()).toBe(1))
    for (let n = 0; n < 10; n++) update({ tools: [asking('a')] })
    expect(runner()).toBe(before)
    expect(before.count()).toBe(1)
    const head = before.head()
    before.answer(head?.key ?? '', { id: head?.request.id ?? '', ok: true })
    expect((await result).output).toBe('done')
  })

  test('that no longer has a tool whose question is open makes its answer an error (BUG-056)', async () => {
    const { runner, update } = mount({ tools: [asking('a')] })
    const result = runner().run('a')
    await waitFor(() => expect(runner().count()).toBe(1))
    update({ tools: [] })
    const head = runner().head()
    runner().answer(head?.key ?? '', { id: head?.request.id ?? '', ok: true })
    expect(await result).toEqual({ output: 'Unknown tool: a', isError: true })
  })

  test('runs a call once over 50 renders with new handlers (BUG-001)', async () => {
    let executions = 0
    let finish = (): void => {}
    const slow = (): AnyTool => ({
      name: 'slow',
      execute: async () => {
        executions++
        await new Promise<void>((resolve) => {
          finish = resolve
        })
        return 'ok'
      },
    })
    const { runner, update } = mount({ tools: [slow()] })
    const results: ToolResult[] = []
    const call = runner().run('slow')
    void call.then((result) => results.push(result))
    for (let n = 0; n < 50; n++) {
      update({ tools: [slow()], onEvent: () => {} })
      await flush()
    }
    finish()
    await call
    expect(executions).toBe(1)
    expect(results).toEqual([{ output: 'ok', isError: false }])
  })
})

describe('the other options', () => {
  test('are followed as they change: context, timeout, onEvent, onRefusal', async () => {
    const heard: string[] = []
    const tool = recorded('a', (_args, ctx) => JSON.stringify([ctx.context, ctx.timeout]))
    const { runner, update } = mount({ tools: [tool], context: 1, timeout: 100, onEvent: () => heard.push('old') })
    expect((await runner().run('a')).output).toBe('[1,100]')
    update({ tools: [tool], context: 2, timeout: 200, onEvent: () => heard.push('new') })
    heard.length = 0
    expect((await runner().run('a')).output).toBe('[2,200]')
    expect(new Set(heard)).toEqual(new Set(['new']))
  })

  test('are gone when the props are gone', async () => {
    const tool = recorded('a', (_args, ctx) => JSON.stringify([ctx.context ?? null, ctx.timeout ?? null]))
    const { runner, update } = mount({ tools: [tool], context: 1, timeout: 100 })
    update({ tools: [tool] })
    expect((await runner().run('a')).output).toBe('[null,null]')
  })

  test('give the newest closure to an effect of the app: no stale state', async () => {
    const seen: number[] = []
    function App(): ReactNode {
      const [count, setCount] = useState(0)
      return (
        <ToolRunner tools={[{ name: 'read', execute: () => void seen.push(count) }]}>
          <button type="button" onClick={() => setCount((now) => now + 1)}>
            More
          </button>
          <Caller />
        </ToolRunner>
      )
    }
    function Caller(): ReactNode {
      const { run } = useToolRunner()
      return (
        <button type="button" onClick={() => void run('read')}>
          Run
        </button>
      )
    }
    render(<App />)
    const user = userEvent.setup()
    for (let n = 0; n < 5; n++) await user.click(screen.getByRole('button', { name: 'More' }))
    await user.click(screen.getByRole('button', { name: 'Run' }))
    await waitFor(() => expect(seen).toEqual([5]))
  })
})

describe('unmounting the runner', () => {
  test.each([
    ['StrictMode', StrictMode],
    ['no StrictMode', Plain],
  ])('settles questions as cancelled and aborts calls, in %s', async (_name, Mode) => {
    const signals: AbortSignal[] = []
    const hangs: AnyTool = {
      name: 'hangs',
      execute: (_args, ctx) => {
        signals.push(ctx.signal)
        return new Promise(() => {})
      },
    }
    const { runner, unmount } = mount({ tools: [hangs, asking('asks')] }, Mode)
    const results = [runner().run('hangs'), runner().run('asks')]
    const answer = runner().waitFor({ id: 'w', kind: 'approval', prompt: 'And?' })
    await waitFor(() => expect(runner().count()).toBe(2))
    unmount()
    expect(await Promise.all(results)).toEqual([
      { output: 'cancelled', isError: true },
      { output: 'cancelled', isError: true },
    ])
    expect(await answer).toEqual({ id: 'w', ok: false, reason: 'cancelled' })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(await runner().run('asks')).toEqual({ output: 'cancelled', isError: true })
  })

  test('is deferred: mounting again at once undoes it', async () => {
    const { runner } = mount({ tools: [asking('a')] })
    const result = runner().run('a')
    await waitFor(() => expect(runner().count()).toBe(1))
    await ended()
    expect(runner().count()).toBe(1)
    runner().abort()
    await result
  })

  test('leaves a runner of the app’s own as it is', async () => {
    const own = createToolRunner({ tools: [asking('a')] })
    const { unmount } = mount({ runner: own })
    const result = own.run('a')
    await waitFor(() => expect(own.count()).toBe(1))
    unmount()
    await ended()
    expect(own.count()).toBe(1)
    const head = own.head()
    own.answer(head?.key ?? '', { id: head?.request.id ?? '', ok: true })
    expect((await result).output).toBe('done')
  })
})

describe('an effect that runs a tool', () => {
  function Calls({ toolCallId, onResult }: { toolCallId?: string; onResult: (output: string) => void }): ReactNode {
    const { run } = useToolRunner()
    useEffect(() => {
      const controller = new AbortController()
      const options = { signal: controller.signal, ...(toolCallId !== undefined && { toolCallId }) }
      void run('a', {}, options).then(({ output }) => onResult(output))
      return () => controller.abort()
    }, [run, toolCallId, onResult])
    return <output>{usePending().length}</output>
  }

  test.each([undefined, 'call-1'])(
    'runs it once in StrictMode, asks once (BUG-050), toolCallId: %s',
    async (toolCallId) => {
      const tool = asking('a')
      const asked: string[] = []
      const outputs: string[] = []
      const onResult = (output: string) => outputs.push(output)
      const { runner } = mount({
        tools: [tool],
        onEvent: (event) => {
          if (event.type === 'pending') asked.push(event.request.prompt)
        },
        children: <Calls {...(toolCallId !== undefined && { toolCallId })} onResult={onResult} />,
      })
      await waitFor(() => expect(runner().count()).toBe(1))
      await ended()
      expect(tool.attempts).toHaveLength(1)
      expect(asked).toEqual(['a?'])
      expect(runner().count()).toBe(1)
      expect(outputs).toEqual(['cancelled'])
      const head = runner().head()
      act(() => void runner().answer(head?.key ?? '', { id: head?.request.id ?? '', ok: true }))
      await waitFor(() => expect(outputs).toEqual(['cancelled', 'done']))
      expect(tool.attempts).toHaveLength(2)
    },
  )

  test('without a signal but with a toolCallId joins the call: one run for both effects (BUG-050)', async () => {
    const tool = asking('a')
    function Joins(): ReactNode {
      const { run } = useToolRunner()
      useEffect(() => void run('a', {}, { toolCallId: 'call-2' }), [run])
      return null
    }
    const { runner } = mount({ tools: [tool], children: <Joins /> })
    await waitFor(() => expect(runner().count()).toBe(1))
    await ended()
    expect(tool.attempts).toHaveLength(1)
    runner().abort()
  })
})

describe('wrong props', () => {
  const told = (spy: ReturnType<typeof vi.spyOn>): string[] =>
    spy.mock.calls
      .map((words: unknown[]) => words.map(String).join(' '))
      .filter((words: string) => words.includes('assent'))

  const wrong: [string, ToolRunnerProps, RegExp][] = [
    ['two tools of a name', { tools: [constant('a', 'first'), constant('a', 'second')] }, /"a"/],
    ['a null tool', { tools: [null as unknown as AnyTool, constant('a', 'first')] }, /tool/],
    ['a tool without a name', { tools: [{ execute: () => '' } as unknown as AnyTool, constant('a', 'first')] }, /name/],
    ['a tool without execute', { tools: [{ name: 'b' } as AnyTool, constant('a', 'first')] }, /execute/],
    [
      'a broken inputSchema',
      {
        tools: [
          { ...constant('b', ''), inputSchema: { type: 'nonsense' } } as unknown as AnyTool,
          constant('a', 'first'),
        ],
      },
      /b/,
    ],
  ]

  test.each(wrong)('%s: told once, nothing thrown, the other tools run', async (_name, props, message) => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { runner, update } = mount(props, Plain)
    update(props)
    update(props)
    expect(told(error)).toEqual([expect.stringMatching(message)])
    expect((await runner().run('a')).output).toBe('first')
  })

  test('tools that are no array: told once, nothing thrown', () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const props = { tools: constant('a', '') as unknown as AnyTool[] }
    const { update } = mount(props, Plain)
    update(props)
    expect(told(error)).toEqual([expect.stringContaining('tools')])
  })

  test.each([Number.NaN, -1, Number.POSITIVE_INFINITY, '200' as unknown as number])(
    'an armingDelay of %s: told once, and the delay is the usual one',
    (armingDelay) => {
      vi.useFakeTimers()
      const error = vi.spyOn(console, 'error').mockImplementation(() => {})
      const runner = createToolRunner()
      const { rerender } = render(<ToolRunner runner={runner} armingDelay={armingDelay} />)
      rerender(<ToolRunner runner={runner} armingDelay={armingDelay} />)
      act(() => void runner.waitFor({ id: 'w', kind: 'approval', prompt: 'Sure?' }))
      const approve = screen.getByRole('button', { name: 'Approve' })
      act(() => void vi.advanceTimersByTime(499))
      expect(approve).toHaveAttribute('data-state', 'arming')
      act(() => void vi.advanceTimersByTime(1))
      expect(approve).toHaveAttribute('data-state', 'armed')
      expect(told(error)).toEqual([expect.stringContaining('armingDelay')])
    },
  )

  test('a runner and options of a runner: told once, which are ignored', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const own = createToolRunner({ tools: [constant('a', 'own')] })
    const props = { runner: own, tools: [constant('a', 'prop')], timeout: 5 }
    const { update } = mount(props, Plain)
    update({ ...props, tools: [constant('a', 'prop')] })
    expect(told(error)).toEqual([expect.stringMatching(/tools.*timeout/)])
    expect((await own.run('a')).output).toBe('own')
  })

  test('a presentation nobody knows shows nothing and throws nothing', () => {
    expect(() => mount({ presentation: 'popup' as 'none' })).not.toThrow()
  })

  test.each([{ approval: undefined }, { approval: null }])(
    'a body that is none is the kit’s own: %j',
    async (dialogs) => {
      const runner = createToolRunner()
      render(<ToolRunner runner={runner} dialogs={dialogs as unknown as ToolRunnerProps['dialogs']} />)
      act(() => void runner.waitFor({ id: 'w', kind: 'approval', prompt: 'Sure?' }))
      expect(await screen.findByRole('button', { name: 'Approve' })).toBeInTheDocument()
    },
  )

  test('dialogs and labels that are null are none', async () => {
    const runner = createToolRunner()
    render(<ToolRunner runner={runner} {...({ dialogs: null, labels: null } as unknown as ToolRunnerProps)} />)
    act(() => void runner.waitFor({ id: 'w', kind: 'approval', prompt: 'Sure?' }))
    expect(await screen.findByRole('button', { name: 'Approve' })).toBeInTheDocument()
  })
})

describe('without a provider', () => {
  test('no hook throws, and run says what is missing in its result', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const results: ToolResult[] = []
    function App(): ReactNode {
      const { run, waitFor: ask, abort } = useToolRunner()
      const waiting = usePending()
      return (
        <button
          type="button"
          onClick={async () => {
            abort()
            results.push(await run('a'))
            results.push({ output: String((await ask({ id: 'w', kind: 'approval', prompt: '?' })).ok), isError: false })
          }}
        >
          {waiting.length} waiting
        </button>
      )
    }
    render(<App />)
    await userEvent.click(screen.getByRole('button', { name: '0 waiting' }))
    await waitFor(() => expect(results).toHaveLength(2))
    expect(results[0]).toEqual({ output: expect.stringContaining('<ToolRunner>'), isError: true })
    expect(results[1]?.output).toBe('false')
    expect(error).toHaveBeenCalled()
  })
})

describe('two providers', () => {
  test('one in the other: the inner one answers for what is below it', async () => {
    const outputs: string[] = []
    function Run({ name }: { name: string }): ReactNode {
      const { run } = useToolRunner()
      return (
        <button type="button" onClick={async () => outputs.push((await run('who')).output)}>
          {name}
        </button>
      )
    }
    render(
      <ToolRunner tools={[constant('who', 'outer')]}>
        <Run name="outside" />
        <ToolRunner tools={[constant('who', 'inner')]}>
          <Run name="inside" />
        </ToolRunner>
      </ToolRunner>,
    )
    await userEvent.click(screen.getByRole('button', { name: 'outside' }))
    await userEvent.click(screen.getByRole('button', { name: 'inside' }))
    await waitFor(() => expect(outputs).toEqual(['outer', 'inner']))
  })
})

describe('a request that no longer waits', () => {
  test('is settled by nothing, and its actions say so (BUG-045, K2, K3)', async () => {
    const runner = createToolRunner({ tools: [asking('a', { id: 'same' })] })
    let seen: ReturnType<typeof usePending> = []
    function Reader(): ReactNode {
      seen = usePending()
      return null
    }
    render(
      <ToolRunner runner={runner} presentation="none">
        <Reader />
      </ToolRunner>,
    )
    const first = runner.run('a')
    await waitFor(() => expect(seen).toHaveLength(1))
    const [old] = seen
    expect(old?.decline()).toBe(true)
    await first
    const second = runner.run('a')
    await waitFor(() => expect(seen[0]).not.toBe(old))
    expect(old?.approve()).toBe(false)
    expect(old?.cancel()).toBe(false)
    expect(runner.count()).toBe(1)
    expect(seen[0]?.answer({ id: 'another', ok: true })).toBe(false)
    expect(runner.count()).toBe(1)
    expect(seen[0]?.approve()).toBe(true)
    expect((await second).output).toBe('done')
  })

  test('gets data and feedback as they were given (BUG-015, BUG-033)', async () => {
    const runner = createToolRunner()
    let seen: ReturnType<typeof usePending> = []
    function Reader(): ReactNode {
      seen = usePending()
      return null
    }
    render(
      <ToolRunner runner={runner} presentation="none">
        <Reader />
      </ToolRunner>,
    )
    const given = [{ v: false }, { v: 0 }, { v: '' }, {}]
    for (const data of given) {
      const answer = runner.waitFor({ id: 'w', kind: 'input', prompt: '?' })
      await waitFor(() => expect(seen).toHaveLength(1))
      seen[0]?.approve(data)
      expect(await answer).toEqual({ id: 'w', ok: true, data })
      await waitFor(() => expect(seen).toHaveLength(0))
    }
    const declined = runner.waitFor({ id: 'w', kind: 'input', prompt: '?' })
    await waitFor(() => expect(seen).toHaveLength(1))
    seen[0]?.decline('not today')
    expect(await declined).toEqual({ id: 'w', ok: false, reason: 'declined', data: { feedback: 'not today' } })
  })

  test('takes a click event for nothing: approve and decline are handlers as they are', async () => {
    const runner = createToolRunner()
    function Own(): ReactNode {
      return usePending().map((item) => (
        <div key={item.key}>
          <button type="button" onClick={item.approve as () => void}>
            yes {item.key}
          </button>
          <button type="button" onClick={item.decline as () => void}>
            no {item.key}
          </button>
        </div>
      ))
    }
    render(
      <ToolRunner runner={runner} presentation="none">
        <Own />
      </ToolRunner>,
    )
    const [a, b] = ['a', 'b'].map((id) => runner.waitFor({ id, kind: 'approval', prompt: '?' }))
    await userEvent.click(await screen.findByRole('button', { name: 'yes a' }))
    await userEvent.click(await screen.findByRole('button', { name: 'no b' }))
    expect(await a).toEqual({ id: 'a', ok: true })
    expect(await b).toEqual({ id: 'b', ok: false, reason: 'declined' })
  })
})

describe('React’s own test environment', () => {
  test('says nothing about act when questions come and go', async () => {
    const error = vi.spyOn(console, 'error')
    const runner = createToolRunner({ tools: [asking('a')] })
    render(<ToolRunner runner={runner} armingDelay={0} />)
    let result: Promise<ToolResult> | undefined
    await act(async () => {
      result = runner.run('a')
      await flush()
    })
    await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
    expect((await result)?.output).toBe('done')
    expect(error).not.toHaveBeenCalled()
  })
})

describe('a tool that throws after the yes', () => {
  test('is an error result; the question is settled and a second answer changes nothing (BUG-006)', async () => {
    let effects = 0
    const runner = createToolRunner({
      tools: [
        {
          name: 'a',
          execute: (_args, ctx) => {
            if (!ctx.answer) return pending({ id: 'q', kind: 'approval', prompt: 'Sure?' })
            effects++
            throw new Error('disk full')
          },
        },
      ],
    })
    render(<ToolRunner runner={runner} armingDelay={0} />)
    let result: Promise<ToolResult> | undefined
    await act(async () => {
      result = runner.run('a')
      await flush()
    })
    await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
    expect(await result).toEqual({ output: 'disk full', isError: true })
    expect(runner.answer('q', { id: 'q', ok: true })).toBe(false)
    expect(effects).toBe(1)
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })
})
