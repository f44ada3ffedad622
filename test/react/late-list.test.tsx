// @vitest-environment node
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createToolRunner, History, Permissions, ToolRunner } from '../../src/index.js'

test('a server renders nothing of what people decided', () => {
  const storage = {
    getItem: () =>
      JSON.stringify({
        version: 2,
        permissions: [{ id: 'p', tool: 'send', identity: '[]', until: 'always', at: 1 }],
      }),
    setItem() {},
  }
  const runner = createToolRunner({ policy: { remember: true, storage } })
  expect(runner.permissions()).toHaveLength(1)
  const page = renderToString(
    <ToolRunner runner={runner}>
      <h1>Page</h1>
      <Permissions />
      <History />
    </ToolRunner>,
  )
  expect(page).toBe('<h1>Page</h1>')
})
