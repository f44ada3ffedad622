import axe from 'axe-core'
import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/components/styles.css'
import {
  type Answer,
  createToolRunner,
  History,
  pending,
  type Runner,
  type ToolRunnerOptions,
} from '../../src/index.js'
import { ask, emulate, eventually, Page, settle } from '../support/page.js'

const list = () => page.getByRole('region', { name: 'Decisions' })
const entries = () => list().getByRole('listitem')
const factsOf = (at: number): Record<string, string> =>
  Object.fromEntries(
    [...(entries().elements()[at]?.querySelectorAll('dt') ?? [])].map((term) => [
      term.textContent ?? '',
      term.nextElementSibling?.textContent ?? '',
    ]),
  )

afterEach(async () => {
  await emulate('light')
  await page.viewport(1024, 768)
})

const makeRunner = (options: ToolRunnerOptions = {}): Runner =>
  createToolRunner({
    tools: [
      {
        name: 'send_mail',
        source: 'Mail server',
        execute: (_args, { answer }) =>
          answer ? 'sent' : pending({ kind: 'approval', prompt: 'Send it?', data: { danger: 'low' } }),
      },
    ],
    ...options,
  })

const show = (runner: Runner) =>
  render(
    <Page runner={runner} presentation="none">
      <History />
    </Page>,
  )

async function answer(runner: Runner, given: Omit<Answer, 'id'>): Promise<void> {
  await expect.poll(() => runner.count()).toBe(1)
  const item = runner.head()
  runner.answer(item?.key ?? '', { id: item?.request.id ?? '', ...given })
}

/** What lands on the disk when the export is pressed. */
async function exported(): Promise<{ name: string; type: string; text: string }> {
  const made: Blob[] = []
  const names: string[] = []
  const create = URL.createObjectURL.bind(URL)
  URL.createObjectURL = (blob: Blob) => {
    made.push(blob)
    return create(blob)
  }
  const note = (event: MouseEvent): void => {
    if (!(event.target instanceof HTMLAnchorElement)) return
    names.push(event.target.download)
    event.preventDefault()
  }
  // The link is in no page, so its click is heard at the link alone.
  const click = HTMLAnchorElement.prototype.click
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    this.addEventListener('click', note)
    click.call(this)
  }
  await userEvent.click(page.getByRole('button', { name: 'Export as JSON' }))
  HTMLAnchorElement.prototype.click = click
  URL.createObjectURL = create
  return { name: names.join(), type: made[0]?.type ?? '', text: (await made[0]?.text()) ?? '' }
}

