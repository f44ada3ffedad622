// @vitest-environment node
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import pkg from '../../package.json' with { type: 'json' }

// A consumer's project with the packed package in it, as npm would install it; its dependencies are this project's.
let consumer = ''
const modules = resolve('node_modules')

const run = (command: string, args: string[]): string =>
  execFileSync(command, args, { cwd: consumer, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } })

beforeAll(() => {
  consumer = mkdtempSync(join(tmpdir(), 'assent-consumer-'))
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', consumer], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ filename }] = JSON.parse(packed)
  execFileSync('tar', ['-xzf', join(consumer, filename), '-C', consumer])
  mkdirSync(join(consumer, 'node_modules/@cfworker'), { recursive: true })
  mkdirSync(join(consumer, 'node_modules/@types'))
  cpSync(join(consumer, 'package'), join(consumer, 'node_modules/assent'), { recursive: true })
  for (const name of [
    'react',
    'react-dom',
    'zustand',
    'idb',
    'yjs',
    'lib0',
    '@cfworker/json-schema',
    '@types/react',
    'typescript',
    'csstype',
  ]) {
    symlinkSync(join(modules, name), join(consumer, 'node_modules', name))
  }
  writeFileSync(join(consumer, 'package.json'), JSON.stringify({ type: 'module', private: true }))
}, 60_000)

afterAll(() => rmSync(consumer, { recursive: true, force: true }))

test('every entry can be imported in plain Node, and the tool runs', () => {
  writeFileSync(
    join(consumer, 'run.mjs'),
    `import { createElement } from 'react'
     import { renderToString } from 'react-dom/server'
     import { ToolRunner, pending, defineTool } from 'assent'
     import { runTool } from 'assent/core'
     import { createMemoryStorage, createToolRunner, openIndexedDb, questionTool } from 'assent/runner'
     import { shareQuestions } from 'assent/yjs'
     const deploy = defineTool({
       name: 'deploy', description: 'Deploy',
       execute: (_, ctx) => ctx.answer ? 'deployed' : pending({ kind: 'approval', prompt: 'Deploy?' }),
     })
     const runner = createToolRunner({ tools: [deploy, questionTool] })
     const result = runner.run('deploy')
     await new Promise((next) => setTimeout(next))
     const { key, request } = runner.head()
     runner.answer(key, { id: request.id, ok: true })
     console.log(JSON.stringify([
       (await result).output,
       (await runTool(deploy, {})).metadata.pending.prompt,
       renderToString(createElement(ToolRunner, { tools: [deploy] }, 'page')),
     ]))`,
  )
  expect(JSON.parse(run('node', ['run.mjs']))).toEqual(['deployed', 'Deploy?', 'page'])
})

test('the styles are in the package, and every file an entry names', () => {
  for (const entry of Object.values(pkg.exports)) {
    for (const file of typeof entry === 'string' ? [entry] : Object.values(entry)) {
      expect(readFileSync(join(consumer, 'node_modules/assent', file), 'utf8').length).toBeGreaterThan(0)
    }
  }
  expect(readFileSync(join(consumer, 'node_modules/assent/dist/styles.css'), 'utf8')).toContain('data-slot')
})

test.each(['NodeNext', 'Bundler'])(
  'the declarations hold in a strict consumer with moduleResolution %s',
  (resolution) => {
    writeFileSync(
      join(consumer, 'app.tsx'),
      `import { ToolRunner, defineTool, pending, usePending, useToolRunner, type ToolResult } from 'assent'
     import { runTool, type Tool } from 'assent/core'
     import { createToolRunner, type Runner } from 'assent/runner'
     import 'assent/styles.css'
     const tool = defineTool({
       name: 'add', description: 'Adds',
       inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
       execute: ({ a }) => a + 1,
     })
     const seed: Tool = { name: 't', description: '', inputSchema: {}, execute: (_args, ctx) => ctx?.answer ? { output: '', isError: false } : pending({ kind: 'input', prompt: '?' }) }
     export const runner: Runner = createToolRunner({ tools: [tool, seed] })
     export const result: Promise<ToolResult> = runTool(tool, { a: 1 })
     export function App() {
       const { run } = useToolRunner()
       const [first] = usePending()
       return <ToolRunner tools={[tool]} labels={{ approve: 'Ja', openLink: '{host}' }}><button type="button" onClick={() => run('add', { a: 1 })}>{first?.request.prompt}</button></ToolRunner>
     }
     // @ts-expect-error a is a number
     defineTool({ name: 'x', description: '', inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }, execute: ({ a }) => a.length })`,
    )
    writeFileSync(
      join(consumer, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          skipLibCheck: false,
          exactOptionalPropertyTypes: true,
          jsx: 'react-jsx',
          target: 'ES2022',
          lib: ['ES2023', 'DOM', 'DOM.Iterable'],
          types: [],
          module: resolution === 'Bundler' ? 'ESNext' : 'NodeNext',
          moduleResolution: resolution,
        },
        include: ['app.tsx'],
      }),
    )
    expect(run('node', [join(modules, 'typescript/bin/tsc'), '-p', '.'])).toBe('')
  },
  60_000,
)
