import { defineTool, pending, ToolRunner, useRun, useToolRunner } from 'assent'
import { useState } from 'react'
import { RunResult } from '../ui/run-result.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'cancel',
  title: 'Cancel from code',
  summary: 'The app aborts a call while its dialog waits.',
  tryThis:
    'Press “Call a taxi” and do nothing. After 3 seconds the app aborts the call through its signal: the dialog leaves and the call ends with “cancelled”. The tool never runs a second time.',
}

const callTaxi = defineTool({
  name: 'call_taxi',
  description: 'Call a taxi to the door',
  inputSchema: { type: 'object', properties: {} },
  execute(_args, ctx) {
    if (!ctx.answer) return pending({ kind: 'approval', prompt: 'Call a taxi to 5 Quay Street?' })
    return 'a taxi is coming'
  },
})

function TaxiButton() {
  const { run } = useToolRunner()
  const [id, setId] = useState<string>()
  const call = useRun(id)
  const start = () => {
    const signal = AbortSignal.timeout(3000)
    void run('call_taxi', {}, { signal, onStart: (started) => setId(started.id) })
  }
  return (
    <>
      <button type="button" className="primary" onClick={start}>
        Call a taxi
      </button>
      <RunResult run={call} />
    </>
  )
}

export default function Cancel() {
  return (
    <ToolRunner tools={[callTaxi]}>
      <TaxiButton />
    </ToolRunner>
  )
}
