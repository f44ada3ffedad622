import { defineTool, PendingList, pending, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'inline-cards',
  title: 'Inline cards',
  summary: 'Questions in the page, for a chat or a side panel.',
  tryThis:
    'Press “Rename the boat” once or twice: each question is a card in the page, and the page stays usable. Approve a card and its call ends with “renamed to Grey Heron”.',
}

const renameBoat = defineTool({
  name: 'rename_boat',
  description: 'Give the boat a new name',
  inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  execute({ name }, ctx) {
    if (!ctx.answer) return pending({ kind: 'approval', prompt: `Rename the boat to ${name}?` })
    return `renamed to ${name}`
  },
})

export default function InlineCards() {
  return (
    <ToolRunner tools={[renameBoat]} presentation="inline">
      <RunButton tool="rename_boat" args={{ name: 'Grey Heron' }}>
        Rename the boat
      </RunButton>
      <PendingList />
    </ToolRunner>
  )
}
