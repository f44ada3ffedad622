import { defineTool, pending, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'secret',
  title: 'A secret is not asked for',
  summary: 'No form for passwords and keys, whoever asks.',
  tryThis:
    'Press “Connect the mail account”. The tool asks for a password with a form; the dialog shows no form and says where secrets belong. It can only be declined or closed, and the call ends with the error “declined/expired: Sign in to your mail account”.',
}

const schema = {
  type: 'object',
  properties: {
    user: { type: 'string', title: 'User' },
    password: { type: 'string', title: 'Password', format: 'password' },
  },
  required: ['user', 'password'],
}

const connectMail = defineTool({
  name: 'connect_mail',
  description: 'Connect the mail account',
  execute(_args, ctx) {
    if (!ctx.answer) return pending({ kind: 'input', prompt: 'Sign in to your mail account', data: { schema } })
    return 'connected'
  },
})

export default function Secret() {
  return (
    <ToolRunner tools={[connectMail]}>
      <RunButton tool="connect_mail">Connect the mail account</RunButton>
    </ToolRunner>
  )
}
