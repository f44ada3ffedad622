// First, before React: a renderer looks for the hook when it is loaded.
import '../support/commit-counter.js'
import { Profiler, type ReactNode } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import {
  type AnyTool,
  createToolRunner,
  type DialogBodyProps,
  PendingList,
  pending,
  ToolRunner,
  usePending,
  useRun,
  useRuns,
  useToolRunner,
} from '../../src/index.js'
import { commitsOf, counter } from '../support/commit-counter.js'
import { ask, button, cards, dialog, elementOf, eventually } from '../support/page.js'

const asks: AnyTool = {
  name: 'asks',
  execute: (_args, ctx) => (ctx.answer ? 'done' : pending({ kind: 'approval', prompt: 'Sure?' })),
}

const rendered = new Map<string, number>()
const total = (): number => [...rendered.values()].reduce((sum, count) => sum + count, 0)

function CountingBody({ item }: DialogBodyProps): ReactNode {
  const { prompt } = item.request
  rendered.set(prompt, (rendered.get(prompt) ?? 0) + 1)
  return (
    <button type="button" onClick={() => item.approve()}>
      Yes to {prompt}
    </button>
  )
}

beforeEach(() => rendered.clear())

describe('the cost of a question', () => {
  test('is counted: the counter sees React', async () => {
    const commits = await commitsOf(() => render(<p>Hello</p>))
    expect(commits).toBeGreaterThan(0)
  })

  test('is one commit to suspend, and one to be answered', async () => {
    const runner = createToolRunner({ tools: [asks] })
    await render(
      <ToolRunner runner={runner} armingDelay={0}>
        <p>Page</p>
      </ToolRunner>,
    )
    let result: Promise<unknown> = Promise.resolve()
    expect(
      await commitsOf(async () => {
        result = runner.run('asks')
        await eventually(dialog()).toBeVisible()
      }),
    ).toBe(1)
    expect(
      await commitsOf(async () => {
        elementOf(button('Approve')).click()
        await result
      }),
    ).toBe(1)
    expect(dialog().elements()).toEqual([])
  })

  test('is one commit of the app that reads the questions, and one that reads nothing has none', async () => {
    const runner = createToolRunner({ tools: [asks] })
    const reading: string[] = []
    const idle: string[] = []
    function Reader(): ReactNode {
      return <output>{usePending().length}</output>
    }
    function Caller(): ReactNode {
      useToolRunner()
      return <p>Calls</p>
    }
    await render(
      <ToolRunner runner={runner} armingDelay={0} presentation="none">
        <Profiler id="reader" onRender={(_id, phase) => reading.push(phase)}>
          <Reader />
        </Profiler>
        <Profiler id="caller" onRender={(_id, phase) => idle.push(phase)}>
          <Caller />
        </Profiler>
      </ToolRunner>,
    )
    const result = runner.run('asks')
    await eventually(page.getByRole('status')).toHaveTextContent('1')
    runner.abort()
    await result
    await eventually(page.getByRole('status')).toHaveTextContent('0')
    expect(reading).toEqual(['mount', 'update', 'update'])
    expect(idle).toEqual(['mount'])
  })

  test('is no commit when it queues behind an open dialog, which says so', async () => {
    const runner = createToolRunner({ tools: [asks] })
    await render(
      <ToolRunner runner={runner} armingDelay={0}>
        <p>Page</p>
      </ToolRunner>,
    )
    void runner.run('asks')
    await eventually(dialog()).toBeVisible()
    const second = await commitsOf(async () => {
      void runner.run('asks')
      await eventually(page.getByText('1 of 2')).toBeVisible()
    })
    expect(second).toBe(0)
    const third = await commitsOf(async () => {
      void runner.waitFor({ id: 'w', kind: 'input', prompt: 'Third?' })
      await eventually(page.getByText('1 of 3')).toBeVisible()
    })
    expect(third).toBe(0)
  })

  test('is no commit when one that queues behind goes', async () => {
    const runner = createToolRunner()
    await render(
      <ToolRunner runner={runner} armingDelay={0}>
        <p>Page</p>
      </ToolRunner>,
    )
    ask(runner)
    const leaving = new AbortController()
    ask(runner, {}, leaving.signal)
    await eventually(page.getByText('1 of 2')).toBeVisible()
    expect(await commitsOf(() => leaving.abort())).toBe(0)
    expect(page.getByText('1 of 2').elements()).toEqual([])
  })

  test('is no commit for a tool that asks nothing, and none for its progress', async () => {
    const runner = createToolRunner({
      tools: [
        {
          name: 'quick',
          execute: (_args, ctx) => {
            for (let step = 1; step <= 20; step++) ctx.emitCustomEvent('progress', { step, total: 20 })
            return 'ok'
          },
        },
      ],
    })
    await render(
      <ToolRunner runner={runner}>
        <p>Page</p>
      </ToolRunner>,
    )
    expect(await commitsOf(() => runner.run('quick'))).toBe(0)
  })

  test('is no render of the app below', async () => {
    const runner = createToolRunner({ tools: [asks] })
    const phases: string[] = []
    const app = (
      <Profiler id="app" onRender={(_id, phase) => phases.push(phase)}>
        <p>Page</p>
      </Profiler>
    )
    await render(
      <ToolRunner runner={runner} armingDelay={0}>
        {app}
      </ToolRunner>,
    )
    const result = runner.run('asks')
    await userEvent.click(button('Approve'))
    await result
    expect(phases).toEqual(['mount'])
  })
})

