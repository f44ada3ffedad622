import { defineTool, pending, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'decline',
  title: 'Decline',
  summary: 'A no stops the tool, even one that forgets to look.',
  tryThis:
    'Press “Send to everyone” and then Decline. The tool never looks at what you answered, and still it does not run: the call ends with the error “declined/expired: Send the newsletter to 1,204 people?”. Close and Escape end the same way.',
}

const sendNewsletter = defineTool({
  name: 'send_newsletter',
  description: 'Send the newsletter to all subscribers',
  inputSchema: { type: 'object', properties: {} },
  execute(_args, ctx) {
    if (!ctx.answer) return pending({ kind: 'approval', prompt: 'Send the newsletter to 1,204 people?' })
    // No check of ctx.answer.ok: after a no the runner does not come here.
    return 'sent to 1,204 people'
  },
})

export default function Decline() {
  return (
    <ToolRunner tools={[sendNewsletter]}>
      <RunButton tool="send_newsletter">Send to everyone</RunButton>
    </ToolRunner>
  )
}
