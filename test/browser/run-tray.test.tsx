import '../../src/components/styles.css'
import axe from 'axe-core'
import { Profiler, type ReactNode, useState } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { cdp, type Locator, page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { RunRow } from '../../src/components/extras/run-row.js'
import {
  type AnyTool,
  createToolRunner,
  pending,
  type RunContext,
  type Runner,
  type RunRecord,
  RunTray,
  ToolRunner,
  type ToolRunnerOptions,
} from '../../src/index.js'
import { createMemoryStorage } from '../../src/store/index.js'
import {
  button,
  dialog,
  elementOf,
  emulate,
  eventually,
  hold,
  keyUp,
  Page,
  pause,
  press,
  settle,
  tabTo,
} from '../support/page.js'

const row = (name: string): Locator => page.getByRole('group', { name, exact: true })
const rows = (): Element[] => [...document.querySelectorAll('[data-slot="run"]')]
const names = (): (string | null)[] => rows().map((one) => one.getAttribute('aria-label'))
const tray = (): Locator => page.getByRole('region', { name: 'Activity' })
const within = (name: string, control: string): Locator => row(name).getByRole('button', { name: control, exact: true })
const bar = (name: string): Locator => row(name).getByRole('progressbar', { name: 'Progress' })
const status = (): Locator => tray().getByRole('status')

interface Job {
  ctx: RunContext
  emit(step: number, total?: number, message?: string): void
  end(value?: unknown): void
  fail(reason: string): void
}

/** Tools of these names that do nothing by themselves, and what their calls were given, in order. */
function workshop(names: readonly string[], { offers = true } = {}) {
  const jobs = new Map<string, Job>()
  const tools = names.map(
    (name): AnyTool => ({
      name,
      execute(_args, ctx) {
        const work = new Promise<unknown>((resolve, reject) => {
          jobs.set(name, {
            ctx,
            emit: (step, total, message) =>
              ctx.emitCustomEvent('progress', { step, ...(total && { total }), ...(message && { message }) }),
            end: resolve,
            fail: (reason) => reject(new Error(reason)),
          })
        })
        return offers && ctx.detach ? Promise.race([work, ctx.detach(work)]) : work
      },
    }),
  )
  const job = (name: string): Job => {
    const found = jobs.get(name)
    if (!found) throw new Error(`${name} does not run`)
    return found
  }
  return { tools, job, started: () => jobs.size }
}

const show = (runner: Runner, props: { dir?: 'rtl'; locale?: string; armingDelay?: number } = {}) =>
  render(
    <Page runner={runner} {...props}>
      <RunTray />
    </Page>,
  )

/** A page with a tray in which a call of each name runs. */
async function running(toolNames: readonly string[], options: ToolRunnerOptions & { offers?: boolean } = {}) {
  const { offers, ...rest } = options
  const { tools, job } = workshop(toolNames, { offers: offers ?? true })
  const onResult = vi.fn()
  const runner = createToolRunner({ tools, onResult, ...rest })
  await show(runner)
  const results = toolNames.map((name) => runner.run(name, { of: name }))
  for (const name of toolNames) await eventually(row(name)).toBeVisible()
  return { runner, job, results, onResult }
}

/** A runner that also has these records, as one with a storage has after a reload. */
function withRecords(runner: Runner, records: readonly RunRecord[]): Runner {
  let last = runner.getState()
  let shown = { ...last, runs: [...records, ...last.runs] }
  return {
    ...runner,
    getRun: (id) => records.find((one) => one.id === id) ?? runner.getRun(id),
    getState() {
      const now = runner.getState()
      if (now !== last) shown = { ...now, runs: [...records, ...now.runs] }
      last = now
      return shown
    },
  }
}

const interrupted = (toolName: string, args: RunRecord['args'] = {}): RunRecord => ({
  id: `restored-${toolName}`,
  toolCallId: `call-${toolName}`,
  toolName,
  args,
  status: 'interrupted',
  startedAt: Date.now() - 60_000,
  result: { output: 'its outcome is unknown', isError: true },
  events: [],
  isRestored: true,
})

/** What the live region says from now on, each time its content changes. */
function listen(): string[] {
  const said: string[] = []
  new MutationObserver(() => said.push(elementOf(status()).textContent)).observe(elementOf(status()), {
    childList: true,
    subtree: true,
    characterData: true,
  })
  return said
}

beforeAll(async () => {
  // The first message makes the session that a listener belongs to.
  await cdp().send('Runtime.evaluate', { expression: '0' })
})

afterEach(async () => {
  await emulate('light')
  await page.viewport(1024, 768)
  document.documentElement.removeAttribute('dir')
})

// First: this part of the kit is loaded once per page.
test('a tray that cannot be loaded says so when there is a call, and can be tried again', async () => {
  const paused: { requestId: string }[] = []
  cdp().on('Fetch.requestPaused', (event) => void paused.push(event))
  await cdp().send('Fetch.enable', { patterns: [{ urlPattern: '*late-extras*' }] })
  const fail = async (): Promise<void> => {
    await expect.poll(() => paused.length).toBeGreaterThan(0)
    const { requestId } = paused.shift() as { requestId: string }
    await cdp().send('Fetch.failRequest', { requestId, errorReason: 'Failed' })
  }
  const { tools, job } = workshop(['import'])
  const runner = createToolRunner({ tools })
  await show(runner)
  await fail()
  await settle()
  expect(page.getByRole('alert').elements()).toEqual([])
  void runner.run('import')
  await fail()
  await eventually(page.getByRole('alert')).toHaveTextContent('The list did not load.')
  // Attached all the same.
  expect(job('import').ctx.detach).toBeTypeOf('function')
  await cdp().send('Fetch.disable')
  await userEvent.click(button('Retry'))
  await eventually(row('import')).toBeVisible()
})

describe('a tray', () => {
  test('takes no room and shows no list while nothing runs', async () => {
    const { job, results } = await running(['import'])
    job('import').end('ok')
    await results[0]
    await expect.poll(rows).toEqual([])
    expect(tray().getByRole('list').elements()).toEqual([])
    expect(elementOf(tray()).getBoundingClientRect().height).toBe(0)
  })

  test('gives tools ctx.detach while it is mounted, and only then', async () => {
    const seen: boolean[] = []
    const runner = createToolRunner({
      tools: [{ name: 'look', execute: (_args, ctx) => void seen.push(ctx.detach !== undefined) }],
    })
    const { unmount } = await show(runner)
    await runner.run('look')
    await unmount()
    await runner.run('look')
    expect(seen).toEqual([true, false])
  })

  test('renders nothing on the server and nothing without a runner', async () => {
    const { tools } = workshop(['import'])
    const runner = createToolRunner({ tools })
    void runner.run('import')
    const app = (
      <ToolRunner runner={runner}>
        <p>Page</p>
        <RunTray />
      </ToolRunner>
    )
    expect(renderToString(app)).toBe('<p>Page</p>')
    expect(renderToString(<RunTray />)).toBe('')
    const { container } = await render(<RunTray />)
    await settle()
    expect(container.textContent).toBe('')
    runner.abort()
  })

  test('lists calls in the order they began, whatever becomes of them', async () => {
    const { runner, job } = await running(['a', 'b', 'c'])
    runner.detach(runner.getState().runs[1]?.id ?? '')
    job('b').end('ok')
    await eventually(row('b')).toHaveTextContent('Done')
    expect(names()).toEqual(['a', 'b', 'c'])
    job('a').end('ok')
    await expect.poll(names).toEqual(['b', 'c'])
  })
})

describe('a call that runs', () => {
  test('is a group named by its tool, with a word, an indeterminate bar and Cancel', async () => {
    await running(['import_rows'], { offers: false })
    await eventually(row('import_rows')).toHaveAccessibleDescription('Running')
    await eventually(bar('import_rows')).toBeVisible()
    expect(elementOf(bar('import_rows'))).not.toHaveAttribute('value')
    expect(row('import_rows').getByRole('button').elements()).toHaveLength(1)
    await eventually(within('import_rows', 'Cancel')).toBeVisible()
  })

  test('has a bar with a share where its tool says how much there is', async () => {
    const { job } = await running(['import'])
    job('import').emit(3, 12, 'Row 3 of 12')
    await eventually(row('import').getByText('Row 3 of 12')).toBeVisible()
    expect(elementOf(bar('import'))).toMatchObject({ value: 3, max: 12 })
    await eventually(row('import').getByText('25%')).toBeVisible()
    job('import').emit(400, 12)
    await eventually(row('import').getByText('100%')).toBeVisible()
    expect(elementOf(bar('import'))).toMatchObject({ value: 12, max: 12 })
    job('import').emit(7)
    await expect.poll(() => elementOf(bar('import')).hasAttribute('value')).toBe(false)
    expect(row('import').getByText('%').elements()).toEqual([])
  })

  test('says how long, second by second, with one timer for all', async () => {
    const made = vi.spyOn(globalThis, 'setInterval')
    const ended = vi.spyOn(globalThis, 'clearInterval')
    const { job, results } = await running(['a', 'b', 'c'])
    const timers = (): number => {
      const seconds = made.mock.results.filter((_, n) => made.mock.calls[n]?.[1] === 1000).map(({ value }) => value)
      return seconds.filter((timer) => !ended.mock.calls.some(([one]) => one === timer)).length
    }
    expect(timers()).toBe(1)
    await eventually(row('a').getByRole('timer')).toHaveTextContent('0:0')
    for (const name of ['a', 'b', 'c']) {
      await expect.poll(() => row(name).getByRole('timer').element().textContent, { timeout: 5000 }).toBe('0:01')
    }
    for (const name of ['a', 'b', 'c']) job(name).end('ok')
    await Promise.all(results)
    await expect.poll(timers).toBe(0)
  })

  test('that waits for its turn is queued, and one that asks waits for the person; neither has a moving bar', async () => {
    const { tools, started } = workshop(['first', 'second'])
    const asks: AnyTool = {
      name: 'asks',
      execute: (_args, { answer }) => (answer ? 'yes' : pending({ kind: 'approval', prompt: 'Sure?' })),
    }
    const runner = createToolRunner({ tools: [asks, ...tools], concurrency: 1 })
    await show(runner)
    void runner.run('asks')
    await eventually(dialog()).toBeVisible()
    void runner.run('first')
    void runner.run('second')
    await expect.poll(() => names().length).toBe(3)
    expect(rows().map((one) => one.querySelector('[data-slot="state"]')?.textContent)).toEqual([
      'Waiting for you',
      'Running',
      'Queued',
    ])
    expect(rows().map((one) => one.querySelectorAll('progress').length)).toEqual([0, 1, 0])
    await expect.poll(started).toBe(1)
    runner.abort()
  })

  test('goes when it ends: its caller has the result', async () => {
    const { job, results } = await running(['a', 'b'])
    job('a').fail('broken')
    expect(await results[0]).toEqual({ output: 'broken', isError: true })
    await expect.poll(names).toEqual(['b'])
  })

  test('is cancelled by Cancel alone, even when its tool ignores the signal', async () => {
    const { results } = await running(['a', 'b'])
    await userEvent.click(within('a', 'Cancel'))
    expect(await results[0]).toEqual({ output: 'cancelled', isError: true })
    await expect.poll(names).toEqual(['b'])
  })

  test('loses Move to background when its tool stops offering it', async () => {
    const { tools, job } = workshop(['offers'])
    const runner = createToolRunner({
      tools: [
        ...tools,
        {
          name: 'asks_later',
          async execute(_args, ctx) {
            if (ctx.answer) return 'done'
            const work = pause(80)
            await Promise.race([work, ctx.detach?.(work)])
            return pending({ kind: 'approval', prompt: 'Now?' })
          },
        },
      ],
    })
    await show(runner)
    void runner.run('offers')
    void runner.run('asks_later')
    await eventually(within('asks_later', 'Move to background')).toBeVisible()
    await eventually(row('asks_later')).toHaveTextContent('Waiting for you')
    expect(within('asks_later', 'Move to background').elements()).toEqual([])
    await eventually(within('offers', 'Move to background')).toBeVisible()
    job('offers').end('ok')
    runner.abort()
  })
})

describe('a call moved to the background', () => {
  async function moved(options: ToolRunnerOptions = {}) {
    const made = await running(['import'], options)
    await userEvent.click(within('import', 'Move to background'))
    await eventually(row('import')).toHaveTextContent('In the background')
    return made
  }

  test('gives its caller the note, goes on, and shows what it came to until that is closed', async () => {
    const { job, results, onResult } = await moved()
    expect(await results[0]).toEqual({
      output: 'Moved to the background: import. Its result will follow.',
      isError: false,
    })
    expect(within('import', 'Move to background').elements()).toEqual([])
    job('import').emit(1, 2)
    await eventually(row('import').getByText('50%')).toBeVisible()
    job('import').end('240 rows imported')
    await eventually(row('import')).toHaveAccessibleDescription('Done')
    await eventually(row('import').getByText('240 rows imported')).toBeVisible()
    expect(row('import').getByRole('progressbar').elements()).toEqual([])
    expect(row('import').getByRole('timer').elements()).toEqual([])
    expect(onResult).toHaveBeenCalledOnce()
    await userEvent.click(within('import', 'Close'))
    await expect.poll(names).toEqual([])
  })

  test('that fails says so in words, with the error', async () => {
    const { job } = await moved()
    job('import').fail('The file is broken')
    await eventually(row('import')).toHaveAccessibleDescription('Failed')
    await eventually(row('import').getByRole('term')).toHaveTextContent('Error')
    await eventually(row('import').getByRole('definition')).toHaveTextContent('The file is broken')
  })

  test('that is cancelled stays, and says so', async () => {
    const { runner, onResult } = await moved()
    await userEvent.click(within('import', 'Cancel'))
    await eventually(row('import')).toHaveAccessibleDescription('Cancelled')
    expect(onResult).toHaveBeenCalledOnce()
    expect(runner.getState().runs[0]?.status).toBe('cancelled')
  })

  test('has a long result folded, in full, bounded and scrolled by keys', async () => {
    const { job } = await moved()
    const lines = Array.from({ length: 400 }, (_, n) => `row ${n} <b>imported</b>`)
    job('import').end(lines.join('\n'))
    const summary = row('import').getByText('Result', { exact: true })
    await eventually(summary).toBeVisible()
    expect(row('import').getByText('row 399').elements()).toEqual([])
    await tabTo(summary)
    await press('Enter')
    const text = row('import').getByRole('group', { name: 'Result' })
    await eventually(text).toBeVisible()
    expect(elementOf(text).textContent).toBe(lines.join('\n'))
    expect(elementOf(text).getBoundingClientRect().height).toBeLessThan(400)
    await press('Tab')
    await eventually(text).toHaveFocus()
  })

  test('stays closed in a tray that is mounted anew, and one that was not closed is there again', async () => {
    const { tools, job } = workshop(['a', 'b'])
    const runner = createToolRunner({ tools })
    function App(): ReactNode {
      const [isShown, setShown] = useState(true)
      return (
        <Page runner={runner}>
          <button type="button" onClick={() => setShown(!isShown)}>
            Toggle
          </button>
          {isShown && <RunTray />}
        </Page>
      )
    }
    await render(<App />)
    for (const name of ['a', 'b']) {
      void runner.run(name)
      await userEvent.click(within(name, 'Move to background'))
      job(name).end('ok')
      await eventually(row(name)).toHaveTextContent('Done')
    }
    await userEvent.click(within('a', 'Close'))
    await expect.poll(names).toEqual(['b'])
    await userEvent.click(button('Toggle'))
    await expect.poll(names).toEqual([])
    await userEvent.click(button('Toggle'))
    await expect.poll(names).toEqual(['b'])
  })
})

describe('a call that was interrupted', () => {
  test('says that its outcome is unknown, and with what it ran', async () => {
    await show(withRecords(createToolRunner(), [interrupted('send', { to: 'ada' })]))
    await eventually(row('send')).toHaveAccessibleDescription('Interrupted')
    await eventually(row('send').getByText('Outcome unknown')).toBeVisible()
    await eventually(row('send').getByRole('definition')).toHaveTextContent('{"to":"ada"}')
    expect(row('send').getByRole('progressbar').elements()).toEqual([])
    expect(within('send', 'Cancel').elements()).toEqual([])
    // What its model reads is not told a second time.
    expect(row('send').getByText('its outcome').elements()).toEqual([])
    await userEvent.click(within('send', 'Close'))
    await expect.poll(names).toEqual([])
  })

  test('runs again only when the person says so, from the start, and its result is shown here', async () => {
    const ran = vi.fn()
    const send: AnyTool = {
      name: 'send',
      execute: (args, { answer }) => {
        ran(args, answer?.ok)
        return answer ? 'sent' : pending({ kind: 'approval', prompt: 'Send?' })
      },
    }
    const storage = createMemoryStorage()
    const { id, toolCallId, toolName, args, startedAt } = interrupted('send', { to: 'ada' })
    await storage.put({
      version: 1,
      id,
      status: 'running',
      tab: 'a page that is gone',
      startedAt,
      call: { toolCallId, toolName, args, tool: '' },
    })
    const runner = createToolRunner({ tools: [send], persist: { storage, name: 'again' } })
    await show(runner, { armingDelay: 0 })
    await eventually(within('send', 'Run again')).toBeVisible()
    await settle()
    expect(ran).not.toHaveBeenCalled()
    await userEvent.click(within('send', 'Run again'))
    await userEvent.click(button('Approve'))
    await eventually(row('send')).toHaveAccessibleDescription('Done')
    await eventually(row('send').getByText('sent')).toBeVisible()
    expect(ran.mock.calls).toEqual([
      [{ to: 'ada' }, undefined],
      [{ to: 'ada' }, true],
    ])
  })
})

describe('what is announced', () => {
  test('is polite, and stands beside the rows', async () => {
    await running(['import'])
    expect(elementOf(status()).closest('[data-slot="run"]')).toBeNull()
    expect(elementOf(status())).toHaveTextContent('')
  })

  test('is no event, however many there are', async () => {
    const { job } = await running(['import'])
    const said = listen()
    for (let step = 0; step <= 200; step++) {
      job('import').emit(step, 200, `Row ${step}`)
      if (step % 20 === 0) await pause(20)
    }
    await eventually(row('import').getByText('Row 200')).toBeVisible()
    await pause(700)
    expect(said).toEqual([])
  })

  test('is each change of state once: moved, waiting, done', async () => {
    const { tools, job } = workshop(['import'])
    const asks: AnyTool = {
      name: 'asks',
      execute: (_args, { answer }) => (answer ? 'yes' : pending({ kind: 'approval', prompt: 'Sure?' })),
    }
    const runner = createToolRunner({ tools: [...tools, asks] })
    await show(runner)
    void runner.run('import')
    await userEvent.click(within('import', 'Move to background'))
    const said = listen()
    await expect.poll(() => said).toEqual(['import moved to the background.'])
    void runner.run('asks')
    await expect.poll(() => said.at(-1)).toBe('asks waits for your answer.')
    await userEvent.click(dialog().getByRole('button', { name: 'Decline' }))
    job('import').end('ok')
    await expect.poll(() => said.at(-1)).toBe('import is done.')
    await pause(700)
    expect(said).toHaveLength(3)
  })

  test('is one sentence for what several calls did at once', async () => {
    const { runner, job } = await running(['a', 'b', 'c', 'd'])
    const said = listen()
    for (const { id } of runner.getState().runs) runner.detach(id)
    await expect.poll(() => said).toEqual(['4 calls moved to the background.'])
    job('a').end('ok')
    job('b').fail('no')
    job('c').end('ok')
    await expect.poll(() => said.at(-1)).toBe('b failed. 2 calls are done.')
    expect(said).toHaveLength(2)
  })

  test('is said by the first of two trays while it is there, and then by the other; both show the calls', async () => {
    const { tools, job } = workshop(['a', 'b'])
    const runner = createToolRunner({ tools })
    const Two = ({ first }: { first: boolean }): ReactNode => (
      <Page runner={runner}>
        {first && <RunTray key="first" />}
        <RunTray key="second" />
      </Page>
    )
    const { rerender } = await render(<Two first />)
    for (const name of ['a', 'b']) void runner.run(name)
    await expect.poll(names).toEqual(['a', 'b', 'a', 'b'])
    const said = (): (string | null)[] =>
      tray()
        .getByRole('status')
        .elements()
        .map((one) => one.textContent)
    for (const { id } of runner.getState().runs) runner.detach(id)
    job('a').end('ok')
    await expect.poll(() => said()[0]).toMatch(/a is done\./)
    await pause(700)
    expect(said()[1]).toBe('')
    await rerender(<Two first={false} />)
    await expect.poll(names).toEqual(['a', 'b'])
    job('b').end('ok')
    await expect.poll(said).toEqual(['b is done.'])
  })

  test('is nothing that was so before the tray came', async () => {
    await show(withRecords(createToolRunner(), [interrupted('send')]))
    await eventually(row('send')).toBeVisible()
    await pause(700)
    expect(elementOf(status())).toHaveTextContent('')
  })
})

describe('the focus', () => {
  test('goes by keys alone through all there is to do', async () => {
    const { job, results } = await running(['import'])
    await tabTo(within('import', 'Move to background'))
    await press('Enter')
    await results[0]
    await eventually(row('import')).toHaveFocus()
    await press('Tab')
    await eventually(within('import', 'Cancel')).toHaveFocus()
    job('import').end('ok')
    await eventually(row('import')).toHaveFocus()
    await press('Tab')
    await eventually(within('import', 'Close')).toHaveFocus()
    await press(' ')
    await eventually(tray()).toHaveFocus()
  })

  test('goes to the next row when its own goes, else to the one before, else to the tray', async () => {
    const { job } = await running(['a', 'b', 'c'])
    elementOf(within('b', 'Cancel')).focus()
    job('b').end('ok')
    await eventually(row('c')).toHaveFocus()
    job('c').end('ok')
    await eventually(row('a')).toHaveFocus()
    job('a').end('ok')
    await eventually(tray()).toHaveFocus()
  })

  test('stays where it is when it is elsewhere', async () => {
    const { job, runner } = await running(['a', 'b'])
    elementOf(button('Opener')).focus()
    runner.detach(runner.getState().runs[0]?.id ?? '')
    job('a').end('ok')
    job('b').end('ok')
    await expect.poll(names).toEqual(['a'])
    await eventually(button('Opener')).toHaveFocus()
  })

  test('presses nothing with a key that is held', async () => {
    const { results } = await running(['a', 'b', 'c'])
    await tabTo(within('a', 'Cancel'))
    await hold('Enter', 20)
    await keyUp('Enter')
    await results[0]
    await settle()
    expect(names()).toEqual(['b', 'c'])
  })
})

describe('the second click of a double click', () => {
  test('on Cancel is not a Cancel of the row that moves up', async () => {
    const { results } = await running(['a', 'b', 'c'], { offers: false })
    await userEvent.dblClick(within('a', 'Cancel'))
    await results[0]
    await settle()
    await expect.poll(names).toEqual(['b', 'c'])
  })

  test('on Move to background cancels nothing', async () => {
    const { results, runner } = await running(['a'])
    await userEvent.dblClick(within('a', 'Move to background'))
    await results[0]
    await settle()
    expect(runner.getState().runs[0]?.status).toBe('background')
  })

  test('on Cancel does not close the card that says what came of it', async () => {
    const { runner } = await running(['a'])
    await userEvent.click(within('a', 'Move to background'))
    await eventually(row('a')).toHaveAccessibleDescription('In the background')
    const cancel = elementOf(within('a', 'Cancel'))
    cancel.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))
    await eventually(within('a', 'Close')).toBeVisible()
    elementOf(within('a', 'Close')).dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }))
    await settle()
    expect(names()).toEqual(['a'])
    expect(runner.getState().runs[0]?.status).toBe('cancelled')
  })

  test('is none of a row that has just moved up, and a key still is', async () => {
    const { job, results } = await running(['a', 'b', 'c'], { offers: false })
    job('a').end('ok')
    await expect.poll(names).toEqual(['b', 'c'])
    elementOf(within('b', 'Cancel')).dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))
    await settle()
    expect(names()).toEqual(['b', 'c'])
    elementOf(within('b', 'Cancel')).focus()
    await press('Enter')
    expect(await results[1]).toMatchObject({ output: 'cancelled' })
    await expect.poll(names).toEqual(['c'])
    await pause(600)
    await userEvent.click(within('c', 'Cancel'))
    await expect.poll(names).toEqual([])
  })
})

