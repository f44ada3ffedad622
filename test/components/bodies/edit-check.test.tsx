import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useMemo } from 'react'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { loadLateBodies } from '../../../src/components/bodies/late-body.js'
import {
  ApprovalDialog,
  createToolRunner,
  type JsonSchema,
  type OpenQuestion,
  ToolRunner,
  usePending,
} from '../../../src/index.js'
import { flush } from '../../support/asking.js'

beforeAll(loadLateBodies)

type Args = Readonly<Record<string, unknown>>
type Check = OpenQuestion['checkEdit']

const schema: JsonSchema = {
  type: 'object',
  properties: {
    cents: { type: 'integer' },
    note: { type: 'string' },
    limit: { type: 'integer' },
    list: { type: 'array' },
  },
}

/** What a schema would make of them that turns euros into cents, has a default and strips what it does not know. */
const made = ({ cents, note, limit }: Args): Args => ({
  cents: Number(cents) * 100,
  ...(note !== undefined && { note }),
  limit: limit ?? 1000,
})

function Ask({ more }: { more: Partial<OpenQuestion> }): ReactNode {
  const [open] = usePending()
  const item = useMemo(() => open && { ...open, ...more }, [open, more])
  return item ? <ApprovalDialog item={item} /> : null
}

interface Given {
  raw?: Args
  check?: Check
  schema?: JsonSchema
  danger?: 'high'
}

/** A gated call whose question is handed out with its raw arguments and its own check. */
async function open({ raw = { cents: 5 }, check = async (args) => ({ args: made(args) }), ...rest }: Given = {}) {
  const answers: unknown[] = []
  const runner = createToolRunner({
    tools: [
      {
        name: 'pay',
        inputSchema: rest.schema ?? schema,
        needsApproval: true,
        decisions: ['approve', 'edit', 'decline'],
        danger: rest.danger,
        execute(_args, ctx) {
          answers.push(ctx.approval?.data)
          return 'paid'
        },
      },
    ],
  })
  const checkEdit = vi.fn<Check>(check)
  const more = { raw, args: made(raw), checkEdit }
  const user = userEvent.setup()
  const view = render(
    <ToolRunner runner={runner} armingDelay={0} presentation="none">
      <Ask more={more} />
    </ToolRunner>,
  )
  let result: Promise<{ output: string }> | undefined
  await act(async () => {
    result = runner.run('pay', raw)
    await flush()
  })
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  return { runner, result: result as Promise<{ output: string }>, answers, checkEdit, user, view }
}

const field = (name: string): HTMLElement => {
  const found = [...document.querySelectorAll<HTMLElement>('[data-field]')].find(
    ({ dataset }) => dataset.field === name,
  )
  if (!found) throw new Error(`no field ${name}`)
  return found
}
const box = (name: string): HTMLElement => within(field(name)).getByRole('textbox')
const approve = () => screen.getByRole('button', { name: 'Approve with changes' })
const never = new Promise<never>(() => {})
const rested = () => act(() => new Promise((resolve) => setTimeout(resolve, 220)))

