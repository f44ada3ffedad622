import { RunTray, type ToolEvent, ToolRunner } from 'assent'
import { type ReactNode, useReducer } from 'react'
import { PageTitle } from '../ui/page-title.js'
import { panelGroups } from './panels.js'
import { ToolPanel } from './tool-panel.js'
import { answerSchemas, realTools } from './tools.js'
import { Transcript, type TranscriptEntry } from './transcript.js'

const KEPT = 100

const isProgress = ({ event }: TranscriptEntry): boolean => event.type === 'custom' && event.name === 'progress'

/** Of the progress of a call the first and the newest: the rest would leave room for nothing else. */
function keep(entries: readonly TranscriptEntry[], event: ToolEvent): readonly TranscriptEntry[] {
  const [before, last] = entries.slice(-2)
  const entry = { seq: (entries.at(-1)?.seq ?? 0) + 1, event }
  const replaces = before && last && [before, last, entry].every((one) => isProgress(one) && isOf(event, one))
  return [...(replaces ? entries.slice(0, -1) : entries), entry].slice(-KEPT)
}

const isOf = ({ runId }: ToolEvent, { event }: TranscriptEntry): boolean => event.runId === runId

export function RealTools(): ReactNode {
  const [entries, onEvent] = useReducer(keep, [])
  return (
    <ToolRunner tools={realTools} answerSchemas={answerSchemas} onEvent={onEvent}>
      <PageTitle>Real tools</PageTitle>
      <p className="lead">
        Each form calls a tool as an agent would. The tools use real browser powers; the ones that could cost you
        something ask first. Every step is in the transcript.
      </p>
      <div className="workbench">
        <div>
          {panelGroups.map(({ title, description, panels }) => (
            <section key={title} aria-label={title}>
              <h2>{title}</h2>
              <p>{description}</p>
              <div className="panels">
                {panels.map((panel) => (
                  <ToolPanel key={panel.tool} panel={panel} />
                ))}
              </div>
            </section>
          ))}
        </div>
        <aside>
          <div className="dock">
            <RunTray />
          </div>
          <Transcript entries={entries} />
        </aside>
      </div>
    </ToolRunner>
  )
}