describe('renders', () => {
  const twenty = Array.from({ length: 20 }, (_, n) => `tool_${n}`)

  test('an event of one of 20 calls renders its row and no other', async () => {
    const { tools, job } = workshop(twenty)
    const runner = createToolRunner({ tools })
    const ids: string[] = []
    for (const name of twenty) void runner.run(name, {}, { onStart: ({ id }) => void ids.push(id) })
    const rendered: string[] = []
    const actions = { toBackground() {}, cancel() {}, close() {}, runAgain() {} }
    await render(
      <ToolRunner runner={runner}>
        <ol>
          {ids.map((id, n) => (
            <Profiler key={id} id={`tool_${n}`} onRender={(name) => rendered.push(name)}>
              <RunRow id={id} actions={actions} />
            </Profiler>
          ))}
        </ol>
      </ToolRunner>,
    )
    await expect.poll(() => rendered.length).toBeGreaterThanOrEqual(20)
    await settle()
    // The seconds render too, in a row's own corner: they are held still here.
    vi.spyOn(Date, 'now').mockReturnValue(Date.now())
    rendered.length = 0
    job('tool_7').emit(1, 4, 'Quarter')
    await eventually(row('tool_7').getByText('Quarter')).toBeVisible()
    await settle()
    expect(rendered).toEqual(['tool_7'])
  })

  test('an event changes nothing of the other rows in the whole tray', async () => {
    const { job } = await running(twenty)
    const changed = new Set<string | null | undefined>()
    const observer = new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement
        if (!element?.closest('[role="timer"]')) {
          changed.add(element?.closest('[data-slot="run"]')?.getAttribute('aria-label'))
        }
      }
    })
    observer.observe(elementOf(tray()), { subtree: true, childList: true, characterData: true, attributes: true })
    for (let step = 1; step <= 50; step++) job('tool_3').emit(step, 50)
    await eventually(row('tool_3').getByText('100%')).toBeVisible()
    observer.disconnect()
    expect([...changed]).toEqual(['tool_3'])
  })
})

