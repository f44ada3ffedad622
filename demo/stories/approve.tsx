import { defineTool, pending, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'approve',
  title: 'Approve',
  summary: 'A yes lets the tool run, once.',
  tryThis:
    'Press “Delete 3 photos”, read the question and press Approve. Approve comes alive after half a second, so a stray click cannot say yes. The tool runs and ends with “deleted 3 photos”.',
}

const deletePhotos = defineTool({
  name: 'delete_photos',
  description: 'Delete photos from an album',
  inputSchema: {
    type: 'object',
    properties: { album: { type: 'string' }, count: { type: 'integer' } },
    required: ['album', 'count'],
  },
  execute({ album, count }, ctx) {
    if (!ctx.answer) return pending({ kind: 'approval', prompt: `Delete ${count} photos from ${album}?` })
    return `deleted ${count} photos`
  },
})

export default function Approve() {
  return (
    <ToolRunner tools={[deletePhotos]}>
      <RunButton tool="delete_photos" args={{ album: 'Summer', count: 3 }}>
        Delete 3 photos
      </RunButton>
    </ToolRunner>
  )
}
