import { defineTool, type PolicyOptions, ToolRunner } from 'assent'
import { gated } from 'assent/runner'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'policy',
  title: 'Rules',
  summary: 'What the app decides before anybody is asked.',
  tryThis:
    'Press the three buttons. Reading the tide is allowed by a rule, so nobody is asked. Sounding the horn is asked about. Sinking the boat is denied: the call ends with the error “not allowed by policy: sink_boat”, and no dialog comes up.',
}

const readTide = defineTool({ name: 'read_tide', description: 'Read the tide', execute: () => 'high water at 14:10' })
const soundHorn = defineTool({ name: 'sound_horn', description: 'Sound the horn', execute: () => 'honk' })
const sinkBoat = defineTool({ name: 'sink_boat', description: 'Sink the boat', execute: () => 'glug' })

// Tools from elsewhere, with a gate before them that they know nothing of.
const tools = [readTide, soundHorn, sinkBoat].map((tool) => gated(tool, { needsApproval: true }))

const policy: PolicyOptions = {
  rules: [
    { tool: 'read_tide', decision: 'allow' },
    { tool: 'sink_boat', decision: 'deny' },
  ],
}

export default function Policy() {
  return (
    <ToolRunner tools={tools} policy={policy}>
      <RunButton tool="read_tide" result="Result, allowed">
        Read the tide
      </RunButton>
      <RunButton tool="sound_horn" result="Result, asked">
        Sound the horn
      </RunButton>
      <RunButton tool="sink_boat" result="Result, denied">
        Sink the boat
      </RunButton>
    </ToolRunner>
  )
}
