import { defineTool, ToolRunner, useRuns, useToolRunner } from 'assent'
import { RunResult } from '../ui/run-result.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'approve-all',
  title: 'Approve all',
  summary: 'One yes for several, after each was shown.',
  tryThis:
    'Press “Print 3 labels and wipe the printer” and look at each question with Next. “Approve all 3” comes when the three labels were shown in full; wiping the printer is of high danger and stays out of it. “Decline all” is there at once.',
}

const printLabel = defineTool({
  name: 'print_label',
  description: 'Print a label',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  needsApproval: true,
  execute: ({ text }) => `printed ${text}`,
})

const wipePrinter = defineTool({
  name: 'wipe_printer',
  description: 'Erase the memory of the printer',
  danger: 'high',
  needsApproval: true,
  execute: () => 'wiped',
})

const labels = ['Bow', 'Stern', 'Mast']

function Labels() {
  const { run } = useToolRunner()
  const calls = useRuns().slice(-4)
  const start = () => {
    for (const text of labels) void run('print_label', { text })
    void run('wipe_printer')
  }
  return (
    <>
      <button type="button" className="primary" onClick={start}>
        Print 3 labels and wipe the printer
      </button>
      {calls.map((call) => (
        <RunResult key={call.id} run={call} label={`Result for ${call.args.text ?? 'the printer'}`} />
      ))}
    </>
  )
}

export default function ApproveAll() {
  return (
    <ToolRunner tools={[printLabel, wipePrinter]}>
      <Labels />
    </ToolRunner>
  )
}