describe('an answer', () => {
  test('lets the tool run again before React commits it', async () => {
    const order: string[] = []
    const runner = createToolRunner({
      tools: [
        {
          name: 'asks',
          execute: (args, ctx) => {
            if (ctx.answer)
              order.push(`second run, ${counter.commits - before} commits, dialog ${dialog().elements().length}`)
            return asks.execute(args, ctx)
          },
        },
      ],
    })
    await render(<ToolRunner runner={runner} armingDelay={0} />)
    const result = runner.run('asks')
    await eventually(button('Approve')).toBeVisible()
    let before = counter.commits
    const approve = elementOf(button('Approve'))
    approve.addEventListener('click', () => {
      before = counter.commits
    })
    await userEvent.click(button('Approve'))
    expect((await result).output).toBe('done')
    expect(order).toEqual(['second run, 0 commits, dialog 1'])
  })

  test('leaves the click to the tool: its user activation is still there', async () => {
    const active: boolean[] = []
    const runner = createToolRunner({
      tools: [
        {
          name: 'asks',
          execute: (args, ctx) => {
            if (ctx.answer) active.push(navigator.userActivation.isActive)
            return asks.execute(args, ctx)
          },
        },
      ],
    })
    await render(<ToolRunner runner={runner} armingDelay={0} />)
    const result = runner.run('asks')
    await userEvent.click(button('Approve'))
    await result
    expect(active).toEqual([true])
  })
})

describe('a thousand cards', () => {
  async function open(count: number) {
    const runner = createToolRunner()
    await render(
      <ToolRunner runner={runner} presentation="inline" armingDelay={0} dialogs={{ approval: CountingBody }}>
        <PendingList />
      </ToolRunner>,
    )
    const questions = Array.from({ length: count }, (_, n) => ask(runner, { prompt: `Q${n}` }))
    await expect.poll(() => cards().elements().length, { timeout: 20_000 }).toBe(count)
    rendered.clear()
    return { runner, questions }
  }

  test('render none when one in the middle is answered, in one commit', async () => {
    const { questions } = await open(1000)
    const commits = await commitsOf(async () => {
      elementOf(page.getByRole('button', { name: 'Yes to Q500', exact: true })).click()
      await questions[500]?.answer
    })
    expect(cards().elements()).toHaveLength(999)
    expect(rendered).toEqual(new Map())
    expect(commits).toBe(1)
  }, 60_000)

  test('render none but the new one when one comes', async () => {
    const { runner } = await open(999)
    ask(runner, { prompt: 'New' })
    await expect.poll(() => cards().elements().length, { timeout: 20_000 }).toBe(1000)
    expect([...rendered.keys()]).toEqual(['New'])
  }, 60_000)

  test('render none when the provider above renders with the same words', async () => {
    const runner = createToolRunner()
    const view = () => (
      <ToolRunner
        runner={runner}
        presentation="inline"
        armingDelay={0}
        labels={{ approve: 'Yes' }}
        dialogs={{ approval: CountingBody }}
      >
        <PendingList />
      </ToolRunner>
    )
    const { rerender } = await render(view())
    for (let n = 0; n < 20; n++) ask(runner, { prompt: `Q${n}` })
    await expect.poll(() => cards().elements().length).toBe(20)
    rendered.clear()
    await rerender(view())
    expect(total()).toBe(0)
  })
})

describe('the hooks', () => {
  test('give the same objects when nothing changed (BUG-171)', async () => {
    const runner = createToolRunner({ tools: [asks] })
    const seen: unknown[][] = []
    function Reader(): ReactNode {
      const waiting = usePending()
      const filtered = usePending(() => true)
      const runs = useRuns()
      const run = useRun(runs[0]?.id)
      seen.push([waiting, filtered, ...waiting, runs, run, useToolRunner()])
      return null
    }
    const view = () => (
      <ToolRunner runner={runner} presentation="none">
        <Reader />
      </ToolRunner>
    )
    const { rerender } = await render(view())
    void runner.run('asks')
    void runner.run('asks')
    await expect.poll(() => runner.count()).toBe(2)
    await rerender(view())
    await rerender(view())
    const [before, after] = seen.slice(-2)
    expect(before).toHaveLength(7)
    for (const [place, value] of (before ?? []).entries()) expect(after?.[place]).toBe(value)
    runner.abort()
  })
})
