import { defineTool, pending, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'unknown-kind',
  title: 'Unknown kind',
  summary: 'A kind the kit has never heard of still gets a safe dialog.',
  tryThis:
    'Press “Hand over parcel”. The tool asks with a kind of its own, “signature”: the generic dialog shows everything it sent as plain text, and takes a yes or a no. Approve ends with “handed over A-1042”.',
}

const handOver = defineTool({
  name: 'hand_over',
  description: 'Hand a parcel over',
  inputSchema: { type: 'object', properties: { parcel: { type: 'string' } }, required: ['parcel'] },
  execute({ parcel }, ctx) {
    if (ctx.answer) return `handed over ${parcel}`
    return pending({
      kind: 'signature',
      prompt: 'Sign for this parcel?',
      data: { sender: 'Rope & Twine', weight: '2.4 kg', fragile: true },
    })
  },
})

export default function UnknownKind() {
  return (
    <ToolRunner tools={[handOver]}>
      <RunButton tool="hand_over" args={{ parcel: 'A-1042' }}>
        Hand over parcel
      </RunButton>
    </ToolRunner>
  )
}
