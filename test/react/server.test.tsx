import { act, render } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import {
  createToolRunner,
  PendingDialogs,
  PendingList,
  type Runner,
  ToolRunner,
  usePending,
  useRuns,
  useTool,
  useToolRunner,
} from '../../src/index.js'
import { asking } from '../support/asking.js'

function Everything({ onRunner }: { onRunner?: (runner: Runner) => void }): ReactNode {
  const { runner } = useToolRunner()
  onRunner?.(runner)
  useTool({ name: 'here', execute: () => '' })
  return (
    <p>
      {usePending().length} waiting, {useRuns().length} runs
    </p>
  )
}

const app = (runner?: Runner, children: ReactNode = null): ReactNode => (
  <StrictMode>
    <ToolRunner tools={runner ? undefined : [asking('a')]} runner={runner}>
      <Everything />
      {children}
    </ToolRunner>
  </StrictMode>
)

describe('on the server', () => {
  test('the children are rendered, and no dialog, without a word', () => {
    const error = vi.spyOn(console, 'error')
    expect(renderToString(app())).toBe('<p>0<!-- --> waiting, <!-- -->0<!-- --> runs</p>')
    expect(error).not.toHaveBeenCalled()
  })

  test('a question that waits is not in the page', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const runner = createToolRunner()
    void runner.waitFor({ id: 'w', kind: 'approval', prompt: 'Secret?' })
    await Promise.resolve()
    const html = renderToString(app(runner, [<PendingList key="l" />, <PendingDialogs key="d" />]))
    expect(runner.count()).toBe(1)
    expect(html).not.toContain('Secret')
    expect(html).not.toContain('<dialog')
    runner.abort()
  })

  test('a container is no trouble', () => {
    expect(() =>
      renderToString(
        <ToolRunner container={document.body}>
          <p>Page</p>
        </ToolRunner>,
      ),
    ).not.toThrow()
  })

  test('two requests share nothing', () => {
    const runners: Runner[] = []
    for (let n = 0; n < 2; n++) {
      renderToString(
        <ToolRunner tools={[asking('a')]}>
          <Everything onRunner={(runner) => runners.push(runner)} />
        </ToolRunner>,
      )
    }
    expect(runners).toHaveLength(2)
    expect(runners[0]).not.toBe(runners[1])
    expect(runners[0]?.tools()).not.toBe(runners[1]?.tools())
  })

  test('leaves nothing that keeps the process alive', () => {
    vi.useFakeTimers()
    renderToString(app())
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })
})

describe('taking the page over', () => {
  test('says nothing, with a question waiting, and shows it then (BUG-168)', async () => {
    const error = vi.spyOn(console, 'error')
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const runner = createToolRunner()
    const container = document.body.appendChild(document.createElement('div'))
    container.innerHTML = renderToString(app(runner, <PendingList />))
    void runner.waitFor({ id: 'w', kind: 'approval', prompt: 'Sure?' })
    const root = await act(async () =>
      hydrateRoot(container, app(runner, <PendingList />), { onRecoverableError: (thrown) => error(thrown) }),
    )
    expect(container.textContent).toContain('1 waiting')
    expect(container.querySelector('dialog')?.textContent).toContain('Sure?')
    expect(error).not.toHaveBeenCalled()
    act(() => root.unmount())
    container.remove()
    runner.abort()
  })

  test('gives the same page as one that was never on a server', async () => {
    const container = document.body.appendChild(document.createElement('div'))
    container.innerHTML = renderToString(app())
    const root = await act(async () => hydrateRoot(container, app()))
    const fresh = render(app())
    expect(container.innerHTML.replaceAll('<!-- -->', '')).toBe(fresh.container.innerHTML)
    act(() => root.unmount())
    container.remove()
  })
})
