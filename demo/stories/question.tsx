import { defineTool, pending, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'question',
  title: 'Question',
  summary: 'One choice, several choices, free text.',
  tryThis:
    'Press “Plan a trip”, choose one destination, any number of interests, write a wish and press Submit. The call ends with the answers in order, a list where several may be chosen.',
}

const questions = [
  { header: 'Where', question: 'Which way shall we go?', options: ['The coast', 'The mountains', 'The city'] },
  { header: 'What', question: 'What do you like?', options: ['Museums', 'Hiking', 'Food'], multiple: true },
  { header: 'Wishes', question: 'Anything else?' },
]

const planTrip = defineTool({
  name: 'plan_trip',
  description: 'Plan a trip for the weekend',
  inputSchema: { type: 'object', properties: {} },
  execute(_args, ctx) {
    if (!ctx.answer) return pending({ kind: 'question', prompt: 'Three things about your trip', data: { questions } })
    return ctx.answer.data
  },
})

export default function Question() {
  return (
    <ToolRunner tools={[planTrip]}>
      <RunButton tool="plan_trip">Plan a trip</RunButton>
    </ToolRunner>
  )
}
