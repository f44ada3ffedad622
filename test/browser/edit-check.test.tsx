import '../../src/components/styles.css'
import axe from 'axe-core'
import { type ReactNode, useMemo } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { loadLateBodies } from '../../src/components/bodies/late-body.js'
import { ApprovalDialog, createToolRunner, type OpenQuestion, usePending } from '../../src/index.js'
import { controlOf, fill, wrapperOf } from '../support/fill-form.js'
import { ask, button, dialog, elementOf, emulate, eventually, Page, typingIsOver } from '../support/page.js'

beforeAll(loadLateBodies)
beforeEach(typingIsOver)
afterEach(async () => {
  await emulate('light')
  await page.viewport(1024, 768)
})

const schema = {
  type: 'object',
  required: ['cents'],
  properties: {
    cents: { type: 'number', title: 'Amount', description: 'In euros' },
    day: { type: 'string', format: 'date', title: 'Day' },
    limit: { type: 'integer', title: 'Limit' },
    speed: { enum: ['normal', 'instant'], title: 'Speed' },
    to: { type: 'string', title: 'To' },
  },
}
const raw = { to: 'Ada', cents: 5, day: '2026-11-30', speed: 'normal', memo: 'x' }
const made = ({ memo: _, ...args }: Record<string, unknown>) => ({
  limit: 1000,
  ...args,
  cents: Number(args.cents) * 100,
  day: `${args.day}T00:00:00.000Z`,
})

/** The open question with the runner's word for it. */
function Checked(): ReactNode {
  const [open] = usePending()
  const item = useMemo(
    (): OpenQuestion | undefined =>
      open && { ...open, raw, args: made(raw), checkEdit: async (args) => ({ args: made(args) }) },
    [open],
  )
  return item ? <ApprovalDialog item={item} /> : null
}

const looks = [
  ['light', 1024],
  ['dark', 1024],
  ['dark', 320],
] as const

async function look(name: string, scheme: string, width: number): Promise<void> {
  const { violations } = await axe.run(document)
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
  const element = elementOf(dialog())
  expect(element.scrollWidth).toBeLessThanOrEqual(element.clientWidth)
  if (import.meta.env.VITE_SHOTS) await page.screenshot({ path: `../../shots/${name}-${scheme}-${width}.png` })
}

describe.each(looks)('in %s, %d wide', (scheme, width) => {
  test('the editor says what its values run as, beside them', async () => {
    await emulate(scheme)
    await page.viewport(width, 900)
    const ran: unknown[] = []
    const runner = createToolRunner({
      tools: [
        {
          name: 'pay',
          inputSchema: schema,
          needsApproval: true,
          decisions: ['approve', 'edit', 'decline'],
          execute: (args) => {
            ran.push(args)
            return 'paid'
          },
        },
      ],
    })
    await render(
      <Page runner={runner} presentation="none" armingDelay={0}>
        <Checked />
      </Page>,
    )
    const result = runner.run('pay', raw)
    await userEvent.click(button('Edit'))
    await eventually(page.getByText('runs as 500')).toBeVisible()
    await look('editor', scheme, width)
    await fill('cents', '4')
    await eventually(page.getByText('runs as 400')).toBeVisible()
    expect(controlOf('cents')).toHaveAccessibleDescription('In euros runs as 400')
    expect(wrapperOf('memo').textContent).toContain('will not be used')
    await look('editor-edited', scheme, width)
    await userEvent.click(button('Approve with changes'))
    await result
    expect(ran).toEqual([{ ...raw, cents: 4 }])
  })

  test('a choice that may be none, and was', async () => {
    await emulate(scheme)
    await page.viewport(width, 640)
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const color = { enum: ['red', 'green'], title: 'Colour' }
    const { answer } = ask(runner, {
      kind: 'input',
      prompt: 'Which?',
      data: {
        schema: {
          type: 'object',
          title: 'Your bicycle',
          description: 'As it stands in front of you.',
          required: ['size'],
          properties: { color, size: { ...color, title: 'Bell', default: 'red' } },
        },
      },
    })
    await eventually(dialog()).toBeVisible()
    await fill('color', 'green')
    await look('select-chosen', scheme, width)
    await userEvent.selectOptions(controlOf('color'), 'Choose…')
    await look('select-none', scheme, width)
    await userEvent.click(button('Submit'))
    expect((await answer).data).toEqual({ size: 'red' })
  })

  test('a root that is one value', async () => {
    await emulate(scheme)
    await page.viewport(width, 480)
    const runner = createToolRunner()
    await render(<Page runner={runner} armingDelay={0} />)
    const { answer } = ask(runner, {
      kind: 'input',
      prompt: 'Where do you live?',
      data: { schema: { type: 'string', title: 'City', description: 'The nearest one will do.', minLength: 2 } },
    })
    await eventually(page.getByRole('textbox', { name: 'City' })).toHaveFocus()
    await userEvent.keyboard('B')
    await userEvent.click(button('Submit'))
    await look('root-value', scheme, width)
    await userEvent.fill(controlOf('value'), 'Bern')
    await userEvent.click(button('Submit'))
    expect((await answer).data).toEqual({ value: 'Bern' })
  })
})
