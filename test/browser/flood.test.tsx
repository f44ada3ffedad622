// First, before React: a renderer looks for the hook when it is loaded.
import '../support/commit-counter.js'
import '../../src/components/styles.css'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type AnyTool, createToolRunner, type Runner, RunTray, type ToolEvent, ToolRunner } from '../../src/index.js'
import { commitsOf, counter } from '../support/commit-counter.js'
import { eventually, settle } from '../support/page.js'

// How much of it a machine can take is measured in bench/; here is what holds at any speed.
const RATE = 10_000
const TOTAL = 15_000
// A call's start and end, the seconds of its clock, and the times a page without frames is told.
const BESIDES = 16

const row = (name: string) => page.getByRole('group', { name, exact: true })
const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))

const SOURCE = `onmessage = ({ data: { rate, total } }) => {
  const start = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    const due = Math.min(total, ((performance.now() - start) / 1000) * rate)
    while (sent < due) postMessage(++sent)
    if (sent === total) clearInterval(timer)
  }, 4)
}`

/** A tool that tells one event for each message of a worker, and ends with the last. */
const flood: AnyTool = {
  name: 'flood',
  execute: (_args, { emitCustomEvent }) =>
    new Promise<string>((resolve) => {
      const worker = new Worker(URL.createObjectURL(new Blob([SOURCE])))
      worker.onmessage = ({ data: step }: MessageEvent<number>) => {
        emitCustomEvent('progress', { step, total: TOTAL, message: `Event ${step}` })
        if (step < TOTAL) return
        worker.terminate()
        resolve(`${step} events`)
      }
      worker.postMessage({ rate: RATE, total: TOTAL })
    }),
}

/** Whatever the rate, all at once in one task. */
const burst: AnyTool = {
  name: 'burst',
  async execute(_args, { emitCustomEvent }) {
    for (let step = 1; step <= TOTAL; step++) {
      emitCustomEvent('progress', { step, total: TOTAL, message: `Event ${step}` }, { batch: step % 2 === 0 })
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
    return 'over'
  },
}

function heard() {
  const steps: unknown[] = []
  const onEvent = (event: ToolEvent): void => {
    if (event.type === 'custom') steps.push(event.value.step)
  }
  return { steps, onEvent }
}

const show = (runner: Runner) =>
  render(
    <ToolRunner runner={runner} presentation="none">
      <RunTray />
    </ToolRunner>,
  )

const inOrder = Array.from({ length: TOTAL }, (_, n) => n + 1)

describe('ten thousand events a second', () => {
  test('are all heard in order, cost at most a commit a frame, and end with the last one shown', async () => {
    const { steps, onEvent } = heard()
    const runner = createToolRunner({ tools: [flood], onEvent })
    await show(runner)
    let isOver = false
    let frames = 0
    const before = counter.commits
    const shown: string[] = []
    const id = await new Promise<string>((resolve) => {
      void runner.run('flood', {}, { onStart: (run) => resolve(run.id) }).then(() => {
        isOver = true
      })
    })
    while (!isOver) {
      await frame()
      frames++
      shown.push(document.querySelector('[data-slot="message"]')?.textContent ?? '')
    }
    await settle()
    expect(steps).toEqual(inOrder)
    expect(counter.commits - before).toBeLessThanOrEqual(frames + BESIDES)
    expect(runner.getRun(id)?.progress).toEqual({ step: TOTAL, total: TOTAL, message: `Event ${TOTAL}` })
    // What was drawn only ever went up, and many times.
    const drawn = shown.filter(Boolean).map((text) => Number(text.split(' ')[1]))
    expect(drawn).toEqual([...drawn].sort((a, b) => a - b))
    expect(new Set(drawn).size).toBeGreaterThan(1)
    await expect.poll(() => row('flood').elements()).toEqual([])
  })

  test('of a call in the background end with its result in the tray', async () => {
    const { steps, onEvent } = heard()
    const runner = createToolRunner({
      onEvent,
      tools: [
        {
          name: 'flood',
          execute(args, ctx) {
            const work = Promise.resolve(flood.execute(args, ctx))
            return Promise.race([work, ctx.detach?.(work) ?? work])
          },
        },
      ],
    })
    await show(runner)
    void runner.run('flood')
    await page.getByRole('button', { name: 'Move to background' }).click()
    await eventually(row('flood')).toHaveTextContent('In the background')
    await expect.poll(() => row('flood').element().textContent, { timeout: 20_000 }).toContain(`${TOTAL} events`)
    await eventually(row('flood')).toHaveAccessibleDescription('Done')
    expect(steps).toEqual(inOrder)
  }, 30_000)
})

describe('a burst of events in one task', () => {
  test('is one commit that shows the last, and loses none for the listeners', async () => {
    const { steps, onEvent } = heard()
    const runner = createToolRunner({ tools: [burst], onEvent })
    await show(runner)
    let result: Promise<unknown> = Promise.resolve()
    const commits = await commitsOf(async () => {
      result = runner.run('burst')
      await eventually(row('burst').getByText(`Event ${TOTAL}`)).toBeVisible()
    })
    expect(steps).toEqual(inOrder)
    // The row comes, and then shows all of it; the tray itself may have to be loaded first.
    expect(commits).toBeLessThanOrEqual(BESIDES)
    await result
  })
})
