import { defineTool, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'edit',
  title: 'Edit before it runs',
  summary: 'The person mends the arguments; what they see is what runs.',
  tryThis:
    'Press “Order paint” and then Edit. Change the litres: the dialog shows what it was and what it will be, and each field can be put back. What does not fit is not sent. Approve, and the call ends with what you made of it.',
}

const orderPaint = defineTool({
  name: 'order_paint',
  description: 'Order paint for the hull',
  inputSchema: {
    type: 'object',
    properties: {
      colour: { type: 'string', title: 'Colour', enum: ['red', 'white', 'grey'] },
      litres: { type: 'integer', title: 'Litres', minimum: 1, maximum: 40 },
      express: { type: 'boolean', title: 'Express delivery' },
    },
    required: ['colour', 'litres'],
  },
  needsApproval: true,
  decisions: ['approve', 'edit', 'decline'],
  execute: ({ colour, litres, express }) => `ordered ${litres} l of ${colour}${express ? ', express' : ''}`,
})

export default function Edit() {
  return (
    <ToolRunner tools={[orderPaint]}>
      <RunButton tool="order_paint" args={{ colour: 'red', litres: 30, express: true }}>
        Order paint
      </RunButton>
    </ToolRunner>
  )
}