describe('<History>', () => {
  test('says that nothing was decided', async () => {
    await show(makeRunner())
    await eventually(list().getByText('No decisions yet.')).toBeVisible()
    expect(page.getByRole('button', { name: 'Export as JSON' }).elements()).toEqual([])
  })

  test('tells who asked, what was shown, what was decided by whom, how long it waited and what came of it', async () => {
    const runner = makeRunner()
    await show(runner)
    const result = runner.run('send_mail', { to: 'ada@example.com', password: 'hunter2' })
    await answer(runner, { ok: true })
    await result
    await eventually(entries().getByText('Send it?')).toBeVisible()
    await expect.poll(() => factsOf(0).Outcome).toBe('Done')
    const { When, ...facts } = factsOf(0)
    expect(facts).toMatchObject({
      Decision: 'Approved',
      By: 'A person',
      Tool: 'send_mail',
      From: 'Mail server',
      Waited: '0:00',
    })
    expect(JSON.parse(facts.With ?? '')).toEqual({ to: 'ada@example.com', password: '•••' })
    expect(When).not.toBe('')
  })

  test('has the newest first, with every way to end', async () => {
    const runner = makeRunner()
    await show(runner)
    const first = runner.run('send_mail')
    await answer(runner, { ok: false, reason: 'declined' })
    await first
    const second = runner.run('send_mail')
    await expect.poll(() => runner.count()).toBe(1)
    runner.abort()
    await second
    ask(runner, { prompt: 'Gone?', expiresAt: new Date(Date.now() + 30).toISOString() })
    await expect.poll(() => runner.count()).toBe(0)
    await expect.poll(() => entries().elements().length).toBe(3)
    expect([0, 1, 2].map((at) => [factsOf(at).Decision, factsOf(at).By, factsOf(at).Outcome])).toEqual([
      ['Expired', 'The app', undefined],
      ['Cancelled', 'The app', 'Cancelled'],
      ['Declined', 'A person', 'Failed'],
    ])
  })

  test('tells what was edited, what a rule let through, and who asked without a call', async () => {
    const runner = makeRunner({ policy: { remember: true } })
    await show(runner)
    const first = runner.run('send_mail')
    await expect.poll(() => runner.count()).toBe(1)
    const item = runner.head()
    runner.answer(
      item?.key ?? '',
      { id: item?.request.id ?? '', ok: true },
      { remember: { for: 'tool', until: 'session' } },
    )
    await first
    await runner.run('send_mail')
    const asked = runner.waitFor(
      { id: 'w', kind: 'approval', prompt: 'Go \u202eon?', url: 'https://a.example/' },
      { asker: { kind: 'server', name: 'files', origin: 'https://files.example' } },
    )
    await answer(runner, { ok: true, data: { args: { a: 1 } } })
    await asked
    await expect.poll(() => entries().elements().length).toBe(4)
    expect(factsOf(0)).toMatchObject({
      Decision: 'Approved, edited',
      From: 'files, https://files.example',
      Address: 'https://a.example/',
    })
    await eventually(entries().first().getByText('\\u{202E}')).toBeVisible()
    expect(factsOf(1)).toMatchObject({ Decision: 'Approved', By: 'A rule or a remembered permission' })
  })

  test('exports the whole as JSON, without what people answered', async () => {
    const runner = makeRunner()
    await show(runner)
    const { answer: asked } = ask(runner, { kind: 'input', prompt: 'Your street?' })
    await answer(runner, { ok: true, data: { value: '5 Quay Street' } })
    await asked
    await eventually(entries().first()).toBeVisible()
    const { name, type, text } = await exported()
    expect([name, type]).toEqual(['decisions.json', 'application/json'])
    expect(JSON.parse(text)).toEqual(runner.history())
    expect(text).toContain('Your street?')
    expect(text).not.toContain('Quay')
  })

  test('renders one entry when one is added to 500', async () => {
    const runner = makeRunner()
    for (let n = 0; n < 500; n++) {
      const { id } = ask(runner, { prompt: `Q${n}` })
      runner.answer(id, { id, ok: true })
    }
    await show(runner)
    await expect.poll(() => entries().elements().length).toBe(500)
    const kept = entries().elements()[10]
    const { id } = ask(runner, { prompt: 'New' })
    runner.answer(id, { id, ok: true })
    await settle()
    await eventually(entries().first()).toHaveTextContent('New')
    expect(entries().elements()[11]).toBe(kept)
    expect(entries().elements()).toHaveLength(500)
  })

  test.each([
    ['light', 1024],
    ['dark', 1024],
    ['light', 320],
    ['dark', 320],
  ] as const)('breaks no rule and stays within the page, in %s, %d wide', async (scheme, width) => {
    await emulate(scheme)
    await page.viewport(width, 640)
    const runner = makeRunner()
    await show(runner)
    const result = runner.run('send_mail', { to: 'x'.repeat(200), lines: 'a\nb' })
    await answer(runner, { ok: true })
    await result
    ask(runner, { prompt: `Long ${'word '.repeat(60)}`, url: 'https://a.example/' })
    await answer(runner, { ok: false, reason: 'declined' })
    await expect.poll(() => entries().elements().length).toBe(2)
    const { violations } = await axe.run(document)
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    await page.screenshot({ path: `../../shots/history-${width}-${scheme}.png` })
  })
})
