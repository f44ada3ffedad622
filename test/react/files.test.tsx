import { render, screen } from '@testing-library/react'
import { createToolRunner, ToolRunner } from 'assent'
import { expect, test, vi } from 'vitest'

test('the dialog says which files go with the arguments: name, size and type', async () => {
  const runner = createToolRunner({ tools: [{ name: 'send', needsApproval: true, execute: () => '' }] })
  render(<ToolRunner runner={runner} />)
  const report = new File(['12345'], 'q3\u202E.pdf', { type: 'application/pdf' })
  void runner.run('send', { to: 'ann' }, { files: { report, blob: new Blob(['x']) } })
  await vi.waitFor(() => expect(screen.getByRole('alertdialog', { hidden: true })).toBeDefined())
  const { textContent } = screen.getByRole('alertdialog', { hidden: true })
  expect(textContent).toContain('Files')
  expect(textContent).toContain('q3\\u{202E}.pdf, 5 bytes, application/pdf')
  expect(textContent).toContain('blob1 bytes')
  runner.abort()
})
