import { defineTool, pending, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'gate',
  title: 'Gate and question',
  summary: 'Asked before it runs, and again by the tool itself.',
  tryThis:
    'Press “Book a cabin”. First the runner asks “Allow book_cabin?” and nothing has run yet. Approve, and the tool runs and asks a question of its own; choose a cabin and press Submit. The call ends with both answers, each in its own place.',
}

const schema = {
  type: 'object',
  properties: { cabin: { type: 'string', title: 'Cabin', enum: ['inside', 'with a window'] } },
  required: ['cabin'],
}

const bookCabin = defineTool({
  name: 'book_cabin',
  description: 'Book a cabin on the ferry',
  inputSchema: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
  needsApproval: true,
  execute(_args, ctx) {
    if (!ctx.answer) return pending({ kind: 'input', prompt: 'Which cabin?', data: { schema } })
    return { allowed: ctx.approval?.ok, cabin: ctx.answer.data?.cabin }
  },
})

export default function Gate() {
  return (
    <ToolRunner tools={[bookCabin]}>
      <RunButton tool="book_cabin" args={{ day: 'Friday' }}>
        Book a cabin
      </RunButton>
    </ToolRunner>
  )
}
