import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, StrictMode, useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { type AnyTool, createToolRunner, ToolRunner, useTool } from '../../src/index.js'
import { asking } from '../support/asking.js'

function Registers({ tool, enabled = true }: { tool: AnyTool; enabled?: boolean }): ReactNode {
  useTool(tool, { enabled })
  return null
}

const constant = (name: string, output: string): AnyTool => ({ name, execute: () => output })
const unknown = (name: string) => ({ output: `Unknown tool: ${name}`, isError: true })

/** A runner of the app's own, and what is below it, to be changed. */
function mount(children: ReactNode) {
  const runner = createToolRunner()
  const view = (below: ReactNode) => (
    <StrictMode>
      <ToolRunner runner={runner} presentation="none">
        {below}
      </ToolRunner>
    </StrictMode>
  )
  const { rerender } = render(view(children))
  return { runner, update: (below: ReactNode) => rerender(view(below)) }
}

describe('useTool', () => {
  test('registers once in StrictMode, without a word, and removes at unmount (BUG-049)', async () => {
    const error = vi.spyOn(console, 'error')
    const warn = vi.spyOn(console, 'warn')
    const tool = { ...constant('a', 'ran'), execute: vi.fn(() => 'ran') }
    const { runner, update } = mount(<Registers tool={tool} />)
    expect(await runner.run('a')).toEqual({ output: 'ran', isError: false })
    expect(tool.execute).toHaveBeenCalledOnce()
    update(null)
    expect(await runner.run('a')).toEqual(unknown('a'))
    expect(error).not.toHaveBeenCalled()
    expect(warn).not.toHaveBeenCalled()
  })

  test('runs the newest closure (BUG-052)', async () => {
    function Counter(): ReactNode {
      const [count, setCount] = useState(0)
      useTool({ name: 'count', execute: () => String(count) })
      return (
        <button type="button" onClick={() => setCount((now) => now + 1)}>
          More
        </button>
      )
    }
    const { runner } = mount(<Counter />)
    for (let n = 0; n < 5; n++) await userEvent.click(screen.getByRole('button', { name: 'More' }))
    expect((await runner.run('count')).output).toBe('5')
  })

  test('runs the newest closure after the question too (BUG-052)', async () => {
    function Counter(): ReactNode {
      const [count, setCount] = useState(0)
      const asks = asking('count')
      useTool({ ...asks, execute: (args, ctx) => (ctx.answer ? String(count) : asks.execute(args, ctx)) })
      return (
        <button type="button" onClick={() => setCount(5)}>
          More
        </button>
      )
    }
    const { runner } = mount(<Counter />)
    const result = runner.run('count')
    await waitFor(() => expect(runner.count()).toBe(1))
    await userEvent.click(screen.getByRole('button', { name: 'More' }))
    const head = runner.head()
    runner.answer(head?.key ?? '', { id: head?.request.id ?? '', ok: true })
    expect((await result).output).toBe('5')
  })

  test('gone while its question waits: the yes is an error that names it (BUG-056)', async () => {
    const { runner, update } = mount(<Registers tool={asking('a')} />)
    const result = runner.run('a')
    await waitFor(() => expect(runner.count()).toBe(1))
    update(null)
    expect(runner.count()).toBe(1)
    const head = runner.head()
    act(() => void runner.answer(head?.key ?? '', { id: head?.request.id ?? '', ok: true }))
    expect(await result).toEqual(unknown('a'))
  })

  test('gone and back as the same tool while its question waits: the yes runs it (DESIGN 5.2)', async () => {
    const { runner, update } = mount(<Registers tool={asking('a')} />)
    const result = runner.run('a')
    await waitFor(() => expect(runner.count()).toBe(1))
    update(null)
    update(<Registers tool={asking('a')} />)
    const head = runner.head()
    runner.answer(head?.key ?? '', { id: head?.request.id ?? '', ok: true })
    expect((await result).output).toBe('done')
  })

  test('another tool under its name meanwhile: the yes was not for that one (DESIGN 5.2, K20)', async () => {
    const other = { ...asking('a'), description: 'Deletes everything' }
    const { runner, update } = mount(<Registers tool={asking('a')} />)
    const result = runner.run('a')
    await waitFor(() => expect(runner.count()).toBe(1))
    update(<Registers tool={other} />)
    const head = runner.head()
    runner.answer(head?.key ?? '', { id: head?.request.id ?? '', ok: true })
    expect(await result).toEqual(unknown('a'))
    expect(other.attempts).toEqual([])
  })

  test('a second one of a name is told, and the first stays', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { runner, update } = mount([
      <Registers key="1" tool={constant('a', 'first')} />,
      <Registers key="2" tool={constant('a', 'second')} />,
    ])
    expect(error.mock.calls.flat().map(String).join()).toContain('"a" is already registered')
    expect((await runner.run('a')).output).toBe('first')
    // The end of the second must not take the first away.
    update([<Registers key="1" tool={constant('a', 'first')} />])
    expect((await runner.run('a')).output).toBe('first')
  })

  test('a change of name moves the tool', async () => {
    const { runner, update } = mount(<Registers tool={constant('a', 'ran')} />)
    update(<Registers tool={constant('b', 'ran')} />)
    expect(await runner.run('a')).toEqual(unknown('a'))
    expect((await runner.run('b')).output).toBe('ran')
  })

  test('`enabled` puts it in and takes it out', async () => {
    const { runner, update } = mount(<Registers tool={constant('a', 'ran')} enabled={false} />)
    expect(await runner.run('a')).toEqual(unknown('a'))
    update(<Registers tool={constant('a', 'ran')} />)
    expect((await runner.run('a')).output).toBe('ran')
    update(<Registers tool={constant('a', 'ran')} enabled={false} />)
    expect(await runner.run('a')).toEqual(unknown('a'))
  })

  test('an unusable tool is told and takes nothing down', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { runner } = mount([
      <Registers key="1" tool={{ name: 'broken', inputSchema: { type: 'nonsense' } as never, execute: () => '' }} />,
      <Registers key="2" tool={constant('a', 'ran')} />,
    ])
    expect(error.mock.calls.flat().map(String).join()).toContain('broken')
    expect((await runner.run('a')).output).toBe('ran')
  })

  test('without a provider is told and throws nothing', () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(() => render(<Registers tool={constant('a', 'ran')} />)).not.toThrow()
    expect(error.mock.calls.flat().map(String).join()).toContain('<ToolRunner>')
  })

  test('is seen by a call that another component’s effect makes in the same commit', async () => {
    const runner = createToolRunner()
    const results: string[] = []
    function Calls(): ReactNode {
      useState(() => void runner.run('a').then(({ output }) => results.push(output)))
      return null
    }
    render(
      <ToolRunner runner={runner} presentation="none">
        <Registers tool={constant('a', 'ran')} />
        <Calls />
      </ToolRunner>,
    )
    await waitFor(() => expect(results).toEqual(['ran']))
  })
})
