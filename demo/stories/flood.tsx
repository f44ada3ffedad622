import { defineTool, ToolRunner, usePending, useRuns, useToolRunner } from 'assent'
import { RunResult } from '../ui/run-result.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'flood',
  title: 'Flood of questions',
  summary: 'One source cannot bury the question of another.',
  tryThis:
    'Press “Ask 1,002 times”. A noisy source asks 1,001 times and a quiet one once, last of all. The page stays usable; the 1,001st is refused with an error that its asker reads. Decline one, and the quiet one is next, not number 1,001. “Decline all” ends the rest.',
}

const shout = defineTool({
  name: 'shout',
  description: 'Ask for attention',
  source: 'Noisy adverts',
  trusted: false,
  inputSchema: { type: 'object', properties: { times: { type: 'integer' } }, required: ['times'] },
  needsApproval: true,
  execute: ({ times }) => `shouted ${times}`,
})

const openGate = defineTool({
  name: 'open_gate',
  description: 'Open the lock gate for a boat',
  source: 'Lock keeper',
  needsApproval: true,
  execute: () => 'the gate is open',
})

const NOISY = 1001

function Flood() {
  const { run } = useToolRunner()
  const waiting = usePending().length
  const refused = useRuns(({ args }) => args.times === NOISY).at(-1)
  const quiet = useRuns(({ toolName }) => toolName === 'open_gate').at(-1)
  const start = () => {
    for (let times = 1; times <= NOISY; times++) void run('shout', { times })
    void run('open_gate')
  }
  return (
    <>
      <button type="button" className="primary" onClick={start}>
        Ask 1,002 times
      </button>
      <p>{waiting} waiting</p>
      <RunResult run={refused} label="Result of the 1,001st" />
      <RunResult run={quiet} label="Result of the quiet one" />
    </>
  )
}

export default function FloodStory() {
  return (
    <ToolRunner tools={[shout, openGate]}>
      <Flood />
    </ToolRunner>
  )
}
