// First, before React: a renderer looks for the hook when it is loaded.
import './commit-hook.js'
import { createRoot } from 'react-dom/client'
import '../../src/components/styles.css'
import { createToolRunner, RunTray, ToolRunner } from '../../src/index.js'
import { commits } from './commit-hook.js'

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const steps = { heard: 0, isInOrder: true }

/** Tells one event for each message of a worker, and stays until the bench has looked at its row. */
const flood = {
  name: 'flood',
  execute: ({ rate, total }, { emitCustomEvent, signal }) =>
    new Promise((resolve) => {
      const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
      signal.addEventListener('abort', resolve)
      worker.onmessage = ({ data: step }) => {
        emitCustomEvent('progress', { step, total, message: `Event ${step}` })
        if (step === total) worker.terminate()
      }
      worker.postMessage({ rate, total })
    }),
}

const quiet = {
  name: 'quiet',
  execute: (_args, { signal }) => new Promise((end) => signal.addEventListener('abort', end)),
}

const runner = createToolRunner({
  tools: [flood, quiet],
  onEvent({ type, value }) {
    if (type !== 'custom') return
    if (value.step !== ++steps.heard) steps.isInOrder = false
  },
})

createRoot(document.getElementById('root')).render(
  <ToolRunner runner={runner} presentation="none">
    <RunTray />
  </ToolRunner>,
)

const rowOf = (name) => document.querySelector(`[data-slot="run"][aria-label="${name}"]`)

/** The page at rest: the tray is loaded and shows this many other calls. */
export async function prepare({ others }) {
  for (let n = 0; n < others; n++) void runner.run('quiet')
  while (document.querySelectorAll('[data-slot="run"]').length < others) await frame()
  await pause(500)
}

/** Floods and counts; ends when the row says the last event, or after ten seconds more. */
export async function measure({ rate, seconds }) {
  Object.assign(steps, { heard: 0, isInOrder: true })
  const total = rate * seconds
  const before = commits.count
  const gaps = []
  let last = await frame()
  const start = last
  void runner.run('flood', { rate, total })
  while (last - start < seconds * 1000) {
    const now = await frame()
    gaps.push(now - last)
    last = now
  }
  const counted = commits.count - before
  const deadline = performance.now() + 10_000
  const isLastShown = () => rowOf('flood')?.textContent.includes(`Event ${total}`) ?? false
  while (total > 0 && !isLastShown() && performance.now() < deadline) await frame()
  const result = {
    rate,
    seconds,
    frames: gaps.length,
    framesPerSecond: Math.round((gaps.length / (last - start)) * 10_000) / 10,
    slowFrames: gaps.filter((gap) => gap > 25).length,
    longestFrame: Math.round(Math.max(...gaps)),
    commits: counted,
    heard: steps.heard,
    isInOrder: steps.isInOrder,
    isLastShown: isLastShown(),
    lastShownAfter: Math.round(performance.now() - start),
    share: rowOf('flood')?.querySelector('progress')?.position,
  }
  runner.abort()
  await pause(300)
  return result
}

Object.assign(globalThis, { prepare, measure })
