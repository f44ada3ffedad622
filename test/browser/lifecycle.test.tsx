import { Activity, type ReactNode, StrictMode, Suspense, use, useState } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type AnyTool, createToolRunner, pending, type Runner, ToolRunner, useToolRunner } from '../../src/index.js'
import { ask, button, dialog, elementOf, eventually, pause, settle } from '../support/page.js'

const asks: AnyTool = {
  name: 'asks',
  execute: (_args, ctx) => (ctx.answer ? 'done' : pending({ kind: 'approval', prompt: 'Sure?' })),
}

afterEach(() => {
  for (const left of document.querySelectorAll('[data-left]')) left.remove()
})

/** Hands out the runner of the ToolRunner around it. */
function Tap({ onRunner }: { onRunner: (runner: Runner) => void }): ReactNode {
  onRunner(useToolRunner().runner)
  return <p>Page</p>
}

describe.each([true, false])('a tree that is hidden and shown again (StrictMode: %s)', (strict) => {
  const Mode = strict ? StrictMode : ({ children }: { children: ReactNode }) => children

  test('by Activity keeps its question open, and shows it again (K7)', async () => {
    const runner = createToolRunner({ tools: [asks] })
    const view = (mode: 'visible' | 'hidden') => (
      <Mode>
        <Activity mode={mode}>
          <ToolRunner runner={runner} armingDelay={0}>
            <p>Page</p>
          </ToolRunner>
        </Activity>
      </Mode>
    )
    const { rerender } = await render(view('visible'))
    const result = runner.run('asks')
    await eventually(dialog()).toBeVisible()
    await rerender(view('hidden'))
    await settle()
    expect(runner.count()).toBe(1)
    expect(document.querySelectorAll('dialog:modal')).toHaveLength(0)
    await rerender(view('visible'))
    await expect.poll(() => document.querySelectorAll('dialog:modal').length).toBe(1)
    await userEvent.click(button('Approve'))
    expect((await result).output).toBe('done')
  })

  test('by Activity keeps the runner it made, for a while that is not short', async () => {
    let runner: Runner | undefined
    const view = (mode: 'visible' | 'hidden') => (
      <Mode>
        <Activity mode={mode}>
          <ToolRunner tools={[asks]} armingDelay={0}>
            <Tap
              onRunner={(now) => {
                runner = now
              }}
            />
          </ToolRunner>
        </Activity>
      </Mode>
    )
    const { rerender } = await render(view('visible'))
    const result = runner?.run('asks')
    await eventually(dialog()).toBeVisible()
    await rerender(view('hidden'))
    await pause(1300)
    expect(runner?.count()).toBe(1)
    await rerender(view('visible'))
    await userEvent.click(button('Approve'))
    expect((await result)?.output).toBe('done')
  })

  test('by Activity and then removed settles what was open', async () => {
    let runner: Runner | undefined
    const view = (mode: 'visible' | 'hidden' | 'gone') => (
      <Mode>
        {mode !== 'gone' && (
          <Activity mode={mode}>
            <ToolRunner tools={[asks]}>
              <Tap
                onRunner={(now) => {
                  runner = now
                }}
              />
            </ToolRunner>
          </Activity>
        )}
      </Mode>
    )
    const { rerender } = await render(view('visible'))
    const result = runner?.run('asks')
    await eventually(dialog()).toBeVisible()
    await rerender(view('hidden'))
    await settle()
    await rerender(view('gone'))
    expect(await result).toEqual({ output: 'cancelled', isError: true })
  })

  test('by Suspense keeps its question open, and shows it again (K7)', async () => {
    const runner = createToolRunner({ tools: [asks] })
    let load = (): void => {}
    let wait: (promise: Promise<void> | undefined) => void = () => {}
    function Late(): ReactNode {
      const [promise, setPromise] = useState<Promise<void>>()
      wait = setPromise
      if (promise) use(promise)
      return <p>Page</p>
    }
    await render(
      <Mode>
        <Suspense fallback={<p>Loading</p>}>
          <ToolRunner runner={runner} armingDelay={0}>
            <Late />
          </ToolRunner>
        </Suspense>
      </Mode>,
    )
    const result = runner.run('asks')
    await eventually(dialog()).toBeVisible()
    wait(
      new Promise((resolve) => {
        load = resolve
      }),
    )
    await eventually(page.getByText('Loading')).toBeVisible()
    await settle()
    expect(runner.count()).toBe(1)
    load()
    await expect.poll(() => document.querySelectorAll('dialog:modal').length).toBe(1)
    await userEvent.click(button('Approve'))
    expect((await result).output).toBe('done')
  })
})