/** Types over what is there. */
async function retype(user: ReturnType<typeof userEvent.setup>, name: string, text: string): Promise<void> {
  await user.clear(box(name))
  if (text) await user.type(box(name), text.replace(/[{[]/g, '$&$&'))
}

describe('FAULT-09, FAULT-10: the editor holds what was called, and says what it runs as', () => {
  test('before anything is typed, in words that belong to the control', async () => {
    const { checkEdit } = await open({ raw: { cents: 5, extra: 1 } })
    expect(box('cents')).toHaveValue('5')
    expect(field('cents')).toHaveTextContent('runs as 500')
    expect(box('cents')).toHaveAccessibleDescription('runs as 500')
    expect(field('limit')).toHaveTextContent('runs as 1000')
    expect(field('extra')).toHaveTextContent('will not be used')
    expect(field('note')).not.toHaveTextContent('runs as')
    expect(checkEdit).not.toHaveBeenCalled()
  })

  test('follows what is typed, and asks once a pause', async () => {
    const { user, checkEdit } = await open()
    await retype(user, 'cents', '412')
    expect(field('cents')).not.toHaveTextContent('runs as')
    await waitFor(() => expect(field('cents')).toHaveTextContent('runs as 41200'))
    expect(checkEdit.mock.calls.length).toBeLessThan(4)
    expect(checkEdit).toHaveBeenLastCalledWith({ cents: 412 })
    await user.type(box('limit'), '7')
    await waitFor(() => expect(field('cents')).toHaveTextContent('runs as 41200'))
    expect(field('limit')).not.toHaveTextContent('runs as')
    await retype(user, 'limit', '')
    await waitFor(() => expect(field('limit')).toHaveTextContent('runs as 1000'))
  })

  test('takes the newest word, whichever check comes back last', async () => {
    const waiting = new Map<unknown, (check: { args: Args }) => void>()
    const { user } = await open({
      check: ({ cents }) => new Promise((resolve) => waiting.set(cents, resolve)),
    })
    await retype(user, 'cents', '4')
    await rested()
    await retype(user, 'cents', '6')
    await rested()
    await act(async () => {
      waiting.get(6)?.({ args: { cents: 600 } })
      await flush()
      waiting.get(4)?.({ args: { cents: 400 } })
      await flush()
    })
    expect(field('cents')).toHaveTextContent('runs as 600')
  })

  test('names what it adds that no field is for, and all of it beside a box of JSON', async () => {
    const { user } = await open({
      schema: { type: 'object', anyOf: [{}] },
      check: async (args) => ({ args: { ...args, cents: 1, more: [2] } }),
    })
    const editor = screen.getByRole('group', { name: 'Edit the arguments' })
    expect(editor).toHaveTextContent('cents runs as 500')
    expect(editor).toHaveTextContent('limit runs as 1000')
    await user.clear(screen.getByRole('textbox', { name: 'Arguments as JSON' }))
    await user.type(screen.getByRole('textbox', { name: 'Arguments as JSON' }), '{{"cents": 9}')
    await waitFor(() => expect(editor).toHaveTextContent('cents runs as 1'))
    expect(editor).toHaveTextContent('more runs as [ 2 ]')
    expect(editor).not.toHaveTextContent('limit')
  })

  test('sends what was typed, not what it runs as, and untouched it sends nothing', async () => {
    const { user, answers, result } = await open()
    await retype(user, 'cents', '4')
    await user.click(approve())
    await result
    expect(answers).toEqual([{ args: { cents: 4 } }])

    const second = await open()
    await second.user.click(screen.getByRole('button', { name: 'Approve' }))
    await second.result
    expect([second.answers, second.checkEdit.mock.calls]).toEqual([[undefined], []])
  })
})

describe('a press on Approve with changes', () => {
  test('answers within the click when the check of exactly these arguments is at hand', async () => {
    const { user, runner } = await open()
    await retype(user, 'cents', '4')
    await waitFor(() => expect(field('cents')).toHaveTextContent('runs as 400'))
    act(() => {
      approve().click()
      expect(runner.count()).toBe(0)
    })
  })

  test('waits for the check, says so, and a second press does nothing', async () => {
    let finish: (check: { args: Args }) => void = () => {}
    const { user, runner, answers, result, checkEdit } = await open({
      check: () => new Promise((resolve) => (finish = resolve)),
    })
    await retype(user, 'cents', '4')
    await user.click(approve())
    await user.click(approve())
    expect(screen.getByRole('status')).toHaveTextContent('Checking…')
    await rested()
    expect(runner.count()).toBe(1)
    expect(checkEdit.mock.calls.filter(([{ cents }]) => cents === 4)).toHaveLength(1)
    await act(async () => {
      finish({ args: { cents: 400 } })
      await result
    })
    expect(answers).toEqual([{ args: { cents: 4 } }])
  })

  test('leaves the question open and tells each field what is wrong with it', async () => {
    const issues = [
      { path: '/cents', keyword: 'custom', expected: 'Too much for one\u202e day' },
      { path: '/note', keyword: 'minLength', expected: 'at least 3' },
      { path: '/list/1', keyword: 'type', expected: 'string' },
      { path: '/ghost', keyword: 'required', expected: 'a value (required)' },
      { path: '', keyword: 'custom', expected: 'Nothing fits\u202e' },
    ]
    const { user, runner, answers } = await open({
      check: async (args) => (args.cents === 4 ? { issues } : { args: made(args) }),
    })
    await retype(user, 'cents', '4')
    await rested()
    // Not before it was sent.
    expect(box('cents')).not.toHaveAttribute('aria-invalid')
    await user.click(approve())
    expect(box('cents')).toHaveFocus()
    expect(field('cents')).toHaveTextContent('This does not fit what was asked for. Too much for one\\u{202E} day')
    expect(box('cents')).toHaveAccessibleDescription(/Too much for one/)
    expect(box('note')).toHaveAttribute('aria-invalid', 'true')
    expect(box('list')).toHaveAttribute('aria-invalid', 'true')
    const alert = screen.getByRole('alert')
    expect(alert).toHaveTextContent('Not as expected: /list/1 (string)')
    expect(alert).toHaveTextContent('Not as expected: /ghost (a value (required))')
    expect(alert).toHaveTextContent('Not as expected: / (Nothing fits\\u{202E})')
    expect([runner.count(), answers]).toEqual([1, []])
    await retype(user, 'cents', '5')
    await retype(user, 'cents', '6')
    await waitFor(() => expect(field('cents')).toHaveTextContent('runs as 600'))
    expect(screen.queryByRole('alert')).toBeNull()
    await user.click(approve())
    expect(answers).toEqual([{ args: { cents: 6 } }])
  })

  test('is taken back by another change', async () => {
    let finish: (check: object) => void = () => {}
    const { user, runner } = await open({ check: () => new Promise((resolve) => (finish = resolve)) })
    await retype(user, 'cents', '4')
    await user.click(approve())
    const stale = finish
    await user.type(box('cents'), '2')
    await act(async () => {
      stale({})
      await flush()
    })
    expect(runner.count()).toBe(1)
    // The same again is not what was pressed.
    await user.type(box('cents'), '{Backspace}')
    await act(async () => {
      finish({})
      await flush()
    })
    expect(runner.count()).toBe(1)
    expect(screen.queryByText('Checking…')).toBeNull()
  })

  test('that is never checked can still be declined', async () => {
    const { user, result, answers } = await open({ check: () => never })
    await retype(user, 'cents', '4')
    await user.click(approve())
    await user.click(screen.getByRole('button', { name: 'Decline' }))
    expect((await result).output).toBe('declined/expired: Allow pay?')
    expect(answers).toEqual([])
  })

  test('does nothing for a dialog that is gone, or that waits for its word', async () => {
    let finish: (check: object) => void = () => {}
    const check = () => new Promise<object>((resolve) => (finish = resolve))
    const gone = await open({ check })
    await retype(gone.user, 'cents', '4')
    await gone.user.click(approve())
    gone.view.unmount()
    await act(async () => {
      finish({})
      await flush()
    })
    expect(gone.runner.count()).toBe(1)
    gone.runner.abort()

    const locked = await open({ check, danger: 'high' })
    await retype(locked.user, 'cents', '4')
    act(() => approve().click())
    await act(async () => {
      finish({})
      await flush()
    })
    expect(screen.getByRole('textbox', { name: 'Type approve to allow this' })).toHaveFocus()
    expect(locked.runner.count()).toBe(1)
  })

  test.each<[string, Check]>([
    ['rejects', () => Promise.reject(new Error('no'))],
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['comes to nothing', async () => undefined as never],
  ])('leaves it to the runner where the check %s', async (_what, check) => {
    const { user, answers, result } = await open({ check })
    await retype(user, 'cents', '4')
    await user.click(approve())
    await result
    expect(answers).toEqual([{ args: { cents: 4 } }])
  })

  test('with local errors asks nobody', async () => {
    const { user, checkEdit, runner } = await open()
    await retype(user, 'cents', 'four')
    await user.click(approve())
    await rested()
    expect(box('cents')).toHaveFocus()
    // What was typed until then was asked about at most; never a text that is no number.
    expect(checkEdit.mock.calls.every(([{ cents }]) => cents === undefined)).toBe(true)
    expect(runner.count()).toBe(1)
  })
})
