import { defineTool, History, pending, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'history',
  title: 'History',
  summary: 'Who asked, what was decided, and what came of it.',
  tryThis:
    'Press “Leave a note”, write something and submit; press it again and decline. Both are in the list, the newest first, and the export is the same as JSON. What you wrote is in neither.',
}

const leaveNote = defineTool({
  name: 'leave_note',
  description: 'Leave a note for the harbour master',
  source: 'Harbour office',
  inputSchema: { type: 'object', properties: { about: { type: 'string' } }, required: ['about'] },
  execute(_args, ctx) {
    if (!ctx.answer) return pending({ kind: 'input', prompt: 'What shall the note say?' })
    return 'left a note'
  },
})

export default function HistoryStory() {
  return (
    <ToolRunner tools={[leaveNote]}>
      <RunButton tool="leave_note" args={{ about: 'berth 12' }}>
        Leave a note
      </RunButton>
      <History />
    </ToolRunner>
  )
}
