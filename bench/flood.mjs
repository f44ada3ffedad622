// Floods a page that shows <RunTray> with progress events in a real Chromium, and writes what it cost to bench/results/.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { chromium } from 'playwright'
import { build, preview } from 'vite'
import { chromiumArgs, findChromium } from '../scripts/browser.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const outDir = here(`../.tmp/bench-${process.pid}`)
const option = (name, usual) => Number(process.argv.find((one) => one.startsWith(`--${name}=`))?.split('=')[1] ?? usual)

const seconds = option('seconds', 3)
const rounds = option('rounds', 3)
const CASES = [
  { name: 'one call', rate: 10_000, others: 0 },
  { name: 'one call beside 20 others', rate: 10_000, others: 20 },
  { name: 'at rest', rate: 0, others: 1 },
]

const config = {
  configFile: false,
  root: here('page'),
  logLevel: 'error',
  plugins: [react()],
  worker: { format: 'es' },
  build: { outDir, emptyOutDir: true, modulePreload: { polyfill: false } },
  preview: { host: '127.0.0.1', port: 0, headers: { 'Content-Security-Policy': "default-src 'self'" } },
}

/** Milliseconds the page's main thread has worked so far. */
async function busy(session) {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}

async function round(browser, url, { rate, others }) {
  const page = await browser.newPage()
  page.on('pageerror', (error) => console.error(error.message))
  try {
    await page.goto(url)
    await page.evaluate((given) => globalThis.prepare(given), { others })
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    const before = await busy(session)
    const start = performance.now()
    const counted = await page.evaluate((given) => globalThis.measure(given), { rate, seconds })
    const work = (await busy(session)) - before
    return { ...counted, mainThread: Math.round((work / (performance.now() - start)) * 100) }
  } finally {
    await page.close()
  }
}

/** The best of some rounds: what else the machine does only ever adds. */
async function best(browser, url, one) {
  const all = []
  for (let n = 0; n < rounds; n++) all.push(await round(browser, url, one))
  const [first] = all.sort((a, b) => b.frames - a.frames || a.mainThread - b.mainThread)
  return { name: one.name, others: one.others, ...first }
}

const isRight = ({ rate, heard, isInOrder, isLastShown, commits, frames }) =>
  rate === 0 || (heard === rate * seconds && isInOrder && isLastShown && commits <= frames + 16)

await build(config)
const server = await preview({ ...config, build: { outDir } })
const executablePath = findChromium()
const browser = await chromium.launch({ args: chromiumArgs, ...(executablePath && { executablePath }) })
try {
  const load = Math.round((loadavg()[0] ?? 0) * 10) / 10
  const cases = []
  for (const one of CASES) cases.push(await best(browser, server.resolvedUrls.local[0], one))
  const react = JSON.parse(readFileSync(here('../node_modules/react/package.json'), 'utf8')).version
  const machine = { chromium: browser.version(), react, node: process.version, cores: cpus().length, load }
  writeFileSync(here('results/flood.json'), `${JSON.stringify({ machine, seconds, rounds, cases }, null, 2)}\n`)
  console.table(
    cases.map(
      ({ name, rate, framesPerSecond, slowFrames, longestFrame, commits, mainThread, heard, lastShownAfter }) => ({
        name,
        rate,
        framesPerSecond,
        slowFrames,
        longestFrame,
        commits,
        mainThread,
        heard,
        lastShownAfter,
      }),
    ),
  )
  if (!cases.every(isRight))
    throw new Error('Events were lost, out of order or not shown, or commits outran the frames.')
} finally {
  await browser.close()
  await server.close()
  rmSync(outDir, { recursive: true, force: true })
}
