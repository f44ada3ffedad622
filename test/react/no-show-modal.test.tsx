import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Answer, createToolRunner, PendingList, ToolRunner } from '../../src/index.js'

// What users' own jsdom tests have: <dialog> without showModal and close, no IntersectionObserver.
const proto: Partial<HTMLDialogElement> = HTMLDialogElement.prototype
const { showModal, close } = proto

beforeAll(() => {
  Reflect.deleteProperty(proto, 'showModal')
  Reflect.deleteProperty(proto, 'close')
})

afterAll(() => {
  Object.assign(proto, { showModal, close })
})

async function open(kind: string, data?: Record<string, unknown>) {
  const runner = createToolRunner()
  render(
    <StrictMode>
      <ToolRunner runner={runner} armingDelay={0}>
        <button type="button">Opener</button>
      </ToolRunner>
    </StrictMode>,
  )
  screen.getByRole('button', { name: 'Opener' }).focus()
  let answer: Promise<Answer> | undefined
  await act(async () => {
    answer = runner.waitFor({ id: 'w', kind, prompt: 'Sure?', ...(data && { data }) })
  })
  await screen.findByRole(kind === 'approval' ? 'alertdialog' : 'dialog')
  return { runner, answer: answer as Promise<Answer> }
}

describe('where dialogs cannot be modal', () => {
  test('a question is shown, and has the focus', async () => {
    const error = vi.spyOn(console, 'error')
    const { runner } = await open('approval')
    expect(screen.getByRole('alertdialog', { name: 'Approval needed' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Decline' })).toHaveFocus()
    expect(error).not.toHaveBeenCalled()
    act(() => runner.abort())
  })

  test('Escape cancels, and the focus goes back', async () => {
    const { answer } = await open('approval')
    await userEvent.keyboard('{Escape}')
    expect(await answer).toEqual({ id: 'w', ok: false, reason: 'cancelled' })
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(screen.getByRole('button', { name: 'Opener' })).toHaveFocus()
  })

  test.each([
    ['Approve', { id: 'w', ok: true }],
    ['Decline', { id: 'w', ok: false, reason: 'declined' }],
    ['Close', { id: 'w', ok: false, reason: 'cancelled' }],
  ])('%s works with user-event', async (name, expected) => {
    const { answer } = await open('approval')
    await userEvent.click(screen.getByRole('button', { name }))
    expect(await answer).toEqual(expected)
  })

  test('a form is filled in and submitted by keyboard', async () => {
    const { answer } = await open('input')
    const field = await screen.findByRole('textbox')
    await waitFor(() => expect(field).toHaveFocus())
    await userEvent.keyboard('Ada{Enter}')
    expect(await answer).toEqual({ id: 'w', ok: true, data: { value: 'Ada' } })
  })

  test('a choice is made', async () => {
    const { answer } = await open('question', { questions: [{ question: 'Which?', options: ['x', 'y'] }] })
    await userEvent.click(await screen.findByRole('radio', { name: 'y' }))
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }))
    expect((await answer).data).toEqual({ answers: ['y'] })
  })

  test('a queue is gone through', async () => {
    const { runner, answer } = await open('approval')
    let second: Promise<Answer> | undefined
    await act(async () => {
      second = runner.waitFor({ id: 'x', kind: 'approval', prompt: 'And?' })
    })
    expect(screen.getByText('1 of 2')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Next' }))
    expect(screen.getByText('And?')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
    expect(await second).toEqual({ id: 'x', ok: true })
    await userEvent.keyboard('{Escape}')
    expect((await answer).reason).toBe('cancelled')
  })

  test('cards work', async () => {
    const runner = createToolRunner()
    render(
      <ToolRunner runner={runner} presentation="inline" armingDelay={0}>
        <PendingList />
      </ToolRunner>,
    )
    let answer: Promise<Answer> | undefined
    await act(async () => {
      answer = runner.waitFor({ id: 'w', kind: 'approval', prompt: 'Sure?' })
    })
    await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
    expect((await answer)?.ok).toBe(true)
  })

  test('unmounting with a dialog open crashes nothing', async () => {
    const error = vi.spyOn(console, 'error')
    const { runner } = await open('approval')
    act(() => runner.abort())
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(error).not.toHaveBeenCalled()
  })
})
