import { defineTool, PendingList, ToolRunner, useRuns, useToolRunner } from 'assent'
import { useState } from 'react'
import { pause } from '../real-tools/pause.js'
import { RunLine } from '../ui/run-line.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'parallel',
  title: 'Ten calls at once',
  summary: 'One turn, four at a time, three of them ask.',
  tryThis:
    'Press “Send 10 parcels”. Four run at a time and the rest are queued; the three heavy ones wait for you and hold nobody up. Approve or decline them in any order. When all have ended, the results stand in call order.',
}

const sendParcel = defineTool({
  name: 'send_parcel',
  description: 'Send a parcel with the next ferry',
  inputSchema: {
    type: 'object',
    properties: { to: { type: 'string' }, kg: { type: 'number' } },
    required: ['to', 'kg'],
  },
  needsApproval: ({ kg }) => Number(kg) > 20,
  async execute({ to }, ctx) {
    await pause(1500, ctx.signal)
    return `sent to ${to}`
  },
})

const parcels = [
  { to: 'Arran', kg: 4 },
  { to: 'Bute', kg: 31 },
  { to: 'Coll', kg: 2 },
  { to: 'Danna', kg: 9 },
  { to: 'Eigg', kg: 45 },
  { to: 'Fetlar', kg: 7 },
  { to: 'Gigha', kg: 1 },
  { to: 'Hoy', kg: 28 },
  { to: 'Islay', kg: 12 },
  { to: 'Jura', kg: 3 },
]

function Parcels() {
  const { runAll } = useToolRunner()
  const [results, setResults] = useState<string[]>()
  const calls = useRuns().slice(-parcels.length)
  const send = async () => {
    setResults(undefined)
    const all = await runAll(parcels.map((args) => ({ name: 'send_parcel', args })))
    setResults(all.map(({ output }) => output))
  }
  return (
    <div className="columns">
      <div className="side">
        <button type="button" className="primary" onClick={send}>
          Send 10 parcels
        </button>
        <ol className="run-lines" aria-label="Parcels">
          {calls.map((run, index) => (
            <RunLine key={run.id} run={run}>{`${parcels[index]?.to}, ${parcels[index]?.kg} kg`}</RunLine>
          ))}
        </ol>
      </div>
      <div className="side">
        <PendingList />
        {results && (
          <output className="result lines" aria-label="Results in call order">
            <strong>In call order</strong>
            {results.join('\n')}
          </output>
        )}
      </div>
    </div>
  )
}

export default function Parallel() {
  return (
    <ToolRunner tools={[sendParcel]} concurrency={4} presentation="inline">
      <Parcels />
    </ToolRunner>
  )
}
