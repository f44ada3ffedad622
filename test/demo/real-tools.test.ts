// @vitest-environment node
import { pendingOf } from 'assent/core'
import { createToolRunner, type PendingItem } from 'assent/runner'
import { expect, test } from 'vitest'
import { crunch } from '../../demo/real-tools/crunch.js'
import { deploy } from '../../demo/real-tools/deploy.js'
import { fetchish } from '../../demo/real-tools/fetchish.js'
import { answerSchemas, realTools } from '../../demo/real-tools/tools.js'

// The first three tests are the three examples of the seed, called as it calls them: without a runner.
test('crunch completes without a context and stops when it is cancelled', async () => {
  expect(await crunch.execute({ steps: 3 })).toEqual({ output: 'completed 3 step(s)', isError: false })
  expect(await crunch.execute({ steps: 3 }, { signal: AbortSignal.abort() })).toEqual({
    output: 'cancelled after 0 step(s)',
    isError: true,
  })
})

test('crunch stops between two steps', async () => {
  const controller = new AbortController()
  const running = crunch.execute(
    { steps: 50 },
    {
      signal: controller.signal,
      emitCustomEvent: (_name, value) => void (Object(value).step === 2 && controller.abort()),
    },
  )
  expect(await running).toEqual({ output: 'cancelled after 2 step(s)', isError: true })
})

test("fetchish honours the caller's timeout and has a default", async () => {
  expect(await fetchish.execute({ url: '/a' }, { timeout: 5000 })).toEqual({
    output: 'fetched /a within 5000ms',
    isError: false,
  })
  expect(await fetchish.execute({ url: '/a' }, { timeout: 10 })).toEqual({
    output: 'budget 10ms is too small to try',
    isError: true,
  })
  expect(await fetchish.execute({ url: '/a' })).toEqual({ output: 'fetched /a within 30000ms', isError: false })
})

test('deploy asks first, deploys where it is told to, and hears a refusal', async () => {
  const request = pendingOf(await deploy.execute({}))
  expect(request).toMatchObject({ kind: 'input', prompt: 'Which environment?' })
  expect(request).not.toHaveProperty('data')
  const id = request?.id ?? ''
  expect(await deploy.execute({}, { answer: { id, ok: true, data: { env: 'staging' } } })).toEqual({
    output: 'deployed to staging',
    isError: false,
  })
  expect(await deploy.execute({}, { answer: { id, ok: false, reason: 'declined' } })).toEqual({
    output: 'declined: declined',
    isError: true,
  })
})

function startDeploy() {
  const runner = createToolRunner({ tools: realTools, answerSchemas })
  runner.attach({}, 'dialog')
  const result = runner.run('deploy')
  const asked = new Promise<PendingItem>((resolve) => {
    runner.subscribe(() => {
      const item = runner.head()
      if (item) resolve(item)
    })
  })
  return { runner, result, asked }
}

test('the runner gives deploy the form it does not bring', async () => {
  const { runner, result, asked } = startDeploy()
  const item = await asked
  expect(item.schema).toEqual(answerSchemas.deploy)
  runner.answer(item.key, { id: item.request.id, ok: true, data: { env: 'production' } })
  expect(await result).toMatchObject({ output: 'deployed to production', isError: false })
})

test('the runner lets deploy say its refusal', async () => {
  const { runner, result, asked } = startDeploy()
  const item = await asked
  runner.answer(item.key, { id: item.request.id, ok: false, reason: 'declined' })
  expect(await result).toMatchObject({ output: 'declined: declined', isError: true })
})

test('every tool tells a model its name, what it does and what it takes', () => {
  for (const { name, description, inputSchema } of createToolRunner({ tools: realTools }).tools()) {
    expect(name).toMatch(/^[a-z_]+$/)
    expect(description.length).toBeGreaterThan(10)
    expect(inputSchema).toMatchObject({ type: 'object' })
  }
})

test('a file name cannot leave the workspace', async () => {
  const runner = createToolRunner({ tools: realTools })
  const { output, isError } = await runner.run('write_file', { name: '../x', text: '' })
  expect(isError).toBe(true)
  expect(output).toContain('name')
})
