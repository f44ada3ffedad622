import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch } from '../support/browser.js'
import type { Kind } from '../support/persist-page/kinds.js'
import type { Point } from '../support/persist-page/points.js'
import { type PersistSite, servePersistPage } from '../support/persist-page.js'
import { plans } from '../support/persist-plays.js'

// Pages are taken away at one exact point each: not after a time, but when they say that they are there and wait for ever.

interface Trial {
  readonly kind: Kind
  readonly point: Point
  /** At which of its questions. */
  readonly step: number
  readonly keep: boolean
  /** The page is taken away while it goes on from a question that an earlier page had asked. */
  readonly again: boolean
}

const POINTS: readonly Point[] = [
  'before the question',
  'before the answer',
  'before the claim',
  'after the claim',
  'before the effect',
  'after the effect',
  'before the end',
  'after the end',
]
const BEFORE: readonly Point[] = ['before the question', 'before the answer', 'before the claim', 'after the claim']

const kinds = Object.keys(plans) as Kind[]
/** Whether the page ever comes there. */
function happens({ kind, point, step, again }: Trial): boolean {
  const steps = plans[kind].answers.length
  if (step < steps && !BEFORE.includes(point)) return false
  if (kind === 'refusal' && point.endsWith('effect')) return false
  return !(again && step === 1 && (point === 'before the question' || point === 'before the answer'))
}

/** Each point of each question once, by turns with the answers kept and as a second crash; all ways with ALL_CRASHES=1. */
function trialsOf(kind: Kind): Trial[] {
  const both = [false, true]
  const places = plans[kind].answers.flatMap((_answer, at) => POINTS.map((point) => ({ kind, point, step: at + 1 })))
  return places.flatMap((place, at) => {
    const all = both.flatMap((again) => both.map((keep): Trial => ({ ...place, keep, again }))).filter(happens)
    const isOther = (at + kinds.indexOf(kind)) % 2 === 1
    return process.env.ALL_CRASHES ? all : all.slice(isOther ? -1 : 0, isOther ? undefined : 1)
  })
}

/** What the call must be for the next page. */
function stateAfter({ kind, point, step, keep }: Trial): 'waiting' | 'interrupted' | 'done' | 'failed' {
  const isWaiting = point === 'before the answer' || point === 'before the claim'
  // What was answered before is not there to go on with.
  if (isWaiting && kind === 'two steps' && step === 2 && !keep) return 'failed'
  if (isWaiting) return 'waiting'
  if (kind === 'refusal') return point === 'before the question' ? 'interrupted' : 'failed'
  return point === 'after the end' ? 'done' : 'interrupted'
}

const wasDone = ({ point }: Trial): boolean =>
  point === 'after the effect' || point === 'before the end' || point === 'after the end'

