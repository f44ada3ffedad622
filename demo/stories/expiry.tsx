import { defineTool, pending, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'expiry',
  title: 'Expiry',
  summary: 'A question that is only good for 20 seconds.',
  tryThis:
    'Press “Hold 2 seats” and wait. The dialog counts down from 20 seconds and closes on its own; the call ends with the error “declined/expired: Take the 2 seats for 36 euros?”. Approve in time and it ends with “2 seats are yours”.',
}

const SECONDS = 20

const holdSeats = defineTool({
  name: 'hold_seats',
  description: 'Hold seats at the theatre for a moment',
  inputSchema: { type: 'object', properties: {} },
  execute(_args, ctx) {
    if (ctx.answer) return '2 seats are yours'
    return pending({
      kind: 'approval',
      prompt: 'Take the 2 seats for 36 euros?',
      expiresAt: new Date(Date.now() + SECONDS * 1000).toISOString(),
    })
  },
})

export default function Expiry() {
  return (
    <ToolRunner tools={[holdSeats]}>
      <RunButton tool="hold_seats">Hold 2 seats</RunButton>
    </ToolRunner>
  )
}
