import { defineTool, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'reply',
  title: 'A no with a reason',
  summary: 'The model hears why, and can do better.',
  tryThis:
    'Press “Paint the boat” and write why not, for example “Blue, please.”, before you decline. The call ends with the error it always ends with after a no, and your words are beside it in metadata.feedback, where the model reads them.',
}

const paintBoat = defineTool({
  name: 'paint_boat',
  description: 'Paint the boat',
  inputSchema: { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] },
  needsApproval: true,
  decisions: ['approve', 'decline', 'respond'],
  execute: ({ colour }) => `painted it ${colour}`,
})

export default function Reply() {
  return (
    <ToolRunner tools={[paintBoat]}>
      <RunButton tool="paint_boat" args={{ colour: 'red' }}>
        Paint the boat
      </RunButton>
    </ToolRunner>
  )
}
