import { type ReactNode, useEffect, useReducer } from 'react'
import { useRunner } from '../../react/index.js'
import type { Runner, RunRecord } from '../../store/index.js'
import { fill } from '../labels.js'
import { escapeText } from '../safe-text.js'
import { type RecordLabels, useRecordLabels } from './record-parts.js'
import { isKept, isLive } from './tray-memory.js'

// What changes within half a second is one announcement.
const GATHER = 500
const NAME = 60

const KINDS = ['failed', 'done', 'waiting', 'background'] as const
type Kind = (typeof KINDS)[number]

interface News {
  kind: Kind
  toolName: string
}

/** What there is to tell of a call since it was last looked at. Progress never is. */
function kindOf(run: RunRecord, before: RunRecord | undefined): Kind | undefined {
  const { status, isDetached } = run
  const isNew = status !== before?.status
  if ((status === 'done' || status === 'failed') && isNew && isKept(run)) return status
  if (status === 'waiting' && isNew) return status
  return isDetached && !before?.isDetached && isLive(run) ? 'background' : undefined
}

/** Tells the news of the runner's calls, those of half a second at once. What is so already is no news. Returns the end. */
export function watchNews(runner: Runner, tell: (news: readonly News[]) => void): () => void {
  const look = () => new Map(runner.getState().runs.map((run) => [run.id, run]))
  let seen = look()
  let news: News[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  const flush = (): void => {
    timer = undefined
    tell(news)
    news = []
  }
  const unsubscribe = runner.subscribe(() => {
    const now = look()
    for (const [id, run] of now) {
      const before = seen.get(id)
      const kind = before === run ? undefined : kindOf(run, before)
      if (kind) news.push({ kind, toolName: run.toolName })
    }
    seen = now
    if (news.length > 0) timer ??= setTimeout(flush, GATHER)
  })
  return () => {
    clearTimeout(timer)
    unsubscribe()
  }
}

/** The news in a sentence for each kind; several of a kind are counted. */
export function inWords(news: readonly News[], labels: RecordLabels): string {
  const { saidFailed, saidDone, saidWaiting, saidBackground } = labels
  const { manyFailed, manyDone, manyWaiting, manyBackground } = labels
  const one = { failed: saidFailed, done: saidDone, waiting: saidWaiting, background: saidBackground }
  const many = { failed: manyFailed, done: manyDone, waiting: manyWaiting, background: manyBackground }
  const sentences = KINDS.map((kind) => {
    const [first, ...more] = news.filter((one) => one.kind === kind)
    if (!first) return ''
    const tool = escapeText(first.toolName.slice(0, NAME))
    return more.length > 0 ? fill(many[kind], { count: more.length + 1 }) : fill(one[kind], { tool })
  })
  return sentences.filter(Boolean).join(' ')
}

const listeners = new WeakMap<Runner, Set<object>>()

/** The same, told only to the first listener of a runner that is still there: two trays would say everything twice. */
export function watchNewsAlone(runner: Runner, tell: (news: readonly News[]) => void): () => void {
  const me = {}
  const all = listeners.get(runner) ?? new Set()
  listeners.set(runner, all.add(me))
  const stop = watchNews(runner, (news) => {
    const [first] = all
    if (first === me) tell(news)
  })
  return () => {
    all.delete(me)
    stop()
  }
}

interface Said {
  news: readonly News[]
  count: number
}

const say = ({ count }: Said, news: readonly News[]): Said => ({ news, count: count + 1 })

/** Says politely what changed, for who does not see the rows; of several on one runner only the first does. */
export function RunNews(): ReactNode {
  const runner = useRunner()
  const labels = useRecordLabels()
  const [{ news, count }, tell] = useReducer(say, { news: [], count: 0 })
  useEffect(() => watchNewsAlone(runner, tell), [runner])
  return (
    <p role="status" data-slot="status">
      {/* New each time: the same words again are an announcement too. */}
      {count > 0 && <span key={count}>{inWords(news, labels)}</span>}
    </p>
  )
}
