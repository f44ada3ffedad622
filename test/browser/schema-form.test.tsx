import { Profiler, type ReactNode, StrictMode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { coerce } from '../../src/components/form/coerce.js'
import { createDraft, type FormDraft } from '../../src/components/form/draft.js'
import { readFields } from '../../src/components/form/fields.js'
import { formLabels } from '../../src/components/form/form-labels.js'
import { SchemaForm } from '../../src/components/form/schema-form.js'
import { inputsVia, isCollected, schemaCases } from '../components/form/schema-cases.js'
import { controlOf, fill, notInAControl, shownErrors, wrapperOf } from '../support/fill-form.js'

const onSubmit = vi.fn()

interface Shown {
  schema: unknown
  draft?: FormDraft
}

function Form({ schema, draft = createDraft() }: Shown): ReactNode {
  return (
    <>
      <SchemaForm id="form" schema={schema} draft={draft} labels={formLabels} onSubmit={onSubmit} />
      <button type="submit" form="form">
        Submit
      </button>
    </>
  )
}

const show = async (schema: unknown, draft?: FormDraft) => {
  onSubmit.mockReset()
  return await render(
    <StrictMode>{draft ? <Form schema={schema} draft={draft} /> : <Form schema={schema} />}</StrictMode>,
  )
}

const submit = () => userEvent.click(page.getByRole('button', { name: 'Submit', exact: true }))

const keywordsOf = (schema: unknown, draft: FormDraft): unknown =>
  Object.fromEntries(coerce(readFields(schema), draft.values).errors ?? [])

describe('the schema cases, in the real controls', () => {
  const [held, notHeld] = [true, false].map((isHeld) =>
    inputsVia('form').filter(([name, , , input]) => isHeld === !notInAControl(name, input)),
  )

  it.each(held ?? [])('%s, input %i', async (_name, _i, { schema }, { value, valid, data, errors = {} }) => {
    const draft = createDraft()
    await show(schema, draft)
    for (const [field, typed] of Object.entries(value)) await fill(field, typed)
    await submit()
    if (valid) {
      expect(onSubmit.mock.calls).toStrictEqual([[data]])
      expect(shownErrors()).toEqual([])
      return
    }
    expect(onSubmit).not.toHaveBeenCalled()
    expect(keywordsOf(schema, draft)).toStrictEqual(errors)
    const wrong = shownErrors()
    expect([...wrong].sort()).toEqual(Object.keys(errors).sort())
    expect(wrapperOf(wrong[0] ?? '').contains(document.activeElement)).toBe(true)
    for (const name of wrong) expect(controlOf(name)).toHaveAccessibleDescription(/\S/)
  })

  it.each(notHeld ?? [])('%s, input %i: on the coercion', (name, _i, { schema }, input) => {
    expect(notInAControl(name, input)).toBeTypeOf('string')
    const { data, errors } = coerce(readFields(schema), new Map(Object.entries(input.value)), input.tz)
    expect(data ?? Object.fromEntries(errors ?? [])).toStrictEqual(input.valid ? input.data : input.errors)
  })

  it('ask nothing of the coercion but these', () => {
    const reasons = (notHeld ?? []).map(([name, , , input]) => notInAControl(name, input))
    expect([...new Set(reasons)]).toEqual([
      'format-date-time-local-control: the time zone of a browser cannot be set from a page',
      'pattern-anchored: a one-line box has no line breaks',
    ])
  })

  it.each(schemaCases.filter(isCollected).map((one) => [one.name, one] as const))(
    '%s: as shown',
    async (_name, one) => {
      const { container } = await show(one.schema)
      const { labels = {}, text = {}, noElements = [], options = {} } = one.expect ?? {}
      for (const selector of noElements) expect(container.querySelector(selector)).toBeNull()
      for (const [name, label] of [...Object.entries(labels), ...Object.entries(text)]) {
        expect(wrapperOf(name).querySelector('[data-slot=label]')?.textContent).toBe(label)
      }
      for (const [name, list] of Object.entries(options)) {
        const [none, ...shown] = wrapperOf(name).querySelectorAll('option')
        expect(none?.text).toBe(formLabels.choose)
        expect(shown.map((option) => [option.value, option.text])).toEqual(
          list.map(([value, label]) => [String(value), label || formLabels.emptyOption]),
        )
      }
      for (const control of container.querySelectorAll('[data-slot=control]')) expect(control).toHaveAccessibleName()
      expect(container.querySelector('[style]')).toBeNull()
    },
  )
})

const flat = (properties: object, required: string[] = []): object => ({ type: 'object', properties, required })

describe('SchemaForm', () => {
  it('shows a draft again', async () => {
    const schema = flat({
      a: { type: 'string' },
      b: { type: 'boolean' },
      c: { enum: ['x', 'y'] },
      d: { type: 'array', items: { enum: ['p', 'q'] } },
    })
    const draft = createDraft()
    const first = await show(schema, draft)
    await fill('a', 'typed')
    await fill('b', false)
    await fill('c', 'y')
    await fill('d', ['q'])
    await first.unmount()
    await show(schema, draft)
    expect(controlOf('a')).toHaveValue('typed')
    expect(controlOf('c')).toHaveValue('y')
    await submit()
    expect(onSubmit).toHaveBeenCalledWith({ a: 'typed', b: false, c: 'y', d: ['q'] })
  })

  it('starts fresh without one', async () => {
    const schema = flat({ a: { type: 'string' } })
    const first = await show(schema)
    await fill('a', 'typed')
    await first.unmount()
    await show(schema)
    expect(controlOf('a')).toHaveValue('')
  })

  it('says what is wrong with each field until it is right', async () => {
    await show(flat({ n: { type: 'integer', minimum: 3 }, e: { type: 'string', format: 'email' } }, ['n']))
    await fill('n', '2')
    await fill('e', 'x')
    await submit()
    expect(controlOf('n')).toHaveFocus()
    expect(controlOf('n')).toHaveAccessibleDescription('Enter 3 or more.')
    expect(controlOf('e')).toHaveAccessibleDescription('Enter an email address, such as name@example.com.')
    await fill('n', '')
    expect(controlOf('n')).toHaveAccessibleDescription('Fill this in.')
    await fill('n', '3')
    expect(controlOf('n')).not.toHaveAttribute('aria-invalid')
    expect(shownErrors()).toEqual(['e'])
  })

  it('ties label, description and requirement to the control', async () => {
    await show(flat({ userName: { type: 'string', description: 'As on the card' } }, ['userName']))
    const box = page.getByRole('textbox', { name: 'user name', exact: true })
    await expect.element(box).toHaveAccessibleDescription('As on the card')
    await expect.element(box).toHaveAttribute('aria-required', 'true')
    await expect.element(page.getByLabelText('user name', { exact: true })).toBeVisible()
  })

  it('shows an untouched optional boolean as not set, and makes it so again', async () => {
    await show(flat({ b: { type: 'boolean' } }))
    expect(controlOf('b')).toHaveAccessibleDescription('Not set')
    await fill('b', false)
    await expect.element(page.getByText('Not set')).not.toBeInTheDocument()
    await submit()
    await userEvent.click(page.getByRole('button', { name: 'Clear' }))
    expect(controlOf('b')).toHaveFocus()
    await submit()
    expect(onSubmit.mock.calls).toEqual([[{ b: false }], [{}]])
  })

  it('unsets an optional choice, a default too, and no required one', async () => {
    await show(flat({ a: { enum: ['x'], default: 'x' }, b: { enum: ['x'] } }, ['b']))
    await fill('b', 'x')
    await userEvent.click(page.getByRole('button', { name: 'Clear' }))
    expect(controlOf('a')).toHaveFocus()
    expect((controlOf('a') as HTMLSelectElement).selectedIndex).toBe(0)
    await submit()
    expect(onSubmit).toHaveBeenCalledWith({ b: 'x' })
  })

  it('tells options apart that differ in blanks, and writes out what cannot be seen', async () => {
    await show(flat({ a: { enum: ['a', ' a', 'a ', 'a\u202Eb'], title: 'T\u200Bx' } }))
    const texts = [...wrapperOf('a').querySelectorAll('option')].map((option) => option.textContent)
    expect(texts).toEqual(['Choose…', 'a', '" a"', '"a "', 'a\\u{202E}b'])
    expect(wrapperOf('a').querySelector('[data-slot=label]')?.textContent).toBe('T\\u{200B}x')
    expect(document.querySelector('[data-slot=escape]')?.textContent).toBe('\\u{200B}')
  })

  it('keeps the line breaks of a default', async () => {
    await show(flat({ a: { type: 'string', default: 'one\ntwo' } }))
    expect(controlOf('a')).toHaveValue('one\ntwo')
    await submit()
    expect(onSubmit).toHaveBeenCalledWith({ a: 'one\ntwo' })
  })

  it('submits with Enter, and no form around it', async () => {
    const outer = vi.fn()
    onSubmit.mockReset()
    await render(
      <div onSubmit={outer}>
        <Form schema={flat({ a: { type: 'string' } })} />
      </div>,
    )
    await userEvent.fill(controlOf('a'), 'x')
    await userEvent.keyboard('{Enter}')
    expect(onSubmit).toHaveBeenCalledWith({ a: 'x' })
    expect(outer).not.toHaveBeenCalled()
  })

  it('copies a date from the calendar into the text box', async () => {
    await show(flat({ d: { type: 'string', format: 'date' }, t: { type: 'string', format: 'date-time' } }))
    const showPicker = vi.spyOn(HTMLInputElement.prototype, 'showPicker').mockImplementation(() => {})
    await userEvent.click(page.getByRole('button', { name: 'Choose a date' }).first())
    expect(showPicker).toHaveBeenCalledOnce()
    const pickers = document.querySelectorAll<HTMLInputElement>('[data-slot=picker]')
    await userEvent.fill(pickers[0] as HTMLInputElement, '2026-11-30')
    await userEvent.fill(pickers[1] as HTMLInputElement, '2026-11-30T10:00')
    await submit()
    const [[data]] = onSubmit.mock.calls as [[{ d: string; t: string }]]
    expect(data.d).toBe('2026-11-30')
    expect(new Date(data.t).getTime()).toBe(new Date('2026-11-30T10:00').getTime())
  })

  it('renders one field of 200 when it is typed into', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `f${i}`)
    let spent = 0
    onSubmit.mockReset()
    await render(
      <Profiler id="form" onRender={(_id, _phase, actual) => (spent = actual)}>
        <Form schema={flat(Object.fromEntries(names.map((name) => [name, { type: 'string' }])))} />
      </Profiler>,
    )
    const mounted = spent
    await userEvent.fill(controlOf('f100'), 'x')
    expect(spent).toBeLessThan(mounted / 4)
    await submit()
    expect(onSubmit).toHaveBeenCalledWith({ f100: 'x' })
  })

  it('keeps ids and errors apart where titles are the same', async () => {
    await show(flat({ from: { type: 'string', title: 'Name' }, to: { type: 'string', title: 'Name' } }, ['from', 'to']))
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    await fill('from', 'a')
    await submit()
    expect(controlOf('to')).toHaveFocus()
  })
})