describe('foreign text', () => {
  test('is text, with what hides in it shown, and bounded', async () => {
    const name = 'im<b>port\u202e'
    const { job } = await running([]).then(async () => {
      const made = workshop([name])
      const runner = createToolRunner({ tools: made.tools })
      await show(runner)
      void runner.run(name)
      return made
    })
    await eventually(row('im<b>port\\u{202E}')).toBeVisible()
    job(name).emit(1, 2, `<img src=x>\u202e${'x'.repeat(5000)}`)
    await eventually(row('im<b>port\\u{202E}').getByText('<img src=x>')).toBeVisible()
    expect(document.querySelector('[data-slot="run"] :is(img, b)')).toBeNull()
    expect(document.querySelector('[data-slot="message"]')?.textContent.length).toBeLessThan(350)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(1024)
  })
})

describe('a call that is over in a moment', () => {
  test('is in the page at once, and takes its room only after a while', async () => {
    await cdp().send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-reduced-motion', value: 'no-preference' }],
    })
    const { tools, job } = workshop(['quick'])
    const runner = createToolRunner({ tools })
    await show(runner)
    void runner.run('quick')
    await eventually(row('quick')).toBeInTheDocument()
    const entry = row('quick').element().closest('li')
    const animations = entry?.getAnimations() ?? []
    expect(animations.map((one) => one instanceof CSSAnimation && one.animationName)).toEqual([
      'assent-room',
      'assent-fade',
    ])
    for (const animation of animations) {
      animation.pause()
      animation.currentTime = 0
    }
    expect(entry?.getBoundingClientRect().height).toBe(0)
    for (const animation of animations) animation.finish()
    expect(entry?.getBoundingClientRect().height).toBeGreaterThan(40)
    const track = document.querySelector('[data-slot="track"]')
    const piece = getComputedStyle(track as Element, '::after')
    expect([piece.animationName, piece.opacity]).toEqual(['assent-slide', '1'])
    expect(Number.parseFloat(piece.width)).toBeCloseTo((track?.clientWidth ?? 0) * 0.4, 0)
    await page.screenshot({ path: '../../shots/tray-moving.png' })
    job('quick').end('ok')
  })
})

