import { memo, type ReactNode, useSyncExternalStore } from 'react'
import { useRunner } from '../../react/index.js'
import type { HistoryEntry } from '../../store/index.js'
import { clockTime } from '../countdown.js'
import { useView } from '../view-context.js'
import { Fact, Instant, json, type RecordLabels, text, useRecordLabels } from './record-parts.js'

/** Who asked, what was shown, what was decided, and what came of it; newest first. */
export function DecisionList(): ReactNode {
  const runner = useRunner()
  const labels = useRecordLabels()
  const { frame } = useView()
  const entries = useSyncExternalStore(runner.subscribe, runner.history)
  return (
    <section {...frame} data-slot="list" data-kind="history" aria-label={labels.history}>
      {entries.length === 0 ? (
        <p data-slot="description">{labels.noHistory}</p>
      ) : (
        <>
          <button type="button" data-slot="export" onClick={() => download(runner.history())}>
            {labels.exportJson}
          </button>
          <ol>
            {[...entries].reverse().map((entry) => (
              <Decision key={entry.id} entry={entry} labels={labels} />
            ))}
          </ol>
        </>
      )}
    </section>
  )
}

const isSame = (a: DecisionProps, b: DecisionProps): boolean =>
  a.entry.id === b.entry.id && a.entry.outcome === b.entry.outcome && a.labels === b.labels

interface DecisionProps {
  entry: HistoryEntry
  labels: RecordLabels
}

const Decision = memo(({ entry, labels }: DecisionProps): ReactNode => {
  const { prompt, url, danger, toolName, source, asker, args, waited, at } = entry
  const hasArgs = args !== undefined && Object.keys(args).length > 0
  return (
    <li data-slot="record" data-decision={entry.decision} data-danger={danger}>
      <p data-slot="label">{text(prompt)}</p>
      <dl data-slot="facts">
        <Fact name={labels.decision}>{decisionOf(entry, labels)}</Fact>
        <Fact name={labels.decidedBy}>{byOf(entry, labels)}</Fact>
        <Fact name={labels.outcome}>{outcomeOf(entry, labels)}</Fact>
        <Fact name={labels.tool}>{text(toolName)}</Fact>
        <Fact name={labels.source}>{text(asker ? [asker.name, asker.origin].filter(Boolean).join(', ') : source)}</Fact>
        <Fact name={labels.address}>{text(url)}</Fact>
        <Fact name={labels.arguments}>{hasArgs ? json(args) : undefined}</Fact>
        <Fact name={labels.waited}>{clockTime(Math.round(waited / 1000))}</Fact>
        <Fact name={labels.decidedAt}>
          <Instant at={at} />
        </Fact>
      </dl>
    </li>
  )
}, isSame)

function decisionOf({ decision, edited }: HistoryEntry, labels: RecordLabels): string {
  const { approved, declined, cancelled, expired } = labels
  return edited ? labels.edited : { approved, declined, cancelled, expired }[decision]
}

const byOf = ({ by }: HistoryEntry, { byPerson, byRule, byCode }: RecordLabels): string =>
  ({ person: byPerson, rule: byRule, code: byCode })[by]

const outcomeOf = ({ outcome }: HistoryEntry, labels: RecordLabels): string | undefined =>
  outcome && { done: labels.outcomeDone, failed: labels.outcomeFailed, cancelled: labels.outcomeCancelled }[outcome]

/** Hands the record to the person as a file. */
function download(entries: readonly HistoryEntry[]): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(entries, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'decisions.json'
  link.click()
  // The browser has taken what it needs when the next task starts.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}
