import axe from 'axe-core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/components/styles.css'
import { createToolRunner, Permissions, type Remember, type Runner, ToolRunner } from '../../src/index.js'
import { elementOf, emulate, eventually, Page, settle } from '../support/page.js'

const list = () => page.getByRole('region', { name: 'Remembered permissions' })
const entries = () => list().getByRole('listitem')
const fact = (name: string): string[] =>
  [...elementOf(list()).querySelectorAll('dt')]
    .filter((term) => term.textContent === name)
    .map((term) => term.nextElementSibling?.textContent ?? '')

afterEach(async () => {
  await emulate('light')
  await page.viewport(1024, 768)
})

function makeRunner(storage?: Storage): Runner {
  return createToolRunner({
    policy: { remember: true, storage },
    tools: ['send_mail', 'read_mail'].map((name) => ({
      name,
      source: 'Mail \u202eserver',
      needsApproval: true,
      execute: () => 'done',
    })),
  })
}

/** Runs a tool, and gives the yes that is to be remembered. */
async function allow(runner: Runner, tool: string, args: object, remember: Remember): Promise<void> {
  const result = runner.run(tool, args)
  await expect.poll(() => runner.count()).toBe(1)
  const item = runner.head()
  runner.answer(item?.key ?? '', { id: item?.request.id ?? '', ok: true }, { remember })
  await result
}

const show = (runner: Runner) =>
  render(
    <Page runner={runner} presentation="none">
      <Permissions />
    </Page>,
  )

describe('<Permissions>', () => {
  test('says that nothing is remembered', async () => {
    await show(makeRunner())
    await eventually(list().getByText('Nothing is remembered.')).toBeVisible()
    expect(entries().elements()).toEqual([])
  })

  test('shows what is allowed for exactly these arguments, and until when', async () => {
    const runner = makeRunner()
    await show(runner)
    await allow(runner, 'send_mail', { to: 'ada@example.com', copies: '2' }, { for: 'args', until: 'session' })
    await eventually(entries().first()).toBeVisible()
    expect(entries().elements()).toHaveLength(1)
    await eventually(entries().getByText('send_mail')).toBeVisible()
    expect(fact('From')).toEqual(['Mail \\u{202E}server'])
    expect(fact('Allowed')).toEqual(['Exactly this'])
    expect(JSON.parse(fact('With')[0] ?? '')).toEqual({ to: 'ada@example.com', copies: '2' })
    expect(fact('Until')).toEqual(['This page is closed'])
    const [since] = runner.permissions()
    expect(elementOf(list()).querySelector('time')?.dateTime).toBe(new Date(since?.at ?? 0).toISOString())
  })

  test('shows empty arguments as arguments, not as anything (K21)', async () => {
    const runner = makeRunner()
    await show(runner)
    await allow(runner, 'send_mail', {}, { for: 'args', until: 'session' })
    await eventually(entries().first()).toBeVisible()
    expect([fact('Allowed'), fact('With')]).toEqual([['Exactly this'], ['{}']])
  })

  test('shows what is allowed for anything, for good', async () => {
    const runner = makeRunner(sessionStorage)
    await show(runner)
    await allow(runner, 'send_mail', { to: 'ada@example.com' }, { for: 'tool', until: 'always' })
    await eventually(entries().first()).toBeVisible()
    expect(fact('Allowed')).toEqual(['Anything it asks, with any arguments'])
    expect(fact('With')).toEqual([])
    expect(fact('Until')).toEqual(['You revoke it'])
  })

  test("shows the tool's own question that was allowed, and what came with it", async () => {
    const runner = createToolRunner({
      policy: { remember: true },
      tools: [
        {
          name: 'send_mail',
          execute: (_args, { answer }) =>
            answer
              ? 'sent'
              : {
                  output: '',
                  isError: true,
                  metadata: { pending: { id: 'x', kind: 'approval', prompt: 'Send it?', data: { size: 3 } } },
                },
        },
      ],
    })
    await show(runner)
    await allow(runner, 'send_mail', {}, { for: 'args', until: 'session' })
    await eventually(entries().first()).toBeVisible()
    expect(fact('Question')).toEqual(['Send it?'])
    expect(fact('Also sent')[0]).toContain('"size":3')
  })

  test('revokes one, keeps the others and the focus, and the person is asked again', async () => {
    const runner = makeRunner()
    await show(runner)
    await allow(runner, 'send_mail', { to: 'a' }, { for: 'tool', until: 'session' })
    await allow(runner, 'read_mail', {}, { for: 'tool', until: 'session' })
    expect(await runner.run('send_mail', { to: 'b' })).toMatchObject({ isError: false })
    await userEvent.click(page.getByRole('button', { name: 'Revoke send_mail' }))
    await settle()
    expect(runner.permissions().map(({ tool }) => tool)).toEqual(['read_mail'])
    expect(entries().elements()).toHaveLength(1)
    await eventually(list()).toHaveFocus()
    const asked = runner.run('send_mail', { to: 'b' })
    await expect.poll(() => runner.count()).toBe(1)
    runner.abort()
    await asked
  })

  test('tells two of one tool apart', async () => {
    const runner = makeRunner()
    await show(runner)
    await allow(runner, 'send_mail', { to: 'a' }, { for: 'args', until: 'session' })
    await allow(runner, 'send_mail', { to: 'b' }, { for: 'args', until: 'session' })
    const buttons = page.getByRole('button', { name: 'Revoke send_mail' })
    await eventually(buttons.first()).toBeVisible()
    await eventually(buttons.first()).toHaveAccessibleDescription(/"to":"a"/)
    await eventually(buttons.last()).toHaveAccessibleDescription(/"to":"b"/)
  })

  test('survives what a storage may hold', async () => {
    const known = { id: 'p', tool: '<b>x</b>', identity: '{', until: 'always', at: 1e99 }
    const permission = { ...known, args: { a: 1 }, ask: '{' }
    const storage = { ...localStorage, getItem: () => JSON.stringify({ version: 2, permissions: [permission] }) }
    await show(makeRunner(storage as Storage))
    await eventually(entries().getByText('<b>x</b>', { exact: true })).toBeVisible()
    expect([fact('Question'), fact('Since')]).toEqual([['{'], ['?']])
  })

  test('takes its words and its language from <ToolRunner>', async () => {
    const error = vi.spyOn(console, 'error')
    await render(
      <ToolRunner
        runner={makeRunner()}
        presentation="none"
        locale="not a language"
        labels={{ permissions: 'Erlaubt', noPermissions: 'Nichts.' }}
      >
        <Permissions />
      </ToolRunner>,
    )
    await eventually(page.getByRole('region', { name: 'Erlaubt' })).toHaveTextContent('Nichts.')
    expect(error).not.toHaveBeenCalled()
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
    await allow(runner, 'send_mail', { to: 'x'.repeat(300), more: { a: [1, 2] } }, { for: 'args', until: 'session' })
    await allow(runner, 'read_mail', {}, { for: 'tool', until: 'always' })
    await expect.poll(() => entries().elements().length).toBe(2)
    const { violations } = await axe.run(document)
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    await page.screenshot({ path: `../../shots/permissions-${width}-${scheme}.png` })
  })
})
