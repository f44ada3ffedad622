import { defineTool, pending, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'choices',
  title: 'Choices',
  summary: 'A yes that says which.',
  tryThis:
    'Press “Berth the boat”, and choose one of the three berths: choosing is the yes. The call ends with what you chose, for example “berthed at: guest”. There is no yes without a choice.',
}

const choices = [
  { value: 'guest', label: 'The guest pier', description: '18 euros a night' },
  { value: 'buoy', label: 'A buoy', description: '7 euros a night, no water' },
  { value: 'yard', label: 'The yard', description: '31 euros a night, on land' },
]

const berthBoat = defineTool({
  name: 'berth_boat',
  description: 'Find a berth for the boat',
  inputSchema: { type: 'object', properties: {} },
  execute(_args, ctx) {
    if (!ctx.answer) return pending({ kind: 'approval', prompt: 'Where shall the boat lie?', data: { choices } })
    return `berthed at: ${ctx.answer.data?.choice}`
  },
})

export default function Choices() {
  return (
    <ToolRunner tools={[berthBoat]}>
      <RunButton tool="berth_boat">Berth the boat</RunButton>
    </ToolRunner>
  )
}
