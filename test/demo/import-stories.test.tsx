import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ComponentType, StrictMode } from 'react'
import { expect, test } from 'vitest'
import ImportBackground from '../../demo/stories/import-background.js'
import ImportProgress from '../../demo/stories/import-progress.js'

async function start(Story: ComponentType) {
  render(
    <StrictMode>
      <Story />
    </StrictMode>,
  )
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Import 100 rows' }))
  const row = within(await screen.findByRole('group', { name: 'import_rows' }))
  return { user, row }
}

test('in StrictMode a click starts one import, and Cancel ends it', async () => {
  const { user, row } = await start(ImportProgress)
  await user.click(row.getByRole('button', { name: 'Cancel' }))
  const result = screen.getByRole('status', { name: 'Result' })
  await expect.poll(() => result.textContent).toContain('"output": "cancelled"')
  expect(screen.queryByRole('group', { name: 'import_rows' })).toBeNull()
})

test('in StrictMode the result of an import in the background is delivered once', async () => {
  const { user, row } = await start(ImportBackground)
  await user.click(row.getByRole('button', { name: 'Move to background' }))
  const given = screen.getByRole('status', { name: 'Given to the caller' })
  await expect.poll(() => given.textContent).toContain('Moved to the background: import_rows.')
  await user.click(row.getByRole('button', { name: 'Cancel' }))
  const later = screen.getByRole('status', { name: 'Delivered later' })
  await expect.poll(() => later.textContent?.match(/cancelled/g)).toHaveLength(1)
})
