import { pending, type Tool, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'refusal-heard',
  title: 'Refusal heard by the tool',
  summary: 'A tool with its own words for a no.',
  tryThis:
    'Press “Subscribe” and Decline, or close the dialog with Escape. With onRefusal: “retry” the tool runs once more, sees the refusal and says it its own way: “not subscribed: declined” or “not subscribed: cancelled”.',
}

const subscribe: Tool = {
  name: 'subscribe',
  description: 'Subscribe to the harbour news',
  inputSchema: { type: 'object', properties: {} },
  async execute(_args, ctx) {
    const answer = ctx?.answer
    if (!answer) return pending({ kind: 'approval', prompt: 'Subscribe to the harbour news?' })
    if (!answer.ok) return { output: `not subscribed: ${answer.reason}`, isError: true }
    return { output: 'subscribed', isError: false }
  },
}

export default function RefusalHeard() {
  return (
    <ToolRunner tools={[subscribe]} onRefusal="retry">
      <RunButton tool="subscribe">Subscribe</RunButton>
    </ToolRunner>
  )
}
