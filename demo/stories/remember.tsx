import { defineTool, Permissions, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'remember',
  title: 'Remember a yes',
  summary: 'Allowed for longer than once, and taken back.',
  tryThis:
    'Press “Water the plants”, choose how long your yes shall last and for what, and approve. Press it again: nobody is asked, and the list below says why. Revoke it there, and the next call asks again.',
}

const waterPlants = defineTool({
  name: 'water_plants',
  description: 'Water the plants',
  source: 'Greenhouse',
  inputSchema: { type: 'object', properties: { litres: { type: 'integer' } }, required: ['litres'] },
  needsApproval: true,
  execute: ({ litres }) => `gave them ${litres} l`,
})

const policy = { remember: true }

export default function RememberStory() {
  return (
    <ToolRunner tools={[waterPlants]} policy={policy}>
      <RunButton tool="water_plants" args={{ litres: 3 }}>
        Water the plants
      </RunButton>
      <Permissions />
    </ToolRunner>
  )
}
