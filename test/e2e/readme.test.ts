import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axe, complaintsOf, launch } from '../support/browser.js'
import { press } from '../support/demo-page.js'
import { freshApp } from '../support/fresh-app.js'

const readme = readFileSync('README.md', 'utf8')
const blocks = (section: string): string[] => {
  const text = readme.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...text.matchAll(/```tsx?\n([\s\S]*?)```/g)].map(([, code = '']) => code)
}
const lines = (code: string): number => code.split('\n').filter((line) => line.trim() !== '').length

let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser?.close())

async function visit(main: string): Promise<{ page: Page; complaints: string[]; close: () => Promise<void> }> {
  const app = await freshApp(main)
  const page = await browser.newPage()
  const complaints = complaintsOf(page)
  await page.goto(app.url)
  return {
    page,
    complaints,
    close: async () => {
      await page.close()
      app.close()
    },
  }
}

describe('the first dialog of the README', () => {
  const [snippet = ''] = blocks('The first dialog')

  test('is under 15 lines', () => {
    expect(lines(snippet)).toBeGreaterThan(5)
    expect(lines(snippet)).toBeLessThan(15)
  })

  test('asks, is answered and is declined in a fresh app', async () => {
    const { page, complaints, close } = await visit(snippet)
    await page.getByRole('button', { name: 'Deploy' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Approval needed' })
    await dialog.waitFor()
    expect(await axe(page)).toEqual([])
    await press(dialog, 'Approve')
    await page.getByRole('button', { name: 'Deploy deployed' }).waitFor()
    await page.getByRole('button', { name: 'Deploy' }).click()
    await press(dialog, 'Decline')
    await page.getByRole('button', { name: 'declined/expired: Deploy to production?' }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })
})

// The third example of the seed document in our own words; what is around it is what the README tells a newcomer.
const seedDeploy = `
import { pending, type Tool } from 'assent'
const deploy: Tool = {
  name: 'deploy',
  description: 'Deploy, asking which environment first',
  inputSchema: { type: 'object', properties: {} },
  source: 'custom',
  async execute(_args, ctx) {
    if (!ctx?.answer) return pending({ kind: 'input', prompt: 'Which environment?' })
    const { ok, reason, data } = ctx.answer
    if (!ok) return { output: 'declined: ' + (reason ?? 'no reason'), isError: true }
    return { output: 'deployed to ' + String(data?.env ?? 'unknown'), isError: false }
  },
}
`
const aroundIt = `
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { ToolRunner, useToolRunner } from 'assent'
import 'assent/styles.css'
const environments = { type: 'object', properties: { env: { enum: ['staging', 'production'] } }, required: ['env'] }
function App() {
  const { run } = useToolRunner()
  const [done, setDone] = useState('')
  return <button type="button" onClick={async () => setDone((await run('deploy')).output)}>Deploy {done}</button>
}
createRoot(document.body.appendChild(document.createElement('div'))).render(
  <StrictMode><ToolRunner tools={[deploy]} onRefusal="retry" answerSchemas={{ deploy: environments }}><App /></ToolRunner></StrictMode>)
`

test("the seed's deploy tool asks, is answered and is declined under StrictMode, in under 15 lines around it", async () => {
  expect(lines(aroundIt)).toBeLessThan(15)
  const { page, complaints, close } = await visit(seedDeploy + aroundIt)
  await page.getByRole('button', { name: 'Deploy' }).click()
  const dialog = page.getByRole('dialog', { name: 'Information needed' })
  await dialog.getByRole('combobox').selectOption('staging')
  await press(dialog, 'Submit')
  await page.getByRole('button', { name: 'Deploy deployed to staging' }).waitFor()
  await page.getByRole('button', { name: 'Deploy' }).click()
  await press(dialog, 'Decline')
  await page.getByRole('button', { name: 'Deploy declined: declined' }).waitFor()
  expect(complaints).toEqual([])
  await close()
})

test("the README's body of one's own sends and keeps", async () => {
  const [transfer = ''] = blocks('React').filter((code) => code.includes('function Transfer'))
  const body = transfer.split('\n<ToolRunner')[0] ?? ''
  const { page, complaints, close } = await visit(`
    import { createRoot } from 'react-dom/client'
    import { createToolRunner, pending, ToolRunner, type DialogBodyProps } from 'assent'
    import 'assent/styles.css'
    ${body}
    const runner = createToolRunner({ tools: [{ name: 'transfer', execute: (_, ctx) => ctx.answer ? 'sent' : pending({ kind: 'transfer', prompt: 'Send 5?' }) }] })
    createRoot(document.body.appendChild(document.createElement('div'))).render(<ToolRunner runner={runner} dialogs={{ transfer: Transfer }}><p /></ToolRunner>)
    runner.run('transfer').then(({ output }) => { document.title = output })
  `)
  await press(page.getByRole('alertdialog'), 'Send it')
  await page.waitForFunction(() => document.title === 'sent')
  expect(complaints).toEqual([])
  await close()
})

test('every other tsx block of the README names only what the package exports', async () => {
  const pkg = await import('../../src/index.js')
  const named = [...readme.matchAll(/import \{([^}]+)\} from 'assent'/g)].flatMap(([, names = '']) => names.split(','))
  expect(named.length).toBeGreaterThan(3)
  for (const name of named) expect(Object.keys(pkg)).toContain(name.trim())
})
