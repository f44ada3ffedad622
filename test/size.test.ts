// @vitest-environment node
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('every part of the package stays within its budget', { timeout: 60_000 }, () => {
  const out = execFileSync('node', ['scripts/size.mjs'], {
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production', VITEST: '' },
  })
  const rows = [...out.matchAll(/^(ok|OVER)\s+(.+): (\d+) B gzip \(budget (\d+)\)$/gm)]
  expect(rows.map(([, , name]) => name)).toEqual([
    'assent/core',
    'assent',
    'assent, forms on demand',
    'assent, lists on demand',
    'assent, persistence on demand',
    'assent, attention on demand',
    'assent/yjs',
    'assent/styles.css',
    'schema validator',
  ])
  for (const [, verdict, name, size, budget] of rows) {
    expect([name, verdict]).toEqual([name, 'ok'])
    expect(Number(size)).toBeGreaterThan(500)
    expect(Number(size)).toBeLessThanOrEqual(Number(budget))
  }
})
