import '../../src/components/styles.css'
import axe from 'axe-core'
import { type ReactNode, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import {
  type AnyTool,
  createToolRunner,
  PendingList,
  pending,
  type Runner,
  RunTray,
  ToolRunner,
  type ToolRunnerProps,
  useTool,
  useToolRunner,
} from '../../src/index.js'
import { asked, deploy, leftRunning, leftWaiting, newName, rowsOf, stored } from '../support/left-behind.js'
import { button, dialog, elementOf, emulate, eventually, Page, settle } from '../support/page.js'

const mark = () => dialog().getByText('Asked earlier, not answered yet', { exact: true })
const buttons = (): (string | null)[] =>
  dialog()
    .getByRole('button')
    .elements()
    .map((element) => element.getAttribute('aria-label') ?? element.textContent)

const closed = () => expect.poll(() => dialog().elements(), { timeout: 5000, interval: 15 }).toEqual([])

async function expectAccessible(): Promise<void> {
  for (const scheme of ['dark', 'light'] as const) {
    await emulate(scheme)
    const { violations } = await axe.run(document)
    expect(
      violations.map(({ id }) => id),
      scheme,
    ).toEqual([])
  }
}

// Loaded when they are needed; the first test is not about that.
beforeAll(() => import('../../src/components/bodies/late-bodies.js'))

let runner: Runner | undefined
function Tap(): ReactNode {
  runner = useToolRunner().runner
  return null
}

const show = (name: string, props: ToolRunnerProps = {}, children: ReactNode = null) =>
  render(
    <Page persist={{ name }} armingDelay={0} {...props}>
      <Tap />
      {children}
    </Page>,
  )

describe('a question from before the page was loaded', () => {
  test('comes up marked, is accessible, and its tool runs on a yes', async () => {
    const name = newName()
    await leftWaiting(name, deploy())
    const onResult = vi.fn()
    const execute = vi.fn(() => 'done')
    await show(name, { tools: [deploy({ execute })], onResult })
    await eventually(mark()).toBeVisible()
    await eventually(dialog().getByText('Deploy docs?')).toBeVisible()
    await expectAccessible()
    expect(execute).not.toHaveBeenCalled()
    await userEvent.click(button('Approve'))
    await expect.poll(() => onResult.mock.calls.length).toBe(1)
    expect(onResult.mock.calls[0]?.[0]).toEqual({ output: 'done', isError: false })
    expect(onResult.mock.calls[0]?.[1]).toMatchObject({ toolName: 'deploy', status: 'done', isRestored: true })
    expect(execute).toHaveBeenCalledTimes(1)
    await stored(name, 'done')
    await closed()
  })

  test('declined does not run', async () => {
    const name = newName()
    await leftWaiting(name, deploy())
    const onResult = vi.fn()
    const execute = vi.fn(() => 'done')
    await show(name, { tools: [deploy({ execute })], onResult })
    await eventually(mark()).toBeVisible()
    await userEvent.click(button('Decline'))
    await expect.poll(() => onResult.mock.calls[0]?.[0]?.output).toBe('declined/expired: Deploy docs?')
    expect(execute).not.toHaveBeenCalled()
  })

  test('is marked on a card as well', async () => {
    const name = newName()
    await leftWaiting(name, deploy())
    await show(
      name,
      { tools: [deploy()], presentation: 'inline' },
      <>
        <h2>Chat</h2>
        <PendingList />
      </>,
    )
    const card = page.getByRole('article')
    await eventually(card.getByText('Asked earlier, not answered yet')).toBeVisible()
    await expectAccessible()
  })

  test('does not come up when it expired meanwhile, and its call is told', async () => {
    const name = newName()
    const expiresAt = new Date(Date.now() + 1500).toISOString()
    await leftWaiting(name, deploy({}, { expiresAt }))
    await expect.poll(() => Date.now() > Date.parse(expiresAt), { timeout: 5000 }).toBe(true)
    const onResult = vi.fn()
    await show(name, { tools: [deploy()], onResult })
    await expect.poll(() => onResult.mock.calls[0]?.[0]?.output).toBe('declined/expired: Deploy docs?')
    expect(dialog().elements()).toEqual([])
    expect(runner?.getState().runs.map(({ status }) => status)).toEqual(['failed'])
  })

  test('that another tab asks says so', async () => {
    const name = newName()
    const other = await asked(name, deploy())
    await show(name, { tools: [deploy()] })
    await eventually(dialog().getByText('Asked in another tab', { exact: true })).toBeVisible()
    const item = other.head()
    if (item) other.answer(item.key, { id: item.request.id, ok: false, reason: 'declined' })
    await closed()
  })

  test('that is asked now is not marked', async () => {
    const name = newName()
    await show(name, { tools: [deploy()] })
    void runner?.run('deploy')
    await eventually(dialog().getByText('Deploy docs?')).toBeVisible()
    expect(document.querySelector('[data-slot=restored]')).toBe(null)
  })
})

describe('a question whose tool is not here', () => {
  test('says so, is accessible, and can only be closed', async () => {
    const name = newName()
    await leftWaiting(name, deploy())
    await show(name)
    await eventually(dialog().getByText('This can only be closed')).toBeVisible()
    await eventually(dialog().getByText('Deploy docs?')).toBeVisible()
    expect(buttons()).toEqual(['Minimise', 'Close', 'Close'])
    await expectAccessible()
    const footer = dialog().getByRole('button', { name: 'Close', exact: true }).last()
    await userEvent.click(footer)
    await closed()
    await stored(name, 'done')
  })

  test('is closed by Escape', async () => {
    const name = newName()
    await leftWaiting(name, deploy())
    await show(name)
    await eventually(dialog().getByText('This can only be closed')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await closed()
  })

  test('has its first focus where nothing is approved', async () => {
    const name = newName()
    await leftWaiting(name, deploy())
    await show(name)
    await eventually(dialog().getByText('This can only be closed')).toBeVisible()
    await expect.poll(() => document.activeElement?.closest('dialog')).not.toBe(null)
    expect(document.activeElement?.textContent).toMatch(/^(Close|×)$/)
  })

  test.each([
    ['another description', { description: 'Deletes a site' }],
    ['another schema', { inputSchema: { type: 'object', properties: { other: {} } } }],
    ['another source', { source: 'elsewhere' }],
  ])('can only be closed when there is one of %s under its name', async (_what, rest) => {
    const name = newName()
    await leftWaiting(name, deploy())
    const execute = vi.fn()
    await show(name, { tools: [deploy({ ...rest, execute })] })
    await eventually(dialog().getByText('This can only be closed')).toBeVisible()
    const item = runner?.head()
    expect(item && runner?.answer(item.key, { id: item.request.id, ok: true })).toBe(false)
    expect(execute).not.toHaveBeenCalled()
  })

  test('changes and works once the tool is mounted, and changes back when it goes', async () => {
    const name = newName()
    await leftWaiting(name, deploy())
    const onResult = vi.fn()
    const Tool = ({ tool }: { tool: AnyTool }): ReactNode => {
      useTool(tool)
      return null
    }
    const view = (tool?: AnyTool) => (
      <Page persist={{ name }} armingDelay={0} onResult={onResult}>
        {tool && <Tool tool={tool} />}
      </Page>
    )
    const { rerender } = await render(view())
    await eventually(dialog().getByText('This can only be closed')).toBeVisible()
    await rerender(view(deploy()))
    await eventually(button('Approve')).toBeVisible()
    expect(dialog().getByText('This can only be closed').elements()).toEqual([])
    await rerender(view())
    await eventually(dialog().getByText('This can only be closed')).toBeVisible()
    await rerender(view(deploy()))
    await userEvent.click(button('Approve'))
    await expect.poll(() => onResult.mock.calls[0]?.[0]?.output).toBe('done')
  })

  test('keeps a form’s kind and draws it once the tool is there', async () => {
    const name = newName()
    const schema = { type: 'object', properties: { site: { type: 'string' } }, required: ['site'] }
    const tool = deploy({}, { kind: 'input', prompt: 'Where to?', data: { schema } })
    await leftWaiting(name, tool)
    const { rerender } = await show(name)
    await eventually(dialog().getByText('This can only be closed')).toBeVisible()
    expect(dialog().getByRole('textbox').elements()).toEqual([])
    await rerender(
      <Page persist={{ name }} armingDelay={0} tools={[tool]}>
        <Tap />
      </Page>,
    )
    await eventually(dialog().getByRole('textbox', { name: 'Site' })).toBeVisible()
  })
})

describe('a call that ran when its page went', () => {
  test('is in the tray with what is not known, and runs again only by a press', async () => {
    const name = newName()
    await leftRunning(name)
    const execute = vi.fn(() => 'done')
    const onResult = vi.fn()
    await show(name, { tools: [deploy({ execute })], onResult }, <RunTray />)
    const row = page.getByRole('group', { name: 'deploy', exact: true })
    await eventually(row.getByRole('button', { name: 'Run again' })).toBeVisible()
    await eventually(row.getByText('Outcome unknown: the page was closed while this ran.')).toBeVisible()
    expect(onResult.mock.calls[0]?.[0]?.output).toContain('interrupted: deploy')
    await settle()
    expect(execute).not.toHaveBeenCalled()
    await expectAccessible()
    await userEvent.click(row.getByRole('button', { name: 'Run again' }))
    await expect.poll(() => execute.mock.calls.length).toBe(1)
    expect(dialog().elements()).toEqual([])
  })
})

/** The names of the Web Locks that say which runner of this name lives. */
const locksOf = async (name: string): Promise<string[]> => {
  const { held = [], pending = [] } = await navigator.locks.query()
  return [...held, ...pending].flatMap((lock) => (lock.name?.startsWith(`assent:${name}:`) ? [lock.name] : []))
}

describe('<ToolRunner persist>', () => {
  test('under StrictMode restores once, with one lock, which goes with it', async () => {
    const name = newName()
    await leftWaiting(name, deploy())
    const { unmount } = await show(name, { tools: [deploy()] })
    await eventually(mark()).toBeVisible()
    await settle()
    expect(runner?.getState().pending).toHaveLength(1)
    expect(await locksOf(name)).toHaveLength(1)
    await unmount()
    await expect.poll(() => locksOf(name)).toEqual([])
  })

  test('unmounted leaves what waits, and mounted again shows it', async () => {
    const name = newName()
    const first = await show(name, { tools: [deploy()] })
    void runner?.run('deploy')
    await eventually(dialog().getByText('Deploy docs?')).toBeVisible()
    await stored(name, 'pending')
    await first.unmount()
    await expect.poll(() => locksOf(name)).toEqual([])
    expect((await rowsOf(name)).map(({ status }) => status)).toEqual(['pending'])
    const onResult = vi.fn()
    await show(name, { tools: [deploy()], onResult })
    await eventually(mark()).toBeVisible()
    await userEvent.click(button('Approve'))
    await expect.poll(() => onResult.mock.calls[0]?.[0]?.output).toBe('done')
  })

  test('with a runner of the app’s own shows what that restored, and leaves it open', async () => {
    const name = newName()
    await leftWaiting(name, deploy())
    const own = createToolRunner({ tools: [deploy()], persist: { name } })
    const view = await render(<Page runner={own} armingDelay={0} />)
    await eventually(mark()).toBeVisible()
    await view.unmount()
    await settle()
    expect(own.count()).toBe(1)
    expect(await locksOf(name)).toHaveLength(1)
    own.dispose()
    await expect.poll(() => locksOf(name)).toEqual([])
    expect((await rowsOf(name)).map(({ status }) => status)).toEqual(['pending'])
  })

  test('without persist stores nothing', async () => {
    await render(
      <Page tools={[deploy()]} armingDelay={0}>
        <Tap />
      </Page>,
    )
    void runner?.run('deploy')
    await eventually(button('Approve')).toBeVisible()
    await settle()
    expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('assent-assent')
    await userEvent.click(button('Approve'))
  })

  test('on a page that came from a server takes it over without a word, and then shows what waits (BUG-168)', async () => {
    const name = newName()
    await leftWaiting(name, deploy())
    const app = (
      <StrictMode>
        <ToolRunner tools={[deploy()]} persist={{ name }} armingDelay={0}>
          <p>The app</p>
        </ToolRunner>
      </StrictMode>
    )
    const container = document.body.appendChild(document.createElement('main'))
    container.innerHTML = renderToString(app)
    expect(container.innerHTML).toBe('<p>The app</p>')
    const paragraph = container.firstChild
    const said = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]
    const recovered = vi.fn()
    const root = hydrateRoot(container, app, { onRecoverableError: recovered })
    await eventually(mark()).toBeVisible()
    expect(container.firstChild).toBe(paragraph)
    expect(container.querySelector('dialog')).toBe(elementOf(dialog()))
    expect(recovered).not.toHaveBeenCalled()
    for (const spy of said) expect(spy).not.toHaveBeenCalled()
    root.unmount()
    container.remove()
  })
})

test('a tool that asks has the click that said yes, also with the step to disk between them', async () => {
  const activation = vi.fn()
  const copy: AnyTool = {
    name: 'copy',
    execute: (_args, ctx) => {
      if (!ctx.answer) return pending({ kind: 'approval', prompt: 'Copy?' })
      activation(navigator.userActivation.isActive)
      return 'copied'
    },
  }
  const runner = createToolRunner({ tools: [copy], persist: { name: `activation-${crypto.randomUUID()}` } })
  await render(<ToolRunner runner={runner} armingDelay={0} />)
  const result = runner.run('copy')
  await userEvent.click(dialog().getByRole('button', { name: 'Approve' }))
  expect((await result).output).toBe('copied')
  expect(activation.mock.calls).toEqual([[true]])
  runner.dispose()
})
