import { type ToolEvent, ToolRunner } from 'assent'
import { type ReactNode, useReducer } from 'react'
import { PageTitle } from '../ui/page-title.js'
import { panelGroups } from './panels.js'
import { ToolPanel } from './tool-panel.js'
import { answerSchemas, realTools } from './tools.js'
import { Transcript, type TranscriptEntry } from './transcript.js'

const KEPT = 100

const keep = (entries: readonly TranscriptEntry[], event: ToolEvent): readonly TranscriptEntry[] =>
  [...entries, { seq: (entries.at(-1)?.seq ?? 0) + 1, event }].slice(-KEPT)

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
        <Transcript entries={entries} />
      </div>
    </ToolRunner>
  )
}