/** Five calls in different states. */
async function five(props: { dir?: 'rtl'; locale?: string } = {}) {
  const { tools, job, started } = workshop(['import_customers', 'resize_pictures', 'export_report', 'sync_calendar'])
  const runner = createToolRunner({ tools })
  await show(withRecords(runner, [interrupted('send_invoice', { to: 'ada@example.com', total: 120 })]), props)
  for (const { name } of tools) void runner.run(name)
  await expect.poll(() => names().length).toBe(5)
  await expect.poll(started).toBe(4)
  for (const { id, toolName } of runner.getState().runs) {
    if (toolName !== 'import_customers') runner.detach(id)
  }
  job('import_customers').emit(86, 240, 'Row 86 of 240: Grace Hopper')
  job('export_report').end('Wrote report-2026-11.pdf (14 pages).')
  job('sync_calendar').fail('The calendar server did not answer.')
  await eventually(row('sync_calendar')).toHaveTextContent('Failed')
  await eventually(row('import_customers')).toHaveTextContent('35%')
  return runner
}

const violations = async (): Promise<string[]> =>
  (await axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)

describe.each([
  ['light', 1024, 'ltr'],
  ['dark', 1024, 'ltr'],
  ['light', 320, 'ltr'],
  ['dark', 320, 'rtl'],
  ['light', 1024, 'rtl'],
  ['light', 256, 'ltr'],
] as const)('in %s, %d wide, %s', (scheme, width, dir) => {
  test('breaks no rule, stays within the page, and has buttons that can be hit', async () => {
    await emulate(scheme)
    await page.viewport(width, 760)
    document.documentElement.dir = dir
    await five()
    expect(await violations()).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    for (const one of tray().getByRole('button').elements()) {
      const { width: wide, height } = one.getBoundingClientRect()
      expect(Math.min(wide, height)).toBeGreaterThanOrEqual(24)
    }
    await page.screenshot({ path: `../../shots/tray-${width}-${scheme}-${dir}.png` })
  })
})

describe('looks', () => {
  test('follow the language and direction given', async () => {
    await five({ dir: 'rtl', locale: 'ar' })
    expect(elementOf(tray())).toHaveAttribute('lang', 'ar')
    expect(getComputedStyle(elementOf(row('sync_calendar'))).direction).toBe('rtl')
  })

  test('keep an edge and a bar in forced colours', async () => {
    await cdp().send('Emulation.setEmulatedMedia', {
      features: [
        { name: 'forced-colors', value: 'active' },
        { name: 'prefers-reduced-motion', value: 'reduce' },
      ],
    })
    await five()
    for (const part of [...rows(), ...document.querySelectorAll('[data-slot="state"], [data-slot="track"]')]) {
      expect(getComputedStyle(part).borderTopStyle).toBe('solid')
      expect(Number.parseFloat(getComputedStyle(part).borderTopWidth)).toBeGreaterThan(0)
    }
    await page.screenshot({ path: '../../shots/tray-forced.png' })
  })

  test('animate nothing for who wants no motion', async () => {
    await five()
    expect(elementOf(tray()).getAnimations({ subtree: true })).toEqual([])
  })
})