let browser: Browser
let site: PersistSite
beforeAll(async () => {
  ;[browser, site] = await Promise.all([launch(), servePersistPage()])
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

let trials = 0
const doubled: string[] = []
const lost: string[] = []
afterAll(() => {
  console.log(`crash matrix: ${trials} trials, ${doubled.length} double effects, ${lost.length} lost questions`)
})

const nameOf = ({ kind, point, step, keep, again }: Trial): string =>
  `${kind}, ${step > 1 ? 'second question, ' : ''}${point}${keep ? ', answers kept' : ''}${again ? ', again' : ''}`

const urlOf = (params: Record<string, string>): string => `${site.url}?${new URLSearchParams(params)}`

async function load(page: Page, params: Record<string, string>): Promise<Page> {
  await page.goto(urlOf(params))
  return page
}

async function open(context: BrowserContext, params: Record<string, string>): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  return load(page, params)
}

async function crashed(page: Page, context: BrowserContext): Promise<void> {
  const crash = page.waitForEvent('crash')
  const session = await context.newCDPSession(page)
  session.send('Page.crash').catch(() => {})
  await crash
}

/** A page goes in one of three ways: it is loaded again, closed, or its process dies. */
async function next(page: Page, context: BrowserContext, params: Record<string, string>, way: number): Promise<Page> {
  if (way > 1) return load(page, params)
  if (way === 1) await crashed(page, context)
  await page.close()
  return open(context, params)
}

async function answerFrom(page: Page, kind: Kind, first: number, last: number): Promise<void> {
  for (const answer of plans[kind].answers.slice(first - 1, last)) await answer(page)
}

/** Has a page taken away at the point; gives the one that comes after it. */
async function crash(
  trial: Trial,
  context: BrowserContext,
  params: Record<string, string>,
  way: number,
): Promise<Page> {
  const { kind, point, step, again } = trial
  const isAsked = point === 'before the question' || point === 'before the answer'
  const isOfQuestion = isAsked || point.endsWith('claim')
  // What an earlier page had asked is not asked here.
  const nth = isOfQuestion ? step - (isAsked && again ? 1 : 0) : 1
  const stop = { ...params, point, nth: String(nth) }
  const name = params.name ?? ''

  const first = await open(context, again ? { ...params, point: 'before the answer' } : stop)
  await first.getByRole('button', { name: 'Call' }).click()
  if (again) await site.stopped(name)
  const page = again ? await next(first, context, stop, way) : first
  await answerFrom(page, kind, 1, isAsked ? step - 1 : step)
  await site.stopped(name)
  return next(page, context, params, way)
}

/** What the next page shows, and what comes of it when the person says what they want once more. */
async function recover(trial: Trial, page: Page, name: string): Promise<void> {
  const { kind, step } = trial
  const state = stateAfter(trial)
  const call = page.getByRole('list', { name: 'Calls' }).getByRole('listitem')
  await expect.poll(() => call.allTextContents(), { timeout: 10_000, interval: 30 }).toEqual([`deploy ${state}`])
  const dialogs = page.locator('dialog:modal')
  if (state !== 'waiting') {
    expect(await dialogs.count()).toBe(0)
    expect(site.effects(name)).toEqual(wasDone(trial) ? plans[kind].effect : [])
    return
  }
  await page.locator('[data-slot=restored]').waitFor()
  expect(site.effects(name)).toEqual([])
  await answerFrom(page, kind, step, plans[kind].answers.length)
  const end = kind === 'refusal' ? 'failed' : 'done'
  await expect.poll(() => call.allTextContents(), { timeout: 10_000, interval: 30 }).toEqual([`deploy ${end}`])
  expect(await page.getByRole('status', { name: 'Told' }).textContent()).not.toBe('')
  expect(await dialogs.count()).toBe(0)
  expect(site.effects(name)).toEqual(plans[kind].effect)
}

async function run(trial: Trial, context: BrowserContext): Promise<string | undefined> {
  const way = trials++ % 4
  const name = nameOf(trial)
  const params = { name, kind: trial.kind, ...(trial.keep && { keep: '1' }) }
  try {
    await recover(trial, await crash(trial, context, params, way), name)
    return undefined
  } catch (error) {
    const shown = await context
      .pages()
      .at(-1)
      ?.locator('main')
      .textContent()
      .catch(() => '')
    if (stateAfter(trial) === 'waiting') lost.push(name)
    return `${name}: ${error instanceof Error ? error.message : error}\n${shown}`
  } finally {
    if (site.effects(name).length > 1) doubled.push(name)
    for (const page of context.pages()) await page.close()
  }
}

/** Four at a time. */
async function runAll(all: readonly Trial[]): Promise<string[]> {
  const left = [...all]
  const faults: string[] = []
  const worker = async (): Promise<void> => {
    // A profile each, so that a crash takes no page of another with it.
    const context = await browser.newContext()
    for (let next = left.shift(); next; next = left.shift()) {
      const fault = await run(next, context)
      if (fault) faults.push(fault)
    }
    await context.close()
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  return faults
}

describe('a call whose page goes, at any point', () => {
  test.each(kinds)(
    '%s: is asked again, over or unknown, and its tool never runs twice',
    async (kind) => {
      expect(await runAll(trialsOf(kind))).toEqual([])
    },
    180_000,
  )
})