describe('unmounting', () => {
  test('settles an open question as cancelled and leaves the page usable', async () => {
    let runner: Runner | undefined
    const heard: unknown[] = []
    const { unmount } = await render(
      <StrictMode>
        <ToolRunner
          tools={[asks]}
          onEvent={(event) => {
            if (event.type === 'tool_result') heard.push(event.result.output)
          }}
        >
          <Tap
            onRunner={(now) => {
              runner = now
            }}
          />
        </ToolRunner>
      </StrictMode>,
    )
    const result = runner?.run('asks')
    const answer = runner?.waitFor({ id: 'w', kind: 'approval', prompt: 'And this?' })
    await eventually(dialog()).toBeVisible()
    await unmount()
    expect(await result).toEqual({ output: 'cancelled', isError: true })
    expect(await answer).toEqual({ id: 'w', ok: false, reason: 'cancelled' })
    expect(document.querySelectorAll('dialog')).toHaveLength(0)
    expect(heard).toEqual(['cancelled'])
  })

  test("leaves an app's own runner and its question alone (BUG-057)", async () => {
    const runner = createToolRunner()
    const { unmount } = await render(<ToolRunner runner={runner} />)
    const { answers } = ask(runner)
    await eventually(dialog()).toBeVisible()
    await unmount()
    await settle()
    expect(answers).toEqual([])
    expect(runner.count()).toBe(1)
  })

  test('and mounting again after an answer shows nothing and runs nothing (BUG-004)', async () => {
    let executions = 0
    const runner = createToolRunner({
      tools: [
        {
          ...asks,
          execute: (args, ctx) => {
            executions++
            return asks.execute(args, ctx)
          },
        },
      ],
    })
    const first = await render(<ToolRunner runner={runner} armingDelay={0} />)
    const result = runner.run('asks')
    await userEvent.click(button('Approve'))
    await result
    await first.unmount()
    await render(<ToolRunner runner={runner} armingDelay={0} />)
    await settle()
    expect(dialog().elements()).toEqual([])
    expect([runner.count(), executions]).toEqual([0, 2])
  })
})

describe('another runner', () => {
  test('shows its own question as a new one: not armed, nothing inherited (K15, K30)', async () => {
    const [a, b] = [createToolRunner(), createToolRunner()]
    const questions = { kind: 'question', data: { questions: [{ question: 'Why?' }] } }
    const { rerender } = await render(<ToolRunner runner={a} armingDelay={400} />)
    ask(a, { ...questions, prompt: 'A?' })
    await userEvent.fill(page.getByRole('textbox'), 'typed for a')
    await eventually(button('Submit')).toHaveAttribute('data-state', 'armed')
    const { answers } = ask(b, { ...questions, prompt: 'B?' })
    await rerender(<ToolRunner runner={b} armingDelay={400} />)
    await eventually(dialog().getByText('B?')).toBeVisible()
    expect(elementOf(button('Submit'))).toHaveAttribute('data-state', 'arming')
    await eventually(page.getByRole('textbox')).toHaveValue('')
    expect(answers).toEqual([])
  })
})

describe('a page made on the server', () => {
  test('is taken over without a word, and its question shown after (BUG-168)', async () => {
    const error = vi.spyOn(console, 'error')
    const runner = createToolRunner({ tools: [asks] })
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const app = (
      <StrictMode>
        <ToolRunner runner={runner} armingDelay={0}>
          <p>Page</p>
        </ToolRunner>
      </StrictMode>
    )
    const container = document.body.appendChild(document.createElement('div'))
    container.dataset.left = ''
    container.innerHTML = renderToString(app)
    expect(container.innerHTML).toBe('<p>Page</p>')
    const result = runner.run('asks')
    await settle()
    expect(runner.count()).toBe(1)
    const root = hydrateRoot(container, app, { onRecoverableError: (thrown) => error(thrown) })
    await eventually(dialog()).toBeVisible()
    expect(error).not.toHaveBeenCalled()
    await userEvent.click(button('Approve'))
    expect((await result).output).toBe('done')
    root.unmount()
  })

  test('keeps the runner it made when Activity hides it', async () => {
    let runner: Runner | undefined
    const view = (mode: 'visible' | 'hidden') => (
      <Activity mode={mode}>
        <ToolRunner tools={[asks]} armingDelay={0}>
          <Tap
            onRunner={(now) => {
              runner = now
            }}
          />
        </ToolRunner>
      </Activity>
    )
    const container = document.body.appendChild(document.createElement('div'))
    container.dataset.left = ''
    container.innerHTML = renderToString(view('visible'))
    const root = hydrateRoot(container, view('visible'))
    await settle()
    const kept = runner
    const result = kept?.run('asks')
    await eventually(dialog()).toBeVisible()
    root.render(view('hidden'))
    await pause(200)
    expect(kept?.count()).toBe(1)
    root.render(view('visible'))
    await userEvent.click(button('Approve'))
    expect((await result)?.output).toBe('done')
    root.unmount()
  })

  test('in two roots shares nothing', async () => {
    const runners = new Set<Runner>()
    const roots = ['a', 'b'].map((id) => {
      const container = document.body.appendChild(Object.assign(document.createElement('div'), { id }))
      container.dataset.left = ''
      const root = createRoot(container)
      root.render(
        <ToolRunner tools={[asks]}>
          <Tap onRunner={(runner) => runners.add(runner)} />
        </ToolRunner>,
      )
      return root
    })
    await settle()
    expect(runners.size).toBe(2)
    const [a, b] = [...runners]
    void a?.run('asks')
    await eventually(dialog()).toBeVisible()
    expect([a?.count(), b?.count()]).toEqual([1, 0])
    for (const root of roots) root.unmount()
  })
})
