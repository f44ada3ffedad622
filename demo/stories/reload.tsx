import { defineTool, pending, RunTray, type ToolResult, ToolRunner } from 'assent'
import { useState } from 'react'
import { pause } from '../real-tools/pause.js'
import { RunButton } from '../ui/run-button.js'
import { Told } from '../ui/told.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'reload',
  title: 'Reload and second tab',
  summary: 'A question outlasts the page, and runs once over all tabs.',
  tryThis:
    'Press “Pay 120 € to Ada” and reload the page: the question is there again. Open this story in a second tab: it is there, too, and goes when you answer it in the first. Approve it and reload within three seconds: nobody knows whether it was paid, so it is shown as interrupted and never run again by itself.',
}

const pay = defineTool({
  name: 'pay',
  description: 'Pay an amount to somebody',
  inputSchema: {
    type: 'object',
    properties: { to: { type: 'string' }, euros: { type: 'number' } },
    required: ['to', 'euros'],
  },
  async execute({ to, euros }, ctx) {
    if (!ctx.answer) return pending({ kind: 'approval', prompt: `Pay ${euros} € to ${to}?` })
    await pause(3000, ctx.signal)
    return `paid ${euros} € to ${to}`
  },
})

export default function Reload() {
  const [results, setResults] = useState<ToolResult[]>([])
  return (
    <ToolRunner
      tools={[pay]}
      persist={{ name: 'demo-reload' }}
      onResult={(result) => setResults((all) => [...all, result])}
    >
      <RunButton tool="pay" args={{ to: 'Ada', euros: 120 }}>
        Pay 120 € to Ada
      </RunButton>
      <Told label="Delivered after a reload" results={results} />
      <RunTray />
    </ToolRunner>
  )
}
