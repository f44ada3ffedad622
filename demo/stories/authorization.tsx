import { authRequired, defineTool, ToolRunner } from 'assent'
import { RunButton } from '../ui/run-button.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'authorization',
  title: 'Authorization',
  summary: 'Sign in at the provider, then come back.',
  tryThis:
    'Press “List my boats”. The dialog names the site and opens it only when you click the link. Sign in there, come back and press “I’ve finished”: the call ends with your boats. Without signing in it ends with “still signed out”.',
}

const SESSION = 'assent-demo-session'

const listBoats = defineTool({
  name: 'list_boats',
  description: 'List the boats of the signed-in person',
  inputSchema: { type: 'object', properties: {} },
  execute(_args, ctx) {
    // “I’ve finished” is what the person says. Whether they are signed in, the tool sees for itself.
    if (localStorage.getItem(SESSION)) return ['Halcyon', 'Grey Heron']
    if (ctx.answer) return { output: 'still signed out', isError: true }
    return authRequired(new URL('login.html', document.baseURI).href, 'Sign in to Harbour Cloud to see your boats')
  },
})

export default function Authorization() {
  return (
    <ToolRunner tools={[listBoats]}>
      <RunButton tool="list_boats">List my boats</RunButton>
      <button type="button" onClick={() => localStorage.removeItem(SESSION)}>
        Sign out
      </button>
    </ToolRunner>
  )
}
